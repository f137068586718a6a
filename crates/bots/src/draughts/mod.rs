//! Draughts for the search: the game as a [`crate::search::SearchGame`], and what makes a position
//! good. The rules themselves are the engine's.

mod adapter;
mod agent;
mod janacek_2007;
mod men_sums;
mod positional;
mod region;

pub use adapter::DraughtsSearch;
pub use agent::SearchAgent;
pub use janacek_2007::Janacek2007;
pub use positional::Positional;
