//! Where a game begins: a position, moves that are played from it before the first decision, or
//! the number of a three-move opening. Whether it can be played is for the game to say.

use super::moves::Move;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is drawn or given before the first decision. `{}` is the start position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The position to begin from, as FEN; left out, it is the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The number of a three-move opening, 1 to 174, from the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 174))]
    pub ballot: Option<u16>,
    /// Moves that are played before the first decision, in order; with a ballot, they are the
    /// ballot's own and may be left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<Move>,
}
