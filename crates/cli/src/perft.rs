//! `botyard perft`: counts the move sequences from a position, to test and time a move generator. The engine
//! counts; this module shows progress and handles interrupts.

use crate::failure::{FAILED, Failure};
use crate::text::out;
use botyard_engine::perft::{Counting, PART_DEPTH, Perft, count_in_parts};
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
///
/// # Errors
///
/// A game without a perft, invalid rules or an invalid position, and an output that cannot be written.
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
    let count = Count { interrupt: Interrupt::on_signals().map_err(Failure::host)?, bar: bar() };
    let report = Report { json: args.json };
    report.begin(&*from, args.divide)?;
    let mut finished = 0;
    let last = if args.divide {
        count.divide(&*from, args.depth, &report)?
    } else {
        let mut last = Some(());
        for depth in 1..=args.depth {
            last = count.depth(&*from, depth, &report)?;
            if last.is_none() {
                break;
            }
            finished = depth;
        }
        last
    };
    count.bar.finish_and_clear();
    if last.is_none() {
        report.interrupted(args, finished)?;
        return Ok(ExitCode::from(FAILED));
    }
    Ok(ExitCode::SUCCESS)
}

/// A progress bar on standard error; hidden unless that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(PROGRESS_STEPS), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent}% of {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// What is counted, and what stops it.
struct Count {
    interrupt: Interrupt,
    bar: ProgressBar,
}

impl Count {
    /// Counts one depth and prints it; `None` if interrupted.
    fn depth(&self, from: &dyn Perft, depth: u32, to: &Report) -> anyhow::Result<Option<()>> {
        let begun = self.begin(depth);
        let mut done = 0.0;
        let Some(nodes) = self.nodes(from, depth, 1.0, &mut done) else { return Ok(None) };
        self.bar.suspend(|| to.depth(depth, nodes, begun.elapsed()))?;
        Ok(Some(()))
    }

    /// Counts the nodes after each move and prints them; `None` if interrupted.
    fn divide(&self, from: &dyn Perft, depth: u32, to: &Report) -> anyhow::Result<Option<()>> {
        let begun = self.begin(depth);
        let moves = from.moves();
        let share = 1.0 / moves.len() as f64;
        let (mut total, mut done) = (0, 0.0);
        for (mv, after) in moves {
            let Some(nodes) = self.nodes(&*after, depth - 1, share, &mut done) else {
                return Ok(None);
            };
            self.bar.suspend(|| to.mv(&mv, nodes))?;
            total += nodes;
        }
        self.bar.suspend(|| to.total(depth, total, begun.elapsed()))?;
        Ok(Some(()))
    }

    fn begin(&self, depth: u32) -> Instant {
        self.bar.set_message(format!("depth {depth}"));
        self.bar.reset();
        if depth > PART_DEPTH {
            self.bar.enable_steady_tick(TICK);
        }
        Instant::now()
    }

    /// Counts in parts. `share` is this part of the whole, `done` the part counted so far; both for the
    /// progress bar. `None` if interrupted.
    fn nodes(&self, from: &dyn Perft, depth: u32, share: f64, done: &mut f64) -> Option<u64> {
        count_in_parts(from, depth, &mut |part| {
            *done += share * part;
            self.bar.set_position((*done * PROGRESS_STEPS as f64) as u64);
            match self.interrupt.is_raised() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    }
}

/// One line of the JSON output.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Depth { depth: u32, nodes: u64, seconds: f64, nodes_per_second: f64 },
    Move { r#move: &'a str, nodes: u64 },
    Interrupted { finished_depth: u32 },
}

/// Prints the counts as text or JSON.
struct Report {
    json: bool,
}

impl Report {
    fn begin(&self, from: &dyn Perft, divided: bool) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        let heading = if divided { String::new() } else { Report::heading() };
        Ok(out(&format!("{}\n\n{heading}", from.position()))?)
    }

    fn heading() -> String {
        format!("{:>5} {:>16} {:>10} {:>10}\n", "depth", "nodes", "seconds", "Mnodes/s")
    }

    /// The sum over all moves, after them.
    fn total(&self, depth: u32, nodes: u64, time: Duration) -> anyhow::Result<()> {
        if !self.json {
            out(&format!("\n{}", Report::heading()))?;
        }
        self.depth(depth, nodes, time)
    }

    fn mv(&self, mv: &str, nodes: u64) -> anyhow::Result<()> {
        if self.json {
            return json_line(&Line::Move { r#move: mv, nodes });
        }
        Ok(out(&format!("{mv:<16} {nodes:>16}\n"))?)
    }

    fn depth(&self, depth: u32, nodes: u64, time: Duration) -> anyhow::Result<()> {
        let seconds = time.as_secs_f64();
        // The clock may not have advanced while seven moves were counted.
        let rate = nodes as f64 / seconds.max(1e-9);
        if self.json {
            return json_line(&Line::Depth { depth, nodes, seconds, nodes_per_second: rate });
        }
        Ok(out(&format!("{depth:>5} {nodes:>16} {seconds:>10.4} {:>10.1}\n", rate / 1e6))?)
    }

    fn interrupted(&self, args: &PerftArgs, finished_depth: u32) -> anyhow::Result<()> {
        if self.json {
            return json_line(&Line::Interrupted { finished_depth });
        }
        let done = match (args.divide, finished_depth) {
            (true, _) => "the moves above are complete, the others were not counted".to_string(),
            (false, 0) => "no depth was finished".to_string(),
            (false, depth) => format!("depth {depth} of {} was finished", args.depth),
        };
        Ok(out(&format!("interrupted: {done}\n"))?)
    }
}

fn json_line(line: &Line) -> anyhow::Result<()> {
    Ok(out(&format!("{}\n", serde_json::to_string(line)?))?)
}
