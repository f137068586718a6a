//! Artificial games for the search tests: random trees, and battles along a frontier.

mod forest;
mod frontier;

pub use forest::{Forest, Shape};
pub use frontier::Frontier;

use botyard_search::SearchRng;
use rand_xoshiro::rand_core::Rng;

/// Returns a number below `bound`, close enough to uniform for a test game.
fn below(rng: &mut SearchRng, bound: u32) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32
}
