//! Ways to play Dice Wars, as [`Policy`]s on the engine's small positions: the course's bots
//! ([`Baseline`]), plans of whole turns ([`Planner`]) by what positions are worth ([`Evaluator`]),
//! and the [`arena`] where they meet.

mod agent;
pub mod arena;
mod attack_rule;
mod baseline;
pub mod bots;
mod evaluation;
mod evaluation_cache;
mod features;
mod hold;
mod holdings;
pub mod lookahead;
mod max_n_2021;
pub mod mcts;
mod network;
mod planning;
mod policy;
mod retreat;
mod supply;
pub mod training;
mod transfers;
mod turn_order;

pub use agent::PolicyAgent;
pub use arena::Arena;
pub use attack_rule::AttackRule;
pub use baseline::Baseline;
pub use evaluation::{Evaluator, Hand, Learned, Shares};
pub use hold::{hold_probability, win_and_hold_probability};
pub use holdings::Holdings;
pub use max_n_2021::MaxN2021;
pub use network::Network;
pub use planning::{Plan, PlanLimits, PlanPolicy, Planner, Planning};
pub use policy::Policy;
pub use retreat::{for_each_retreat, retreat};
pub use supply::supply;
pub use turn_order::TurnOrder;
