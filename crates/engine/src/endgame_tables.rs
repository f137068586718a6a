//! Endgame tables behind a [`Table`], for a referee that knows no game by name: the result of a
//! position with best play. The tables of draughts are
//! [`Endgames`](crate::draughts::endgame::Endgames).

use crate::table::Table;

/// The result of a position with best play, for the seat whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndgameResult {
    /// It wins.
    Win,
    /// Neither seat can force a win.
    Draw,
    /// It loses.
    Loss,
}

/// The exact results of positions with few pieces.
pub trait EndgameTables: Send + Sync {
    /// Returns the number of pieces up to which positions are known.
    fn pieces(&self) -> u32;

    /// Checks that the tables are valid for this game under its rules.
    ///
    /// # Errors
    ///
    /// What the tables are for, and what the game is.
    fn check(&self, table: &dyn Table) -> Result<(), String>;

    /// Returns the result of the position at the table; `None` if it has more than `most_pieces`
    /// pieces or is not known.
    fn result(&self, table: &dyn Table, most_pieces: u32) -> Option<EndgameResult>;
}
