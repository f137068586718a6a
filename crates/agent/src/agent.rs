//! The deciding part of a bot: an [`Agent`] gets a [`Decision`] of one game and returns a
//! [`Choice`]. It is independent of JSON, pipes and processes; [`crate::serve()`] connects it to a
//! referee.

use crate::decision::{Decision, TurnError};
use botyard_engine::{Game, Seat};
use botyard_protocol::Info;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random number generator of agents: fast, and value-stable on every platform.
///
/// Every decision has its own generator, seeded from the bot's option `seed`, the name of the game,
/// the bot's seats and the number of the decision. A game or a single decision can therefore be
/// reproduced, while the games of a match differ.
pub type AgentRng = Xoshiro256PlusPlus;

/// A player of `G`.
///
/// An agent lives for one game, in which it may hold several seats. Every game has a new agent, so
/// that no state leaks from one game into the next. See the crate's page for an example.
pub trait Agent<G: Game>: Send {
    /// Prepares for a game with these seats. Compute large tables here: this time is not charged to
    /// the first decision.
    fn new_game(&mut self, _game: &G, _you: &[Seat]) {}

    /// Chooses an action. `turn` has the view of the seat, and its time.
    ///
    /// # Errors
    ///
    /// The errors of [`Decision::view`] and [`Decision::legal`], or [`TurnError::NoChoice`]. The
    /// bot then exits with that message and forfeits the game.
    fn choose(
        &mut self,
        game: &G,
        turn: &Decision<'_, G>,
        rng: &mut AgentRng,
    ) -> Result<Choice<G::Action>, TurnError>;
}

/// The result of a decision: the action, and information about the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<A> {
    /// One of the legal actions.
    pub action: A,
    /// The `info` for the replay; `None` keeps the answer short.
    pub info: Option<Info>,
}

impl<A> Choice<A> {
    /// Returns a choice with `info`.
    pub fn with_info(action: A, info: Info) -> Choice<A> {
        Choice { action, info: Some(info) }
    }
}

impl<A> From<A> for Choice<A> {
    fn from(action: A) -> Choice<A> {
        Choice { action, info: None }
    }
}
