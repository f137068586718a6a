//! The time and concurrency options of every verb that plays games between bots.

use crate::adjudication_arguments::AdjudicationArgs;
use crate::named_values::{Named, one_of};
use crate::time_arguments::{Times, milliseconds};
use botyard_protocol::{ClockKind, Limits, OnFault};
use botyard_runner::{BetweenTurns, OwnTime, OwnTimeKind, RunConfig, TimeConfig};
use clap::Args;

/// The options of a verb that plays games between bots.
#[derive(Clone, Debug, Args)]
pub struct ConditionsArgs {
    /// Time limit per move, in milliseconds or with a unit, as every time: 500ms, 1.5s, 2m; and
    /// single bots' own: 40 mine=120 [default: 1000 if no other time option is given]
    #[arg(long, value_name = "MS", help_heading = "Time")]
    pub move_time: Option<Times>,

    /// Time of a seat for all its moves in a game, in milliseconds; single bots' own as above
    #[arg(long, value_name = "MS", help_heading = "Time")]
    pub bank: Option<Times>,

    /// Time added to the bank after each move, in milliseconds; single bots' own as above
    #[arg(long, value_name = "MS", help_heading = "Time")]
    pub increment: Option<Times>,

    /// Limits of start-up and set-up.
    #[command(flatten)]
    pub limits: LimitsArgs,

    /// Which time to measure
    #[arg(long, value_parser = one_of(CLOCKS), default_value = "wall", help_heading = "Time")]
    pub clock: ClockKind,

    /// Time over the limit that is forgiven but charged, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = milliseconds(0..=u64::MAX), help_heading = "Time")]
    pub grace: u64,

    /// The rules that end games early.
    #[command(flatten)]
    pub adjudication: AdjudicationArgs,

    /// Freeze bots when it is not their turn, so that they cannot ponder [default in sandbox tiers
    /// A to C]
    #[arg(long, help_heading = "Time")]
    pub freeze: bool,

    /// Let bots ponder: think in their opponents' time
    #[arg(long, conflicts_with = "freeze", help_heading = "Time")]
    pub ponder: bool,

    /// Number of games to play at once [default: number of cores minus one]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    pub concurrency: Option<u16>,

    /// Allow more games at once than this host can time: games may become void
    #[arg(long, help_heading = "Running")]
    pub oversubscribe: bool,

    /// Pin each concurrent game to its own core [default with as many games as cores, if bots are
    /// frozen between turns]
    #[arg(long, help_heading = "Running")]
    pub pin: bool,

    /// Let games and bots move between cores
    #[arg(long, conflicts_with = "pin", help_heading = "Running")]
    pub no_pin: bool,

    /// Restart every bot for every game
    #[arg(long, help_heading = "Running")]
    pub restart: bool,

    /// Do not send the legal actions with each turn: faster, for bots that know the rules
    #[arg(long, help_heading = "Running")]
    pub no_legal: bool,

    /// Compress each replay with gzip when its game is over
    #[arg(long, help_heading = "Output")]
    pub compress: bool,
}

/// The limits of a bot's start-up and set-up.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitsArgs {
    /// Time limit from the start of a bot to its `hello`, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = Limits::default().start_ms, value_parser = milliseconds(1..=3_600_000), help_heading = "Time")]
    pub start_time: u64,

    /// Time limit of a bot from `start` to `ready`, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = Limits::default().setup_ms, value_parser = milliseconds(1..=3_600_000), help_heading = "Time")]
    pub setup_time: u64,
}

impl From<LimitsArgs> for Limits {
    fn from(args: LimitsArgs) -> Limits {
        Limits { start_ms: args.start_time, setup_ms: args.setup_time, ..Limits::default() }
    }
}

/// The values of `--clock`.
const CLOCKS: &Named<ClockKind> = &[
    (ClockKind::Wall, "wall", "Wall-clock time"),
    (
        ClockKind::Cpu,
        "cpu",
        "CPU time of all processes of the bot: fair if games share cores. The wall-clock limit of a move \
         is five times its CPU time limit plus 250 ms",
    ),
];

impl ConditionsArgs {
    /// The clock, and what happens at a bot's fault.
    pub fn time(&self, on_fault: OnFault) -> TimeConfig {
        let of_all = |times: &Option<Times>| times.as_ref().and_then(|times| times.of_all);
        TimeConfig {
            clock: self.clock,
            move_ms: of_all(&self.move_time),
            bank_ms: of_all(&self.bank),
            increment_ms: of_all(&self.increment),
            grace_ms: self.grace,
            on_fault,
        }
    }

    /// The times of single bots.
    pub fn own_times(&self) -> Vec<OwnTime> {
        let options = [
            (OwnTimeKind::Move, &self.move_time),
            (OwnTimeKind::Bank, &self.bank),
            (OwnTimeKind::Increment, &self.increment),
        ];
        let given = options.into_iter().filter_map(|(kind, times)| Some((kind, times.as_ref()?)));
        let of_option = |(kind, times): (OwnTimeKind, &Times)| {
            let own = times.of_bots.clone().into_iter();
            own.map(move |(bot, ms)| OwnTime { bot, kind, ms })
        };
        given.flat_map(of_option).collect()
    }

    /// How the games are run.
    pub fn running(&self) -> RunConfig {
        RunConfig {
            concurrency: self.concurrency,
            oversubscribe: self.oversubscribe,
            pin: match (self.pin, self.no_pin) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                (false, false) => None,
            },
            restart: self.restart,
            legal: !self.no_legal,
            between_turns: match (self.freeze, self.ponder) {
                (true, _) => BetweenTurns::Stop,
                (false, true) => BetweenTurns::Ponder,
                (false, false) => BetweenTurns::Usual,
            },
            compress: self.compress,
        }
    }
}
