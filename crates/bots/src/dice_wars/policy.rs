//! What a way to play Dice Wars is: positions in, actions out, with no word of JSON or clocks.

use botyard_agent::AgentRng;
use botyard_engine::dice_wars::{Action, Map, Position};

/// A way to play. Playouts, the [arena](super::arena) and refereed games all use the same ones.
///
/// A policy may remember things within a game, and one may play several seats of it: what it is
/// asked about is always the player to move.
pub trait Policy {
    /// The game is about to begin; what was remembered is forgotten.
    fn new_game(&mut self) {}

    /// A legal action of the player to move, whose turn it is to decide.
    fn choose(&mut self, map: &Map, position: &Position, rng: &mut AgentRng) -> Action;
}

impl<P: Policy + ?Sized> Policy for &mut P {
    fn new_game(&mut self) {
        (**self).new_game();
    }

    fn choose(&mut self, map: &Map, position: &Position, rng: &mut AgentRng) -> Action {
        (**self).choose(map, position, rng)
    }
}

impl<P: Policy + ?Sized> Policy for Box<P> {
    fn new_game(&mut self) {
        (**self).new_game();
    }

    fn choose(&mut self, map: &Map, position: &Position, rng: &mut AgentRng) -> Action {
        (**self).choose(map, position, rng)
    }
}
