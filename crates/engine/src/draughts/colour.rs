//! The two sides. A rule sets which of them moves first. Black's men always start on the low
//! squares and move towards the high ones.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Starts on squares 1 to 12; its men move towards 32.
    Black,
    /// Starts on squares 21 to 32; its men move towards 1.
    White,
}

impl Colour {
    /// Both sides.
    pub const ALL: [Colour; 2] = [Colour::Black, Colour::White];

    /// Returns the other side.
    #[inline]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// `B` or `W`, as in FEN.
    pub const fn letter(self) -> char {
        match self {
            Colour::Black => 'B',
            Colour::White => 'W',
        }
    }

    /// Returns the name in a sentence: `Black` or `White`.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Black => "Black",
            Colour::White => "White",
        }
    }
}

/// `black` or `white`: the name of the seat.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "black",
            Colour::White => "white",
        })
    }
}
