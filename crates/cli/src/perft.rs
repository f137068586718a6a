//! `botyard perft`: counts the move sequences from a position, to test and time a move generator.
//! The engine counts; this module shows progress and handles interrupts.

use crate::failure::{FAILED, Failure};
use crate::text::out;
use botyard_engine::perft::{Counting, PART_DEPTH, Perft, Step, count_depths, divide};
use botyard_engine::registry;
use botyard_referee::Interrupt;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The number of steps of the progress bar.
const PROGRESS_STEPS: u64 = 10_000;
/// The longest time between two redraws of the bar.
const TICK: Duration = Duration::from_millis(250);

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
    #[arg(long, value_enum, default_value_t = Convention::Paths)]
    pub counting: Convention,

    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
}

/// How to count captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Convention {
    /// Count every path of a capture, as in published tables (OEIS A133046)
    Paths,
    /// Count captures with the same start, end and captured pieces once
    Effects,
}

impl From<Convention> for Counting {
    fn from(convention: Convention) -> Counting {
        match convention {
            Convention::Paths => Counting::Paths,
            Convention::Effects => Counting::Effects,
        }
    }
}

/// Counts, and prints each depth (or with `--divide` each move) as soon as it is known.
///
/// Returns [`FAILED`] if the count was interrupted.
pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let rules = (args.rules.as_deref(), &args.rule[..]);
    let counting = args.counting.into();
    let from = registry::perft(&args.game, rules, args.fen.as_deref(), counting)
        .map_err(Failure::usage)?
        .ok_or_else(|| {
            Failure::usage(format!(
                "{} has no perft; games with a perft: {}",
                args.game,
                registry::names_with_perft().join(", ")
            ))
        })?
        .map_err(|error| {
            Failure::usage(format!("--fen {}: {error}", args.fen.as_deref().unwrap_or_default()))
        })?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let mut shown = Shown { args, bar: bar(), begun: Instant::now(), finished: 0 };
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

/// A progress bar on standard error; hidden unless that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(PROGRESS_STEPS), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent}% of {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// One line of the JSON output.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Depth { depth: u32, nodes: u64, seconds: f64, nodes_per_second: f64 },
    Move { r#move: &'a str, nodes: u64 },
    Interrupted { finished_depth: u32 },
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
                Ok(())
            }
            Step::Progress(done) => {
                self.bar.set_position((done * PROGRESS_STEPS as f64) as u64);
                Ok(())
            }
            Step::Move(mv, nodes) => {
                self.line(|| Line::Move { r#move: mv, nodes }, || format!("{mv:<16} {nodes:>16}\n"))
            }
            Step::Counted(depth, nodes) => {
                self.finished = depth;
                let seconds = self.begun.elapsed().as_secs_f64();
                // The clock may not have advanced while seven moves were counted.
                let rate = nodes as f64 / seconds.max(1e-9);
                let heading =
                    if self.args.divide { format!("\n{}", heading()) } else { String::new() };
                self.line(
                    || Line::Depth { depth, nodes, seconds, nodes_per_second: rate },
                    || {
                        format!(
                            "{heading}{depth:>5} {nodes:>16} {seconds:>10.4} {:>10.1}\n",
                            rate / 1e6
                        )
                    },
                )
            }
        }
    }

    fn interrupted(&self) -> anyhow::Result<()> {
        let done = match (self.args.divide, self.finished) {
            (true, _) => "the moves above are complete, the others were not counted".to_string(),
            (false, 0) => "no depth was finished".to_string(),
            (false, depth) => format!("depth {depth} of {} was finished", self.args.depth),
        };
        let finished_depth = self.finished;
        self.line(|| Line::Interrupted { finished_depth }, || format!("interrupted: {done}\n"))
    }

    /// Prints a line above the bar.
    fn line<'l>(
        &self,
        json: impl FnOnce() -> Line<'l>,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        let line = match self.args.json {
            true => format!("{}\n", serde_json::to_string(&json())?),
            false => text(),
        };
        Ok(self.bar.suspend(|| out(&line))?)
    }
}

fn heading() -> String {
    format!("{:>5} {:>16} {:>10} {:>10}\n", "depth", "nodes", "seconds", "Mnodes/s")
}
