//! The log of a worker, as lines for people. Blocks have no line each, but are summed up every minute.

use crate::events::WorkerEvent;
use botyard_queue::Completed;
use botyard_runner::words::counted;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often games are summed up.
const PERIOD: Duration = Duration::from_secs(60);

/// The log of a worker.
#[derive(Debug)]
pub struct Log {
    played: Mutex<Played>,
}

/// A line of a log, without a line break. It may name settings of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// What the worker does.
    Out(String),
    /// A warning.
    Err(String),
}

/// The games since the last line about them.
#[derive(Debug)]
struct Played {
    since: Instant,
    /// By tournament.
    games: BTreeMap<String, usize>,
}

impl Default for Log {
    fn default() -> Log {
        Log { played: Mutex::new(Played { since: Instant::now(), games: BTreeMap::new() }) }
    }
}

impl Log {
    /// Returns the line of an event. The warnings of a tournament that was opened are not in it.
    pub fn line(&self, event: &WorkerEvent) -> Option<Line> {
        let of_block = |tournament: &String, block: &u32| format!("{tournament}, block {block}");
        Some(match event {
            WorkerEvent::WorkerStarted { name, concurrency, cache, unsent, .. } => {
                let at_once = counted(u64::from(*concurrency), "game");
                let unsent = match unsent {
                    0 => String::new(),
                    unsent => format!("; {} to send", counted(*unsent as u64, "earlier result")),
                };
                Line::Out(format!("worker {name}: {at_once} at a time, cache {cache}{unsent}"))
            }
            WorkerEvent::Calibrated { calibration } => Line::Out(format!(
                "measured: {:.0} decisions/s, jitter {} us (longest {} us)",
                calibration.speed, calibration.jitter_us, calibration.jitter_max_us
            )),
            WorkerEvent::NotCalibrated { reason } => {
                Line::Err(format!("warning: this host could not be measured: {reason}"))
            }
            WorkerEvent::TournamentOpened { tournament, bots, sandbox, .. } => Line::Out(format!(
                "{tournament}: {}, sandbox {sandbox}",
                counted(*bots as u64, "bot")
            )),
            WorkerEvent::TournamentRefused { tournament, reason } => Line::Err(format!(
                "warning: {tournament} cannot be played on this host and is left to others: {reason}"
            )),
            WorkerEvent::BlockCompleted { tournament, block, games, voids, completed } => {
                match completed {
                    Completed::Late => Line::Out(format!(
                        "late: {}: its lease had expired; the result does not count",
                        of_block(tournament, block)
                    )),
                    Completed::Duplicate => return None,
                    Completed::Accepted => Line::Out(self.add(tournament, games - voids)?),
                }
            }
            WorkerEvent::ResultRefused { tournament, block, reason, kept } => Line::Err(format!(
                "warning: the result of {} was refused: {reason}{}",
                of_block(tournament, block),
                kept.as_ref().map_or(String::new(), |kept| format!("; it is kept in {kept}"))
            )),
            WorkerEvent::GameVoid { game_id, attempt, reason, again, .. } => {
                let then = if *again { "it is repeated" } else { "it has no result" };
                Line::Out(format!("void: {game_id}, attempt {attempt}, {reason}; {then}"))
            }
            WorkerEvent::ConcurrencyChanged(change) => match change.is_overload() {
                true => Line::Err(format!("warning: {}", change.in_words())),
                false => Line::Out(change.in_words()),
            },
            WorkerEvent::LeasesLost { leases } => Line::Err(format!(
                "warning: {} lost: not renewed in time, and played by other workers",
                counted(*leases as u64, "lease")
            )),
            WorkerEvent::GamesFailed { reason } => {
                Line::Err(format!("warning: games were given back: {reason}"))
            }
            WorkerEvent::QueueFailed { error } => {
                Line::Err(format!("warning: {error}; trying again, results are kept"))
            }
            WorkerEvent::QueueReached => Line::Out("the store is reached again".into()),
            WorkerEvent::DiskFull { free, least } => Line::Err(format!(
                "warning: {} MiB of free space in the cache, less than {} MiB: no game is claimed",
                free >> 20,
                least >> 20
            )),
            WorkerEvent::DiskFree { free } => {
                Line::Out(format!("{} MiB of free space: games are claimed again", free >> 20))
            }
            WorkerEvent::WorkerStopping { leases } => {
                Line::Out(format!("stopping: {} given back", counted(*leases as u64, "lease")))
            }
        })
    }

    /// Counts games, and returns the line about those of a period when it is over.
    fn add(&self, tournament: &str, games: usize) -> Option<String> {
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        *played.games.entry(tournament.to_string()).or_default() += games;
        let time = played.since.elapsed();
        if time < PERIOD {
            return None;
        }
        played.since = Instant::now();
        let games = std::mem::take(&mut played.games).into_iter().map(|(tournament, games)| {
            format!("{} of {tournament}", counted(games as u64, "game"))
        });
        let games = games.collect::<Vec<_>>().join(", ");
        Some(format!("played in {} s: {games}", time.as_secs()))
    }
}
