//! Dice Wars for Monte Carlo tree search: attacks and ends of turns are the tree's, playouts go on
//! by a cheap rule for some turns and are judged then ([`DiceWarsSimulation`]); transfers are made by rule.

mod agent;
mod simulation;

pub use agent::{MctsAgent, MctsPolicy};
pub use simulation::{DiceWarsSimulation, Event, PlayoutSettings};
