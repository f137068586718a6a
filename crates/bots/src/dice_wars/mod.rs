//! Ways to play Dice Wars, as [`Policy`]s on the engine's small positions: the course's bots
//! ([`Baseline`]).

mod attack_rule;
mod baseline;
mod hold;
mod policy;
mod retreat;
mod supply;

pub use attack_rule::AttackRule;
pub use baseline::Baseline;
pub use hold::{hold_probability, win_and_hold_probability};
pub use policy::Policy;
pub use retreat::{for_each_retreat, retreat};
pub use supply::supply;
