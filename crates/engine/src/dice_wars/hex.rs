//! The cells that areas are made of: hexagons in doubled coordinates.
//!
//! `x + y` is even; a cell's six neighbours are two columns away in its row, or one column and one
//! row away. Amit Patel's "Hexagonal Grids" calls these double-width coordinates.

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

/// A hexagonal cell. In JSON `[x, y]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex {
    x: i16,
    y: i16,
}

impl Hex {
    /// The largest coordinate, and the negative of the smallest.
    pub const FARTHEST: i16 = 10_000;

    /// The cell at 0, 0.
    pub const ORIGIN: Hex = Hex { x: 0, y: 0 };

    /// Makes the cell with these coordinates; `None` if their sum is odd or one is beyond
    /// [`Hex::FARTHEST`].
    pub const fn new(x: i16, y: i16) -> Option<Hex> {
        let near = -Hex::FARTHEST <= x && x <= Hex::FARTHEST;
        let near = near && -Hex::FARTHEST <= y && y <= Hex::FARTHEST;
        if near && (x + y) % 2 == 0 { Some(Hex { x, y }) } else { None }
    }

    /// Returns the column, in half widths of a cell; grows to the right.
    #[inline]
    pub const fn x(self) -> i16 {
        self.x
    }

    /// Returns the row; grows downwards.
    #[inline]
    pub const fn y(self) -> i16 {
        self.y
    }

    /// Returns the six cells around this one, clockwise from the right. At the edge of the plane
    /// they may be cells that [`Hex::new`] rejects.
    #[inline]
    pub fn neighbours(self) -> [Hex; 6] {
        const STEPS: [(i16, i16); 6] = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)];
        STEPS.map(|(x, y)| Hex { x: self.x.wrapping_add(x), y: self.y.wrapping_add(y) })
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.x, self.y)
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x, self.y).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        let (x, y) = <(i16, i16)>::deserialize(deserializer)?;
        Hex::new(x, y).ok_or_else(|| {
            D::Error::custom(format!(
                "[{x}, {y}] is not a cell; expected two numbers from -{0} to {0} whose sum is even",
                Hex::FARTHEST
            ))
        })
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Hex {
    fn schema_name() -> Cow<'static, str> {
        "Hex".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description":
                "A hexagonal cell in doubled coordinates, [x, y]: x + y is even, and neighbours \
                 are at (+-2, 0) and (+-1, +-1).",
            "type": "array", "minItems": 2, "maxItems": 2,
            "items": { "type": "integer", "minimum": -Hex::FARTHEST, "maximum": Hex::FARTHEST }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_mutual_cells() {
        let hex = Hex::new(-3, 7).unwrap();
        for neighbour in hex.neighbours() {
            assert_eq!(Hex::new(neighbour.x(), neighbour.y()), Some(neighbour));
            assert!(neighbour.neighbours().contains(&hex));
        }
    }

    #[test]
    fn what_is_no_cell_is_refused() {
        assert_eq!(serde_json::to_string(&Hex::new(17, 13).unwrap()).unwrap(), "[17,13]");
        for no_cell in ["[1,2]", "[10002,0]", "[0,-10002]", "[99999,1]", "[1]", "[1,1,1]", "3"] {
            assert!(serde_json::from_str::<Hex>(no_cell).is_err(), "{no_cell}");
        }
    }
}
