//! Holds a table to the rules: the value of every position must follow from those after its moves.
//! As distances to the end go down with every ply of best play, a table in which this holds
//! everywhere is right.

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
    /// What the table says.
    pub found: Option<Value>,
    /// What the moves lead to; `None` where a class that they lead to is not there.
    pub expected: Option<Value>,
}

impl Endgames {
    /// Checks a class against the positions that its moves lead to, and says how many positions
    /// that were: none for a class that is not there.
    ///
    /// # Errors
    ///
    /// The first position that is not as it should be.
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
