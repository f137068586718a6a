//! Residuals of workers: how far the results of the blocks that a worker played deviate from those of
//! the same pairings elsewhere.
//!
//! Blocks of one line-up are a stratum. If workers get blocks whatever their results, those of a worker
//! are a sample of the stratum without replacement, and the sum of a bot's points in it has a known mean
//! and variance (W. G. Cochran, *Sampling Techniques*, 1953). Sums over strata, divided by the standard
//! deviation, are the residuals; fishtest shows the like for each of its workers. The p-value is a bound
//! that also holds for few blocks: Bernstein's inequality, which holds for samples without replacement
//! (W. Hoeffding, *Probability inequalities for sums of bounded random variables*, 1963).

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The result of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockResult {
    /// The worker that played all its games, as an index.
    pub worker: usize,
    /// The points of each bot in all games of the block, by index of the bot.
    pub points: BTreeMap<usize, f64>,
}

/// The deviation of the results of a bot on one worker.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Residual<W = usize> {
    /// The worker, as an index or by name.
    pub worker: W,
    /// The bot, as an index.
    pub bot: usize,
    /// The number of its blocks that have been compared.
    pub blocks: u64,
    /// The points of the bot in these blocks.
    pub points: f64,
    /// The points that are expected from all blocks of the same line-ups.
    pub expected: f64,
    /// The difference in standard deviations.
    pub z: f64,
    /// A bound of the two-sided p-value.
    pub p: f64,
}

impl Residual {
    /// Returns the same with the name of the worker.
    pub fn named<W>(self, worker: W) -> Residual<W> {
        let Residual { bot, blocks, points, expected, z, p, .. } = self;
        Residual { worker, bot, blocks, points, expected, z, p }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    blocks: u64,
    points: f64,
    expected: f64,
    variance: f64,
    /// Of as many draws with replacement: for the bound.
    with_replacement: f64,
    /// The largest deviation of one block.
    largest: f64,
}

/// Returns the residual of each worker and bot for which there is one: other workers have played the
/// same line-ups, with different results.
pub fn residuals(blocks: &[BlockResult]) -> Vec<Residual> {
    let mut strata: BTreeMap<Vec<usize>, Vec<&BlockResult>> = BTreeMap::new();
    for block in blocks {
        strata.entry(block.points.keys().copied().collect()).or_default().push(block);
    }
    let mut all: BTreeMap<(usize, usize), Sums> = BTreeMap::new();
    for (line_up, stratum) in &strata {
        let workers: BTreeSet<usize> = stratum.iter().map(|block| block.worker).collect();
        if workers.len() < 2 {
            continue;
        }
        for bot in line_up {
            let points = |block: &BlockResult| block.points.get(bot).copied().unwrap_or_default();
            let count = stratum.len() as f64;
            let mean = stratum.iter().map(|block| points(block)).sum::<f64>() / count;
            let deviations = || stratum.iter().map(|block| points(block) - mean);
            let variance = deviations().map(|it| it * it).sum::<f64>() / count;
            let largest = deviations().map(f64::abs).fold(0.0, f64::max);
            for &worker in &workers {
                let own = stratum.iter().filter(|block| block.worker == worker);
                let (mut here, mut sum) = (0u32, 0.0);
                for block in own {
                    here += 1;
                    sum += points(block);
                }
                let number = f64::from(here);
                let sums = all.entry((worker, *bot)).or_default();
                sums.blocks += u64::from(here);
                sums.points += sum;
                sums.expected += number * mean;
                sums.variance += number * (count - number) / (count - 1.0) * variance;
                sums.with_replacement += number.min(count - number) * variance;
                sums.largest = sums.largest.max(largest);
            }
        }
    }
    let residual = |((worker, bot), sums): ((usize, usize), Sums)| {
        let Sums { blocks, points, expected, variance, with_replacement, largest } = sums;
        let by = points - expected;
        let exponent = by * by / (2.0 * (with_replacement + largest * by.abs() / 3.0));
        // Without variance, nothing can deviate.
        (variance > 1e-9).then(|| Residual {
            worker,
            bot,
            blocks,
            points,
            expected,
            z: by / variance.sqrt(),
            p: (2.0 * (-exponent).exp()).min(1.0),
        })
    };
    all.into_iter().filter_map(residual).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of two bots, of which the first gets these of four points.
    fn block(worker: usize, bots: [usize; 2], points: f64) -> BlockResult {
        BlockResult { worker, points: BTreeMap::from([(bots[0], points), (bots[1], 4.0 - points)]) }
    }

    fn of(all: &[Residual], worker: usize, bot: usize) -> Residual {
        *all.iter().find(|it| (it.worker, it.bot) == (worker, bot)).unwrap()
    }

    #[test]
    fn a_residual_is_the_deviation_of_a_sample_without_replacement() {
        // Of the values 0, 0, 4, 4 worker 0 has 4, 4: expected 4, variance 2 * 2 / 3 * 4.
        let blocks =
            [(0, 4.0), (0, 4.0), (1, 0.0), (1, 0.0)].map(|(worker, it)| block(worker, [0, 1], it));
        let found = residuals(&blocks);
        assert_eq!(found.len(), 4);
        let first = of(&found, 0, 0);
        assert_eq!((first.blocks, first.points, first.expected), (2, 8.0, 4.0));
        assert!((first.z - 4.0 / (16.0f64 / 3.0).sqrt()).abs() < 1e-12, "{first:?}");
        assert_eq!(of(&found, 1, 0).z, -first.z);
        assert_eq!(of(&found, 0, 1).z, -first.z);
        // One in six samples is as extreme on this side: the bound is above.
        assert!(first.p > 1.0 / 3.0);
        // Pairings that one worker alone played, or that always end alike, say nothing.
        let alone = [block(0, [0, 1], 4.0), block(0, [0, 1], 0.0), block(1, [0, 2], 1.0)];
        assert_eq!(residuals(&alone), []);
        assert_eq!(residuals(&[block(0, [0, 1], 2.0), block(1, [0, 1], 2.0)]), []);
    }

    #[test]
    fn an_invented_series_stands_out_and_a_rare_loss_does_not() {
        // Bot 0 gets half of the points everywhere, and all of them from worker 3.
        let mut blocks = Vec::new();
        for number in 0..160 {
            let worker = number % 4;
            let points = if worker == 3 { 4.0 } else { [0.0, 2.0, 4.0][number / 4 % 3] };
            blocks.push(block(worker, [0, 1 + number / 80], points));
        }
        let found = residuals(&blocks);
        let invented = of(&found, 3, 0);
        assert!(invented.z > 5.0 && invented.p < 1e-4, "{invented:?}");
        assert!(found.iter().filter(|it| it.worker != 3).all(|it| it.p > 0.01), "{found:?}");
        // The only block of worker 1 has the only loss of a thousand.
        let mut blocks = vec![block(0, [0, 1], 4.0); 999];
        blocks.push(block(1, [0, 1], 0.0));
        let rare = of(&residuals(&blocks), 1, 0);
        assert!(rare.z < -30.0 && rare.p > 0.2, "{rare:?}");
    }
}
