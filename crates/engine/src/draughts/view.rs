//! Views: the JSON that bots receive. Nothing is hidden in draughts, so both seats have the same
//! view, and it is complete: it also has the history that the draw rules need.

use super::board::Piece;
use super::colour::Colour;
use super::moves::Move;
use super::position::Position;
use super::square::Square;
use super::state::State;
use crate::game::Illegal;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A state as both seats see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The side to move; null when the game is over.
    pub to_move: Option<Colour>,
    /// The position as FEN, including the side to move.
    pub fen: String,
    /// The same position as 32 letters, the first for square 1: `b` and `w` for men, `B` and `W`
    /// for kings, `.` for an empty square.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[bwBW.]{32}$")))]
    pub board: String,
    /// The number of decisions made so far.
    pub ply: u16,
    /// The number of plies since the last capture or man's move, or since the opening.
    pub quiet_plies: u16,
    /// The moves of those plies, all kings' moves, oldest first: undo them one by one to see the
    /// positions that can recur.
    pub quiet_moves: Vec<Move>,
    /// The number of times this position has occurred with the same side to move; 1 the first time.
    pub repetitions: u16,
    /// The end of the game; only when it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<End>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The side to move has no piece left and loses.
    NoPieces,
    /// The side to move has pieces but no legal move, and loses.
    NoMoves,
    /// A draw: the position occurred too often.
    Repetition,
    /// A draw: too many plies without a capture or a man's move.
    QuietPlies,
    /// A draw: the limit of plies was reached.
    MaxPlies,
    /// A side's bot failed, and the side loses.
    Forfeit,
}

impl End {
    /// Returns the `reason` in an outcome.
    pub const fn reason(self) -> &'static str {
        match self {
            End::NoPieces => "no_pieces",
            End::NoMoves => "no_moves",
            End::Repetition => "repetition",
            End::QuietPlies => "quiet_plies",
            End::MaxPlies => "max_plies",
            End::Forfeit => "forfeit",
        }
    }

    /// Returns whether the game is drawn.
    pub const fn is_draw(self) -> bool {
        matches!(self, End::Repetition | End::QuietPlies | End::MaxPlies)
    }
}

/// Returns a piece as a letter: lower case for men, upper case for kings.
pub(super) fn letter(piece: Option<Piece>) -> char {
    match piece {
        None => '.',
        Some(Piece { colour, is_king: true }) => colour.letter(),
        Some(Piece { colour, is_king: false }) => colour.letter().to_ascii_lowercase(),
    }
}

fn letters(position: &Position) -> String {
    Square::all().map(|square| letter(position.piece(square))).collect()
}

impl View {
    pub(super) fn new(state: &State, over: Option<End>) -> View {
        let position = state.position();
        View {
            to_move: over.is_none().then_some(position.turn()),
            fen: position.to_string(),
            board: letters(position),
            ply: state.ply(),
            quiet_plies: state.quiet_plies(),
            quiet_moves: state.quiet_moves().to_vec(),
            repetitions: state.repetitions(),
            over,
        }
    }

    /// Reads the position.
    ///
    /// # Errors
    ///
    /// If the FEN is invalid or contradicts the rest of the view.
    pub fn position(&self) -> Result<Position, Illegal> {
        let position: Position =
            self.fen.parse().map_err(|error| Illegal(format!("fen: {error}")))?;
        if letters(&position) != self.board {
            return Err(Illegal(format!(
                "board: expected {}, as fen says, got {:?}",
                letters(&position),
                self.board
            )));
        }
        if self.to_move.is_some_and(|turn| turn != position.turn()) {
            return Err(Illegal(format!(
                "to_move: expected {}, as fen says, got {}",
                position.turn(),
                position.turn().other()
            )));
        }
        Ok(position)
    }

    /// Returns the state with this view. Nothing is hidden, so there is exactly one.
    ///
    /// # Errors
    ///
    /// If parts of the view contradict each other, or the game is over.
    pub(super) fn state(&self) -> Result<State, Illegal> {
        let position = self.position()?;
        if self.to_move.is_none() {
            return Err(Illegal("to_move: null, so the game is over".into()));
        }
        if usize::from(self.quiet_plies) != self.quiet_moves.len() || self.quiet_plies > self.ply {
            return Err(Illegal(format!(
                "quiet_plies: expected the number of quiet_moves, {}, and no more than ply, {}; \
                 got {}",
                self.quiet_moves.len(),
                self.ply,
                self.quiet_plies
            )));
        }
        let state = State::with_history(position, self.ply, self.quiet_moves.clone());
        let state = state.ok_or_else(|| {
            Illegal(format!("quiet_moves: these moves cannot have led to {}", self.fen))
        })?;
        if state.repetitions() != self.repetitions {
            return Err(Illegal(format!(
                "repetitions: expected {}, as quiet_moves say, got {}",
                state.repetitions(),
                self.repetitions
            )));
        }
        Ok(state)
    }
}
