//! What every bot that knows the board's tables does alike: it makes them before the game, and on a
//! board that has none it plays as [`Greedy`] does.

use super::atlas::Atlas;
use crate::greedy::Greedy;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::Seat;
use botyard_engine::scotland_yard::{Action, ScotlandYard};

/// What decides with the tables of the board at hand; [`WithAtlas`] makes an [`Agent`] of it.
pub trait AtlasAgent: Send {
    /// A game is about to begin: the place to forget the last one.
    fn new_game(&mut self) {}

    /// Decides.
    ///
    /// # Errors
    ///
    /// Those of [`Agent::choose`].
    fn choose(
        &mut self,
        game: &ScotlandYard,
        atlas: &Atlas,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError>;
}

/// An [`AtlasAgent`] with the tables it needs. On a board of more than
/// [`super::StationBits::MOST`] stations it does what [`Greedy`] does.
#[derive(Debug)]
pub struct WithAtlas<A> {
    agent: A,
    atlas: Option<Atlas>,
}

impl<A> WithAtlas<A> {
    /// An agent that makes its tables when a game begins.
    pub const fn new(agent: A) -> WithAtlas<A> {
        WithAtlas { agent, atlas: None }
    }
}

impl<A: AtlasAgent> Agent<ScotlandYard> for WithAtlas<A> {
    fn new_game(&mut self, game: &ScotlandYard, you: &[Seat]) {
        Greedy.new_game(game, you);
        self.atlas = Atlas::new(game);
        self.agent.new_game();
    }

    fn choose(
        &mut self,
        game: &ScotlandYard,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        match &self.atlas {
            Some(atlas) => self.agent.choose(game, atlas, turn, rng),
            None => Greedy.choose(game, turn, rng),
        }
    }
}
