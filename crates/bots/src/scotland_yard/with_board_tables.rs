//! What every bot that knows the board's tables does alike: it makes them before the game, and on a
//! board that has none it plays as [`Greedy`] does.

use super::board_tables::BoardTables;
use crate::greedy::Greedy;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::Seat;
use botyard_engine::scotland_yard::{Action, ScotlandYard};

/// What decides with the tables of the board at hand; [`WithBoardTables`] makes an [`Agent`] of it.
pub trait BoardTablesAgent: Send {
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
        tables: &BoardTables,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError>;
}

/// An [`BoardTablesAgent`] with the tables it needs. On a board of more than
/// [`super::StationBits::MOST`] stations it does what [`Greedy`] does.
#[derive(Debug)]
pub struct WithBoardTables<A> {
    agent: A,
    tables: Option<BoardTables>,
}

impl<A> WithBoardTables<A> {
    /// An agent that makes its tables when a game begins.
    pub const fn new(agent: A) -> WithBoardTables<A> {
        WithBoardTables { agent, tables: None }
    }
}

impl<A: BoardTablesAgent> Agent<ScotlandYard> for WithBoardTables<A> {
    fn new_game(&mut self, game: &ScotlandYard, you: &[Seat]) {
        Greedy.new_game(game, you);
        self.tables = BoardTables::new(game);
        self.agent.new_game();
    }

    fn choose(
        &mut self,
        game: &ScotlandYard,
        turn: &Decision<'_, ScotlandYard>,
        rng: &mut AgentRng,
    ) -> Result<Choice<Action>, TurnError> {
        match &self.tables {
            Some(tables) => self.agent.choose(game, tables, turn, rng),
            None => Greedy.choose(game, turn, rng),
        }
    }
}
