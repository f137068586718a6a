//! An experiment being played: its rows one after the other, each game saved as soon as it ends.

use super::asked_again::AskedAgain;
use super::definition::{Experiment, Row};
use super::figures::RowFigures;
use super::game_result::GameResult;
use super::report::{Report, conditions_in_words};
use super::row_games::{Results, RowGames};
use super::row_plan::{Asked, RowPlan, open_results};
use botyard_referee::Interrupt;
use botyard_runner::message;
use botyard_runner::settings::MOVE_MS;
use botyard_runner::words::counted;
use botyard_runner::{ConcurrencyChange, ConcurrencyLimit, Error, Observer, Programs, run};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// An experiment with the plans of its chosen rows.
pub struct Campaign<'a> {
    experiment: &'a Experiment,
    plans: Vec<(&'a Row, RowPlan)>,
    asked: Asked,
    results: Results,
    directory: Option<PathBuf>,
    programs: &'a Programs,
    /// The place of replays of games whose decisions are searched again.
    _replays: Option<TempDir>,
}

/// Shows an experiment while it is played.
pub trait CampaignObserver {
    /// The experiment begins.
    ///
    /// # Errors
    ///
    /// Any error ends the run before its first game.
    fn begun(&mut self, campaign: &Campaign<'_>) -> Result<(), Error>;

    /// A row with `games` games begins, `played` of which have a result.
    fn row_started(&mut self, row: &Row, games: u32, played: u32);

    /// A game of the current row has ended and is stored.
    ///
    /// # Errors
    ///
    /// Any error stops the run immediately.
    fn game_ended(&mut self, results: &Results, game: &GameResult) -> Result<(), Error>;

    /// Another number of games is played at once.
    ///
    /// # Errors
    ///
    /// Any error stops the run immediately.
    fn concurrency_changed(&mut self, change: &ConcurrencyChange) -> Result<(), Error> {
        let _ = change;
        Ok(())
    }

    /// All games of a row were played, or the experiment was stopped. Rows without games to play
    /// end too.
    ///
    /// # Errors
    ///
    /// Any error stops the run immediately.
    fn row_ended(&mut self, figures: &RowFigures) -> Result<(), Error>;

    /// The run has ended, and its report is saved if there is a directory; `stopped` is the reason
    /// if that was before the last game.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    fn finished(&mut self, report: &Report<'_>, stopped: Option<&Error>) -> Result<(), Error>;
}

impl<'a> Campaign<'a> {
    /// Plans these rows, and opens the results in a directory; `None`: nothing is stored. All rows
    /// are planned first, so that errors show immediately and not after hours.
    ///
    /// # Errors
    ///
    /// A row cannot be played, the directory has results of other conditions, or the host fails.
    pub fn new(
        experiment: &'a Experiment,
        rows: Vec<&'a Row>,
        asked: Asked,
        directory: Option<&Path>,
        programs: &'a Programs,
    ) -> Result<Campaign<'a>, Error> {
        if asked.move_ms.is_some() && !rows.iter().any(|row| row.is_by_time()) {
            return Err(Error::usage(message![
                MOVE_MS,
                format!(": no bot of {} has a time limit in these rows; ", experiment.name),
                "remove the option"
            ]));
        }
        let plan = |row| Ok((row, RowPlan::new(experiment, row, &asked, programs)?));
        let mut plans: Vec<(&Row, RowPlan)> =
            rows.into_iter().map(plan).collect::<Result<_, Error>>()?;
        let replays = write_replays(&mut plans)?;
        let file = match directory {
            Some(directory) => Some(open_results(directory, experiment, &plans, &asked, programs)?),
            None => None,
        };
        let (results, directory) = (Results::new(file), directory.map(Path::to_path_buf));
        Ok(Campaign { experiment, plans, asked, results, directory, programs, _replays: replays })
    }

    /// Passes the first change to fewer games at once to `notice`, in words.
    pub fn announce_overload(&mut self, notice: fn(&str)) {
        let most = self.plans.iter().map(|(_, plan)| plan.any().concurrency).max();
        let limit = Arc::new(ConcurrencyLimit::with_notice(most.unwrap_or(1), notice));
        self.plans.iter_mut().for_each(|(_, plan)| plan.share_limit(&limit));
    }

