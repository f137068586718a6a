//! Actions of Dice Wars.

use super::area::Area;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An action of the seat to move. A turn has any number of actions; the last is
/// [`Action::EndTurn`].
///
/// ```
/// use botyard_engine::dice_wars::Action;
/// for json in [r#"{"attack":[3,5]}"#, r#"{"transfer":[3,4]}"#, r#""end_turn""#] {
///     let action: Action = serde_json::from_str(json).unwrap();
///     assert_eq!(serde_json::to_string(&action).unwrap(), json);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Attacks an enemy's area from a neighbouring own area of two dice or more, with all its dice
    /// but one: `[from, to]`.
    Attack(Area, Area),
    /// Moves as many dice as fit to a neighbouring own area; one stays: `[from, to]`.
    Transfer(Area, Area),
    /// Ends the turn; the player then gets new dice.
    EndTurn,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Attack(from, to) => write!(f, "attack {from} {to}"),
            Action::Transfer(from, to) => write!(f, "transfer {from} {to}"),
            Action::EndTurn => f.write_str("end turn"),
        }
    }
}
