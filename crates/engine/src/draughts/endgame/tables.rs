//! The solved classes in memory, one byte per position, and the lookup of positions.

use super::index::Index;
use super::material::Material;
use super::seen::Seen;
use super::tally::Tally;
use super::value::{UNKNOWN, Value};
use crate::draughts::position::Position;

/// The reason why bytes are not a table of a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTable {
    /// There are more or fewer bytes than positions.
    #[error("{material} has {expected} positions, got {got}")]
    Length {
        /// The class.
        material: Material,
        /// The number of its positions.
        expected: u32,
        /// The number of bytes given.
        got: usize,
    },
    /// A byte that is not a value.
    #[error("position {number} of {material} has the value {UNKNOWN}, which no position has")]
    Value {
        /// The class.
        material: Material,
        /// The number of the position in its class.
        number: usize,
    },
}

/// One solved class.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) material: Material,
    pub(super) index: Index,
    pub(super) values: Vec<u8>,
}

/// Tables of any number of classes. A lookup is a few table reads without a search.
#[derive(Clone, Debug)]
pub struct Endgames {
    /// The tables by [`Material::slot`].
    tables: Vec<Option<Table>>,
    most_pieces: u32,
}

/// Without any class.
impl Default for Endgames {
    fn default() -> Endgames {
        Endgames { tables: (0..Material::SLOTS).map(|_| None).collect(), most_pieces: 0 }
    }
}

impl Endgames {
    /// Adds the table of a class: one [`Value::byte`] per position, as [`Endgames::values`] returns
    /// them.
    ///
    /// # Errors
    ///
    /// If the bytes are not a table of this class.
    pub fn insert(&mut self, material: Material, values: Vec<u8>) -> Result<(), BadTable> {
        let index = Index::new(material);
        if values.len() != index.len() as usize {
            let (expected, got) = (index.len(), values.len());
            return Err(BadTable::Length { material, expected, got });
        }
        if let Some(number) = values.iter().position(|&value| value == UNKNOWN) {
            return Err(BadTable::Value { material, number });
        }
        self.put(Table { material, index, values });
        Ok(())
    }

    pub(super) fn put(&mut self, table: Table) {
        self.most_pieces = self.most_pieces.max(table.material.pieces().into());
        let slot = table.material.slot();
        self.tables[slot] = Some(table);
    }

    /// Returns the value of a position; `None` if its class is missing. A side without pieces has
    /// lost.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let (board, turn) = (position.board(), position.turn());
        if (board.black | board.white).len() > self.most_pieces {
            return None;
        }
        Value::from_byte(self.byte(Seen::new(board, turn))?)
    }

    /// Returns the largest number of pieces of a class that is present; 0 if there are no classes.
    pub const fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// Returns the classes that are present, in the order of [`Material::up_to`].
    pub fn classes(&self) -> Vec<Material> {
        let all = Material::up_to(Material::MOST_PIECES);
        all.into_iter().filter(|&material| self.table(material).is_some()).collect()
    }

    /// Returns the bytes of a class, in the order of its positions' numbers.
    pub fn values(&self, material: Material) -> Option<&[u8]> {
        self.table(material).map(|table| table.values.as_slice())
    }

    /// Returns the counts of a class.
    pub fn tally(&self, material: Material) -> Option<Tally> {
        self.values(material).map(Tally::new)
    }

    /// Returns the number of positions of a class.
    pub fn positions(material: Material) -> u32 {
        Index::new(material).len()
    }

    pub(super) fn table(&self, material: Material) -> Option<&Table> {
        self.tables[material.slot()].as_ref()
    }

    /// Returns the byte of a position with at most [`Material::MOST_PIECES`] pieces.
    #[inline]
    pub(super) fn byte(&self, seen: Seen) -> Option<u8> {
        if seen.men[0] | seen.kings[0] == 0 {
            return Some(0);
        }
        if seen.men[1] | seen.kings[1] == 0 {
            return None;
        }
        let table = self.tables[seen.slot()].as_ref()?;
        Some(table.values[table.index.of(seen) as usize])
    }
}
