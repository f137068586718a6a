//! The common part of all bots that use the board's tables: they make them before the game, and on
//! a board without tables play like [`Greedy`].

use super::board_tables::BoardTables;
use crate::greedy::Greedy;
use botyard_agent::{Agent, AgentRng, Choice, Decision, TurnError};
use botyard_engine::Seat;
use botyard_engine::scotland_yard::{Action, ScotlandYard};

/// An agent that needs the board's tables; [`WithBoardTables`] makes an [`Agent`] of it.
pub trait BoardTablesAgent: Send {
    /// Prepares for a new game: clears what belongs to the last one.
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

/// A [`BoardTablesAgent`] with the tables that it needs. On a board of more than
/// [`super::StationBits::MOST`] stations it plays like [`Greedy`].
#[derive(Debug)]
pub struct WithBoardTables<A> {
    agent: A,
    tables: Option<BoardTables>,
}

impl<A> WithBoardTables<A> {
    /// Makes an agent that makes its tables when a game begins.
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
