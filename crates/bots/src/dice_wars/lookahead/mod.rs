//! Dice Wars for multi-player search: attacks and ends of turns as a tree in which all players
//! move, battles have two outcomes and new dice are drawn ([`LookaheadGame`]); and a policy that
//! plays by it ([`LookaheadPolicy`]).
//!
//! Of transfers, which are many and commute, only the most promising ones of the searching player
//! are searched. If [`MoveSelection::transfers`] is 0, none are: as in the course's best bots, dice
//! move to the border before attacks and leave endangered areas after them.

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
