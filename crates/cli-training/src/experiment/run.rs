//! `botyard experiment run`: plays the rows one after the other, saves every game as soon as it is
//! over, and prints the results. Ctrl-C stops it; the results of the finished games are printed.

use super::arguments::RunArgs;
use botyard_cli::bars::bar_of_games;
use botyard_cli::failure::{Failure, after_games, unless_closed};
use botyard_cli::installed::programs;
use botyard_cli::text::{out, warn_during_games};
use botyard_experiments::{
    Asked, Campaign, CampaignObserver, GameResult, Report, Results, Row, RowFigures, shipped,
};
use botyard_referee::Interrupt;
use botyard_runner::{Error, JsonLines};
use indicatif::ProgressBar;
use std::io;
use std::process::ExitCode;

/// Runs or resumes an experiment.
///
/// Returns [`FAILED`](botyard_cli::failure::FAILED) if games are missing or do not count. A figure that differs from the
/// published one is a result like any other.
pub(super) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
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
    campaign.announce_overload(warn_during_games);
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    unless_closed(play(args, &mut campaign, &interrupt))
}

fn play(
    args: &RunArgs,
    campaign: &mut Campaign<'_>,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    let (report, stopped) = match args.json {
        true => campaign.play(&mut JsonLines::new(io::stdout()), interrupt)?,
        false => campaign.play(&mut Shown::default(), interrupt)?,
    };
    let interrupted = matches!(stopped, Some(Error::Interrupted));
    if let (Some(directory), false) = (&args.out, args.json) {
        let drawing = if report.has_distributions() { "results.svg, " } else { "" };
        let shown = directory.display();
        out(&format!("saved: results.csv, results.md, {drawing}games.ndjson in {shown}\n"))?;
    }
    if interrupted && !args.json {
        out(match args.out {
            Some(_) => "interrupted: to resume, run the same command again\n",
            None => "interrupted; with --out DIR, the same command would resume the experiment\n",
        })?;
    }
    after_games(stopped, report.is_whole() && !interrupted)
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
    fn begun(&mut self, campaign: &Campaign<'_>) -> Result<(), Error> {
        out(&campaign.announcement()).map_err(Error::Output)
    }

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
            bar.set_message(results.figures(row, *games).in_short());
        }
        Ok(())
    }

    fn row_ended(&mut self, _: &RowFigures) -> Result<(), Error> {
        self.clear();
        Ok(())
    }

    fn finished(&mut self, report: &Report<'_>, _: Option<&Error>) -> Result<(), Error> {
        out(&report.text()).map_err(Error::Output)
    }
}
