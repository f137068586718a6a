//! How to search.

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The memory of the transposition table in MiB; 0 for none.
    pub table_mebibytes: usize,
    /// By how many turns an iteration is deeper than the one before; at least 1.
    pub step: u32,
}

impl Default for Settings {
    /// A table of 64 MiB, iterations one turn deeper each.
    fn default() -> Settings {
        Settings { table_mebibytes: 64, step: 1 }
    }
}
