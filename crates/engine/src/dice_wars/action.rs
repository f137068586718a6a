//! One decision.

use super::area::Area;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A decision of the seat whose turn it is. A turn has any number of them; the last is
/// [`Action::EndTurn`].
///
/// ```
/// use botyard_engine::dice_wars::Action;
/// for json in [r#"{"attack":[3,5]}"#, r#"{"transfer":[3,4]}"#, r#""end_turn""#] {
///     let action: Action = serde_json::from_str(json).unwrap();
///     assert_eq!(serde_json::to_string(&action).unwrap(), json);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// From an own area with two dice or more, all but one of them go for an enemy's area that
    /// touches it: `[from, to]`.
    Attack(Area, Area),
    /// As many dice as fit move to an own area that touches this one, and one stays: `[from, to]`.
    Transfer(Area, Area),
    /// The turn is over; new dice come.
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
