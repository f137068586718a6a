//! Dice Wars for Monte Carlo tree search: attacks and ends of turns are in the tree; playouts
//! continue by a cheap rule for some turns and are then evaluated ([`DiceWarsSimulation`]);
//! transfers are made by rule.

mod agent;
mod simulation;

pub use agent::{MctsAgent, MctsPolicy};
pub use simulation::{DiceWarsSimulation, Event, PlayoutSettings};
