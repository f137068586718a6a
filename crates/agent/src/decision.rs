//! A decision from the agent's point of view: the seat to move, its view, its legal actions and its
//! time. View and legal actions are parsed on demand, so a bot pays only for what it uses.

use crate::agent::AgentRng;
use crate::time_budget::TimeBudget;
use botyard_engine::{Game, Seat, Turn};
use rand_xoshiro::rand_core::SeedableRng;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::cell::{OnceCell, RefCell};

/// The reasons why an agent cannot choose an action. All of them end the bot: a retry would fail as
/// well.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// The view or the list of legal actions is not valid JSON of the game.
    #[error("turn {turn}: expected {expected} of {game} in the `turn` message, but {message}")]
    Unreadable {
        /// The number of the decision.
        turn: u32,
        /// `a view` or `a list of actions`.
        expected: &'static str,
        /// The game's name.
        game: &'static str,
        /// The error of the JSON parser.
        message: String,
    },
    /// The view is well-formed, but no position of the game has it.
    #[error("turn {turn}: expected a view of {game} in which {seat} is to move, but {message}")]
    Impossible {
        /// The number of the decision.
        turn: u32,
        /// The game's name.
        game: &'static str,
        /// The seat's name.
        seat: String,
        /// The error in the view.
        message: String,
    },
    /// The list of legal actions is empty.
    #[error("turn {turn}: expected at least one legal action, but the list is empty")]
    NothingLegal {
        /// The number of the decision.
        turn: u32,
    },
    /// The agent gave up.
    #[error("turn {turn}: no choice was made: {reason}")]
    NoChoice {
        /// The number of the decision.
        turn: u32,
        /// The reason, in a sentence.
        reason: String,
    },
}

/// A decision to be made: see the module's documentation.
pub struct Decision<'a, G: Game> {
    game: &'a G,
    number: u32,
    seat: Seat,
    budget: TimeBudget,
    view: Source<'a, G::View>,
    legal_json: Option<&'a RawValue>,
    legal: OnceCell<Vec<G::Action>>,
    log: Log,
}

/// The most characters of a log line that are sent: a line has a limit.
const LOG_CHARACTERS: usize = 2000;

/// The lines that an agent writes into the log of the game during a decision.
#[derive(Default)]
pub(crate) struct Log(RefCell<Vec<String>>);

impl Log {
    /// Adds a line, shortened if it is long.
    pub(crate) fn write(&self, text: String) {
        self.0.borrow_mut().push(text.chars().take(LOG_CHARACTERS).collect());
    }

    /// Returns the lines so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.borrow().clone()
    }
}

/// A value, or JSON from which it is parsed on demand.
enum Source<'a, T> {
    Value(T),
    Json(&'a RawValue, OnceCell<T>),
}

impl<'a, G: Game> Decision<'a, G> {
    /// Returns a decision without a referee, for tests and experiments: decision `number` (from 1)
    /// of `seat`, whose view is `view`.
    pub fn new(
        game: &'a G,
        number: u32,
        seat: Seat,
        view: G::View,
        budget: TimeBudget,
    ) -> Decision<'a, G> {
        let view = Source::Value(view);
        Decision {
            game,
            number,
            seat,
            budget,
            view,
            legal_json: None,
            legal: OnceCell::new(),
            log: Log::default(),
        }
    }

    /// Returns the decision of a `turn` message.
    pub(crate) fn from_json(
        game: &'a G,
        number: u32,
        seat: Seat,
        view: &'a RawValue,
        legal_json: Option<&'a RawValue>,
        budget: TimeBudget,
    ) -> Decision<'a, G> {
        let view = Source::Json(view, OnceCell::new());
        Decision {
            game,
            number,
            seat,
            budget,
            view,
            legal_json,
            legal: OnceCell::new(),
            log: Log::default(),
        }
    }

    /// Returns the number of this decision in the game, from 1, over all seats.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the seat to move.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Returns the time for this decision.
    pub fn budget(&self) -> &TimeBudget {
        &self.budget
    }

    /// Returns the seat's view.
    ///
    /// # Errors
    ///
    /// Fails if the view in the `turn` message is not a view of the game.
    pub fn view(&self) -> Result<&G::View, TurnError> {
        let (json, read) = match &self.view {
            Source::Value(view) => return Ok(view),
            Source::Json(json, read) => (json, read),
        };
        if let Some(view) = read.get() {
            return Ok(view);
        }
        let view = self.read(json, "a view")?;
        Ok(read.get_or_init(|| view))
    }

    /// Returns every legal action, at least one, always in the order of the game: the list of the
    /// `turn` message, or computed from the view if the match sends no list.
    ///
    /// # Errors
    ///
    /// Fails if the view or the list in the `turn` message is not of the game, or if the list is
    /// empty.
    pub fn legal(&self) -> Result<&[G::Action], TurnError> {
        if let Some(legal) = self.legal.get() {
            return Ok(legal);
        }
        let legal = match self.legal_json {
            Some(json) => self.read(json, "a list of actions")?,
            None => self.legal_by_the_rules()?,
        };
        if legal.is_empty() {
            return Err(TurnError::NothingLegal { turn: self.number });
        }
        Ok(self.legal.get_or_init(|| legal))
    }

    /// Writes a line into the log of the game, which the replay keeps. It is sent with the action, or
    /// before the bot exits with an error; of a longer text, the first 2000 characters.
    pub fn log(&self, text: impl Into<String>) {
        self.log.write(text.into());
    }

    /// Returns the lines for the log so far.
    pub fn logged(&self) -> Vec<String> {
        self.log.lines()
    }

    /// Returns the error of an agent that cannot decide.
    pub fn no_choice(&self, reason: impl Into<String>) -> TurnError {
        TurnError::NoChoice { turn: self.number, reason: reason.into() }
    }

    /// Returns a determinization: a state with the seat's view, its hidden parts drawn at random.
    ///
    /// # Errors
    ///
    /// Fails if the view in the `turn` message is not a view of the game in which the seat is to
    /// move.
    pub fn possible_state(&self, rng: &mut AgentRng) -> Result<G::State, TurnError> {
        let impossible = |message: String| TurnError::Impossible {
            turn: self.number,
            game: G::NAME,
            seat: self.game.seats()[self.seat.index()].clone(),
            message,
        };
        let state = self
            .game
            .determinize(self.view()?, self.seat, rng)
            .map_err(|illegal| impossible(illegal.to_string()))?;
        if self.game.turn(&state) != Turn::Seat(self.seat) {
            return Err(impossible("another seat is to move".into()));
        }
        Ok(state)
    }

    fn legal_by_the_rules(&self) -> Result<Vec<G::Action>, TurnError> {
        // Legal actions follow from the view: they are the same in every state that has it. The
        // generator is not the agent's, so that an agent draws the same numbers with and without a
        // list.
        let state = self.possible_state(&mut AgentRng::seed_from_u64(0))?;
        let mut legal = Vec::new();
        self.game.actions(&state, &mut legal);
        Ok(legal)
    }

    fn read<T: DeserializeOwned>(
        &self,
        json: &RawValue,
        expected: &'static str,
    ) -> Result<T, TurnError> {
        serde_json::from_str(json.get()).map_err(|error| TurnError::Unreadable {
            turn: self.number,
            expected,
            game: G::NAME,
            message: error.to_string(),
        })
    }
}
