//! Where the games at a page come from, and what the person is offered there.

use botyard_runner::play::{PlayConfig, PlayPlan};
use botyard_runner::{Error, Programs};
use std::time::Duration;

/// Makes the games at a page, one after another.
pub trait Games: Send {
    /// Makes the plan of the next game, in which the person plays these seats.
    ///
    /// # Errors
    ///
    /// There is no such game now, in words for the person.
    fn plan(&mut self, seats: Vec<String>) -> Result<Box<PlayPlan>, String>;

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
    /// The number of games that were begun.
    pub begun: u32,
}

impl Games for ConfiguredGames {
    fn plan(&mut self, seats: Vec<String>) -> Result<Box<PlayPlan>, String> {
        let number = self.begun + 1;
        let config = PlayConfig { seats, number, ..self.config.clone() };
        let plan = PlayPlan::new(&config, &self.programs).map_err(|error| self.in_words(&error))?;
        self.begun = number;
        Ok(Box::new(plan))
    }

    fn in_words(&self, error: &Error) -> String {
        error.message().text(self.programs.name)
    }
}
