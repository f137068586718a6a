//! Reports of a game: of each step while it is played, and of the whole at its end. Nothing is
//! judged here.

use crate::clock::seat_clock::TimeControlError;
use crate::failure::{HostFailure, Survivors};
use botyard_engine::{ActionError, GameEvent, Seat, Table, TableFault};
use botyard_protocol::{EndOutcome, Fault};
use botyard_replay::VoidEvidence;

/// A step of a game, reported as it happens. `table` is the game *after* the step.
pub enum Progress<'a> {
    /// The opening was drawn or given. It has not been sent to any bot yet.
    Opened {
        /// The opening.
        opening: &'a GameEvent,
        /// The game.
        table: &'a dyn Table,
    },
    /// A chance event was drawn.
    Drawn {
        /// The number of the last decision before the draw; 0 before the first.
        turn: u32,
        /// What was drawn.
        drawn: &'a GameEvent,
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
        played: &'a GameEvent,
        /// The bot's `info` about the action: its own JSON.
        info: Option<&'a str>,
        /// The time that the bot took, in microseconds; `None` if the referee played for it.
        wall_us: Option<u64>,
        /// The part of it that is not charged, because the host took it, in microseconds.
        excused_us: u64,
        /// The game.
        table: &'a dyn Table,
    },
    /// A decision has ended that took long enough for the referee to measure the host.
    Waited {
        /// How long a thread of the bot waited for a core, in microseconds.
        waited_us: u64,
        /// How long the bot used one, in microseconds.
        used_us: u64,
    },
    /// A bot wrote a `log` line. The text is not made printable.
    Logged {
        /// The bot's name.
        player: &'a str,
        /// The text of the line.
        text: &'a str,
    },
    /// A bot committed a fault.
    Failed {
        /// The fault.
        fault: &'a Fault,
        /// Whether the bot forfeits its seats by it.
        fatal: bool,
    },
    /// The game is over.
    Ended {
        /// The outcome.
        outcome: &'a EndOutcome,
        /// The game.
        table: &'a dyn Table,
    },
}

/// The report of a game that was played or decided otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct GameReport {
    /// The outcome.
    pub outcome: EndOutcome,
    /// All faults, in order.
    pub faults: Vec<Fault>,
    /// The number of decisions, including those that the referee played.
    pub turns: u32,
    /// One report per seat, in seat order.
    pub seats: Vec<SeatReport>,
    /// One report per bot, in the order of the bots.
    pub bots: Vec<BotReport>,
    /// The measurements of a host that did not let a bot run for long enough: the game is void, or,
    /// at its second attempt, decided against that bot.
    pub host: Option<VoidEvidence>,
    /// The error of a host that could not run a bot, because it could not be started or its files
    /// are missing: the game is void.
    pub host_failure: Option<String>,
    /// Wall-clock time for which the referee waited for the program that has the rules, in microseconds.
    /// `None` for rules that are compiled in.
    pub rules_us: Option<u64>,
}

impl GameReport {
    /// Returns how often a bot's start was repeated because the host had delayed it.
    pub fn start_repeats(&self) -> u32 {
        self.bots.iter().map(|bot| bot.start_repeats).sum()
    }
}

/// The report of one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatReport {
    /// The number of decisions that its bot made.
    pub decisions: u32,
    /// Wall-clock time of all decisions, in microseconds.
    pub wall_us: u64,
    /// Wall-clock time of the longest decision, in microseconds.
    pub longest_us: u64,
    /// CPU time of all decisions, in microseconds, where it was measured.
    pub cpu_us: Option<u64>,
    /// Excused time of all decisions, in microseconds, also of one that failed.
    pub excused_us: u64,
    /// The longest excused time of a decision, in microseconds.
    pub longest_excused_us: u64,
    /// How long the bot waited for a core in the decisions in which the referee measured that, in
    /// microseconds. These took 20 ms or a quarter of their allowance.
    pub waited_us: u64,
}

/// The output of one bot in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotReport {
    /// The first and the last 32 KiB of its standard error. Not made printable.
    pub stderr: String,
    /// The same up to the ruling by which it forfeited; `None` if it did not, or was not running
    /// then. What a bot writes afterwards is about its pipes being closed.
    pub stderr_at_ruling: Option<String>,
    /// How many bytes of standard error were read.
    pub stderr_bytes: u64,
    /// How many bytes of standard output were read.
    pub stdout_bytes: u64,
    /// How often its start for this game was repeated because the host had delayed it.
    pub start_repeats: u32,
}

impl BotReport {
    /// Returns the standard error that may explain a fault: without what followed the ruling.
    pub fn stderr_before_ruling(&self) -> &str {
        self.stderr_at_ruling.as_deref().unwrap_or(&self.stderr)
    }
}

/// The reason why a game has no outcome. It is never a bot's fault. All processes of the bots have
/// ended, except in [`RefereeError::Survivors`].
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// The user interrupted the game.
    #[error("interrupted")]
    Interrupted,
    /// The host failed.
    #[error(transparent)]
    Host(#[from] HostFailure),
    /// A bot's processes could not be killed.
    #[error(transparent)]
    Survivors(#[from] Survivors),
    /// The program that has the game's rules failed.
    #[error(transparent)]
    Rules(TableFault),
    /// The given opening is not an opening of this game.
    #[error("the opening cannot be played: {0}")]
    Opening(ActionError),
    /// An action of the record that the game should continue cannot be played.
    #[error("the recorded game cannot be played on: decision {turn}: {error}")]
    Record {
        /// The number of the decision, from 1.
        turn: u32,
        /// The reason.
        error: ActionError,
    },
    /// The record that the game should continue has more decisions than the game.
    #[error("the recorded game cannot be played on: it is over before decision {turn}")]
    RecordTooLong {
        /// The number of the first surplus decision, from 1.
        turn: u32,
    },
    /// No game can be played under the time control.
    #[error("the time control cannot be played: {0}")]
    TimeControl(#[from] TimeControlError),
    /// The seats and the bots do not match.
    #[error("the seats cannot be filled: {0}")]
    Seating(String),
}
