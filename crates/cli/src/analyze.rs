//! `botyard analyze`: prints what a bot says about the decisions of a recorded game. The analysis is
//! made elsewhere.

use crate::containment_arguments::ContainmentArgs;
use crate::failure::Failure;
use crate::installed::programs;
use crate::text::{eprint_line, out, print_event, warn};
use botyard_analysis::{AnalysisConfig, Observer, run as analyze};
use botyard_league::plain_table::{plain_table, trimmed};
use botyard_protocol::printable;
use botyard_referee::Interrupt;
use botyard_replay::{Analysis, AnalyzedDecision, Mistake};
use botyard_runner::words::counted;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The time per decision with `--depth` and without `--time`, in milliseconds.
const TIME_WITH_DEPTH: u64 = 60_000;

/// The same without `--depth`.
const TIME: u64 = 500;

/// How much of an action is printed, in characters.
const CHARACTERS: usize = 40;

/// `botyard analyze`.
#[derive(Debug, Args)]
#[command(after_help = "\
BOT is written as for `botyard match`. Examples:
  botyard analyze replays/GAME.ndjson --with alpha-beta
  botyard analyze replays/GAME.ndjson --with alpha-beta --depth 12
  botyard analyze replays/GAME.ndjson --with mcts --seat detectives --time 200

At every decision, the bot sees what the seat saw that had to decide. The
analysis is stored beside the replay as GAME.BOT.analysis.json, where
`botyard replay view` finds it. A stored analysis is printed; an interrupted one
is resumed.

A mark says how much of the winning chance a decision lost: ?! at least 5
percentage points, ? at least 10, ?? at least 20.")]
pub struct AnalyzeArgs {
    /// Replay file
    pub replay: PathBuf,
    /// Bot that analyzes the game; its `info` must have a score
    #[arg(long = "with", value_name = "BOT")]
    pub bot: String,
    /// Analyze the decisions of this seat only, by name or by number from 1; may be repeated
    #[arg(long, value_name = "SEAT")]
    pub seat: Vec<String>,
    /// Time per decision, in milliseconds [default: 500; 60000 with --depth]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub time: Option<u64>,
    /// Depth to search, in plies: the option `depth` of the bot
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: Option<u32>,
    /// Replace a stored analysis
    #[arg(long)]
    pub again: bool,
    /// Print one JSON object per decision, and a summary
    #[arg(long)]
    pub json: bool,
    /// The sandbox.
    #[command(flatten)]
    pub containment: ContainmentArgs,
}

