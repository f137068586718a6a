//! `botyard perft`: counts the move sequences from a position, to test and time a move generator.
//! The engine counts; this module shows progress and handles interrupts.

use crate::bars::{TICK, bar};
use crate::failure::{FAILED, Failure};
use crate::named_values::{Named, one_of};
use crate::text::{out, print_event};
use botyard_engine::perft::{Counting, PART_DEPTH, Perft, PerftEvent, Step, count_depths, divide};
use botyard_engine::registry::{self, PerftError};
use botyard_referee::Interrupt;
use botyard_runner::Error;
use clap::Args;
use indicatif::ProgressBar;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

/// The number of steps of the progress bar.
const PROGRESS_STEPS: u64 = 10_000;

/// `botyard perft`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard perft draughts --depth 11
  botyard perft draughts --depth 5 --divide --fen B:W18,21,27:B10,11,K32
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
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = crate::start::key_and_value)]
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
pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
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
    let mut shown = Shown { args, bar, begun: Instant::now(), finished: 0 };
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
            shown.interrupted()?;
            Ok(ExitCode::from(FAILED))
        }
    }
}

/// Prints the counts as text or JSON, and shows a bar.
struct Shown<'a> {
    args: &'a PerftArgs,
    bar: ProgressBar,
    /// When the current count began.
    begun: Instant,
    /// The last depth that was counted.
    finished: u32,
}

impl Shown<'_> {
    fn begin(&self, from: &dyn Perft) -> anyhow::Result<()> {
        if self.args.json {
            return Ok(());
        }
        let heading = if self.args.divide { String::new() } else { heading() };
        Ok(out(&format!("{}\n\n{heading}", from.position()))?)
    }

    fn step(&mut self, step: Step<'_>) -> anyhow::Result<()> {
        match step {
            Step::Begun(depth) => {
                self.bar.set_message(format!("depth {depth}"));
                self.bar.reset();
                if depth > PART_DEPTH {
                    self.bar.enable_steady_tick(TICK);
                }
                self.begun = Instant::now();
            }
            Step::Progress(done) => self.bar.set_position((done * PROGRESS_STEPS as f64) as u64),
            Step::Counted(depth, _) => self.finished = depth,
            Step::Move(..) => {}
        }
        match PerftEvent::of(step, self.begun.elapsed()) {
            Some(event) => self.print(event),
            None => Ok(()),
        }
    }

    fn interrupted(&self) -> anyhow::Result<()> {
        self.print(PerftEvent::Interrupted { finished_depth: self.finished })
    }

    /// Prints an event above the bar.
    fn print(&self, event: PerftEvent<'_>) -> anyhow::Result<()> {
        Ok(self.bar.suspend(|| match self.args.json {
            true => print_event(event),
            false => out(&self.in_words(event)).map_err(Error::Output),
        })?)
    }

    fn in_words(&self, event: PerftEvent<'_>) -> String {
        match event {
            PerftEvent::Move { r#move: mv, nodes } => format!("{mv:<16} {nodes:>16}\n"),
            PerftEvent::Depth { depth, nodes, seconds, nodes_per_second } => {
                let heading =
                    if self.args.divide { format!("\n{}", heading()) } else { String::new() };
                let rate = nodes_per_second / 1e6;
                format!("{heading}{depth:>5} {nodes:>16} {seconds:>10.4} {rate:>10.1}\n")
            }
            PerftEvent::Interrupted { finished_depth } => {
                let done = match (self.args.divide, finished_depth) {
                    (true, _) => "the moves above are complete, the others were not counted".into(),
                    (false, 0) => "no depth was finished".to_string(),
                    (false, depth) => format!("depth {depth} of {} was finished", self.args.depth),
                };
                format!("interrupted: {done}\n")
            }
        }
    }
}

fn heading() -> String {
    format!("{:>5} {:>16} {:>10} {:>10}\n", "depth", "nodes", "seconds", "Mnodes/s")
}
