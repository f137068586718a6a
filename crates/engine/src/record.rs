//! Games recorded by other programs, replayed under our rules.

use crate::outcome::Outcome;
use serde_json::Value;

/// The [`Outcome::reason`] of a result that only the record gives: a resignation, an agreement, a
/// clock or an arbiter. Most records do not say which.
pub const RECORDED: &str = "recorded";

/// One recorded game that our rules accept, ready to be played through a [`crate::Table`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The game's number or title in the source.
    pub id: String,
    /// The names of the players, in the order of the seats; empty if the source gives none. An empty
    /// name is unknown.
    pub players: Vec<String>,
    /// What else the source says about the game, in its order and its own words: names and values.
    pub tags: Vec<(String, String)>,
    /// What the source has that could not be read and was left out, each with its place.
    pub notes: Vec<String>,
    /// The rules it was played under, complete.
    pub rules: Value,
    /// Its opening.
    pub opening: Value,
    /// Every decision and every chance outcome, in order.
    pub events: Vec<RecordedEvent>,
    /// The result according to the source, with the reason [`RECORDED`]; `None` if it gives none.
    /// It decides only games that are not over under the rules; for any other it must agree with
    /// the rules.
    pub result: Option<Outcome>,
    /// The number of facts of the record compared with our rules (legal lists, counts, winners).
    pub checks: u64,
}

/// The records of a file: for each game a record, or the error found. If the file as a whole is not
/// of this game, the reason.
pub type Records = Result<Vec<Result<Record, RecordError>>, String>;

/// One step of a recorded game, in the game's own JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedEvent {
    /// A seat's action.
    Action(Value),
    /// A chance outcome.
    Chance(Value),
}

/// A recorded game that differs from our rules, or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}{}: {message}", .ply.map(|ply| format!(", ply {ply}")).unwrap_or_default())]
pub struct RecordError {
    /// The game's number or title in the source.
    pub game: String,
    /// The decision at which it differs, from 1; `None` before the first.
    pub ply: Option<u32>,
    /// What was expected and what came.
    pub message: String,
}
