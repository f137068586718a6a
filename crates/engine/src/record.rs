//! Games recorded by other programs, replayed through our rules.

use crate::outcome::Outcome;
use serde_json::Value;

/// The [`Outcome::reason`] of a result that only the record knows: somebody resigned, the players
/// agreed, a clock or an arbiter decided. Which of these it was, most records do not say.
pub const RECORDED: &str = "recorded";

/// One recorded game that our rules accept, ready to be played through a [`crate::Table`].
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What the source calls the game: a number or a title.
    pub id: String,
    /// The rules it was played under, complete.
    pub rules: Value,
    /// Where it began.
    pub opening: Value,
    /// Every decision and every chance outcome, in order.
    pub events: Vec<RecordedEvent>,
    /// Who won as the source has it, with the reason [`RECORDED`]; `None` where it does not say.
    /// It decides only games that the rules let go on; of any other it must agree with the rules.
    pub result: Option<Outcome>,
    /// How many facts of the record were compared with our rules (legal lists, counts, winners).
    pub checks: u64,
}

/// One step of a recorded game, in the game's own JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedEvent {
    /// A seat's action.
    Action(Value),
    /// What was drawn.
    Chance(Value),
}

/// A recorded game that differs from our rules, or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}{}: {message}", .ply.map(|ply| format!(", ply {ply}")).unwrap_or_default())]
pub struct RecordError {
    /// What the source calls the game.
    pub game: String,
    /// The decision at which it differs, from 1; `None` before the first.
    pub ply: Option<u32>,
    /// What was expected and what came.
    pub message: String,
}
