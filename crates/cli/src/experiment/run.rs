//! `botyard experiment run`: plays the rows one after the other, saves every game as soon as it is
//! over, and prints the results. Ctrl-C stops it; the results of the finished games are printed.

use super::arguments::RunArgs;
use crate::bars::bar_of_games;
use crate::failure::{Failure, after_games, unless_closed};
use crate::installed::programs;
use crate::text::{out, print_event};
use botyard_experiments::{
    Asked, Campaign, CampaignObserver, Experiment, ExperimentEvent, GameResult, Results, Row,
    RowFigures, shipped,
};
use botyard_referee::Interrupt;
use botyard_runner::words::counted;
use botyard_runner::{Error, JsonLines};
use indicatif::ProgressBar;
use std::io;
use std::process::ExitCode;

/// Runs or resumes an experiment.
///
/// Returns [`FAILED`](crate::failure::FAILED) if games are missing or do not count. A figure that differs from the
/// published one is a result like any other.
pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let experiment = shipped::find(&args.name)?;
    let asked = Asked {
        games: args.games,
        move_ms: args.move_time,
        concurrency: args.concurrency,
        seed: args.seed,
    };
    let rows = experiment.rows_named(&args.row).map_err(Failure::usage)?;
    let programs = programs()?;
    let directory = args.out.as_deref();
    let mut campaign = Campaign::new(&experiment, rows, asked, directory, &programs)?;
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    unless_closed(play(args, &experiment, &mut campaign, &interrupt))
}

fn play(
    args: &RunArgs,
    experiment: &Experiment,
    campaign: &mut Campaign<'_>,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    if args.json {
        print_event(ExperimentEvent::experiment_started(experiment))?;
    } else {
        let Experiment { name, title, .. } = experiment;
        let found = match campaign.played() {
            0 => String::new(),
            number => format!("{} played before\n", counted(number, "game")),
        };
        out(&format!("{name}: {title}\n{}\n{found}\n", campaign.conditions()))?;
    }
    let (report, stopped) = match args.json {
        true => campaign.play(&mut JsonLines::new(io::stdout()), interrupt)?,
        false => campaign.play(&mut Shown::default(), interrupt)?,
    };
    let whole = report.rows.iter().all(RowFigures::is_whole);
    let interrupted = matches!(stopped, Some(Error::Interrupted));
    if args.json {
        print_event(ExperimentEvent::ExperimentEnded { interrupted, whole })?;
    } else {
        out(&report.text())?;
        if let Some(directory) = &args.out {
            let shown = directory.display();
            out(&format!("saved: results.csv, results.md and games.ndjson in {shown}\n"))?;
        }
        if interrupted {
            out(match args.out {
                Some(_) => "interrupted: to resume, run the same command again\n",
                None => {
                    "interrupted; with --out DIR, the same command would resume the experiment\n"
                }
            })?;
        }
    }
    after_games(stopped, whole && !interrupted)
}

/// Shows an experiment as a progress bar on a terminal.
#[derive(Default)]
struct Shown {
    /// The current row, its number of games and its bar.
    row: Option<(Row, u32, ProgressBar)>,
}

impl Shown {
    /// Removes the bar.
    fn clear(&mut self) {
        if let Some((_, _, bar)) = self.row.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.clear();
    }
}

impl CampaignObserver for Shown {
    fn row_started(&mut self, row: &Row, games: u32, played: u32) {
        let bar = bar_of_games(games);
        bar.set_position(played.into());
        bar.reset_eta();
        bar.set_message(row.label.clone());
        self.row = Some((row.clone(), games, bar));
    }

    fn game_ended(&mut self, results: &Results, _: &GameResult) -> Result<(), Error> {
        let Some((row, games, bar)) = &self.row else { return Ok(()) };
        bar.inc(1);
        if !bar.is_hidden() {
            let figures = results.figures(row, *games).figures;
            let first = figures.first().and_then(|figure| Some((figure, figure.ours?.value)));
            let live = first.map_or(String::new(), |(figure, value)| {
                format!(": {} {value:.1}", figure.published.in_words())
            });
            bar.set_message(format!("{}{live}", row.label));
        }
        Ok(())
    }

    fn row_ended(&mut self, _: &RowFigures) -> Result<(), Error> {
        self.clear();
        Ok(())
    }
}
