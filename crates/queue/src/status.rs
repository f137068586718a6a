//! The state of a queue, to be looked at.

use crate::Queue;
use crate::catalogue::no_tournament;
use crate::database::Statements;
use crate::peers::{Difference, differences};
use crate::rechecks::{RECHECK, Rechecks};
use crate::values::Columns;
use botyard_league::schedule::GameKey;
use botyard_league::store::{Cell, StoreError};
use botyard_protocol::FaultKind;
use serde::Serialize;
use std::time::Duration;

/// The time over which the rate of games is counted.
const RECENT_MS: i64 = 60_000;

/// The times over which the end is expected: the shortest in which enough blocks ended.
const SPANS_MS: [i64; 3] = [RECENT_MS, 10 * RECENT_MS, 60 * RECENT_MS];

/// The fewest blocks from which an end is expected.
const FEWEST_BLOCKS: u64 = 5;

/// The faults that a host may cause, besides timeouts.
pub const CRASHES: [FaultKind; 4] =
    [FaultKind::Crash, FaultKind::Closed, FaultKind::Memory, FaultKind::StartFailed];

/// The number of blocks in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Not leased yet, or given back.
    pub ready: u64,
    /// Leased.
    pub leased: u64,
    /// With results.
    pub done: u64,
    /// Without a result after [several](crate::MOST_VOIDS) attempts.
    pub void: u64,
}

/// A worker, as far as one tournament is concerned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// What it said of itself.
    pub about: serde_json::Value,
    /// The time since its last sign of life, in milliseconds.
    pub silent_ms: u64,
    /// The number of blocks that it has now.
    pub leases: u64,
    /// The number of games that it completed.
    pub games: u64,
    /// How many of them were void.
    pub voids: u64,
    /// The number of leases that expired.
    pub expired: u64,
    /// The number of its games in which a bot lost by time.
    pub timeouts: u64,
    /// The number of its games in which a bot could not be started, ended or ran out of memory.
    pub crashes: u64,
    /// The number of its blocks that another worker played again, and of others' that it did.
    pub rechecked: u64,
    /// How many of them have another result.
    pub rechecks_differ: u64,
}

/// A worker, as far as the queue knows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeenWorker {
    /// Its name.
    pub name: String,
    /// What it said of itself; null if nothing.
    pub about: serde_json::Value,
    /// The time since its last sign of life, in milliseconds.
    pub silent_ms: u64,
    /// The number of blocks that it has now, of all tournaments.
    pub leases: u64,
}

/// The state of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// Its blocks.
    pub blocks: Counts,
    /// The number of games with a result, of all generations.
    pub games: u64,
    /// What was completed in the last minute.
    pub last_minute: Pace,
    /// The pace from which the end is expected. `None` if too few blocks were completed in the last
    /// hour, or no worker has a block.
    pub pace: Option<Pace>,
    /// The age of the oldest lease that is held, in milliseconds.
    pub oldest_lease_ms: Option<u64>,
    /// The workers that have had a lease, by name.
    pub workers: Vec<WorkerStatus>,
    /// What happens more often to games of one worker than to those of the others.
    pub differences: Vec<Difference>,
    /// The blocks that are played a second time.
    pub rechecks: Rechecks,
}

impl Status {
    /// Returns whether all known blocks have results, or cannot get one.
    pub fn is_complete(&self) -> bool {
        self.blocks.ready == 0 && self.blocks.leased == 0
    }

    /// Returns the expected time to the end of the known blocks; `None` if it is unknown yet.
    pub fn time_left(&self) -> Option<Duration> {
        let blocks = self.blocks.ready + self.blocks.leased;
        let time = |pace: Pace| blocks as f64 * pace.over_ms as f64 / pace.blocks as f64;
        self.pace.map(time).map(|ms| Duration::from_millis(ms as u64))
    }
}

/// What was completed in some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pace {
    /// The number of blocks.
    pub blocks: u64,
    /// The number of games.
    pub games: u64,
    /// The time, in milliseconds: since the first of the leases that were held in it was claimed, if
    /// that is less than the whole. At least 1.
    pub over_ms: u64,
}

impl Pace {
    /// Returns the number of games completed per second.
    pub fn games_per_second(&self) -> f64 {
        self.games as f64 * 1000.0 / self.over_ms as f64
    }

    /// Returns whether this is enough to expect an end while this many blocks are played. Workers that
    /// began together have completed none of their first blocks, and then nearly all.
    fn is_enough(&self, played_now: u64) -> bool {
        self.blocks >= played_now.max(FEWEST_BLOCKS)
    }

