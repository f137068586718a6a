//! States: a position and its map, which many states share.

use super::map::Map;
use super::position::Position;
use super::rules::Mechanics;
use super::view::View;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A state. States are equal if their positions and neighbourhoods are; cells are not compared.
#[derive(Clone, Debug)]
pub struct State {
    map: Arc<Map>,
    position: Position,
}

impl State {
    /// Makes a state from a map and a position.
    pub fn new(map: Arc<Map>, position: Position) -> State {
        State { map, position }
    }

    /// Returns the map.
    #[inline]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Returns the position.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the map and the position, for changing the position.
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

/// A state in JSON: nothing of it is hidden, so a view has everything but the rules.
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
