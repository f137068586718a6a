//! Verification of a table: the value of every position must follow from the values after its
//! moves. Because distances to the end decrease with every ply of best play, a table in which this
//! holds everywhere is correct.

use super::material::Material;
use super::seen::Seen;
use super::tables::Endgames;
use super::value::{Best, Value};
use crate::draughts::colour::Colour;
use crate::draughts::movement::Movement;
use crate::draughts::position::Position;

/// A position whose value does not follow from those after its moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: the table says {found:?}, its moves lead to {expected:?}")]
pub struct Mismatch {
    /// The position.
    pub position: Position,
    /// The value in the table.
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
        for (number, &value) in (0..table.index.len()).zip(&table.values) {
            let board = table.index.position(number).board();
            let (mut best, mut all_known) = (Best::default(), true);
            board.for_each_successor::<false>(Movement::ENGLISH, |_, after| {
                match self.byte(Seen::new(after, Colour::White)) {
                    Some(byte) => best.add(byte),
                    None => all_known = false,
                }
            });
            if !all_known || best.byte() != value {
                return Err(Mismatch {
                    position: Position::new(board, Colour::Black),
                    found: Value::from_byte(value),
                    expected: Value::from_byte(best.byte()).filter(|_| all_known),
                });
            }
        }
        Ok(u64::from(table.index.len()))
    }
}