    /// Counts what was completed in a time that ends now, in milliseconds.
    fn of(
        statements: &mut dyn Statements,
        now: &str,
        id: &str,
        span_ms: i64,
    ) -> Result<Pace, StoreError> {
        let sql = format!(
            "SELECT CAST(COALESCE(SUM(CASE WHEN outcome = 'completed' THEN 1 ELSE 0 END), 0) AS BIGINT),
                 CAST(COALESCE(SUM(games), 0) AS BIGINT), {now} - MIN(claimed_at) FROM leases
             WHERE tournament = $1 AND (ended_at IS NULL OR ended_at > {now} - $2)"
        );
        let Some(row) = statements.row(&sql, &[id.into(), span_ms.into()])? else {
            return Ok(Pace { over_ms: unsigned(span_ms), ..Pace::default() });
        };
        let row = Columns(&row);
        let over = row.optional_integer(2).unwrap_or(span_ms);
        Ok(Pace {
            blocks: unsigned(row.integer(0)?),
            games: unsigned(row.integer(1)?),
            over_ms: unsigned(over.clamp(1, span_ms)),
        })
    }
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// Counts the games of each worker that faults ended.
fn count_faults(
    statements: &mut dyn Statements,
    id: &str,
    workers: &mut [WorkerStatus],
) -> Result<(), StoreError> {
    let sql = "SELECT worker, faults, COUNT(*) FROM games
               WHERE tournament = $1 AND faults IS NOT NULL AND points IS NOT NULL
               GROUP BY worker, faults";
    statements.query(sql, &[id.into()], &mut |row| {
        let row = Columns(&row);
        let name = row.text(0)?;
        let faults: Vec<(usize, FaultKind)> = row.json(1)?;
        let games = u64::try_from(row.integer(2)?).unwrap_or_default();
        if let Some(worker) = workers.iter_mut().find(|worker| worker.name == name) {
            let has = |kinds: &[FaultKind]| faults.iter().any(|(_, kind)| kinds.contains(kind));
            worker.timeouts += if has(&[FaultKind::Timeout]) { games } else { 0 };
            worker.crashes += if has(&CRASHES) { games } else { 0 };
        }
        Ok(())
    })
}

/// The conditions under which a game was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The game.
    pub key: GameKey,
    /// The worker that played it; empty if it was not played by a worker.
    pub worker: String,
    /// What the worker said of itself at that time; null if nothing.
    pub about: serde_json::Value,
}

