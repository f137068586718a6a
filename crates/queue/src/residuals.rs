//! The residuals of the workers of a tournament: see [`botyard_league::statistics::residuals`].

use crate::Queue;
use crate::peers::ALPHA;
use crate::values::Columns;
use botyard_league::statistics::exact::holm;
use botyard_league::statistics::residuals::{BlockResult, Residual, residuals};
use botyard_league::store::StoreError;
use serde::Serialize;
use std::collections::BTreeMap;

/// How far the results of one worker deviate from those of the same pairings elsewhere, at most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LargestResidual {
    /// That of the bot whose results deviate most.
    #[serde(flatten)]
    pub residual: Residual<String>,
    /// Whether this is more than chance, by Holm's procedure over all workers and bots, at [`ALPHA`].
    pub deviates: bool,
}

/// Returns the largest residual of each worker, by name. Pass each game with a result: its worker,
/// block, bots by seat, and points by seat.
pub fn largest_residuals(
    games: impl IntoIterator<Item = (String, u32, Vec<usize>, Vec<f64>)>,
) -> Vec<LargestResidual> {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    // Whether one worker alone played it, and how many games are left.
    let mut blocks: BTreeMap<u32, (BlockResult, usize, bool)> = BTreeMap::new();
    for (worker, block, seats, points) in games {
        let next = names.len();
        let worker = *names.entry(worker).or_insert(next);
        let empty = || (BlockResult { worker, points: BTreeMap::new() }, seats.len(), true);
        let (result, left, is_alone) = blocks.entry(block).or_insert_with(empty);
        *is_alone &= result.worker == worker;
        *left = left.saturating_sub(1);
        for (bot, points) in seats.into_iter().zip(points) {
            *result.points.entry(bot).or_default() += points;
        }
    }
    let whole = |(result, left, is_alone)| (left == 0 && is_alone).then_some(result);
    let blocks: Vec<BlockResult> = blocks.into_values().filter_map(whole).collect();
    let all = residuals(&blocks);
    let p_values: Vec<f64> = all.iter().map(|it| it.p).collect();
    let deviate = holm(&p_values, ALPHA);
    let of_worker = |(name, worker): (String, usize)| {
        let own = all.iter().zip(&deviate).filter(|(it, _)| it.worker == worker);
        let (it, deviates) = own.max_by(|(one, _), (other, _)| {
            // What is named comes first: a large z of few blocks says little.
            other.p.total_cmp(&one.p).then(one.z.abs().total_cmp(&other.z.abs()))
        })?;
        Some(LargestResidual { residual: it.named(name), deviates: *deviates })
    };
    names.into_iter().filter_map(of_worker).collect()
}

impl Queue {
    /// Returns the largest residual of each worker of a tournament that has one, by name.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn residuals(&self, id: &str) -> Result<Vec<LargestResidual>, StoreError> {
        let sql = "SELECT worker, block, seats, points FROM games
                   WHERE tournament = $1 AND generation = 0 AND points IS NOT NULL AND worker <> ''";
        let games = self.transaction(|statements| {
            let mut games = Vec::new();
            statements.query(sql, &[id.into()], &mut |row| {
                let row = Columns(&row);
                games.push((row.text(0)?, row.number(1)?, row.json(2)?, row.json(3)?));
                Ok(())
            })?;
            Ok(games)
        })?;
        Ok(largest_residuals(games))
    }
}
