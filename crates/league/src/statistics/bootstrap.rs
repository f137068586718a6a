//! The block bootstrap: the sampling distribution of the estimates.
//!
//! Blocks are resampled with replacement, within each stratum, and never games: the games of a
//! block share their start, so they are one observation. A stratum of m blocks gives m - 1 draws of
//! weight m / (m - 1), which makes the variance unbiased even for two blocks (Rao and Wu 1988,
//! "Resampling inference with complex survey data").
//!
//! The resampled statistics are linear, one row of numbers per block: shares of the points, and the
//! derivative of the log-likelihood (score) at its maximum, from which one Newton step gives the
//! parameters of the resample (the estimating function bootstrap: Hu and Kalbfleisch 2000). So no
//! resample can fail to converge, and the cost depends on the number of blocks, not of games.

use super::blocks::Blocks;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// For each cell, the contribution of a block of this kind, as pairs of dimension and value.
pub type Rows = Vec<Vec<(u32, f64)>>;

/// Draws `resamples` resamples and returns, for each, the deviation of the sum of all rows, in each
/// dimension.
pub fn resample(
    blocks: &Blocks,
    rows: &Rows,
    dimensions: usize,
    resamples: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<Vec<f64>> {
    let mut counts = vec![0u32; rows.len()];
    // The number of blocks of a stratum, and its cells with their counts.
    let with_cells = |blocks: &Vec<u32>| -> (Vec<u32>, Vec<(usize, f64)>) {
        let cells = blocks.chunk_by(|one, other| one == other);
        (blocks.clone(), cells.map(|cell| (cell[0] as usize, cell.len() as f64)).collect())
    };
    let strata: Vec<_> =
        blocks.strata.iter().filter(|blocks| blocks.len() > 1).map(with_cells).collect();
    let mut deviations = vec![vec![0.0; dimensions]; resamples];
    for deviation in &mut deviations {
        for (blocks, cells) in &strata {
            let draws = blocks.len() - 1;
            let weight = blocks.len() as f64 / draws as f64;
            for _ in 0..draws {
                let drawn = blocks[rng.random_range(..blocks.len())];
                counts[drawn as usize] += 1;
            }
            for &(cell, expected) in cells {
                let excess = weight * f64::from(counts[cell]) - expected;
                counts[cell] = 0;
                for &(dimension, value) in &rows[cell] {
                    deviation[dimension as usize] += excess * value;
                }
            }
        }
    }
    deviations
}
