//! The points of blocks whose games end one by one, in any order.

use super::tournament_schedule::{BlockPoints, GameKey};
use crate::scale::Scale;
use std::collections::HashMap;

/// The points of blocks, of which some are complete.
#[derive(Clone, Debug)]
pub struct BlockSums {
    scale: Scale,
    complete: BlockPoints,
    /// Blocks in which some games have a result: the number of these games, and the points of each
    /// bot in the order of the line-up.
    begun: HashMap<u32, (usize, Vec<f64>)>,
}

impl BlockSums {
    /// Makes sums without games, whose points have this scale.
    pub fn new(scale: Scale) -> BlockSums {
        BlockSums { scale, complete: BlockPoints::new(), begun: HashMap::new() }
    }

    /// Adds the points of a game, in the order of its seats. Each game is added once.
    pub fn add(&mut self, key: GameKey, points: &[f64]) {
        let seats = points.len();
        let (games, sums) = self.begun.entry(key.block).or_insert_with(|| (0, vec![0.0; seats]));
        if sums.len() != seats {
            return;
        }
        *games += 1;
        for (seat, share) in self.scale.shares(points).iter().enumerate() {
            // The same rotation as in `TournamentSchedule::game`.
            sums[(seat + key.rotation as usize) % seats] += share;
        }
        if *games == seats
            && let Some((_, sums)) = self.begun.remove(&key.block)
        {
            self.complete.insert(key.block, sums);
        }
    }

    /// Returns the points of all complete blocks.
    pub fn points(&self) -> &BlockPoints {
        &self.complete
    }
}