impl Queue {
    /// Returns the conditions of every game of a tournament that has a result, in order.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn conditions(&self, id: &str) -> Result<Vec<Conditions>, StoreError> {
        let rows = self.transaction(|statements| {
            statements.rows(
                "SELECT g.generation, g.block, g.rotation, g.worker, i.about FROM games g
                 LEFT JOIN introductions i ON i.worker = g.worker AND i.number = g.introduction
                 WHERE g.tournament = $1 AND g.points IS NOT NULL AND g.generation <> $2
                 ORDER BY g.generation, g.block, g.rotation",
                &[id.into(), RECHECK.into()],
            )
        })?;
        let conditions = |row: &Vec<Cell>| {
            let row = Columns(row);
            let key = GameKey {
                generation: row.number(0)?,
                block: row.number(1)?,
                rotation: row.number(2)?,
            };
            let about = match row.optional_text(4) {
                Some(_) => row.json(4)?,
                None => serde_json::Value::Null,
            };
            Ok(Conditions { key, worker: row.text(3)?, about })
        };
        rows.iter().map(conditions).collect()
    }

    /// Returns the workers that gave a sign of life within this time, by name.
    ///
    /// # Errors
    ///
    /// Errors of the database.
    pub fn workers(&self, within: Duration) -> Result<Vec<SeenWorker>, StoreError> {
        let within = i64::try_from(within.as_millis()).unwrap_or(i64::MAX / 4);
        let now = self.dialect.now;
        let rows = self.transaction(|statements| {
            let sql = format!(
                "SELECT name, about, {now} - last_seen,
                     (SELECT COUNT(*) FROM leases WHERE worker = name AND ended_at IS NULL)
                 FROM workers WHERE last_seen >= {now} - $1 ORDER BY name"
            );
            statements.rows(&sql, &[within.into()])
        })?;
        let seen = |row: &Vec<Cell>| {
            let row = Columns(row);
            Ok(SeenWorker {
                name: row.text(0)?,
                about: row.json(1)?,
                silent_ms: unsigned(row.integer(2)?),
                leases: unsigned(row.integer(3)?),
            })
        };
        rows.iter().map(seen).collect()
    }

    /// Returns the state of a tournament.
    ///
    /// # Errors
    ///
    /// There is none with this id; errors of the database.
    pub fn status(&self, id: &str) -> Result<Status, StoreError> {
        let now = self.dialect.now;
        self.transaction(|statements| {
            let sql = "SELECT id FROM tournaments WHERE id = $1";
            if statements.row(sql, &[id.into()])?.is_none() {
                return Err(no_tournament(id));
            }
            let mut blocks = Counts::default();
            let sql = "SELECT state, COUNT(*) FROM blocks
                       WHERE tournament = $1 AND generation <> $2 GROUP BY state";
            for row in statements.rows(sql, &[id.into(), RECHECK.into()])? {
                let row = Columns(&row);
                let count = u64::try_from(row.integer(1)?).unwrap_or_default();
                match row.text(0)?.as_str() {
                    "ready" => blocks.ready = count,
                    "leased" => blocks.leased = count,
                    "done" => blocks.done = count,
                    "void" => blocks.void = count,
                    _ => {}
                }
            }
            let games = statements.number(
                "SELECT COUNT(*) FROM games
                 WHERE tournament = $1 AND points IS NOT NULL AND generation <> $2",
                &[id.into(), RECHECK.into()],
            )?;
            let last_minute = Pace::of(statements, now, id, RECENT_MS)?;
            // Leases of workers that died have expired, and end with the next claim.
            let played_now = unsigned(statements.number(
                &format!(
                    "SELECT COUNT(*) FROM blocks
                     WHERE tournament = $1 AND state = 'leased' AND expires_at >= {now}"
                ),
                &[id.into()],
            )?);
            let mut pace = None;
            if played_now > 0 {
                for span_ms in SPANS_MS {
                    let its = Pace::of(statements, now, id, span_ms)?;
                    if its.is_enough(played_now) {
                        pace = Some(its);
                        break;
                    }
                }
            }
            let oldest = statements.row(
                &format!(
                    "SELECT {now} - MIN(claimed_at) FROM leases
                     WHERE tournament = $1 AND ended_at IS NULL"
                ),
                &[id.into()],
            )?;
            let sql = format!(
                "SELECT w.name, w.about, {now} - w.last_seen,
                     CAST(SUM(CASE WHEN l.ended_at IS NULL THEN 1 ELSE 0 END) AS BIGINT),
                     CAST(SUM(l.games) AS BIGINT), CAST(SUM(l.voids) AS BIGINT),
                     CAST(SUM(CASE WHEN l.outcome = 'expired' THEN 1 ELSE 0 END) AS BIGINT)
                 FROM workers w JOIN leases l ON l.worker = w.name
                 WHERE l.tournament = $1 GROUP BY w.name, w.about, w.last_seen ORDER BY w.name"
            );
            let mut workers = Vec::new();
            for row in statements.rows(&sql, &[id.into()])? {
                let row = Columns(&row);
                workers.push(WorkerStatus {
                    name: row.text(0)?,
                    about: row.json(1)?,
                    silent_ms: unsigned(row.integer(2)?),
                    leases: unsigned(row.integer(3)?),
                    games: unsigned(row.integer(4)?),
                    voids: unsigned(row.integer(5)?),
                    expired: unsigned(row.integer(6)?),
                    timeouts: 0,
                    crashes: 0,
                    rechecked: 0,
                    rechecks_differ: 0,
                });
            }
            count_faults(statements, id, &mut workers)?;
            let rechecks = Rechecks::of(statements, id)?;
            rechecks.count(&mut workers);
            Ok(Status {
                differences: differences(&workers),
                blocks,
                games: unsigned(games),
                last_minute,
                pace,
                oldest_lease_ms: oldest
                    .and_then(|row| Columns(&row).optional_integer(0))
                    .map(unsigned),
                workers,
                rechecks,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(ready: u64, leased: u64, pace: Option<Pace>) -> Status {
        Status {
            blocks: Counts { ready, leased, done: 0, void: 0 },
            games: 0,
            last_minute: Pace::default(),
            pace,
            oldest_lease_ms: None,
            workers: Vec::new(),
            differences: Vec::new(),
            rechecks: Rechecks::default(),
        }
    }

    #[test]
    fn an_end_is_expected_from_as_many_blocks_as_are_played_at_least() {
        let pace = |blocks| Pace { blocks, games: 2 * blocks, over_ms: 4000 };
        assert!(!pace(4).is_enough(1));
        assert!(pace(5).is_enough(1));
        assert!(!pace(99).is_enough(100));
        assert!(pace(100).is_enough(100));
        assert_eq!(pace(10).games_per_second(), 5.0);
        // Ten blocks in four seconds: 95 take 38 seconds, also in the first minute.
        let left = status(90, 5, Some(pace(10))).time_left();
        assert_eq!(left, Some(Duration::from_secs(38)));
        assert_eq!(status(90, 5, None).time_left(), None);
    }
}
