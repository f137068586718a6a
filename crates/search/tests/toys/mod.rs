//! Made-up games for the search: trees without rhyme or reason, and battles along a frontier.

mod forest;
mod frontier;

pub use forest::{Forest, Shape};
pub use frontier::Frontier;

use botyard_search::SearchRng;
use rand_xoshiro::rand_core::Rng;

/// A number below `bound`, close enough to uniform for a made-up game.
fn below(rng: &mut SearchRng, bound: u32) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32
}
