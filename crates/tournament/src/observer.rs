//! What a front end shows of a tournament that is played: its announcement, its games, its results.

use crate::results::Results;
use crate::results_text::{Form, rejected_in_words};
use crate::tournament::Tournament;
use crate::tournament_games::{Ended, KeptGame, TournamentGames};
use botyard_league::store::{Definition, Store};
use botyard_referee::Interrupt;
use botyard_runner::words::counted;
use botyard_runner::{Error, Observer, Plan, adjudicated_in_words};
use std::path::PathBuf;

/// A tournament before the first game of a run.
pub struct RunStart<'a> {
    /// The conditions of its games.
    pub plan: &'a Plan,
    /// What its store says of it.
    pub definition: Definition,
    /// The name of its format.
    pub format: &'static str,
    /// The number of games of its schedule, at least in a knockout.
    pub games: u64,
    /// The number of known games, including those with a result.
    pub known: u64,
    /// The number of games with a result.
    pub played_before: u64,
    /// Its directory.
    pub directory: PathBuf,
    announcement: String,
}

impl RunStart<'_> {
    /// Returns the announcement of the games, with the rejected bots and an empty line.
    pub fn to_text(&self) -> String {
        let before = match self.played_before {
            0 => String::new(),
            before => format!("{} played before\n", counted(before, "game")),
        };
        format!("{}{before}{}\n", self.announcement, rejected_in_words(&self.definition))
    }
}

/// Shows a run of a tournament from before its first game to after its last.
pub trait TournamentObserver: for<'a> Observer<TournamentGames<'a>> {
    /// The run begins.
    ///
    /// # Errors
    ///
    /// Any error ends the run before its first game.
    fn begun(&mut self, start: &RunStart<'_>) -> Result<(), Error>;

    /// The run has ended, and its results are saved.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    fn finished(&mut self, ended: &Ended, results: &Results) -> Result<(), Error>;
}

impl KeptGame {
    /// Describes what the host did to the game, in a line each; empty if it did nothing.
    pub fn remarks(&self) -> String {
        let KeptGame { played, stored, again } = self;
        let (id, report) = (&played.game.id, &played.report);
        let mut text = String::new();
        let repeats = report.start_repeats();
        if repeats > 0 {
            let times = counted(repeats, "time");
            text.push_str(&format!(
                "{id}: the host stalled the start of a bot {times}; it was repeated\n"
            ));
        }
        if !stored.is_scored() {
            let reason = &report.outcome.reason;
            let then = if *again { "the game is repeated" } else { "it has no result" };
            text.push_str(&format!("void: {id}, {reason}: the host failed; {then}\n"));
        }
        text
    }
}

impl Ended {
    /// Returns the results as text.
    pub fn to_text(&self, results: &Results) -> String {
        let adjudicated = adjudicated_in_words(&self.reasons);
        let adjudicated = match adjudicated.is_empty() {
            true => adjudicated,
            false => format!("\nadjudicated by: {adjudicated}\n"),
        };
        format!("{}{adjudicated}", results.to_text(Form::Table))
    }
}

impl Tournament {
    /// Plays the remaining games under the conditions of `plan`, and saves the results.
    /// `concurrency` is the number of games at once that was asked for.
    ///
    /// # Errors
    ///
    /// Those of [`Tournament::remaining_games`], [`TournamentGames::play`] and [`Tournament::finish`], or an
    /// observer cannot write its output. What stopped the games themselves is in
    /// [`Ended::stopped`].
    pub fn play(
        &mut self,
        plan: &Plan,
        concurrency: Option<u16>,
        observer: &mut dyn TournamentObserver,
        interrupt: &Interrupt,
    ) -> Result<Ended, Error> {
        let mut start = RunStart {
            plan,
            definition: self.store.definition().clone(),
            format: self.setup.file.format.value.name(),
            games: self.schedule.games(),
            known: 0,
            played_before: 0,
            directory: self.directory.path().to_path_buf(),
            announcement: self.announcement(plan, concurrency),
        };
        let games = self.remaining_games(plan)?;
        (start.known, start.played_before) = (games.known(), games.scored());
        observer.begun(&start)?;
        let ended = games.play(observer, interrupt)?;
        let results = self.finish(&ended)?;
        observer.finished(&ended, &results)?;
        Ok(ended)
    }
}
