//! Lookup of a position and its moves in the tables.

use botyard_engine::draughts::endgame::{Endgames, Value};
use botyard_engine::draughts::{Move, Movement, Position};
use serde_json::{Value as Json, json};

/// The values of a position and its moves in the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// The value for the side to move.
    pub value: Value,
    /// Each move with its value for the side that makes it: the best first, equal ones in the order
    /// of their notation.
    pub moves: Vec<(Move, Value)>,
}

impl Probed {
    /// Returns the value of the position that was looked up, and its moves in a line each.
    pub fn to_text(&self, position: &Position) -> String {
        let Probed { value, moves } = self;
        let mut text = format!("{position}: {} {value}\n", position.turn().name());
        for (mv, after) in moves {
            let best = if after == value { "  best" } else { "" };
            text.push_str(&format!("  {:8}  {after}{best}\n", mv.to_string()));
        }
        text
    }

    /// Returns the value and the moves as JSON.
    pub fn to_json(&self) -> Json {
        let moves = self.moves.iter().map(
            |(mv, value)| json!({ "move": mv, "result": result(*value), "plies": value.plies() }),
        );
        json!({
            "result": result(self.value),
            "plies": self.value.plies(),
            "moves": moves.collect::<Vec<_>>(),
        })
    }
}

fn result(value: Value) -> &'static str {
    match value {
        Value::Draw => "draw",
        Value::Win(_) => "win",
        Value::Loss(_) => "loss",
    }
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
