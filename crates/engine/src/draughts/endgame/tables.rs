//! The solved classes in memory, and the lookup of positions.

use super::index::Index;
use super::material::Material;
use super::seen::Seen;
use super::tally::Tally;
use super::value::Value;
use super::values::{StoredTables, Values};
use crate::draughts::position::Position;
use crate::endgame_tables::EndgameResult;
use std::sync::Arc;

/// The reason why bytes are not a table of a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTable {
    /// There are more or fewer bytes than the positions need.
    #[error("the table of {material} has {expected} bytes, got {got}")]
    Length {
        /// The class.
        material: Material,
        /// The number of bytes of its table.
        expected: usize,
        /// The number of bytes given.
        got: usize,
    },
    /// A byte, or 2 bits, that are not a value.
    #[error("position {number} of {material} has a value that no position has")]
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
    pub(super) values: Values,
}

/// Tables of any number of classes. A lookup is a few table reads without a search.
#[derive(Clone, Debug)]
pub struct Endgames {
    /// The tables by [`Material::slot`].
    tables: Vec<Option<Table>>,
    most_pieces: u32,
    /// The largest number of pieces of a class with plies.
    most_with_plies: u32,
}

/// Without any class.
impl Default for Endgames {
    fn default() -> Endgames {
        Endgames {
            tables: (0..Material::SLOTS).map(|_| None).collect(),
            most_pieces: 0,
            most_with_plies: 0,
        }
    }
}

impl Endgames {
    /// Adds the table of a class, as [`Endgames::values`] returns it: up to
    /// [`Material::MOST_WITH_PLIES`] pieces one [`Value::byte`] per position, with more pieces the
    /// bytes of [`Endgames::insert_results`].
    ///
    /// # Errors
    ///
    /// If the bytes are not a table of this class.
    pub fn insert(&mut self, material: Material, bytes: Vec<u8>) -> Result<(), BadTable> {
        match material.has_plies() {
            true => self.insert_values(material, Values::Plies(bytes)),
            false => self.insert_results(material, bytes),
        }
    }

    /// Adds the results of a class without the number of plies, four positions a byte. Each has 2
    /// bits, the first position the lowest: 0 if the side to move loses, 1 if it wins, 2 for a draw.
    /// The bits after the last position are 0.
    ///
    /// # Errors
    ///
    /// If the bytes are not results of this class.
    pub fn insert_results(&mut self, material: Material, bytes: Vec<u8>) -> Result<(), BadTable> {
        self.insert_values(material, Values::Results(bytes))
    }

    /// Adds a class whose table is not in memory: the bytes of [`Endgames::insert`] are in `tables`
    /// from the place `first` on. A position whose byte cannot be read is not known.
    pub fn insert_stored(&mut self, material: Material, tables: Arc<dyn StoredTables>, first: u64) {
        let values = Values::Stored { tables, first, has_plies: material.has_plies() };
        self.put(Table { material, index: Index::new(material), values });
    }

    fn insert_values(&mut self, material: Material, values: Values) -> Result<(), BadTable> {
        let index = Index::new(material);
        let positions = index.len() as usize;
        let expected = Values::length(positions, values.has_plies());
        let got = values.bytes().map_or(expected, <[u8]>::len);
        if got != expected {
            return Err(BadTable::Length { material, expected, got });
        }
        if let Some(number) = values.first_invalid(positions) {
            return Err(BadTable::Value { material, number });
        }
        self.put(Table { material, index, values });
        Ok(())
    }

    pub(super) fn put(&mut self, table: Table) {
        let pieces = table.material.pieces().into();
        self.most_pieces = self.most_pieces.max(pieces);
        if table.values.has_plies() {
            self.most_with_plies = self.most_with_plies.max(pieces);
        }
        let slot = table.material.slot();
        self.tables[slot] = Some(table);
    }

    /// Returns the value of a position; `None` if its class is missing or has only results. A side
    /// without pieces has lost.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Value> {
        let (board, turn) = (position.board(), position.turn());
        if (board.black | board.white).len() > self.most_with_plies {
            return None;
        }
        let seen = Seen::new(board, turn);
        if seen.has_lost() {
            return Some(Value::Loss(0));
        }
        let (table, number) = self.place(seen)?;
        if !table.values.has_plies() {
            return None;
        }
        Value::from_byte(table.values.byte(number)?)
    }

    /// Returns the result of a position; `None` if its class is missing. A side without pieces has
    /// lost.
    #[inline]
    pub fn probe_result(&self, position: &Position) -> Option<EndgameResult> {
        let (board, turn) = (position.board(), position.turn());
        if (board.black | board.white).len() > self.most_pieces {
            return None;
        }
        Some(match Value::from_byte(self.byte(Seen::new(board, turn))?)? {
            Value::Win(_) => EndgameResult::Win,
            Value::Draw => EndgameResult::Draw,
            Value::Loss(_) => EndgameResult::Loss,
        })
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

    /// Returns the table of a class in the form of [`Endgames::insert`], in the order of its
    /// positions' numbers, if it is in memory.
    pub fn values(&self, material: Material) -> Option<&[u8]> {
        self.table(material)?.values.bytes()
    }

    /// Returns the counts of a class. A position that cannot be read counts as a draw.
    pub fn tally(&self, material: Material) -> Option<Tally> {
        self.table(material).map(|table| table.values.tally(table.index.len() as usize))
    }

    /// Returns the number of positions of a class.
    pub fn positions(material: Material) -> u32 {
        Index::new(material).len()
    }

    /// Returns the number of bytes of the table of a class.
    pub fn bytes(material: Material) -> usize {
        Values::length(Index::new(material).len() as usize, material.has_plies())
    }

    pub(super) fn table(&self, material: Material) -> Option<&Table> {
        self.tables[material.slot()].as_ref()
    }

    /// Returns the byte of a position with at most [`Material::MOST_PIECES`] pieces; in a class
    /// without plies, that of a win in 1 or a loss in 0 plies.
    #[inline]
    pub(super) fn byte(&self, seen: Seen) -> Option<u8> {
        if seen.has_lost() {
            return Some(0);
        }
        let (table, number) = self.place(seen)?;
        table.values.byte(number)
    }

    /// Returns the table of a position with at most [`Material::MOST_PIECES`] pieces, and its number
    /// there. No class has a side without pieces.
    #[inline(always)]
    fn place(&self, seen: Seen) -> Option<(&Table, usize)> {
        let table = self.tables[seen.slot()].as_ref()?;
        Some((table, table.index.of(seen) as usize))
    }
}
