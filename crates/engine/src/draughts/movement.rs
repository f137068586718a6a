//! How pieces move: the part of the rules that generating moves asks for, small enough to pass by
//! value.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a capture goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Jump {
    /// The capturing piece jumps on until it can jump no more, all in one move.
    WholePath,
    /// Every jump takes one piece and ends the turn.
    OnePiece,
}

/// The rules of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Movement {
    /// How far a capture goes.
    pub jump: Jump,
    /// Whether a man that reaches the king row in the middle of a capture stops there. If not, it
    /// goes on as a king.
    pub promotion_ends_move: bool,
    /// Whether who can capture must.
    pub compulsory_capture: bool,
}

impl Movement {
    /// English draughts.
    pub const ENGLISH: Movement =
        Movement { jump: Jump::WholePath, promotion_ends_move: true, compulsory_capture: true };
}
