//! What a seat is shown of a state: the JSON that travels to bots. Nothing is hidden in draughts,
//! so both seats see the same, and it is everything: the draw rules need no memory either.

use super::board::Piece;
use super::colour::Colour;
use super::moves::Move;
use super::position::Position;
use super::square::Square;
use super::state::State;
use crate::game::Illegal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A state as both seats see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Who is to move; null when the game is over.
    pub to_move: Option<Colour>,
    /// The position as FEN, the side to move included.
    pub fen: String,
    /// The same position as 32 letters, the first for square 1: `b` and `w` for men, `B` and `W`
    /// for kings, `.` for nothing.
    #[schemars(regex(pattern = r"^[bwBW.]{32}$"))]
    pub board: String,
    /// How many decisions were made before.
    pub ply: u16,
    /// How many plies there were since the last capture or move of a man's, or since the opening.
    pub quiet_plies: u16,
    /// The moves of those plies, all of them kings', the first one first: undo them one after
    /// another to see the positions that could come back.
    pub quiet_moves: Vec<Move>,
    /// How often this position, with the same side to move, has been there; 1 the first time.
    pub repetitions: u16,
    /// How the game ended; only when it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<End>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The side to move has no piece left and loses.
    NoPieces,
    /// The side to move has pieces and no legal move, and loses.
    NoMoves,
    /// A draw: the position has been there too often.
    Repetition,
    /// A draw: too many plies without a capture or a move of a man's.
    QuietPlies,
    /// A draw: the game is as long as games may be.
    MaxPlies,
    /// A side's bot failed, and the side loses.
    Forfeit,
}

impl End {
    /// The word for it in results.
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

    /// Whether the game is drawn.
    pub const fn is_draw(self) -> bool {
        matches!(self, End::Repetition | End::QuietPlies | End::MaxPlies)
    }
}

/// A piece as a letter: small for men, capital for kings.
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

    /// The position.
    ///
    /// # Errors
    ///
    /// A FEN that is none, or does not say the same as the rest of the view.
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

    /// The state that looks like this: nothing is hidden, so there is one.
    ///
    /// # Errors
    ///
    /// A view whose parts contradict each other, and that of a game that is over.
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
