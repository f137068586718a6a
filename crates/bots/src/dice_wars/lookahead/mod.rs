//! Dice Wars for the search of several seats: attacks and the ends of turns as a tree in which all
//! players move, battles have two ends and new dice are drawn ([`LookaheadGame`]); and a way to play by it
//! ([`LookaheadPolicy`]).
//!
//! Transfers are not searched for: there are too many, and they commute. Before attacks dice go to the
//! border, after them they leave areas that may fall, as the course's best bots do it.

mod agent;
mod game;
mod move_ordering;
pub mod options;
mod policy;

pub(in crate::dice_wars) use agent::DECISIONS_TO_COME;
pub use agent::LookaheadAgent;
pub use game::{LookaheadGame, MoveSelection, SearchPosition};
pub use move_ordering::Candidates;
pub use policy::{Decided, LookaheadPolicy};
