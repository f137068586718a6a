//! Moves as engines print them: a whole path (`22x15x8`), Hub's from-to-captured (`22x8x18x11`), a
//! short form (`22x8`) or a step (`22-18`). The move is looked up among the legal moves.

use botyard_engine::draughts::{
    MOST_JUMPS, Move, MoveText, Movement, Position, Square, Unresolved,
};

/// The most squares in the text of a move: the start, the end, and every captured piece.
const MOST_SQUARES: usize = MOST_JUMPS + 2;

/// The reason why an engine's text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not squares with separators between them.
    #[error("expected a move such as 11-15, 22x15x8 or 22x8x18x11, got {0:?}")]
    NotAMove(String),
    /// A number that no square has.
    #[error("in the move {text:?}: expected squares from 1 to 32, got {square}")]
    NotASquare {
        /// The whole text.
        text: String,
        /// The part that is not a square.
        square: String,
    },
    /// No legal move matches, or several do.
    #[error(transparent)]
    Unresolved(#[from] Unresolved),
}

/// Returns the legal move that `text` describes: the move with exactly these landing squares; else
/// the move from the first square to the second that captures what the other squares hold; else the
/// only move that starts and ends here and visits the squares in between, in order.
///
/// The first two cannot both apply: a piece lands on rows that are an even number of rows away, and
/// jumps over those between. Moves that differ only in the order of their jumps have the same effect,
/// and count as one.
///
/// # Errors
///
/// The text is not a move, no legal move matches, or several moves of different effect do.
pub fn read_move(text: &str, position: &Position, movement: Movement) -> Result<Move, MoveError> {
    let squares = squares(text)?;
    let legal = position.moves(movement);
    if let Some(&exact) = legal.iter().find(|mv| mv.path()[..] == squares[..]) {
        return Ok(exact);
    }
    let captures = |mv: &Move| {
        (mv.from(), mv.to()) == (squares[0], squares[1])
            && mv.jumps() == squares.len() - 2
            && mv.captured() == squares[2..].iter().copied().collect()
    };
    if let Some(&capture) = legal.iter().find(|mv| squares.len() > 2 && captures(mv)) {
        return Ok(capture);
    }
    let Some(path) = MoveText::new(squares) else {
        return Err(MoveError::NotAMove(text.into()));
    };
    match path.find(position, movement) {
        Ok(found) => Ok(found),
        Err(Unresolved::Ambiguous { fitting, text, position }) => {
            let effect = |mv: &Move| (mv.from(), mv.to(), mv.captured());
            if fitting.iter().all(|mv| effect(mv) == effect(&fitting[0])) {
                return Ok(fitting[0]);
            }
            Err(Unresolved::Ambiguous { fitting, text, position }.into())
        }
        Err(illegal) => Err(illegal.into()),
    }
}

fn squares(text: &str) -> Result<Vec<Square>, MoveError> {
    let text = text.trim();
    let not_a_move = || MoveError::NotAMove(text.chars().take(60).collect());
    let parts: Vec<&str> = text.split(['-', 'x', 'X', ':', '\u{d7}']).map(str::trim).collect();
    if !(2..=MOST_SQUARES).contains(&parts.len()) {
        return Err(not_a_move());
    }
    parts
        .into_iter()
        .map(|part| {
            if part.is_empty() || part.len() > 9 || !part.bytes().all(|b| b.is_ascii_digit()) {
                return Err(not_a_move());
            }
            part.parse()
                .ok()
                .and_then(Square::new)
                .ok_or_else(|| MoveError::NotASquare { text: text.into(), square: part.into() })
        })
        .collect()
}

/// Returns a move as Hub writes it: `11-15` for a step, and for a capture the start, the end and the
/// captured pieces, lowest square first.
pub fn hub_text(mv: Move) -> String {
    let (from, to) = (mv.from(), mv.to());
    if !mv.is_capture() {
        return format!("{from}-{to}");
    }
    let captured: String = mv.captured().into_iter().map(|square| format!("x{square}")).collect();
    format!("{from}x{to}{captured}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text of an engine, the position, and the move that it becomes or a part of the error.
    const CASES: &str = include_str!("../tests/moves.tsv");

    #[test]
    fn texts_of_moves_and_what_they_become() {
        for line in CASES.lines().filter(|line| !line.starts_with('#')) {
            let [fen, text, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("expected three columns: {line}")
            };
            let position: Position = fen.parse().unwrap();
            match read_move(text, &position, Movement::ENGLISH) {
                Ok(found) => assert_eq!(found.to_string(), expected, "{line}"),
                Err(error) => {
                    let error = error.to_string();
                    let expected = expected.strip_prefix("error: ").unwrap_or("a move");
                    assert!(error.contains(expected), "{line}: {error}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn nonsense_is_refused(text in "[0-9x:-]{0,40}", other in ".{0,40}") {
            let position: Position = "W:WK17:B7,9,14,15,22,23".parse().unwrap();
            for text in [text, other] {
                if let Ok(mv) = read_move(&text, &position, Movement::ENGLISH) {
                    prop_assert!(position.moves(Movement::ENGLISH).contains(&mv));
                }
            }
        }
    }
}
