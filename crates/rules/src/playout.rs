//! A game played to its end by random actions.

use crate::messages::LONGEST_PLAYOUT;
use botyard_engine::random::{Rng, choose};
use botyard_engine::{Game, Outcome, Turn};

/// Plays to the end of a game, each legal action with the same probability. `None` if the game is
/// longer than [`LONGEST_PLAYOUT`]. `actions` is a buffer.
pub(crate) fn play_out<G: Game>(
    game: &G,
    state: &mut G::State,
    actions: &mut Vec<G::Action>,
    rng: &mut impl Rng,
) -> Option<Outcome> {
    for _ in 0..LONGEST_PLAYOUT {
        match game.turn(state) {
            Turn::Over => break,
            Turn::Chance => {
                let chance = game.draw(state, rng);
                game.apply_chance(state, &chance);
            }
            Turn::Seat(_) => {
                game.actions(state, actions);
                let action = choose(rng, actions).copied();
                game.apply(state, action.expect("the seat to move has a legal action"));
            }
        }
    }
    game.outcome(state)
}
