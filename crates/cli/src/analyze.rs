//! `botyard analyze`: prints what a bot says about the decisions of a recorded game. The analysis is
//! made elsewhere.

use crate::bars::{TICK, bar};
use crate::containment_arguments::ContainmentArgs;
use crate::failure::Failure;
use crate::installed::programs;
use crate::text::{eprint_line, out, print_event, warn};
use crate::time_arguments::milliseconds;
use botyard_analysis::{AnalysisConfig, AnalysisEvent, Observer, run as analyze, to_text};
use botyard_play::reviewer;
use botyard_protocol::printable;
use botyard_referee::Interrupt;
use botyard_replay::AnalyzedDecision;
use botyard_runner::{Message, game_programs};
use clap::Args;
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::process::ExitCode;

/// The time per decision of a bot without `--move-time` and `--depth`, in milliseconds.
const TIME: u64 = 500;

/// How much of the bot's name is printed, in characters.
const CHARACTERS: usize = 40;

/// `botyard analyze`.
#[derive(Debug, Args)]
#[command(after_help = "\
BOT is written as for `botyard match`. Examples:
  botyard analyze replays/GAME.ndjson
  botyard analyze replays/GAME.ndjson --with alpha-beta
  botyard analyze replays/GAME.ndjson --with alpha-beta --depth 12
  botyard analyze GAME.ndjson --with mcts --seat detectives --move-time 200

At every decision, the bot sees what the seat saw that had to decide. The
analysis is stored beside the replay as GAME.BOT.analysis.json, where
`botyard replay view` finds it. A stored analysis is printed; an interrupted one
is resumed.

A mark says how much of the winning chance a decision lost: ?! at least 5
percentage points, ? at least 10, ?? at least 20.")]
pub struct AnalyzeArgs {
    /// Replay file
    pub replay: PathBuf,
    /// Bot that analyzes the game; its `info` must have a score [default: level:10]
    #[arg(long = "with", value_name = "BOT")]
    pub bot: Option<String>,
    /// Analyze the decisions of this seat only, by name or by number from 1; may be repeated
    #[arg(long, value_name = "SEAT")]
    pub seat: Vec<String>,
    /// Time per decision, in milliseconds [default: 500; 60000 with --depth or
    /// without --with]
    #[arg(long, alias = "time", value_name = "MS", value_parser = milliseconds(1..=86_400_000))]
    pub move_time: Option<u64>,
    /// Depth to search, in plies: the option `depth` of the bot of --with
    #[arg(long, value_name = "PLIES", requires = "bot", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: Option<u32>,
    /// Replace a stored analysis
    #[arg(long)]
    pub again: bool,
    /// Directory with the program that has the rules of the game [default: the bundle beside the replay,
    /// or in the directory of its tournament, with the digest that the replay names]
    #[arg(long, value_name = "DIR")]
    pub game: Option<PathBuf>,
    /// Print one JSON object per decision, and a summary
    #[arg(long)]
    pub json: bool,
    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,
}

/// Analyzes a replay.
pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let limited = AnalysisConfig::by_nodes(&args.replay, reviewer());
    let is_limited = args.bot.is_none() || args.depth.is_some();
    let usual = if is_limited { limited.move_ms } else { TIME };
    let config = AnalysisConfig {
        bot: args.bot.clone().unwrap_or(limited.bot),
        seats: args.seat.clone(),
        move_ms: args.move_time.unwrap_or(usual),
        depth: args.depth,
        again: args.again,
        containment: (&args.containment).into(),
        replay: limited.replay,
    };
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let programs = programs()?;
    game_programs::load_for_replay(&args.replay, args.game.as_deref(), &programs)?;
    let mut shown = Shown::new();
    let analyzed = analyze(&config, &programs, &interrupt, &mut shown);
    shown.end();
    let (analysis, path) = analyzed?;
    match args.json {
        true => AnalysisEvent::all(&analysis).iter().try_for_each(print_event)?,
        false => out(&to_text(&analysis))?,
    }
    if analysis.decisions.iter().all(|decision| decision.score.is_none()) {
        let bot = printable(&analysis.bot, CHARACTERS);
        eprint_line(&format!(
            "{bot} gave no score for any decision: only its own choices are known; a bot gives one in \
             \"info\" of its \"move\""
        ));
    }
    eprint_line(&format!("stored in {}", path.display()));
    Ok(ExitCode::SUCCESS)
}

/// The progress of an analysis, as a bar.
pub(crate) struct Shown {
    bar: ProgressBar,
}

impl Shown {
    pub(crate) fn new() -> Shown {
        Shown { bar: bar(Some(0), "{wide_bar} {pos}/{len} decisions, {eta} left") }
    }

    /// Removes the bar.
    pub(crate) fn end(self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Shown {
    fn warn(&mut self, warnings: &[Message]) {
        self.bar.suspend(|| warn(warnings));
    }

    fn started(&mut self, decisions: usize, stored: usize) {
        self.bar.set_length(decisions as u64);
        self.bar.set_position(stored as u64);
        self.bar.enable_steady_tick(TICK);
    }

    fn decided(&mut self, _decision: &AnalyzedDecision) {
        self.bar.inc(1);
    }
}
