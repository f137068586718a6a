//! The transposition table of a searcher: its own, whose contents depend on its searches alone, or
//! one that it shares with the searchers of other threads.

use crate::shared_table::SharedTable;
use crate::table::{Known, TranspositionTable};
use std::sync::Arc;

/// A table of one searcher, or of several.
pub(super) enum SearchTable {
    /// Of this searcher alone.
    Own(TranspositionTable),
    /// Of several searchers.
    Shared(Arc<SharedTable>),
}

impl SearchTable {
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        match self {
            SearchTable::Own(table) => table.get(key),
            SearchTable::Shared(table) => table.get(key),
        }
    }

    #[inline(always)]
    pub(super) fn put(&mut self, key: u64, known: Known) {
        match self {
            SearchTable::Own(table) => table.put(key, known),
            SearchTable::Shared(table) => table.put(key, known),
        }
    }

    /// Starts a new search of all searchers that have the table.
    pub(super) fn next_search(&mut self) {
        match self {
            SearchTable::Own(table) => table.next_search(),
            SearchTable::Shared(table) => table.next_search(),
        }
    }
}