    /// Returns the experiment.
    pub fn experiment(&self) -> &'a Experiment {
        self.experiment
    }

    /// Returns the announcement of the games, with an empty line.
    pub fn announcement(&self) -> String {
        let Experiment { name, title, .. } = self.experiment;
        let found = match self.played() {
            0 => String::new(),
            number => format!("{} played before\n", counted(number, "game")),
        };
        format!("{name}: {title}\n{}\n{found}\n", self.conditions())
    }

    /// Describes the conditions of the games.
    pub fn conditions(&self) -> String {
        conditions_in_words(self.experiment, &self.plans, &self.asked)
    }

    /// Returns the number of games with a result.
    pub fn played(&self) -> u64 {
        self.results.games().len() as u64
    }

    /// Plays the missing games, and saves the report if there is a directory. Also returns what
    /// stopped the games, if anything did.
    ///
    /// # Errors
    ///
    /// The results cannot be written, or the observer fails.
    pub fn play(
        &mut self,
        observer: &mut dyn CampaignObserver,
        interrupt: &Interrupt,
    ) -> Result<(Report<'a>, Option<Error>), Error> {
        observer.begun(self)?;
        let mut stopped = None;
        let rows = self.plans.iter().map(|(row, _)| *row);
        let again =
            AskedAgain::new(self.experiment, rows, self.asked.move_ms, self.programs, interrupt);
        for (row, plan) in &self.plans {
            if stopped.is_none() {
                stopped = play_row(&mut self.results, row, plan, &again, observer, interrupt)?;
            }
            observer.row_ended(&self.results.figures(row, plan.games))?;
        }
        let figures = |(row, plan): &(&Row, RowPlan)| self.results.figures(row, plan.games);
        let rows = self.plans.iter().map(figures).collect();
        let (experiment, asked) = (self.experiment, self.asked);
        let report = Report { experiment, asked, conditions: self.conditions(), rows };
        if let Some(directory) = &self.directory {
            report.save(directory)?;
        }
        observer.finished(&report, stopped.as_ref())?;
        Ok((report, stopped))
    }
}

/// Has replays written of the rows whose decisions others search again, to the returned directory. Games of
/// different rows can have the same names: each row has its own directory.
///
/// # Errors
///
/// Such a row was not chosen, or the host fails.
fn write_replays(plans: &mut [(&Row, RowPlan)]) -> Result<Option<TempDir>, Error> {
    let wanted: Vec<(&Row, &String)> =
        plans.iter().filter_map(|(row, _)| Some((*row, row.decisions_of.as_ref()?))).collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let directory = tempfile::tempdir().map_err(Error::host)?;
    for (number, (row, of)) in (1..).zip(wanted) {
        let same = |(row, _): &&mut (&Row, RowPlan)| row.label.eq_ignore_ascii_case(of);
        let Some((_, plan)) = plans.iter_mut().find(same) else {
            return Err(Error::usage(format!(
                "row {} searches the decisions of another one again: add --row '{of}'",
                row.label
            )));
        };
        plan.write_replays(&directory.path().join(number.to_string()))?;
    }
    Ok(Some(directory))
}

/// Plays the missing games of a row. Returns what stopped it.
fn play_row(
    results: &mut Results,
    row: &Row,
    plan: &RowPlan,
    again: &AskedAgain<'_>,
    observer: &mut dyn CampaignObserver,
    interrupt: &Interrupt,
) -> Result<Option<Error>, Error> {
    if row.decisions_of.is_some() {
        return Ok(None);
    }
    let mut there = results.numbers_of(row);
    for asked in again.of(row) {
        there = &there & &results.numbers_of(asked);
    }
    let missing = plan.missing(&there);
    let to_play: usize = missing.iter().map(|(_, numbers)| numbers.len()).sum();
    if to_play == 0 {
        return Ok(None);
    }
    observer.row_started(row, plan.games, plan.games.saturating_sub(to_play as u32));
    for (of, numbers) in missing {
        let mut games = RowGames::new(results, row, of, numbers, again);
        let stopped =
            run(of.plan(), &mut games, &mut RowObserver(&mut *observer), None, interrupt)?;
        if stopped.is_some() {
            return Ok(stopped);
        }
    }
    Ok(None)
}

/// Passes the results of games on.
struct RowObserver<'o>(&'o mut dyn CampaignObserver);

impl<'a> Observer<RowGames<'a>> for RowObserver<'_> {
    fn ended(&mut self, source: &RowGames<'a>, game: Option<GameResult>) -> Result<(), Error> {
        game.map_or(Ok(()), |game| self.0.game_ended(source.results(), &game))
    }

    fn concurrency_changed(
        &mut self,
        _: &RowGames<'a>,
        change: &ConcurrencyChange,
    ) -> Result<(), Error> {
        self.0.concurrency_changed(change)
    }
}
