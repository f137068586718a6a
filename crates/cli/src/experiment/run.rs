//! `botyard experiment run`: plays the rows one after the other, saves every game as soon as it is over, and
//! prints the results. Ctrl-C stops it; the results of the finished games are printed.

use super::arguments::RunArgs;
use crate::failure::{FAILED, Failure, is_broken_pipe};
use crate::installed::programs;
use crate::match_command::bar;
use crate::text::{out, tell};
use botyard_experiments::{
    Asked, Experiment, ExperimentEvent, GameResult, Report, Results, Row, RowFigures, RowGames,
    RowPlan, conditions_in_words, open_results, shipped,
};
use botyard_referee::Interrupt;
use botyard_runner::words::counted;
use botyard_runner::{Error, Observer};
use indicatif::ProgressBar;
use std::path::Path;
use std::process::ExitCode;

/// Runs or resumes an experiment.
///
/// Returns [`FAILED`] if games are missing or do not count. A figure that differs from the published one is a
/// result like any other.
///
/// # Errors
///
/// An invalid experiment file, unknown bots, and failures of the host.
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
    if asked.move_ms.is_some() && !rows.iter().any(|row| row.is_by_time()) {
        return Err(Failure::usage(format!(
            "--move-time: no bot of {} has a time limit in these rows; remove the option",
            experiment.name
        )));
    }
    // All rows are planned first, so that errors show at once and not after hours.
    let plans: Vec<(&Row, RowPlan)> = rows
        .into_iter()
        .map(|row| Ok((row, RowPlan::new(&experiment, row, &asked, &programs)?)))
        .collect::<anyhow::Result<_>>()?;
    let file = match &args.out {
        Some(directory) => Some(open_results(directory, &experiment, &plans, &asked, &programs)?),
        None => None,
    };
    let interrupt = Interrupt::on_signals().map_err(Failure::host)?;
    let mut session = Session {
        experiment: &experiment,
        results: Results::new(file),
        json: args.json,
        interrupt,
    };
    match session.play(&plans, &asked, args.out.as_deref()) {
        // The reader closed the pipe.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::from(FAILED)),
        played => played,
    }
}

/// An experiment being played.
struct Session<'a> {
    experiment: &'a Experiment,
    results: Results,
    json: bool,
    interrupt: Interrupt,
}

impl Session<'_> {
    fn play(
        &mut self,
        plans: &[(&Row, RowPlan)],
        asked: &Asked,
        directory: Option<&Path>,
    ) -> anyhow::Result<ExitCode> {
        let conditions = conditions_in_words(self.experiment, plans, asked);
        self.begin(&conditions)?;
        let mut stopped = None;
        for (row, plan) in plans {
            if stopped.is_none() {
                stopped = self.play_row(row, plan)?;
            }
            if self.json {
                let figures = self.results.figures(row, plan.games);
                tell(ExperimentEvent::row_ended(&figures))?;
            }
        }
        let rows = plans.iter().map(|(row, plan)| self.results.figures(row, plan.games)).collect();
        let report = Report { experiment: self.experiment, conditions, rows };
        if let Some(directory) = directory {
            report.save(directory)?;
        }
        let whole = report.rows.iter().all(RowFigures::is_whole);
        if self.json {
            let interrupted = matches!(stopped, Some(Error::Interrupted));
            tell(ExperimentEvent::ExperimentEnded { interrupted, whole })?;
        } else {
            out(&report.text())?;
            if let Some(directory) = directory {
                out(&format!(
                    "saved: results.csv, results.md and games.ndjson in {}\n",
                    directory.display()
                ))?;
            }
        }
        match stopped {
            Some(Error::Interrupted) => {
                self.say_how_to_go_on(directory)?;
                Ok(ExitCode::from(FAILED))
            }
            Some(error) => Err(error.into()),
            None if whole => Ok(ExitCode::SUCCESS),
            None => Ok(ExitCode::from(FAILED)),
        }
    }

    fn begin(&self, conditions: &str) -> anyhow::Result<()> {
        if self.json {
            return Ok(tell(ExperimentEvent::experiment_started(self.experiment))?);
        }
        let Experiment { name, title, .. } = self.experiment;
        let found = match self.results.games().len() as u64 {
            0 => String::new(),
            number => format!("{} played before\n", counted(number, "game")),
        };
        Ok(out(&format!("{name}: {title}\n{conditions}\n{found}\n"))?)
    }

    fn say_how_to_go_on(&self, directory: Option<&Path>) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        Ok(out(match directory {
            Some(_) => "interrupted: to resume, run the same command again\n",
            None => "interrupted; with --out DIR, the same command would resume the experiment\n",
        })?)
    }

    /// Plays the missing games of a row. Returns what stopped it.
    fn play_row(&mut self, row: &Row, plan: &RowPlan) -> Result<Option<Error>, Error> {
        let missing = plan.missing(&self.results.numbers_of(row));
        if missing.is_empty() {
            return Ok(None);
        }
        let to_play: usize = missing.iter().map(|(_, numbers)| numbers.len()).sum();
        let bar = bar(plan.games);
        bar.set_position(u64::from(plan.games) - to_play as u64);
        bar.reset_eta();
        bar.set_message(row.label.clone());
        let mut shown = Shown { row, games: plan.games, json: self.json, bar };
        let mut stopped = Ok(None);
        for (of, numbers) in missing {
            let mut games = RowGames::new(&mut self.results, row, of, numbers);
            stopped = botyard_runner::run(of.plan(), &mut games, &mut shown, None, &self.interrupt);
            if !matches!(stopped, Ok(None)) {
                break;
            }
        }
        shown.bar.finish_and_clear();
        stopped
    }
}

/// Shows the games of a row.
struct Shown<'a> {
    row: &'a Row,
    /// How many games the row has.
    games: u32,
    json: bool,
    bar: ProgressBar,
}

impl<'a> Observer<RowGames<'a>> for Shown<'_> {
    fn ended(&mut self, source: &RowGames<'a>, game: Option<GameResult>) -> Result<(), Error> {
        let Some(game) = game else { return Ok(()) };
        if self.json {
            tell(ExperimentEvent::GameEnded(&game))?;
        }
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            let figures = source.results().figures(self.row, self.games).figures;
            let first = figures.first().and_then(|figure| Some((figure, figure.ours?.value)));
            let live = first.map_or(String::new(), |(figure, value)| {
                format!(": {} {value:.1}", figure.published.in_words())
            });
            self.bar.set_message(format!("{}{live}", self.row.label));
        }
        Ok(())
    }
}
