//! Verification of a table: the value of every position must follow from the values after its
//! moves. Because distances to the end decrease with every ply of best play, a table with distances
//! in which this holds everywhere is correct. In a class that has only results it is a necessary
//! condition: positions that lead to each other could vouch for each other's wrong results.

use super::material::Material;
use super::seen::Seen;
use super::tables::Endgames;
use super::value::{Best, DRAW, Value};
use super::values::Values;
use crate::draughts::colour::Colour;
use crate::draughts::movement::Movement;
use crate::draughts::position::Position;

/// A position whose value does not follow from those after its moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: the table says {found:?}, its moves lead to {expected:?}")]
pub struct Mismatch {
    /// The position.
    pub position: Position,
    /// The value in the table; in a class that has only results, a win in 1 or a loss in 0 plies.
    pub found: Option<Value>,
    /// The value that follows from the moves; `None` if the table of a class after them is missing.
    pub expected: Option<Value>,
}

impl Endgames {
    /// Checks every class: see [`verify`](Endgames::verify). Returns the number of checked
    /// positions.
    ///
    /// # Errors
    ///
    /// The first position whose value is wrong, with its class.
    pub fn verify_all(&self) -> Result<u64, (Material, Mismatch)> {
        let verified = |class| self.verify(class).map_err(|mismatch| (class, mismatch));
        self.classes().into_iter().map(verified).sum()
    }

    /// Checks a class against the positions that its moves lead to, and returns the number of
    /// checked positions: 0 for a class that is missing.
    ///
    /// # Errors
    ///
    /// The first position whose value is wrong.
    pub fn verify(&self, material: Material) -> Result<u64, Mismatch> {
        let Some(table) = self.table(material) else { return Ok(0) };
        let has_plies = matches!(table.values, Values::Plies(_));
        for number in 0..table.index.len() {
            let value = table.values.byte(number as usize);
            let board = table.index.position(number).board();
            let (mut best, mut all_known) = (Best::default(), true);
            board.for_each_successor::<false>(Movement::ENGLISH, |_, after| {
                match self.byte(Seen::new(after, Colour::White)) {
                    Some(byte) => best.add(byte),
                    None => all_known = false,
                }
            });
            let expected = match best.byte() {
                DRAW => DRAW,
                plies if has_plies => plies,
                plies => plies % 2,
            };
            if !all_known || expected != value {
                return Err(Mismatch {
                    position: Position::new(board, Colour::Black),
                    found: Value::from_byte(value),
                    expected: Value::from_byte(expected).filter(|_| all_known),
                });
            }
        }
        Ok(u64::from(table.index.len()))
    }
}
