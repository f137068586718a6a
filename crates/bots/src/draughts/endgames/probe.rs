//! A position and its moves in the tables.

use botyard_engine::draughts::endgame::{Endgames, Value};
use botyard_engine::draughts::{Move, Movement, Position};

/// What the tables know of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// What it is worth, for the side to move.
    pub value: Value,
    /// Each move with what it is worth for who makes it: the best first, those of equal worth in the order of
    /// their notation.
    pub moves: Vec<(Move, Value)>,
}

/// Looks a position up; `None` where it is not in the tables.
pub fn probe(endgames: &Endgames, position: &Position) -> Option<Probed> {
    let value = endgames.probe(position)?;
    let mut moves: Vec<(Move, Value)> = position
        .moves(Movement::ENGLISH)
        .into_iter()
        .filter_map(|mv| Some((mv, endgames.probe(&position.make(mv))?.before())))
        .collect();
    moves.sort_by_key(|&(mv, value)| {
        let rank = match value {
            Value::Win(plies) => i32::from(plies) - 1_000,
            Value::Draw => 0,
            Value::Loss(plies) => 1_000 - i32::from(plies),
        };
        (rank, mv.to_string())
    });
    Some(Probed { value, moves })
}
