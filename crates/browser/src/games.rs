//! Where the games at a page come from, and what the person is offered there.

use crate::review::Reviewer;
use botyard_play::{LEVELS, at_level};
use botyard_runner::play::{PlayConfig, PlayPlan};
use botyard_runner::{Error, Programs};
use serde::Serialize;
use std::time::Duration;

/// The levels among which the person chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Levels {
    /// The highest; the lowest is 1.
    pub most: u8,
    /// The level of the next game, 0 for the strongest bot.
    pub chosen: u8,
}

/// Makes the games at a page, one after another.
pub trait Games: Send {
    /// Makes the plan of the next game, in which the person plays these seats against bots of this
    /// level, 0 for the strongest bot; `None` for the level of the game before.
    ///
    /// # Errors
    ///
    /// There is no such game now, in words for the person.
    fn plan(&mut self, seats: Vec<String>, level: Option<u8>) -> Result<Box<PlayPlan>, String>;

    /// Returns the levels among which the person chooses. `None`: the bots are fixed.
    fn levels(&self) -> Option<Levels> {
        None
    }

    /// Returns what makes reviews of the games that are over. `None`: none are made.
    fn reviewer(&self) -> Option<Reviewer> {
        None
    }

    /// Allows the bots to be started again, because the person takes back a decision.
    ///
    /// # Errors
    ///
    /// They are not, in words for the person.
    fn start_again(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Receives that the bots of the game have ended.
    fn ended(&mut self) {}

    /// Puts into words for the person why a game cannot be played.
    fn in_words(&self, error: &Error) -> String;

    /// Puts into words for the person why the host made a game void: `reason` is the end of a sentence.
    fn void_in_words(&self, reason: &str) -> String {
        reason.to_string()
    }
}

/// What the person is offered and shown.
#[derive(Clone, Copy, Debug)]
pub struct Offers {
    /// Whether decisions can be taken back.
    pub undo: bool,
    /// Whether a built-in bot, in this process, may be asked for its decision.
    pub hints: bool,
    /// Whether the page shows what bots say and estimate, unless the game hides information.
    pub remarks: bool,
    /// Whether the page shows the evidence of faults, unless the game hides information.
    pub evidence: bool,
    /// Whether the replay of a game that is over is shown whole, and not as the person's seat saw it.
    pub whole_replay: bool,
    /// How long a game waits for the person. `None`: without an end.
    pub idle: Option<Duration>,
}

impl Offers {
    /// Returns what `botyard play` offers.
    pub fn of_play(is_rated: bool) -> Offers {
        let is_helped = !is_rated;
        Offers {
            undo: is_helped,
            hints: is_helped,
            remarks: is_helped,
            evidence: true,
            whole_replay: true,
            idle: None,
        }
    }
}

/// The games of a configuration.
pub(crate) struct ConfiguredGames {
    pub config: PlayConfig,
    pub programs: Programs,
    /// The level of the bots for which the configuration has no names, 0 for those that it has without a
    /// level.
    pub level: u8,
    /// The number of games that were begun.
    pub begun: u32,
}

impl Games for ConfiguredGames {
    fn plan(&mut self, seats: Vec<String>, level: Option<u8>) -> Result<Box<PlayPlan>, String> {
        let (number, level) = (self.begun + 1, level.unwrap_or(self.level));
        let config = PlayConfig { seats, number, ..self.config.clone() };
        let config = match level {
            0 => config,
            level if LEVELS.contains(&level) => at_level(&config, level),
            level => {
                return Err(format!("expected a level from 1 to {}, got {level}", LEVELS.end()));
            }
        };
        let plan = PlayPlan::new(&config, &self.programs).map_err(|error| self.in_words(&error))?;
        (self.begun, self.level) = (number, level);
        Ok(Box::new(plan))
    }

    fn reviewer(&self) -> Option<Reviewer> {
        let (programs, containment) = (self.programs.clone(), self.config.containment.clone());
        Some(Reviewer { programs, containment })
    }

    fn levels(&self) -> Option<Levels> {
        let is_free = self.config.against.is_empty();
        is_free.then_some(Levels { most: *LEVELS.end(), chosen: self.level })
    }

    fn in_words(&self, error: &Error) -> String {
        error.message().text(self.programs.name)
    }
}