/// Analyzes a replay.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let config = AnalysisConfig {
        replay: args.replay.clone(),
        bot: args.bot.clone(),
        seats: args.seat.clone(),
        move_ms: args.time.unwrap_or(if args.depth.is_some() { TIME_WITH_DEPTH } else { TIME }),
        depth: args.depth,
        again: args.again,
        containment: (&args.containment).into(),
    };
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} decisions, {eta} left")
    {
        bar.set_style(style);
    }
    let mut shown = Shown { bar };
    let analyzed = analyze(&config, &programs()?, &interrupt, &mut shown);
    shown.bar.finish_and_clear();
    let (analysis, path) = analyzed?;
    match args.json {
        true => print_json(&analysis)?,
        false => out(&in_words(&analysis))?,
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

struct Shown {
    bar: ProgressBar,
}

impl Observer for Shown {
    fn warn(&mut self, warnings: &[String]) {
        self.bar.suspend(|| warn(warnings));
    }

    fn started(&mut self, decisions: usize, stored: usize) {
        self.bar.set_length(decisions as u64);
        self.bar.set_position(stored as u64);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn decided(&mut self, _decision: &AnalyzedDecision) {
        self.bar.inc(1);
    }
}

fn print_json(analysis: &Analysis) -> anyhow::Result<()> {
    let judged = analysis.judged();
    for (decision, judged) in analysis.decisions.iter().zip(&judged) {
        print_event(json!({
            "type": "decision_analyzed",
            "turn": decision.turn,
            "seat": decision.seat,
            "played": decision.played,
            "best": decision.best,
            "score": decision.score,
            "depth": decision.depth,
            "pv": decision.pv,
            "chance": judged.chance,
            "loss": judged.loss,
            "mark": judged.mistake().map(Mistake::mark),
        }))?;
    }
    print_event(json!({
        "type": "analysis_ended",
        "game": analysis.game,
        "game_id": analysis.game_id,
        "bot": analysis.bot,
        "decisions": judged.len(),
        "seats": by_seat(analysis).map(|(seat, counts)| json!({
            "seat": seat,
            "decisions": counts.decisions,
            "same": counts.same,
            "inaccuracies": counts.mistakes[0],
            "mistakes": counts.mistakes[1],
            "blunders": counts.mistakes[2],
            "mean_loss": counts.mean_loss(),
        })).collect::<Vec<_>>(),
    }))?;
    Ok(())
}

fn in_words(analysis: &Analysis) -> String {
    let shown = |text: &str| printable(text, CHARACTERS);
    let percent = |share: f64| format!("{:.0}%", share * 100.0);
    let header = ["turn", "seat", "played", "", "better", "chance", "lost", "depth"];
    let mut table = plain_table(&header, |column| (1..5).contains(&column));
    for (decision, judged) in analysis.decisions.iter().zip(analysis.judged()) {
        let is_same = decision.best == decision.played;
        table.add_row([
            decision.turn.to_string(),
            name_of(analysis, decision.seat),
            shown(&decision.played_text),
            judged.mistake().map_or("", Mistake::mark).to_string(),
            if is_same { String::new() } else { shown(&decision.best_text) },
            judged.chance.map_or(String::new(), percent),
            judged.loss.filter(|_| !is_same).map_or(String::new(), percent),
            decision.depth.map_or(String::new(), |depth| depth.to_string()),
        ]);
    }
    let mut words = trimmed(&table) + "\n\n";
    for (seat, counts) in by_seat(analysis) {
        let [inaccuracies, mistakes, blunders] = counts.mistakes;
        words.push_str(&format!(
            "{seat}: {} of {} as {} would decide; inaccuracies {inaccuracies}, mistakes {mistakes}, \
             blunders {blunders}{}\n",
            counts.same,
            counted(counts.decisions, "decision"),
            shown(&analysis.bot),
            counts.mean_loss().map_or(String::new(), |loss| format!(
                "; {:.1} percentage points lost per decision",
                loss * 100.0
            )),
        ));
    }
    if !analysis.is_two_sided {
        words.push_str(
            "What was lost includes chance and the other seats' decisions up to the seat's next one.\n",
        );
    }
    words
}

/// The decisions of one seat, counted.
#[derive(Clone, Debug, Default)]
struct Counts {
    decisions: u32,
    same: u32,
    /// Inaccuracies, mistakes and blunders.
    mistakes: [u32; 3],
    lost: f64,
    judged: u32,
}

impl Counts {
    fn mean_loss(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.lost / f64::from(self.judged))
    }
}

/// The index of a mistake in [`Counts::mistakes`].
fn place(mistake: Mistake) -> usize {
    match mistake {
        Mistake::Inaccuracy => 0,
        Mistake::Mistake => 1,
        Mistake::Blunder => 2,
    }
}

fn by_seat(analysis: &Analysis) -> impl Iterator<Item = (String, Counts)> {
    let judged = analysis.judged();
    let mut counts: Vec<(usize, Counts)> = Vec::new();
    for (decision, judged) in analysis.decisions.iter().zip(judged) {
        let at = counts.iter().position(|(seat, _)| *seat == decision.seat);
        let at = at.unwrap_or_else(|| {
            counts.push((decision.seat, Counts::default()));
            counts.len() - 1
        });
        let its = &mut counts[at].1;
        its.decisions += 1;
        its.same += u32::from(decision.best == decision.played);
        if let Some(mistake) = judged.mistake() {
            its.mistakes[place(mistake)] += 1;
        }
        if let Some(loss) = judged.loss {
            its.lost += loss;
            its.judged += 1;
        }
    }
    counts.sort_by_key(|(seat, _)| *seat);
    counts.into_iter().map(|(seat, counts)| (name_of(analysis, seat), counts))
}

fn name_of(analysis: &Analysis, seat: usize) -> String {
    analysis.names.get(seat).map_or(String::new(), |name| printable(name, CHARACTERS))
}
