//! Scotland Yard by Max-N: Mr. X and each detective as separate players, with Mr. X's station
//! known. `game.rs` has the values of the players, `agent.rs` the treatment of a hidden Mr. X.

mod agent;
mod game;

pub use agent::MaxNAgent;
pub use game::MaxNGame;
