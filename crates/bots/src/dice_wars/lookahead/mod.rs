//! Dice Wars for multi-player search: attacks and ends of turns as a tree in which all players
//! move, battles have two outcomes and new dice are drawn ([`LookaheadGame`]); and a policy that
//! plays by it ([`LookaheadPolicy`]).
//!
//! Transfers are not searched: there are too many, and they commute. As in the course's best bots,
//! dice move to the border before attacks and leave endangered areas after them.

mod agent;
mod game;
mod move_ordering;
pub mod options;
mod policy;

pub(in crate::dice_wars) use agent::DECISIONS_TO_COME;
pub use agent::LookaheadAgent;
pub use game::{Horizon, LookaheadGame, MoveSelection, SearchPosition};
pub use move_ordering::Candidates;
pub use policy::{Decided, LookaheadPolicy};
