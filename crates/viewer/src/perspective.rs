//! The perspective that a game is seen from: what a drawing receives of views and events is cut to
//! it first, so a drawing cannot show what is hidden.
//!
//! What is hidden from a seat is `null` in its view, or absent. So what all seats see is what their
//! views have in common, and the whole truth is what any of them has.

use crate::drawing::{Drawing, DrawingError};
use botyard_engine::{Seat, Table, registry};
use botyard_replay::{Header, UnknownSeat};
use serde_json::Value;
use serde_json::value::RawValue;

/// The perspective that a game is seen from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perspective<'a> {
    /// That of a seat, by its name or its number from 1: only what it saw.
    Seat(&'a str),
    /// That of a spectator: only what all seats saw.
    #[default]
    Spectator,
    /// Everything, including what was hidden from seats.
    Truth,
}

impl Perspective<'_> {
    /// Finds the seat of the perspective.
    pub(crate) fn in_game(self, header: &Header) -> Result<Viewpoint, UnknownSeat> {
        Ok(match self {
            Perspective::Seat(seat) => Viewpoint::Seat(header.find_seat(seat)?),
            Perspective::Spectator => Viewpoint::Spectator,
            Perspective::Truth => Viewpoint::Truth,
        })
    }
}

/// Whether anything in the game may be hidden from a seat.
pub(crate) fn hides(header: &Header) -> bool {
    registry::info(&header.game).map_or(true, |game| game.hidden)
}

/// A perspective in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Viewpoint {
    Seat(Seat),
    Spectator,
    Truth,
}

impl Viewpoint {
    /// What is seen of a value of which every seat has a copy.
    fn of_all(self, seats: usize, copy: impl Fn(Seat) -> Value) -> Value {
        let copies = || Seat::all(seats).map(&copy);
        match self {
            Viewpoint::Seat(seat) => copy(seat),
            Viewpoint::Spectator => copies().reduce(in_common).unwrap_or_default(),
            Viewpoint::Truth => copies().reduce(together).unwrap_or_default(),
        }
    }

    /// The view of the current state.
    pub(crate) fn view(self, table: &dyn Table) -> Value {
        self.of_all(table.seats().len(), |seat| {
            let mut json = Vec::new();
            table.write_view(seat, &mut json);
            serde_json::from_slice(&json).expect("a table writes JSON")
        })
    }

    /// The setup of the game.
    pub(crate) fn setup(self, table: &dyn Table) -> Value {
        self.of_all(table.seats().len(), |seat| {
            serde_json::from_str(&table.setup(seat)).expect("a table writes JSON")
        })
    }

    /// The drawing of the current state that the program of the game makes; `None` if it makes none. It draws
    /// what a seat may see or everything, but not what all seats see.
    pub(crate) fn drawing(self, table: &dyn Table) -> Option<Result<Drawing, DrawingError>> {
        let picture = match self {
            Viewpoint::Seat(seat) => table.picture(Some(seat)),
            Viewpoint::Spectator => None,
            Viewpoint::Truth => table.picture(None),
        };
        Some(Drawing::clean(&picture?).map(|cleaned| cleaned.drawing))
    }

    /// What is seen of an event. `seen` has the copies of the seats from which something of it was
    /// hidden.
    pub(crate) fn event(self, full: &RawValue, seen: Option<&RawValue>, seats: &[String]) -> Value {
        let parsed = |json: &RawValue| serde_json::from_str::<Value>(json.get());
        let full = parsed(full).unwrap_or_default();
        let Some(seen) = seen else { return full };
        if self == Viewpoint::Truth {
            return full;
        }
        let seen = parsed(seen).unwrap_or_default();
        self.of_all(seats.len(), |seat| seen.get(&seats[seat.index()]).unwrap_or(&full).clone())
    }
}

/// What two values have in common; `null` where they differ.
pub(crate) fn in_common(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(one), Value::Object(mut other)) => {
            let both = one.into_iter().filter_map(|(key, value)| {
                let other = other.remove(&key)?;
                Some((key, in_common(value, other)))
            });
            Value::Object(both.collect())
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            Value::Array(one.into_iter().zip(other).map(|(a, b)| in_common(a, b)).collect())
        }
        (one, other) if one == other => one,
        _ => Value::Null,
    }
}

/// What two values have together: where one has `null` or nothing, what the other has.
fn together(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Null, other) => other,
        (Value::Object(mut one), Value::Object(other)) => {
            for (key, value) in other {
                let mine = one.remove(&key).unwrap_or_default();
                one.insert(key, together(mine, value));
            }
            Value::Object(one)
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            Value::Array(one.into_iter().zip(other).map(|(a, b)| together(a, b)).collect())
        }
        (one, _) => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn spectators_see_what_all_see_and_the_truth_is_what_any_sees() {
        let one = json!({"cups": [[1, 2], null], "bid": [3, 2], "own": 1, "log": [{"at": 4}]});
        let other = json!({"cups": [null, [2, 1]], "bid": [3, 2], "log": [{"at": null}]});
        assert_eq!(
            in_common(one.clone(), other.clone()),
            json!({"cups": [null, null], "bid": [3, 2], "log": [{"at": null}]})
        );
        let all = json!({"cups": [[1, 2], [2, 1]], "bid": [3, 2], "own": 1, "log": [{"at": 4}]});
        assert_eq!(together(one.clone(), other.clone()), all);
        assert_eq!(together(other, one), all);
    }
}
