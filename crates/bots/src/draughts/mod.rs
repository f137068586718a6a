//! Draughts for the search: the game as a [`botyard_search::two_sided::TwoSidedGame`], and
//! evaluations of positions. The engine has the rules.

mod adapter;
mod agent;
pub mod endgames;
pub mod features;
mod janacek_2007;
pub mod learned;
mod max_n_agent;
mod men_sums;
mod playout_agent;
mod positional;
mod region;

pub use adapter::DraughtsSearch;
pub use agent::SearchAgent;
pub use janacek_2007::Janacek2007;
pub use learned::Learned;
pub use max_n_agent::MaxNAgent;
pub use playout_agent::PlayoutAgent;
pub use positional::Positional;
