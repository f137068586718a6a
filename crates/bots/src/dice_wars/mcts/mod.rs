//! Dice Wars for Monte Carlo tree search: attacks and ends of turns are the tree's, playouts go on
//! by a cheap rule for some turns and are judged then ([`Campaign`]); transfers are made by rule.

mod agent;
mod campaign;

pub use agent::{CampaignAgent, CampaignPolicy};
pub use campaign::{Campaign, Conduct, Event};
