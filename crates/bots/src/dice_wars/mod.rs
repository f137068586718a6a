//! Policies for Dice Wars on the engine's small positions: the course's bots ([`Baseline`]), plans
//! of whole turns ([`Planner`]) by an [`Evaluator`], and the [`arena`] where they meet.

mod agent;
mod aggressive_transfer;
pub mod arena;
mod attack_rule;
mod baseline;
mod board_network;
pub mod bots;
mod defensive_transfer;
mod evaluation;
mod evaluation_cache;
pub mod features;
mod hold_probability;
mod holdings_evaluation;
mod largest_region;
pub mod lookahead;
mod max_n_2021;
pub mod mcts;
pub mod network;
mod planning;
mod policy;
pub(crate) mod time_plan;
mod transfers;
mod turn_order;

pub use agent::PolicyAgent;
pub use aggressive_transfer::aggressive_transfer;
pub use arena::Arena;
pub use attack_rule::AttackRule;
pub use baseline::Baseline;
pub use board_network::BoardNetwork;
pub use defensive_transfer::{defensive_transfer, for_each_defensive_transfer};
pub use evaluation::{Evaluator, Hand, Learned, Shares};
pub use hold_probability::{hold_probability, win_and_hold_probability};
pub use holdings_evaluation::Holdings;
pub use largest_region::LargestRegion;
pub use max_n_2021::MaxN2021;
pub use network::Network;
pub use planning::{Plan, PlanLimits, PlanPolicy, Planner, Planning};
pub use policy::Policy;
pub use turn_order::TurnOrder;
