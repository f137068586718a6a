//! The 32 dark squares and their numbers.

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

/// A dark square: a number from 1 to 32, counted row by row from Black's side, each row from its
/// left end as seen with White at the bottom. In JSON the number.
///
/// ```
/// use botyard_engine::draughts::Square;
/// let corner = Square::new(29).unwrap();
/// assert_eq!((corner.row(), corner.column()), (7, 0));
/// assert_eq!(Square::at(7, 0), Some(corner));
/// assert_eq!(Square::at(0, 0), None, "a light square");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 32;

    /// Returns the square with this number; `None` unless it is 1 to 32.
    #[inline]
    pub const fn new(number: u8) -> Option<Square> {
        if 1 <= number && number <= 32 { Some(Square(number - 1)) } else { None }
    }

    /// Returns the dark square in this row and column, each 0 to 7 from the upper left.
    #[inline]
    pub const fn at(row: u8, column: u8) -> Option<Square> {
        if row < 8 && column < 8 && (row + column) % 2 == 1 {
            Some(Square(row * 4 + column / 2))
        } else {
            None
        }
    }

    /// Returns the square with this index.
    ///
    /// # Panics
    ///
    /// If `index` is not below 32.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        assert!(index < Square::COUNT, "a board has 32 squares");
        Square(index as u8)
    }

    /// Returns the number, 1 to 32.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Returns the number minus 1: an index into a list of squares.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the row, 0 to 7; Black's king row is 7, White's is 0.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 / 4
    }

    /// Returns the column, 0 to 7, from the left with White at the bottom.
    #[inline]
    pub const fn column(self) -> u8 {
        2 * (self.0 % 4) + (1 - self.row() % 2)
    }

    /// Returns all squares in the order of their numbers.
    #[inline]
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Square::COUNT).map(Square::from_index)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Square::new(number)
            .ok_or_else(|| D::Error::custom(format!("no square {number}; expected 1 to 32")))
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Square {
    fn schema_name() -> Cow<'static, str> {
        "Square".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A dark square, numbered row by row from Black's side.",
            "type": "integer", "minimum": 1, "maximum": 32
        })
    }
}
