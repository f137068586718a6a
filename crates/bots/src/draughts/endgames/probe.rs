//! Lookup of a position and its moves in the tables.

use botyard_engine::draughts::endgame::{Endgames, Value};
use botyard_engine::draughts::{Move, Movement, Position};
use botyard_engine::endgame_tables::EndgameResult;
use serde_json::{Value as Json, json};

/// The result of a position for the side to move, or of a move for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The result with best play.
    pub result: EndgameResult,
    /// The number of plies to the end; `None` for a draw, and if the tables have only the result.
    pub plies: Option<u8>,
}

impl Expected {
    fn of(endgames: &Endgames, position: &Position) -> Option<Expected> {
        let result = endgames.probe_result(position)?;
        Some(Expected { result, plies: endgames.probe(position).and_then(Value::plies) })
    }

    /// Returns the expectation of a move that leads to a position with this one.
    fn before(self) -> Expected {
        let result = match self.result {
            EndgameResult::Win => EndgameResult::Loss,
            EndgameResult::Draw => EndgameResult::Draw,
            EndgameResult::Loss => EndgameResult::Win,
        };
        Expected { result, plies: self.plies.map(|plies| plies + 1) }
    }

    /// Returns a number that is smaller for better moves. An unknown number of plies counts as
    /// more than any known one.
    fn rank(self) -> i32 {
        let plies = self.plies.map_or(500, i32::from);
        match self.result {
            EndgameResult::Win => plies - 1_000,
            EndgameResult::Draw => 0,
            EndgameResult::Loss => 1_000 - plies,
        }
    }

    fn to_text(self) -> String {
        match (self.result, self.plies) {
            (EndgameResult::Draw, _) => Value::Draw.to_string(),
            (EndgameResult::Win, Some(plies)) => Value::Win(plies).to_string(),
            (EndgameResult::Loss, Some(plies)) => Value::Loss(plies).to_string(),
            (EndgameResult::Win, None) => "wins".into(),
            (EndgameResult::Loss, None) => "loses".into(),
        }
    }

    const fn name(self) -> &'static str {
        match self.result {
            EndgameResult::Win => "win",
            EndgameResult::Draw => "draw",
            EndgameResult::Loss => "loss",
        }
    }
}

/// What the tables have of a position and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// The result for the side to move.
    pub value: Expected,
    /// Each move with its result for the side that makes it: the best first, equal ones in the
    /// order of their notation.
    pub moves: Vec<(Move, Expected)>,
}

impl Probed {
    /// Returns the result of the position that was looked up, and its moves in a line each.
    pub fn to_text(&self, position: &Position) -> String {
        let Probed { value, moves } = self;
        let mut text = format!("{position}: {} {}\n", position.turn().name(), value.to_text());
        for (mv, after) in moves {
            let best = if self.is_best(*after) { "  best" } else { "" };
            text.push_str(&format!("  {:8}  {}{best}\n", mv.to_string(), after.to_text()));
        }
        text
    }

    /// Returns whether a move keeps the result, in the number of plies if that is known.
    fn is_best(&self, after: Expected) -> bool {
        let Expected { result, plies } = self.value;
        after.result == result && (plies.is_none() || after.plies == plies)
    }

    /// Returns the result and the moves as JSON.
    pub fn to_json(&self) -> Json {
        let moves = self
            .moves
            .iter()
            .map(|(mv, value)| json!({ "move": mv, "result": value.name(), "plies": value.plies }));
        json!({
            "result": self.value.name(),
            "plies": self.value.plies,
            "moves": moves.collect::<Vec<_>>(),
        })
    }
}

/// Looks a position up; `None` where it is not in the tables.
pub fn probe(endgames: &Endgames, position: &Position) -> Option<Probed> {
    let value = Expected::of(endgames, position)?;
    let mut moves: Vec<(Move, Expected)> = position
        .moves(Movement::ENGLISH)
        .into_iter()
        .filter_map(|mv| Some((mv, Expected::of(endgames, &position.make(mv))?.before())))
        .collect();
    moves.sort_by_key(|&(mv, value)| (value.rank(), mv.to_string()));
    Some(Probed { value, moves })
}
