//! Output of a match while it runs: one game move by move, many games as a progress bar, or JSON
//! lines.

use super::progress::live_score;
use super::watch::ending;
use crate::schedule::ScheduledGame;
use crate::text::{out, print_event};
use botyard_runner::{Error, MatchEvent, MatchGames, MatchRecord, Observer, Plan, PlayedGame};
use indicatif::ProgressBar;

/// Shows the games of a match.
pub struct Shown<'a> {
    plan: &'a Plan,
    how: How,
}

/// The form of the output.
pub enum How {
    /// One game: a `Watch` shows its steps, this type its end.
    Game,
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// Lines of JSON.
    Json,
}

impl<'a> Shown<'a> {
    /// Shows the games of this plan.
    pub fn new(plan: &'a Plan, how: How) -> Shown<'a> {
        Shown { plan, how }
    }

    /// The form of the output.
    pub fn into_how(self) -> How {
        self.how
    }

    /// Shows games that have ended, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn games(&self, source: &MatchGames<'_>, games: &[PlayedGame]) -> Result<(), Error> {
        for played in games {
            match &self.how {
                How::Game => out(&ending(self.plan, played)).map_err(Error::Output)?,
                How::Bar(bar) => {
                    bar.inc(1);
                    bar.set_message(live_score(&source.tally));
                }
                How::Json => print_event(MatchEvent::game_ended(self.plan, played))?,
            }
        }
        Ok(())
    }
}

impl<'a> Observer<MatchGames<'a>> for Shown<'_> {
    fn started(&mut self, _: &MatchGames<'a>, game: &ScheduledGame) -> Result<(), Error> {
        match self.how {
            How::Json if game.attempt == 1 => {
                print_event(MatchEvent::game_started(self.plan, game))
            }
            How::Game | How::Bar(_) | How::Json => Ok(()),
        }
    }

    fn ended(&mut self, source: &MatchGames<'a>, record: MatchRecord) -> Result<(), Error> {
        match record {
            MatchRecord::Next(games) => self.games(source, &games),
            MatchRecord::Repeated(played) if matches!(self.how, How::Game) => {
                let text = format!("{}the game is repeated\n", ending(self.plan, &played));
                out(&text).map_err(Error::Output)
            }
            MatchRecord::Repeated(_) => Ok(()),
        }
    }
}
