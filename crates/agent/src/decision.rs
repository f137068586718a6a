//! One decision as an agent sees it: whose turn it is, what that seat knows, what it may do and
//! how long it may think. View and legal actions are read when they are asked for and no sooner,
//! so a bot pays only for what it uses.

use crate::agent::AgentRng;
use crate::time_budget::TimeBudget;
use botyard_engine::{Game, Seat, Turn};
use rand_xoshiro::rand_core::SeedableRng;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::cell::OnceCell;

/// Why no choice could be made. Each of these ends the bot: none can be helped by going on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// The view or the legal list is not the game's JSON.
    #[error("turn {turn}: expected {expected} of {game} in the `turn` message, but {message}")]
    Unreadable {
        /// The number of the decision.
        turn: u32,
        /// `a view` or `a list of actions`.
        expected: &'static str,
        /// The game's name.
        game: &'static str,
        /// What the reader of the JSON says.
        message: String,
    },
    /// The view reads well but no position of the game looks like that.
    #[error("turn {turn}: expected a view of {game} in which {seat} is to move, but {message}")]
    Impossible {
        /// The number of the decision.
        turn: u32,
        /// The game's name.
        game: &'static str,
        /// The seat's name.
        seat: String,
        /// What is wrong with it.
        message: String,
    },
    /// The list of legal actions is empty.
    #[error("turn {turn}: expected at least one legal action, but the list is empty")]
    NothingLegal {
        /// The number of the decision.
        turn: u32,
    },
    /// The agent itself gave up.
    #[error("turn {turn}: no choice was made: {reason}")]
    NoChoice {
        /// The number of the decision.
        turn: u32,
        /// Why, in a sentence.
        reason: String,
    },
}

/// A decision to be taken: see the module's text.
pub struct Decision<'a, G: Game> {
    game: &'a G,
    number: u32,
    seat: Seat,
    budget: TimeBudget,
    view: Source<'a, G::View>,
    legal_json: Option<&'a RawValue>,
    legal: OnceCell<Vec<G::Action>>,
}

/// A value that is there, or can be read when it is wanted.
enum Source<'a, T> {
    Value(T),
    Json(&'a RawValue, OnceCell<T>),
}

impl<'a, G: Game> Decision<'a, G> {
    /// A decision without a referee, for tests and experiments: decision `number` (from 1) is
    /// `seat`'s, which sees `view`.
    pub fn new(
        game: &'a G,
        number: u32,
        seat: Seat,
        view: G::View,
        budget: TimeBudget,
    ) -> Decision<'a, G> {
        let view = Source::Value(view);
        Decision { game, number, seat, budget, view, legal_json: None, legal: OnceCell::new() }
    }

    /// A decision as a `turn` message has it.
    pub(crate) fn from_json(
        game: &'a G,
        number: u32,
        seat: Seat,
        view: &'a RawValue,
        legal_json: Option<&'a RawValue>,
        budget: TimeBudget,
    ) -> Decision<'a, G> {
        let view = Source::Json(view, OnceCell::new());
        Decision { game, number, seat, budget, view, legal_json, legal: OnceCell::new() }
    }

    /// The number of this decision in the game, from 1, over all seats.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The seat that decides.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// How long it may take.
    pub fn budget(&self) -> &TimeBudget {
        &self.budget
    }

    /// All that the seat may know.
    ///
    /// # Errors
    ///
    /// A `turn` message whose view is not one of the game.
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

    /// Every legal action, at least one, always in the order in which the game lists them: as the
    /// `turn` message has it, or worked out from the view where a match sends no list.
    ///
    /// # Errors
    ///
    /// A `turn` message whose view or list is not of the game, or whose list is empty.
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

    /// The error of an agent that cannot decide.
    pub fn no_choice(&self, reason: impl Into<String>) -> TurnError {
        TurnError::NoChoice { turn: self.number, reason: reason.into() }
    }

    /// A state that looks to the seat as its view does, its hidden parts drawn at random.
    ///
    /// # Errors
    ///
    /// A `turn` message whose view is not one of the game in which the seat is to move.
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
            return Err(impossible("it is not that seat's turn there".into()));
        }
        Ok(state)
    }

    fn legal_by_the_rules(&self) -> Result<Vec<G::Action>, TurnError> {
        // A seat can work out its own legal actions: any state that looks like the view has the
        // same ones. The generator is not the agent's, so that an agent draws the same numbers
        // with and without a list.
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
