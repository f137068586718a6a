//! Monte Carlo tree search for any number of players, with chance and hidden information: UCT
//! (Kocsis and Szepesvári 2006) over one determinization per iteration, in one tree of information
//! sets (Cowling, Powley and Whitehouse 2012) or in one tree per player (Belej 2015).
//!
//! A game implements [`Simulation`]: see `examples/pig.rs`. With the feature `engine`,
//! `GameSimulation` is a simulation of any `botyard_engine::Game`, with random playouts.

mod final_choice;
#[cfg(feature = "engine")]
mod game_simulation;
mod iteration;
mod logarithms;
mod searcher;
mod settings;
mod simulation;
mod tree;

#[cfg(feature = "engine")]
pub use game_simulation::{GameSimulation, Happened, Judge};
pub use searcher::TreeSearcher;
pub use settings::{Final, Settings, Trees};
pub use simulation::{Actor, Rewards, Simulation};
