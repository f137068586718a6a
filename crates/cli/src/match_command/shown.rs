//! Output of a match while it runs: one game move by move, or many games as a progress bar.

use crate::bars::bar_of_games;
use crate::text::out;
use botyard_runner::settings::Named;
use botyard_runner::words::{quoted, shares_in_words};
use botyard_runner::{Error, MatchGames, MatchRecord, Observer, Plan, PlayedGame, RunObserver};
use indicatif::ProgressBar;

/// Shows the beginning and the end of one game; a `GameText` shows its steps.
pub(super) struct OneGame;

impl<'a> Observer<MatchGames<'a>> for OneGame {
    fn ended(&mut self, games: &MatchGames<'a>, record: MatchRecord) -> Result<(), Error> {
        let plan = games.plan();
        out(&match record {
            MatchRecord::Next(played) => played.iter().map(|game| ending(plan, game)).collect(),
            MatchRecord::Repeated(played) => {
                format!("{}the game is repeated\n", ending(plan, &played))
            }
        })
        .map_err(Error::Output)
    }
}

impl<'a> RunObserver<MatchGames<'a>> for OneGame {
    fn begun(&mut self, games: &MatchGames<'a>) -> Result<(), Error> {
        let plan = games.plan();
        out(&plan.announcement_of_game(&plan.schedule.game(1))).map_err(Error::Output)
    }

    fn finished(&mut self, games: &MatchGames<'a>, stopped: Option<&Error>) -> Result<(), Error> {
        match stopped {
            Some(Error::Interrupted) if games.tally.counted + games.tally.void == 0 => {
                out("\ninterrupted\n").map_err(Error::Output)
            }
            _ => Ok(()),
        }
    }
}

/// Shows many games as a bar on a terminal.
pub(super) struct ManyGames {
    is_quiet: bool,
    bar: ProgressBar,
}

impl ManyGames {
    /// Shows no bar if lines are printed that it would be drawn between.
    pub(super) fn new(is_quiet: bool) -> ManyGames {
        ManyGames { is_quiet, bar: ProgressBar::hidden() }
    }
}

impl<'a> Observer<MatchGames<'a>> for ManyGames {
    fn ended(&mut self, games: &MatchGames<'a>, record: MatchRecord) -> Result<(), Error> {
        if let MatchRecord::Next(played) = record {
            self.bar.inc(played.len() as u64);
            self.bar.set_message(shares_in_words(&games.tally.shares()));
        }
        Ok(())
    }
}

impl<'a> RunObserver<MatchGames<'a>> for ManyGames {
    fn begun(&mut self, games: &MatchGames<'a>) -> Result<(), Error> {
        out(&games.plan().announcement()).map_err(Error::Output)?;
        if !self.is_quiet {
            self.bar = bar_of_games(games.plan().schedule.games);
        }
        Ok(())
    }

    fn finished(&mut self, games: &MatchGames<'a>, stopped: Option<&Error>) -> Result<(), Error> {
        self.bar.finish_and_clear();
        out(&games.to_text(stopped).text(Named::option)).map_err(Error::Output)
    }
}

/// The end of a game in a few lines, with the commands that verify its replay and repeat it.
fn ending(plan: &Plan, played: &PlayedGame) -> String {
    let mut text = played.ending(plan);
    if let Some(replay) = &played.replay {
        let path = replay.to_string_lossy();
        text.push_str(&format!("replay: {path}\n  botyard replay verify {}\n", quoted(&path)));
    }
    if plan.replays.are_kept() {
        text.push_str(&format!("to repeat this game, add --seed {}\n", plan.schedule.draws));
    }
    text
}
