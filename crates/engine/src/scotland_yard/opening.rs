//! Where a game begins: stations and, in a given opening, tickets other than the rules'. Whether
//! an opening can be played is for the game to say.

use super::detective::MAX_DETECTIVES;
use super::station::Station;
use super::ticket::Allowance;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// What is drawn or given before the first move. The stations need not be start cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Mr. X's station. What the detectives are shown of an opening has `null` here.
    pub mr_x: Station,
    /// The detectives' stations, one for each.
    pub detectives: Vec<Station>,
    /// What the detectives hold, where that is not what the rules say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detective_tickets: Option<DetectiveTickets>,
    /// What Mr. X holds, where that is not what the rules say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mr_x_tickets: Option<MrXTickets>,
    /// Where the detectives must expect Mr. X, where that is not what his start cards say; his
    /// station must be among them. Left out, it is his cards if his station is one of them, and
    /// otherwise every station.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mr_x_starts: Option<Vec<Station>>,
}

/// What the detectives hold at the start: the same for all, or a list with one entry for each.
#[derive(Clone, Debug, PartialEq)]
pub enum DetectiveTickets {
    /// Everybody holds these.
    All(Allowance),
    /// Each its own.
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

impl JsonSchema for DetectiveTickets {
    fn schema_name() -> Cow<'static, str> {
        "DetectiveTickets".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let allowance = generator.subschema_for::<Allowance>();
        json_schema!({
            "description": "What the detectives hold: the same for all, or one entry for each.",
            "anyOf": [
                allowance,
                { "type": "array", "items": allowance, "maxItems": MAX_DETECTIVES }
            ]
        })
    }
}

/// What Mr. X holds at the start; whatever is left out is as the rules say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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

/// Where the detectives must expect Mr. X before his first move. Public, and part of the state
/// because a given opening may differ from the rules.
///
/// In JSON `"cards"`, `"anywhere"` or a list of stations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StartSet {
    /// At one of his start cards.
    #[default]
    Cards,
    /// At any station.
    Anywhere,
    /// At one of these, in ascending order.
    Among(Arc<[Station]>),
}

impl StartSet {
    /// Whether it is what the rules say, so that nobody needs to be told.
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
                "{other} names no stations; expected \"cards\", \"anywhere\" or a list of stations"
            ))),
        }
    }
}

impl StartSet {
    /// These stations, in whatever order they come.
    pub fn among(mut stations: Vec<Station>) -> StartSet {
        stations.sort_unstable();
        stations.dedup();
        StartSet::Among(stations.into())
    }
}

impl JsonSchema for StartSet {
    fn schema_name() -> Cow<'static, str> {
        "StartSet".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let station = generator.subschema_for::<Station>();
        json_schema!({
            "description": "Where the detectives must expect Mr. X before his first move.",
            "oneOf": [
                { "enum": ["cards", "anywhere"] },
                { "type": "array", "items": station }
            ]
        })
    }
}
