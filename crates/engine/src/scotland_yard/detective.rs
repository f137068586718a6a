//! The detectives as pawns: their numbers and their stations. Their tickets, and which of them have
//! moved, are kept in the position.

use super::station::Station;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

/// The largest number of detectives in a game.
pub const MAX_DETECTIVES: usize = 5;

/// One of the detectives, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Detective(u8);

impl Detective {
    /// Returns the detective with this number; `None` unless it is 1 to [`MAX_DETECTIVES`].
    #[inline]
    pub const fn new(number: u8) -> Option<Detective> {
        if number >= 1 && number <= MAX_DETECTIVES as u8 {
            Some(Detective(number - 1))
        } else {
            None
        }
    }

    /// Returns the first `count` detectives.
    #[inline]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Detective> + Clone {
        (0..count.min(MAX_DETECTIVES) as u8).map(Detective)
    }

    /// Returns the number, from 1.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Returns the index in lists, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Detective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl Serialize for Detective {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for Detective {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Detective, D::Error> {
        let number = u64::deserialize(deserializer)?;
        u8::try_from(number).ok().and_then(Detective::new).ok_or_else(|| {
            D::Error::custom(format!(
                "{number} is not a detective; expected a number from 1 to {MAX_DETECTIVES}"
            ))
        })
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Detective {
    fn schema_name() -> Cow<'static, str> {
        "Detective".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "One of the detectives, numbered from 1.",
            "type": "integer", "minimum": 1, "maximum": MAX_DETECTIVES
        })
    }
}

/// The stations of the detectives, in order; `None` for one that was taken off the board.
///
/// In JSON a list of stations, with `null` for a detective off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pawns {
    count: u8,
    at: [Option<Station>; MAX_DETECTIVES],
}

impl Pawns {
    /// Places detectives on these stations.
    ///
    /// # Panics
    ///
    /// If there are more than [`MAX_DETECTIVES`].
    #[inline]
    pub fn new(stations: impl IntoIterator<Item = Option<Station>>) -> Pawns {
        let mut pawns = Pawns { count: 0, at: [None; MAX_DETECTIVES] };
        for station in stations {
            assert!(pawns.len() < MAX_DETECTIVES, "a game has at most 5 detectives");
            pawns.at[pawns.len()] = station;
            pawns.count += 1;
        }
        pawns
    }

    /// Returns the number of detectives, including those off the board.
    #[inline]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns whether there are no detectives.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the station of a detective.
    #[inline]
    pub const fn get(&self, detective: Detective) -> Option<Station> {
        self.at[detective.index()]
    }

    /// Moves a detective to a station, or takes it off the board.
    #[inline]
    pub(super) fn set(&mut self, detective: Detective, station: Option<Station>) {
        self.at[detective.index()] = station;
    }

    /// Returns whether a detective is on this station.
    #[inline]
    pub fn occupy(&self, station: Station) -> bool {
        self.at.iter().fold(false, |found, &at| found | (at == Some(station)))
    }

    /// Returns the detective at a station.
    #[inline]
    pub fn who(&self, station: Station) -> Option<Detective> {
        Detective::all(self.len()).find(|&detective| self.get(detective) == Some(station))
    }

    /// Returns the stations of all detectives, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Option<Station>> + '_ {
        self.at[..self.len()].iter().copied()
    }

    /// Returns the stations of the detectives on the board.
    #[inline]
    pub fn stations(&self) -> impl Iterator<Item = Station> + '_ {
        self.iter().flatten()
    }
}

impl Serialize for Pawns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for station in self.iter() {
            list.serialize_element(&station)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Pawns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pawns, D::Error> {
        let stations = Vec::<Option<Station>>::deserialize(deserializer)?;
        if stations.len() > MAX_DETECTIVES {
            let count = stations.len();
            return Err(D::Error::custom(format!(
                "{count} detectives; a game has at most {MAX_DETECTIVES}"
            )));
        }
        Ok(Pawns::new(stations))
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Pawns {
    fn schema_name() -> Cow<'static, str> {
        "Pawns".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let station = generator.subschema_for::<Option<Station>>();
        json_schema!({
            "description": "The stations of the detectives, in order; null for one off the board.",
            "type": "array", "items": station, "maxItems": MAX_DETECTIVES
        })
    }
}
