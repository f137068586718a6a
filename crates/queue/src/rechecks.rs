//! Rechecks: a share of the blocks is played a second time, by another worker, and the results are
//! compared: points, places and numbers of decisions, no moves, because bots that use the clock do not repeat
//! theirs. A worker cannot see that a block is one: it has the same games with the same IDs, so that
//! bots without a clock in their decisions play the same moves.
//!
//! A recheck changes no result. It is a block of the generation [`RECHECK`], its games are rows of that
//! generation, and its files have names of their own. The blocks are chosen by chance when their first
//! result is stored, so that no worker knows beforehand which they are.

use crate::Queue;
use crate::catalogue::no_tournament;
use crate::database::Statements;
use crate::status::WorkerStatus;
use crate::values::Columns;
use botyard_league::store::StoreError;
use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The generation of rechecks in the database. Rejudges have numbers from 1.
pub(crate) const RECHECK: u32 = 2_147_483_647;

/// What a share of 1 is in the database.
const WHOLE: f64 = 1e6;

/// The directory of the files of rechecks.
const DIRECTORY: &str = "rechecks/";

/// Returns the generation that a worker sees.
pub(crate) const fn as_leased(generation: u32) -> u32 {
    match generation {
        RECHECK => 0,
        other => other,
    }
}

/// Returns the name under which a file of a recheck is stored.
pub fn recheck_file(name: &str) -> String {
    format!("{DIRECTORY}{name}")
}

/// Returns whose a worker is: the part of its name before the first `/`, which a coordinator compares
/// with the token. Workers of one owner do not recheck each other.
pub fn owner(worker: &str) -> &str {
    worker.split('/').next().unwrap_or(worker)
}

/// The rechecks of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Rechecks {
    /// The share of blocks that are chosen.
    pub share: f64,
    /// The number of blocks that wait for another worker.
    pub waiting: u64,
    /// The number of blocks that are being played.
    pub leased: u64,
    /// The number of blocks with results.
    pub done: u64,
    /// The number of games with the same result after the same number of decisions.
    pub same: u64,
    /// The number of games with the same result after another number of decisions.
    pub other_course: u64,
    /// The games with another result.
    pub differing: Vec<RecheckedGame>,
    /// By block: the two workers, and whether a game has another result.
    #[serde(skip)]
    pairs: BTreeMap<u32, (String, String, bool)>,
}

/// A game that had another result when it was played again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecheckedGame {
    /// The number of the block.
    pub block: u32,
    /// The number of the game in the block, from 1.
    pub game: u32,
    /// As it was played first. This result counts.
    pub first: Recheck,
    /// As it was played again.
    pub again: Recheck,
}

/// One of the two results of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recheck {
    /// The worker.
    pub worker: String,
    /// The points of each seat.
    pub points: Vec<f64>,
    /// The number of decisions.
    pub turns: u32,
}

impl Rechecks {
    /// Reads the rechecks of a tournament.
    pub(crate) fn of(statements: &mut dyn Statements, id: &str) -> Result<Rechecks, StoreError> {
        let sql = "SELECT recheck FROM tournaments WHERE id = $1";
        let share = statements.number(sql, &[id.into()])? as f64 / WHOLE;
        let mut rechecks = Rechecks { share, ..Rechecks::default() };
        let sql = "SELECT state, COUNT(*) FROM blocks WHERE tournament = $1 AND generation = $2
                   GROUP BY state";
        for row in statements.rows(sql, &[id.into(), RECHECK.into()])? {
            let row = Columns(&row);
            let count = u64::from(row.number(1)?);
            match row.text(0)?.as_str() {
                "ready" => rechecks.waiting = count,
                "leased" => rechecks.leased = count,
                "done" => rechecks.done = count,
                _ => {}
            }
        }
        // Only the games of rechecks are many, and only if there are any.
        let sql =
            "SELECT g.block, g.rotation, f.worker, f.points, f.turns, g.worker, g.points, g.turns,
                       CASE WHEN f.points = g.points AND f.places = g.places THEN 1 ELSE 0 END
                   FROM games g JOIN games f ON f.tournament = g.tournament AND f.generation = 0
                       AND f.block = g.block AND f.rotation = g.rotation
                   WHERE g.tournament = $1 AND g.generation = $2
                       AND g.points IS NOT NULL AND f.points IS NOT NULL
                   ORDER BY g.block, g.rotation";
        for row in statements.rows(sql, &[id.into(), RECHECK.into()])? {
            rechecks.add(&Columns(&row))?;
        }
        Ok(rechecks)
    }

