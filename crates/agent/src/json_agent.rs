//! Agents for games whose rules this program does not have: all that they know of a game is the JSON
//! that the referee sends.

use crate::agent::{AgentRng, Choice};
use crate::decision::{Log, TurnError};
use crate::time_budget::TimeBudget;
use botyard_protocol::Start;
use serde_json::value::RawValue;

/// A player of games of which only the messages are known: those whose rules are programs.
///
/// An agent lives for one game, in which it may hold several seats.
pub trait JsonAgent: Send {
    /// Prepares for the game of this `start` message.
    ///
    /// # Errors
    ///
    /// The reason why the game cannot be played. The bot then exits with it.
    fn new_game(&mut self, _start: &Start<&RawValue>) -> Result<(), String> {
        Ok(())
    }

    /// Chooses an action.
    ///
    /// # Errors
    ///
    /// As [`Agent::choose`](crate::Agent::choose).
    fn choose(
        &mut self,
        turn: &JsonDecision<'_>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Box<RawValue>>, TurnError>;
}

/// A decision to be made in a game of which only the messages are known.
pub struct JsonDecision<'a> {
    number: u32,
    seat: &'a str,
    budget: TimeBudget,
    view: &'a RawValue,
    legal: Option<&'a RawValue>,
    log: Log,
}

impl<'a> JsonDecision<'a> {
    /// Returns the decision of a `turn` message.
    pub(crate) fn new(turn: &'a botyard_protocol::Turn<&'a RawValue>, budget: TimeBudget) -> Self {
        JsonDecision {
            number: turn.turn,
            seat: &turn.seat,
            budget,
            view: turn.view,
            legal: turn.legal,
            log: Log::default(),
        }
    }

    /// Returns the number of this decision in the game, from 1, over all seats.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the name of the seat to move.
    pub fn seat(&self) -> &str {
        self.seat
    }

    /// Returns the time for this decision.
    pub fn budget(&self) -> &TimeBudget {
        &self.budget
    }

    /// Returns the seat's view.
    pub fn view(&self) -> &'a RawValue {
        self.view
    }

    /// Returns every legal action, at least one, in the order of the game.
    ///
    /// # Errors
    ///
    /// The `turn` message has no list, or it is no list, or empty.
    pub fn legal(&self) -> Result<Vec<&'a RawValue>, TurnError> {
        let Some(json) = self.legal else {
            return Err(self.no_choice(
                "expected a list of the legal actions in the `turn` message, as this bot does not know the \
                 rules, but the game or the match sends none",
            ));
        };
        let legal: Vec<&RawValue> = serde_json::from_str(json.get()).map_err(|error| {
            self.no_choice(format!("expected an array as the list of legal actions: {error}"))
        })?;
        match legal.is_empty() {
            true => Err(TurnError::NothingLegal { turn: self.number }),
            false => Ok(legal),
        }
    }

    /// Writes a line into the log of the game: see [`Decision::log`](crate::Decision::log).
    pub fn log(&self, text: impl Into<String>) {
        self.log.write(text.into());
    }

    /// Returns the lines for the log so far.
    pub(crate) fn logged(&self) -> Vec<String> {
        self.log.lines()
    }

    /// Returns the error of an agent that cannot decide.
    pub fn no_choice(&self, reason: impl Into<String>) -> TurnError {
        TurnError::NoChoice { turn: self.number, reason: reason.into() }
    }
}
