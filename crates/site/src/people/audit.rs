//! The audit: who did what, for the staff. Entries are only added.

use crate::files::{Statements, now};
use rusqlite::{Transaction, params};

/// An entry of the audit.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// When, in seconds since 1970.
    pub at: i64,
    /// The name of the person who did it. `None`: the site.
    pub who: Option<String>,
    /// What was done, in a word or two.
    pub what: String,
    /// More about it.
    pub detail: String,
}

/// Adds an entry.
pub(crate) fn note(
    transaction: &Transaction<'_>,
    person: Option<i64>,
    what: &str,
    detail: &str,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO audit(at, person, what, detail) VALUES (?1, ?2, ?3, ?4)",
        params![now(), person, what, detail],
    )
}

/// Returns the newest entries, the newest first.
pub(crate) fn newest(transaction: &Transaction<'_>, most: u32) -> rusqlite::Result<Vec<Entry>> {
    transaction.rows(
        "SELECT audit.at, people.name, audit.what, audit.detail FROM audit \
         LEFT JOIN people ON people.id = audit.person ORDER BY audit.id DESC LIMIT ?1",
        [most],
        |row| {
            Ok(Entry { at: row.get(0)?, who: row.get(1)?, what: row.get(2)?, detail: row.get(3)? })
        },
    )
}
