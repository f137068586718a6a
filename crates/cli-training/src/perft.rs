//! `botyard perft`: counts the move sequences from a position, to test and time a move generator.
//! The engine counts; this module shows progress and handles interrupts.

use botyard_cli::bars::{TICK, bar};
use botyard_cli::failure::{FAILED, Failure};
use botyard_cli::named_values::{Named, one_of};
use botyard_cli::text::{out, print_event};
use botyard_engine::perft::{
    Counting, PART_DEPTH, Perft, PerftClock, PerftEvent, PerftTable, Step, count_depths, divide,
};
use botyard_engine::registry::{self, PerftError};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use clap::Args;
use indicatif::ProgressBar;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// The number of steps of the progress bar.
const PROGRESS_STEPS: u64 = 10_000;

/// `botyard perft`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard perft draughts --depth 11
  botyard perft draughts -d 5 --divide --fen B:W18,21,22,27,30:B5,8,10,K32
  botyard perft draughts --depth 9 --rules janacek-2007

A node is a leaf: a sequence of exactly N plies. Uses one core, and counts the
last plies in bulk.")]
pub struct PerftArgs {
    /// Game; only draughts has a perft
    pub game: String,

    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=30))]
    pub depth: u32,

    /// Position to count from, such as B:W18,K10:B1-4 [default: the start position]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,

    /// Preset of rules; `botyard games draughts` lists them
    #[arg(long, value_name = "PRESET")]
    pub rules: Option<String>,

    /// Change one rule; may be repeated
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = botyard_cli::start::key_and_value)]
    pub rule: Vec<(String, String)>,

    /// Print the nodes after each move, for the last depth only
    #[arg(long)]
    pub divide: bool,

    /// How to count captures
    #[arg(long, value_parser = one_of(CONVENTIONS), default_value = "paths")]
    pub counting: Counting,

    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
}

/// The values of `--counting`.
const CONVENTIONS: &Named<Counting> = &[
    (
        Counting::Paths,
        "paths",
        "Count every path of a capture, as in published tables (OEIS A133046)",
    ),
    (
        Counting::Effects,
        "effects",
        "Count captures with the same start, end and captured pieces once",
    ),
];

/// Counts, and prints each depth (or with `--divide` each move) as soon as it is known.
///
/// Returns [`FAILED`] if the count was interrupted.
pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let rules = (args.rules.as_deref(), &args.rule[..]);
    let fen = args.fen.as_deref();
    let from =
        registry::perft(&args.game, rules, fen, args.counting).map_err(|error| match error {
            PerftError::Position(_) => {
                Failure::usage(format!("--fen {}: {error}", fen.unwrap_or_default()))
            }
            error => Failure::usage(error),
        })?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = bar(Some(PROGRESS_STEPS), "{bar:24} {percent}% of {msg}, {eta} left");
    let table = PerftTable { depth: args.depth, divide: args.divide };
    let mut shown = Shown { table, json: args.json, bar, clock: PerftClock::default() };
    shown.begin(&*from)?;
    let mut on_step = |step: Step<'_>| match shown.step(step) {
        Err(error) => ControlFlow::Break(Some(error)),
        Ok(()) if matches!(step, Step::Progress(_)) && interrupt.is_raised() => {
            ControlFlow::Break(None)
        }
        Ok(()) => ControlFlow::Continue(()),
    };
    let counted = match args.divide {
        true => divide(&*from, args.depth, &mut on_step),
        false => count_depths(&*from, args.depth, &mut on_step),
    };
    shown.bar.finish_and_clear();
    match counted {
        ControlFlow::Continue(()) => Ok(ExitCode::SUCCESS),
        ControlFlow::Break(Some(error)) => Err(error),
        ControlFlow::Break(None) => {
            shown.print(shown.clock.interrupted())?;
            Ok(ExitCode::from(FAILED))
        }
    }
}

/// Prints the counts as text or JSON, and shows a bar.
struct Shown {
    table: PerftTable,
    json: bool,
    bar: ProgressBar,
    clock: PerftClock,
}

impl Shown {
    fn begin(&self, from: &dyn Perft) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        Ok(out(&format!("{}\n\n{}", from.position(), self.table.heading()))?)
    }

    fn step(&mut self, step: Step<'_>) -> anyhow::Result<()> {
        match step {
            Step::Begun(depth) => {
                self.bar.set_message(format!("depth {depth}"));
                self.bar.reset();
                if depth > PART_DEPTH {
                    self.bar.enable_steady_tick(TICK);
                }
            }
            Step::Progress(done) => self.bar.set_position((done * PROGRESS_STEPS as f64) as u64),
            Step::Counted(..) | Step::Move(..) => {}
        }
        self.clock.event(step).map_or(Ok(()), |event| self.print(event))
    }

    /// Prints an event above the bar.
    fn print(&self, event: PerftEvent<'_>) -> anyhow::Result<()> {
        Ok(self.bar.suspend(|| match self.json {
            true => print_event(event),
            false => out(&self.table.line(event)).map_err(Error::Output),
        })?)
    }
}
