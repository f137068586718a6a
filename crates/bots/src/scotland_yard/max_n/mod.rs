//! Scotland Yard by Max-N: Mr. X and each detective as a player of its own, with Mr. X in the open.
//! What the players want is told by `game.rs`, what is made of a hidden Mr. X by `agent.rs`.

mod agent;
mod game;

pub use agent::MaxNAgent;
pub use game::MaxNGame;
