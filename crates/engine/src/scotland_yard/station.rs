//! A station of the board. On the London map its number is the printed one; on a grid the stations
//! are the cells, numbered row by row from 1.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU16;

/// A station, numbered from 1. A board may not have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(transparent)]
pub struct Station(NonZeroU16);

impl Station {
    /// Returns the station with this number; `None` for 0.
    #[inline]
    pub const fn new(number: u16) -> Option<Station> {
        match NonZeroU16::new(number) {
            Some(number) => Some(Station(number)),
            None => None,
        }
    }

    /// Returns the station at this index, from 0, in a list of all stations.
    ///
    /// # Panics
    ///
    /// If `index` is 65,535 or more.
    #[inline]
    pub const fn from_index(index: usize) -> Station {
        assert!(index < u16::MAX as usize, "a board has at most 65,535 stations");
        match Station::new(index as u16 + 1) {
            Some(station) => station,
            None => unreachable!(),
        }
    }

    /// Returns the number on the map, from 1.
    #[inline]
    pub const fn number(self) -> u16 {
        self.0.get()
    }

    /// Returns the index in a list of all stations, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
