//! Under which conditions games between bots are played: the clock, and how they are run. What is
//! said here once, every verb that plays matches takes.

use botyard_protocol::{ClockKind, OnFault};
use botyard_runner::{BetweenTurns, RunConfig, TimeConfig};
use clap::{Args, ValueEnum};

/// The options of a verb that plays games between bots.
#[derive(Clone, Debug, Args)]
pub struct ConditionsArgs {
    /// The most time for one move, in milliseconds [default: 1000 if no other time is given]
    #[arg(long, value_name = "MS", help_heading = "Time")]
    pub move_time: Option<u64>,

    /// The time of a seat for all its moves of a game, in milliseconds
    #[arg(long, value_name = "MS", help_heading = "Time")]
    pub bank: Option<u64>,

    /// Added to the bank after each move, in milliseconds
    #[arg(long, value_name = "MS", help_heading = "Time")]
    pub increment: Option<u64>,

    /// What is measured
    #[arg(long, value_enum, default_value_t = Clock::Wall, help_heading = "Time")]
    pub clock: Clock,

    /// Stop bots whenever it is not their turn: nobody thinks in another's time [default in the
    /// sandbox's tiers A to C]
    #[arg(long, help_heading = "Time")]
    pub freeze: bool,

    /// Let bots think in the others' time
    #[arg(long, conflicts_with = "freeze", help_heading = "Time")]
    pub ponder: bool,

    /// How many games are played at once [default: one less than there are cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    pub concurrency: Option<u16>,

    /// Play more games at once than this host can time: several a core make games void
    #[arg(long, help_heading = "Running")]
    pub oversubscribe: bool,

    /// Give each game that is played at once a core of its own
    #[arg(long, help_heading = "Running")]
    pub pin: bool,

    /// Start every bot anew for every game
    #[arg(long, help_heading = "Running")]
    pub restart: bool,

    /// Do not list the legal actions in each turn: faster, for bots that know the rules
    #[arg(long, help_heading = "Running")]
    pub no_legal: bool,
}

/// What is measured of a bot's thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Clock {
    /// The time on the wall
    Wall,
    /// Processor time of all the bot's processes: fair where games share cores. On the wall a move
    /// may take five times as long and 250 ms
    Cpu,
}

impl From<Clock> for ClockKind {
    fn from(clock: Clock) -> ClockKind {
        match clock {
            Clock::Wall => ClockKind::Wall,
            Clock::Cpu => ClockKind::Cpu,
        }
    }
}

impl ConditionsArgs {
    /// The clock, with this much grace.
    pub fn time(&self, grace_ms: u64, on_fault: OnFault) -> TimeConfig {
        TimeConfig {
            clock: self.clock.into(),
            move_ms: self.move_time,
            bank_ms: self.bank,
            increment_ms: self.increment,
            grace_ms,
            on_fault,
        }
    }

    /// How the games are run.
    pub fn running(&self) -> RunConfig {
        RunConfig {
            concurrency: self.concurrency,
            oversubscribe: self.oversubscribe,
            pin: self.pin,
            restart: self.restart,
            legal: !self.no_legal,
            between_turns: match (self.freeze, self.ponder) {
                (true, _) => BetweenTurns::Stop,
                (false, true) => BetweenTurns::Ponder,
                (false, false) => BetweenTurns::Usual,
            },
        }
    }
}
