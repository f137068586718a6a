//! The rules of movement that the move generator needs, small enough to pass by value.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The length of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Jump {
    /// The capturing piece continues to jump until it cannot, all in one move.
    WholePath,
    /// Every jump takes one piece and ends the turn.
    OnePiece,
}

/// The rules of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Movement {
    /// The length of a capture.
    pub jump: Jump,
    /// Whether a man that reaches the king row in the middle of a capture stops there. If not, it
    /// continues as a king.
    pub promotion_ends_move: bool,
    /// Whether captures are compulsory.
    pub compulsory_capture: bool,
}

impl Movement {
    /// English draughts.
    pub const ENGLISH: Movement =
        Movement { jump: Jump::WholePath, promotion_ends_move: true, compulsory_capture: true };
}
