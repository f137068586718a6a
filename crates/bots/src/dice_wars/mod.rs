//! Ways to play Dice Wars, as [`Policy`]s on the engine's small positions: the course's bots
//! ([`Baseline`]), and the [`arena`] where they meet.

mod agent;
pub mod arena;
mod attack_rule;
mod baseline;
pub mod bots;
mod hold;
mod max_n_2021;
mod policy;
mod retreat;
mod supply;

pub use agent::PolicyAgent;
pub use arena::Arena;
pub use attack_rule::AttackRule;
pub use baseline::Baseline;
pub use hold::{hold_probability, win_and_hold_probability};
pub use max_n_2021::MaxN2021;
pub use policy::Policy;
pub use retreat::{for_each_retreat, retreat};
pub use supply::supply;
