//! Made-up games for the search: trees without rhyme or reason, and battles along a frontier.

mod forest;
mod frontier;

pub use forest::{Forest, Shape};
pub use frontier::Frontier;
