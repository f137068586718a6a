//! The number of a player in JSON and text: that of its seat's name, from 1.

use crate::seat::{MAX_SEATS, Seat};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

/// A player, counted from 1: 1 is the seat `player-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub Seat);

impl Player {
    /// Returns the number, from 1.
    pub const fn number(self) -> usize {
        self.0.index() + 1
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number() as u8)
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Player, D::Error> {
        let number = u64::deserialize(deserializer)?;
        match number.checked_sub(1) {
            Some(index) if index < MAX_SEATS as u64 => Ok(Player(Seat::new(index as usize))),
            _ => Err(D::Error::custom(format!(
                "{number} is not a player; expected 1 to {MAX_SEATS}"
            ))),
        }
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Player {
    fn schema_name() -> Cow<'static, str> {
        "Player".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The number of a player, from 1: that of its seat's name.",
            "type": "integer", "minimum": 1, "maximum": MAX_SEATS
        })
    }
}
