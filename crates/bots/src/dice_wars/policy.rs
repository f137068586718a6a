//! Policies for Dice Wars: positions in, actions out, without JSON or clocks.

use botyard_agent::AgentRng;
use botyard_engine::dice_wars::{Action, Map, Position};

/// A way to play, used by playouts, the [arena](super::arena) and refereed games alike.
///
/// A policy may keep memory within a game, and one policy may play several seats of it: it is
/// always asked about the player to move.
pub trait Policy {
    /// Prepares for a new game: clears the memory.
    fn new_game(&mut self) {}

    /// Checks that it plays games such as this; the default plays all.
    ///
    /// # Errors
    ///
    /// If it does not: which games it plays, in a sentence.
    fn check(&self, _map: &Map, _position: &Position) -> Result<(), String> {
        Ok(())
    }

    /// Chooses a legal action of the player to move, who must be due to act.
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
