//! The settings of a search by turns.

/// The settings of a search by turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The size of the transposition table in MiB; 0 for none.
    pub table_mebibytes: usize,
    /// The depth increase per iteration, in turns; at least 1.
    pub step: u32,
}

impl Default for Settings {
    /// A table of 64 MiB, and a depth increase of one turn.
    fn default() -> Settings {
        Settings { table_mebibytes: 64, step: 1 }
    }
}
