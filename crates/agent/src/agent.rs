//! What a bot thinks with: an [`Agent`] sees a [`Decision`] of one game and makes a [`Choice`]. It
//! knows nothing of JSON, pipes or processes; [`crate::serve()`] is what connects it to a referee.

use crate::decision::{Decision, TurnError};
use botyard_engine::{Game, Seat};
use botyard_protocol::Info;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator that agents draw from: fast, and the same numbers on every machine.
///
/// Every decision has one of its own, seeded from the bot's option `seed`, the name of the game,
/// the seats the bot holds and the number of the decision. So a game can be repeated, a single
/// decision of it too, and the games of a match still differ.
pub type AgentRng = Xoshiro256PlusPlus;

/// Something that plays `G`.
///
/// An agent lives for one game, in which it may hold several seats: a new one is made for every
/// game, so nothing leaks from one game into the next. The crate's page has an example.
pub trait Agent<G: Game>: Send {
    /// The game is about to begin, and these are the agent's seats: the place for tables that
    /// take a while, since this is not on the clock of the first decision.
    fn new_game(&mut self, _game: &G, _you: &[Seat]) {}

    /// Decides. `turn` has all that the seat may know, and its time.
    ///
    /// # Errors
    ///
    /// Whatever [`Decision::view`] and [`Decision::legal`] report, or
    /// [`TurnError::NoChoice`]. The bot then ends with that message: it has lost its game.
    fn choose(
        &mut self,
        game: &G,
        turn: &Decision<'_, G>,
        rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError>;
}

/// A decision taken: the action, and what the bot thought of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<A> {
    /// One of the legal actions.
    pub action: A,
    /// What goes into the replay beside the action; `None` keeps the answer short.
    pub info: Option<Info>,
}

impl<A> Choice<A> {
    /// An action with what the bot thought of it.
    pub fn with_info(action: A, info: Info) -> Choice<A> {
        Choice { action, info: Some(info) }
    }
}

impl<A> From<A> for Choice<A> {
    fn from(action: A) -> Choice<A> {
        Choice { action, info: None }
    }
}