    fn add(&mut self, row: &Columns<'_>) -> Result<(), StoreError> {
        let one = |column: usize| -> Result<Recheck, StoreError> {
            Ok(Recheck {
                worker: row.text(column)?,
                points: row.json(column + 1)?,
                turns: row.number(column + 2)?,
            })
        };
        let (block, first, again) = (row.number(0)?, one(2)?, one(5)?);
        let is_same = row.integer(8)? == 1;
        let pair = (first.worker.clone(), again.worker.clone(), false);
        self.pairs.entry(block).or_insert(pair).2 |= !is_same;
        if is_same {
            let count = match first.turns == again.turns {
                true => &mut self.same,
                false => &mut self.other_course,
            };
            *count += 1;
        } else {
            let game = row.number(1)? + 1;
            self.differing.push(RecheckedGame { block, game, first, again });
        }
        Ok(())
    }

    /// Counts the blocks of each worker that were played twice.
    pub(crate) fn count(&self, workers: &mut [WorkerStatus]) {
        for (first, again, differs) in self.pairs.values() {
            for worker in workers.iter_mut().filter(|it| it.name == *first || it.name == *again) {
                worker.rechecked += 1;
                worker.rechecks_differ += u64::from(*differs);
            }
        }
    }
}

impl Queue {
    /// Sets the share of blocks, from 0 to 1, that a second worker plays again, among those whose
    /// results arrive from now on. The second worker has another [`owner`]; a recheck that no worker
    /// may play waits, and holds nothing up.
    ///
    /// # Errors
    ///
    /// There is no such tournament; errors of the database.
    pub fn set_recheck(&self, id: &str, share: f64) -> Result<(), StoreError> {
        let millionths = (share.clamp(0.0, 1.0) * WHOLE).round() as i64;
        self.transaction(|statements| {
            let sql = "UPDATE tournaments SET recheck = $2 WHERE id = $1";
            match statements.execute(sql, &[id.into(), millionths.into()])? {
                0 => Err(no_tournament(id)),
                _ => Ok(()),
            }
        })
    }

    /// Returns the rechecks of a tournament.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn rechecks(&self, id: &str) -> Result<Rechecks, StoreError> {
        self.transaction(|statements| Rechecks::of(statements, id))
    }
}

/// Chooses by chance whether a block that a worker has completed is rechecked.
pub(crate) fn choose(
    statements: &mut dyn Statements,
    id: &str,
    block: u32,
    worker: &str,
) -> Result<(), StoreError> {
    let sql = "SELECT recheck FROM tournaments WHERE id = $1";
    let share = statements.number(sql, &[id.into()])? as f64 / WHOLE;
    if share <= 0.0 {
        return Ok(());
    }
    let drawn = SysRng.try_next_u32().map_err(|error| StoreError::Host(error.to_string()))?;
    if f64::from(drawn) >= share * f64::from(u32::MAX) && share < 1.0 {
        return Ok(());
    }
    statements.execute(
        &format!(
            "INSERT INTO blocks(tournament, generation, block, line_up, repeat, state, priority, voids, not_by)
             SELECT tournament, {RECHECK}, block, line_up, repeat, 'ready', priority, 0, CAST($3 AS TEXT)
             FROM blocks WHERE tournament = $1 AND generation = 0 AND block = $2
             ON CONFLICT (tournament, generation, block) DO NOTHING"
        ),
        &[id.into(), block.into(), owner(worker).into()],
    )?;
    Ok(())
}
