//! The state of a game: a position and the map that it is on, which many states share.

use super::map::Map;
use super::position::Position;
use super::rules::Mechanics;
use super::view::View;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A state. Two are equal whose positions and neighbourhoods are: the cells of a map decide
/// nothing.
#[derive(Clone, Debug)]
pub struct State {
    map: Arc<Map>,
    position: Position,
}

impl State {
    /// The state with this position on this map.
    pub fn new(map: Arc<Map>, position: Position) -> State {
        State { map, position }
    }

    /// The map.
    #[inline]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// The position.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The map, and the position to play on.
    #[inline]
    pub(super) fn parts_mut(&mut self) -> (&Map, &mut Position) {
        (&self.map, &mut self.position)
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.position == other.position
            && (Arc::ptr_eq(&self.map, &other.map) || self.map.has_neighbourhood_of(&other.map))
    }
}

/// What is written down of a state: nothing of it is hidden, so a view has all but the rules.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    mechanics: Mechanics,
    view: View,
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mechanics = *self.position.mechanics();
        Written { mechanics, view: View::new(self) }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        let written = Written::deserialize(deserializer)?;
        written.view.state(written.mechanics).map_err(D::Error::custom)
    }
}
