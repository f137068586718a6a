//! What a referee tells of a game: while it is played, step by step, and when it is over. It
//! judges nothing.

use crate::clock::seat_clock::TimeControlError;
use crate::failure::{HostFailure, Survivors};
use botyard_engine::{ActionError, Happening, Seat, Table};
use botyard_protocol::{EndOutcome, Fault};
use botyard_replay::VoidEvidence;

/// A step of a game, told as it happens. `table` is the game *after* it.
pub enum Progress<'a> {
    /// The opening was drawn, or given; no bot has been told yet.
    Opened {
        /// What it is.
        opening: &'a Happening,
        /// The game.
        table: &'a dyn Table,
    },
    /// Something was drawn.
    Drawn {
        /// The number of the last decision before it; 0 before the first.
        turn: u32,
        /// What it was.
        drawn: &'a Happening,
        /// The game.
        table: &'a dyn Table,
    },
    /// A seat's action was played.
    Moved {
        /// The number of the decision, from 1.
        turn: u32,
        /// The seat.
        seat: Seat,
        /// What was played.
        played: &'a Happening,
        /// What the bot said about it: its own JSON.
        info: Option<&'a str>,
        /// How long the bot took, in microseconds; `None` where the referee played for it.
        wall_us: Option<u64>,
        /// The game.
        table: &'a dyn Table,
    },
    /// A bot has said something for the log. Not made printable.
    Logged {
        /// The bot's name.
        player: &'a str,
        /// What it said.
        text: &'a str,
    },
    /// A bot has failed.
    Failed {
        /// How.
        fault: &'a Fault,
        /// Whether it has lost its seats by this.
        fatal: bool,
    },
    /// The game is over.
    Ended {
        /// How it ended.
        outcome: &'a EndOutcome,
        /// The game.
        table: &'a dyn Table,
    },
}

/// A game that was played, or decided otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct GameReport {
    /// How it ended.
    pub outcome: EndOutcome,
    /// Every failure of a bot, in order.
    pub faults: Vec<Fault>,
    /// How many decisions there were, those that the referee played included.
    pub turns: u32,
    /// Per seat, in seat order.
    pub seats: Vec<SeatReport>,
    /// Per bot, in the order they were given.
    pub bots: Vec<BotReport>,
    /// What was known of the host where it had not let a bot run for long enough: the game is void, or
    /// a second time decided against that bot.
    pub host: Option<VoidEvidence>,
    /// What the host said where it could not run a bot, because it could not be started or its files are
    /// gone: the game is void.
    pub host_failure: Option<String>,
}

impl GameReport {
    /// How often a bot's start was repeated because the host had stalled it.
    pub fn start_repeats(&self) -> u32 {
        self.bots.iter().map(|bot| bot.start_repeats).sum()
    }
}

/// A seat's part in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatReport {
    /// How many decisions its bot made.
    pub decisions: u32,
    /// Time on the wall for all of them, in microseconds.
    pub wall_us: u64,
    /// Time on the wall for the longest, in microseconds.
    pub longest_us: u64,
    /// Processor time for all of them, in microseconds, where it was measured.
    pub cpu_us: Option<u64>,
}

/// A bot's output in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotReport {
    /// What it wrote to standard error: the first and the last 32 KiB. Not made printable.
    pub stderr: String,
    /// How many bytes of standard error were read.
    pub stderr_bytes: u64,
    /// How many bytes of standard output were read.
    pub stdout_bytes: u64,
    /// How often its start for this game was repeated because the host had stalled it.
    pub start_repeats: u32,
}

/// Why a game was not played to any end. Never a bot's fault; every bot's processes are gone.
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// The host failed.
    #[error(transparent)]
    Host(#[from] HostFailure),
    /// A bot's processes cannot be ended.
    #[error(transparent)]
    Survivors(#[from] Survivors),
    /// The opening that was given is none of this game.
    #[error("the opening cannot be played: {0}")]
    Opening(ActionError),
    /// An action of the record with which the game was to begin cannot be played.
    #[error("the recorded game cannot be played on: decision {turn}: {error}")]
    Record {
        /// Its number, from 1.
        turn: u32,
        /// Why not.
        error: ActionError,
    },
    /// The record with which the game was to begin goes on where the game is over.
    #[error("the recorded game cannot be played on: it is over before decision {turn}")]
    RecordTooLong {
        /// The number of the first decision that is too many, from 1.
        turn: u32,
    },
    /// The time control is none.
    #[error("the time control cannot be played: {0}")]
    TimeControl(#[from] TimeControlError),
    /// Seats and bots do not go together.
    #[error("the seats cannot be filled: {0}")]
    Seating(String),
}
