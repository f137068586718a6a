//! What a worker reports while it runs.

use crate::calibration::Calibration;
use botyard_queue::Completed;
use botyard_runner::ConcurrencyChange;
use serde::Serialize;

/// Receives the events of a worker, on any of its threads.
pub type Notify = dyn Fn(&WorkerEvent) + Send + Sync;

/// An event of a worker.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum WorkerEvent {
    /// The worker begins.
    WorkerStarted {
        /// Its name in the queue.
        name: String,
        /// The version of `botyard`.
        version: &'static str,
        /// The number of games at once.
        concurrency: u16,
        /// Its cache.
        cache: String,
        /// The number of results that an earlier process left to be sent.
        unsent: usize,
    },
    /// The host was measured.
    Calibrated {
        /// The figures.
        #[serde(flatten)]
        calibration: Calibration,
    },
    /// The host could not be measured.
    NotCalibrated {
        /// The reason.
        reason: String,
    },
    /// A tournament was opened: its bots are on this host.
    TournamentOpened {
        /// Its id.
        tournament: String,
        /// The number of its bots.
        bots: usize,
        /// The containment of its bots.
        sandbox: String,
        /// What a user should know. Sentences without a full stop.
        warnings: Vec<String>,
    },
    /// A tournament is left to other workers.
    TournamentRefused {
        /// Its id.
        tournament: String,
        /// The reason.
        reason: String,
    },
    /// The result of a block was sent.
    BlockCompleted {
        /// The tournament.
        tournament: String,
        /// The number of the block.
        block: u32,
        /// The number of its games.
        games: usize,
        /// How many of them were void.
        voids: usize,
        /// What became of it.
        completed: Completed,
    },
    /// A result was refused and is kept on disk.
    ResultRefused {
        /// The tournament.
        tournament: String,
        /// The number of the block.
        block: u32,
        /// The reason.
        reason: String,
        /// Where it is kept.
        kept: Option<String>,
    },
    /// A game was void.
    GameVoid {
        /// The tournament.
        tournament: String,
        /// The id of the game.
        game_id: String,
        /// The attempt, from 1.
        attempt: u32,
        /// The reason.
        reason: String,
        /// Whether the worker repeats it.
        again: bool,
    },
    /// Another number of games is played at once, because bots wait for cores or do not any more.
    ConcurrencyChanged(ConcurrencyChange),
    /// Leases were lost: the worker had not renewed them in time.
    LeasesLost {
        /// How many.
        leases: usize,
    },
    /// Games were interrupted by a failure of this host. Their blocks are given back.
    GamesFailed {
        /// The reason.
        reason: String,
    },
    /// The queue cannot be reached. Results are kept.
    QueueFailed {
        /// The reason.
        error: String,
    },
    /// The queue is reached again.
    QueueReached,
    /// Too little space is free. No block is claimed.
    DiskFull {
        /// The free space, in bytes.
        free: u64,
        /// The space that is to be kept.
        least: u64,
    },
    /// Enough space is free again.
    DiskFree {
        /// The free space, in bytes.
        free: u64,
    },
    /// The worker ends, and gives back what it has not played.
    WorkerStopping {
        /// The number of leases that it gives back.
        leases: usize,
    },
}
