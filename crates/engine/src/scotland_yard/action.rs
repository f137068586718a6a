//! An action: one step of Mr. X or of one detective. A double move is two actions, the first of
//! which announces the second.

use super::detective::Detective;
use super::station::Station;
use super::ticket::Ticket;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

/// A step along an edge of the board.
///
/// ```
/// use botyard_engine::scotland_yard::Action;
/// for json in [
///     r#"{"ticket":"black","to":45}"#,
///     r#"{"ticket":"taxi","to":45,"double":true}"#,
///     r#"{"detective":2,"ticket":"bus","to":45}"#,
/// ] {
///     let action: Action = serde_json::from_str(json).unwrap();
///     assert_eq!(serde_json::to_string(&action).unwrap(), json);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A step of Mr. X: `{"ticket":"taxi","to":45}`.
    MrX {
        /// The ticket that Mr. X shows.
        ticket: Ticket,
        /// His destination.
        to: Station,
        /// Whether this is the first half of a double move.
        double: bool,
    },
    /// A step of a detective: `{"detective":2,"ticket":"bus","to":45}`.
    Detective {
        /// The detective that moves.
        detective: Detective,
        /// The ticket that it uses up; never black.
        ticket: Ticket,
        /// Its destination.
        to: Station,
    },
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Action::MrX { ticket, to, double } => {
                map.serialize_entry("ticket", ticket)?;
                map.serialize_entry("to", to)?;
                if *double {
                    map.serialize_entry("double", &true)?;
                }
            }
            Action::Detective { detective, ticket, to } => {
                map.serialize_entry("detective", detective)?;
                map.serialize_entry("ticket", ticket)?;
                map.serialize_entry("to", to)?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Action, D::Error> {
        deserializer.deserialize_map(ActionVisitor)
    }
}

struct ActionVisitor;

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Detective,
    Ticket,
    To,
    Double,
}

fn once<'de, T: Deserialize<'de>, M: MapAccess<'de>>(
    slot: &mut Option<T>,
    field: &'static str,
    map: &mut M,
) -> Result<(), M::Error> {
    if slot.is_some() {
        return Err(M::Error::duplicate_field(field));
    }
    *slot = Some(map.next_value()?);
    Ok(())
}

impl<'de> Visitor<'de> for ActionVisitor {
    type Value = Action;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "{\"ticket\": ..., \"to\": ...} of Mr. X or {\"detective\": ..., \"ticket\": ..., \
             \"to\": ...}",
        )
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Action, M::Error> {
        let (mut detective, mut ticket, mut to) = (None, None, None);
        let mut double: Option<bool> = None;
        while let Some(field) = map.next_key()? {
            match field {
                Field::Detective => once(&mut detective, "detective", &mut map)?,
                Field::Ticket => once(&mut ticket, "ticket", &mut map)?,
                Field::To => once(&mut to, "to", &mut map)?,
                Field::Double => once(&mut double, "double", &mut map)?,
            }
        }
        let ticket = ticket.ok_or_else(|| M::Error::missing_field("ticket"))?;
        let to = to.ok_or_else(|| M::Error::missing_field("to"))?;
        match detective {
            None => Ok(Action::MrX { ticket, to, double: double == Some(true) }),
            Some(_) if double.is_some() => {
                Err(M::Error::custom("a detective has no double moves: leave out `double`"))
            }
            Some(detective) => Ok(Action::Detective { detective, ticket, to }),
        }
    }
}

/// The JSON form of an action, for the JSON Schema.
#[cfg(feature = "schema")]
#[derive(JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is used")]
enum ActionForm {
    /// A step of Mr. X.
    MrX {
        /// The ticket that Mr. X shows.
        ticket: Ticket,
        /// His destination.
        to: Station,
        /// true on the first half of a double move, left out otherwise.
        #[serde(default)]
        double: bool,
    },
    /// A step of a detective.
    Detective {
        /// The detective that moves.
        detective: Detective,
        /// The ticket that it uses up; never black.
        ticket: Ticket,
        /// Its destination.
        to: Station,
    },
}

#[cfg(feature = "schema")]
impl JsonSchema for Action {
    fn schema_name() -> Cow<'static, str> {
        "Action".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ActionForm::json_schema(generator)
    }
}
