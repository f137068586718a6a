//! Moves as people write them: `11-15`, `09-13`, `22 x 15`, `22x8` for `22x15x8`, `11x15` for a
//! plain move. The move is then looked up among the legal moves of a position.

use crate::draughts::movement::Movement;
use crate::draughts::moves::{Move, Path, shortened};
use crate::draughts::position::Position;
use crate::draughts::square::Square;
use std::fmt;
use std::str::FromStr;

/// The squares of a move: at least the start and the end.
///
/// ```
/// use botyard_engine::draughts::{MoveText, Movement, Position};
/// let position: Position = "W:W22:B11,18".parse().unwrap();
/// let short: MoveText = "22 x 8".parse().unwrap();
/// let full = short.find(&position, Movement::ENGLISH).unwrap();
/// assert_eq!(full.to_string(), "22x15x8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText(Path);

/// The reason why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// The text is not squares with separators between them.
    #[error("expected a move such as 11-15 or 22x15x8, got {0:?}")]
    NotAMove(String),
    /// Squares that are named by letters.
    #[error("expected squares by their numbers, as in 11-15 or 22x15x8, got {0:?}")]
    Letters(String),
    /// A number that no square has.
    #[error("in the move {text:?}: expected squares from 1 to 32, got {square}")]
    NotASquare {
        /// The whole text.
        text: String,
        /// The part that is not a square.
        square: String,
    },
    /// More squares than a move can have.
    #[error("in the move {text:?}: expected at most 10 squares, got {count}")]
    TooLong {
        /// The whole text.
        text: String,
        /// The number of squares.
        count: usize,
    },
}

/// The reason why a written move matches none of the legal moves, or more than one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// No legal move matches.
    #[error("{text} is not legal in {position}{}", alternatives(.legal))]
    Illegal {
        /// The move as written.
        text: String,
        /// The position.
        position: Box<Position>,
        /// The legal moves.
        legal: Vec<Move>,
    },
    /// Several legal moves match.
    #[error("{text} may be {} in {position}; write every landing square", list(.fitting))]
    Ambiguous {
        /// The move as written.
        text: String,
        /// The position.
        position: Box<Position>,
        /// The matching moves.
        fitting: Vec<Move>,
    },
}

fn list(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" or ")
}

fn alternatives(legal: &[Move]) -> String {
    match legal {
        [] => ": there is no legal move at all".to_string(),
        [first, ..] if first.is_capture() => format!("; the captures are {}", list(legal)),
        _ => format!("; the legal moves are {}", list(legal)),
    }
}

impl MoveText {
    /// Makes the move through these squares; `None` for fewer than two or more than ten.
    pub fn new(squares: impl IntoIterator<Item = Square>) -> Option<MoveText> {
        let mut path = Path::new();
        for square in squares {
            path.try_push(square).ok()?;
        }
        (path.len() >= 2).then_some(MoveText(path))
    }

    /// Returns the squares as written.
    pub fn squares(&self) -> &[Square] {
        &self.0
    }

    /// Finds the legal move with exactly this path; if there is none, the one that starts and ends
    /// here and visits every square in between, in order. Of several captures that take the same
    /// pieces in another order, it is the first.
    ///
    /// # Errors
    ///
    /// If no legal move matches, or several that lead to different positions.
    pub fn find(&self, position: &Position, movement: Movement) -> Result<Move, Unresolved> {
        let legal = position.moves(movement);
        if let Some(&exact) = legal.iter().find(|mv| mv.path() == self.0) {
            return Ok(exact);
        }
        let fitting: Vec<Move> = legal.iter().copied().filter(|&mv| self.fits(mv)).collect();
        let text = self.to_string();
        match fitting[..] {
            [] => {
                let position = Box::new(*position);
                Err(Unresolved::Illegal { text, position, legal: legal.to_vec() })
            }
            [first, ref others @ ..] => {
                let reached = position.make(first);
                if others.iter().all(|&other| position.make(other) == reached) {
                    return Ok(first);
                }
                let position = Box::new(*position);
                Err(Unresolved::Ambiguous { text, position, fitting })
            }
        }
    }

    fn fits(&self, mv: Move) -> bool {
        let path = mv.path();
        let mut rest = path.iter();
        let in_order = self.0.iter().all(|square| rest.any(|landing| landing == square));
        in_order && path.first() == self.0.first() && path.last() == self.0.last()
    }
}

impl From<Move> for MoveText {
    fn from(mv: Move) -> MoveText {
        MoveText(mv.path())
    }
}

impl FromStr for MoveText {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<MoveText, MoveTextError> {
        let mut path = Path::new();
        let parts: Vec<&str> = text.split(is_separator).map(str::trim).collect();
        for part in &parts {
            if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(MoveTextError::NotAMove(shortened(text)));
            }
            let square = part.parse().ok().and_then(Square::new);
            let square = square.ok_or_else(|| MoveTextError::NotASquare {
                text: shortened(text),
                square: shortened(part),
            })?;
            path.try_push(square).map_err(|_| MoveTextError::TooLong {
                text: shortened(text),
                count: parts.len(),
            })?;
        }
        if path.len() < 2 {
            return Err(MoveTextError::NotAMove(shortened(text)));
        }
        Ok(MoveText(path))
    }
}

/// Returns whether a character may separate two squares: a dash, an x or a colon.
pub(super) fn is_separator(character: char) -> bool {
    is_dash(character) || matches!(character, 'x' | 'X' | ':' | '\u{d7}')
}

/// Returns whether a character is a hyphen, a dash or a minus sign.
pub(super) fn is_dash(character: char) -> bool {
    matches!(
        character,
        '-' | '\u{ad}' | '\u{2010}'
            ..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// Returns whether a word is a move whose squares are named by letters: `c3-d4`, `c3:e5`.
pub(super) fn is_letters_move(word: &str) -> bool {
    fn square(text: &str) -> Option<&str> {
        let rest = text.strip_prefix(|c: char| matches!(c.to_ascii_lowercase(), 'a'..='j'))?;
        rest.strip_prefix("10").or_else(|| rest.strip_prefix(|c: char| ('1'..='9').contains(&c)))
    }
    square(word).map(|rest| rest.trim_start_matches(is_separator)).and_then(square).is_some()
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.0[0], self.0[1]);
        let is_step = self.0.len() == 2 && from.row().abs_diff(to.row()) == 1;
        let separator = if is_step { '-' } else { 'x' };
        for (index, square) in self.0.iter().enumerate() {
            if index > 0 {
                write!(f, "{separator}")?;
            }
            write!(f, "{square}")?;
        }
        Ok(())
    }
}
