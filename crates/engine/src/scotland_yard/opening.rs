//! Openings: the stations and, in a given opening, tickets that differ from the rules. The game
//! checks whether an opening can be played.

#[cfg(feature = "schema")]
use super::detective::MAX_DETECTIVES;
use super::station::Station;
use super::ticket::Allowance;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// What is drawn or given before the first move: the pawns' stations, and tickets. The stations
/// need not be start cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Mr. X's station. The detectives see `null` here.
    pub mr_x: Station,
    /// The detectives' stations, one per detective.
    pub detectives: Vec<Station>,
    /// The detectives' tickets, where they differ from the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detective_tickets: Option<DetectiveTickets>,
    /// Mr. X's tickets, where they differ from the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mr_x_tickets: Option<MrXTickets>,
    /// The stations at which the detectives must expect Mr. X, where they differ from his start
    /// cards. His station must be one of them. Left out, they are his cards if his station is on
    /// one of them, otherwise all stations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mr_x_starts: Option<Vec<Station>>,
}

/// The detectives' tickets at the start: the same for all, or one entry per detective.
#[derive(Clone, Debug, PartialEq)]
pub enum DetectiveTickets {
    /// The same tickets for every detective.
    All(Allowance),
    /// One entry per detective.
    Each(Vec<Allowance>),
}

impl Serialize for DetectiveTickets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            DetectiveTickets::All(allowance) => allowance.serialize(serializer),
            DetectiveTickets::Each(allowances) => allowances.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for DetectiveTickets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DetectiveTickets, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if value.is_array() {
            Vec::deserialize(value).map(DetectiveTickets::Each).map_err(D::Error::custom)
        } else {
            Allowance::deserialize(value).map(DetectiveTickets::All).map_err(D::Error::custom)
        }
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for DetectiveTickets {
    fn schema_name() -> Cow<'static, str> {
        "DetectiveTickets".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let allowance = generator.subschema_for::<Allowance>();
        json_schema!({
            "description": "The detectives' tickets at the start: the same for all, or one entry per detective.",
            "anyOf": [
                allowance,
                { "type": "array", "items": allowance, "maxItems": MAX_DETECTIVES }
            ]
        })
    }
}

/// Mr. X's tickets at the start. A count that is left out is that of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MrXTickets {
    /// Taxi tickets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taxi: Option<u16>,
    /// Bus tickets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<u16>,
    /// Underground tickets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub underground: Option<u16>,
    /// Black tickets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<u16>,
    /// Double tickets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub double: Option<u16>,
}

/// The stations at which the detectives must expect Mr. X before his first move. Public, and part
/// of the state because a given opening may differ from the rules.
///
/// In JSON `"cards"`, `"anywhere"` or a list of stations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StartSet {
    /// The stations of his start cards.
    #[default]
    Cards,
    /// Any station.
    Anywhere,
    /// One of these stations, in ascending order.
    Among(Arc<[Station]>),
}

impl StartSet {
    /// Returns whether it is the start set of the rules, which JSON leaves out.
    pub fn is_cards(&self) -> bool {
        *self == StartSet::Cards
    }
}

impl fmt::Display for StartSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartSet::Cards => f.write_str("one of his start cards"),
            StartSet::Anywhere => f.write_str("any station"),
            StartSet::Among(stations) => write!(f, "one of {} stations", stations.len()),
        }
    }
}

impl Serialize for StartSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            StartSet::Cards => serializer.serialize_str("cards"),
            StartSet::Anywhere => serializer.serialize_str("anywhere"),
            StartSet::Among(stations) => serializer.collect_seq(stations.iter()),
        }
    }
}

impl<'de> Deserialize<'de> for StartSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StartSet, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) if text == "cards" => Ok(StartSet::Cards),
            Value::String(text) if text == "anywhere" => Ok(StartSet::Anywhere),
            list @ Value::Array(_) => {
                let stations = Vec::<Station>::deserialize(list).map_err(D::Error::custom)?;
                Ok(StartSet::among(stations))
            }
            other => Err(D::Error::custom(format!(
                "{other} does not name stations; expected \"cards\", \"anywhere\" or a list of stations"
            ))),
        }
    }
}

impl StartSet {
    /// Returns the start set of these stations, given in any order.
    pub fn among(mut stations: Vec<Station>) -> StartSet {
        stations.sort_unstable();
        stations.dedup();
        StartSet::Among(stations.into())
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for StartSet {
    fn schema_name() -> Cow<'static, str> {
        "StartSet".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let station = generator.subschema_for::<Station>();
        json_schema!({
            "description": "The stations at which the detectives must expect Mr. X before his first move.",
            "oneOf": [
                { "enum": ["cards", "anywhere"] },
                { "type": "array", "items": station }
            ]
        })
    }
}
