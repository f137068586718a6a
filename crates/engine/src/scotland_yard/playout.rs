//! Random play from a position: the fast path of Monte Carlo search. Actions are drawn uniformly
//! from the legal ones, as a bot would that plays at random; nothing allocates.

use super::action::Action;
use super::arena::Arena;
use super::position::{End, Position, Stage};
use crate::random::{Rng, below};
use arrayvec::ArrayVec;

/// No position has more legal actions: five detectives with at most 13 steps each, or Mr. X with
/// at most 13 by fare and 13 by black ticket, each also as the first half of a double move.
const MOST_ACTIONS: usize = 80;

impl Position {
    /// A uniformly random legal action; `None` when the game is over.
    pub fn random_action<R: Rng + ?Sized>(&self, arena: &Arena, rng: &mut R) -> Option<Action> {
        let mut actions = ArrayVec::<Action, MOST_ACTIONS>::new();
        self.for_each_action(arena, |action| actions.push(action));
        match actions.len() as u32 {
            0 => None,
            count => Some(actions[below(rng, count) as usize]),
        }
    }

    /// Plays at random to the end; returns how it ended and after how many actions.
    pub fn play_out<R: Rng + ?Sized>(&mut self, arena: &Arena, rng: &mut R) -> (End, u32) {
        for plies in 0.. {
            if let Stage::Over(end) = self.stage() {
                return (end, plies);
            }
            let action = self
                .random_action(arena, rng)
                .expect("whoever is to move has a legal action: positions without one are over");
            self.apply(arena, action);
        }
        unreachable!("a game has a limit")
    }
}
