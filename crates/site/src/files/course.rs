//! What a course has of its own: its name, and the part of the names of its cookies.

use super::Statements;
use rusqlite::Transaction;

/// Returns the part of the names of cookies that is the course's own.
pub(crate) fn token(transaction: &Transaction<'_>) -> rusqlite::Result<String> {
    transaction.value("SELECT token FROM course", [])
}

/// Returns the name of the course; `None` if none was stored yet.
pub(crate) fn name(transaction: &Transaction<'_>) -> rusqlite::Result<Option<String>> {
    transaction.value("SELECT name FROM course", [])
}

/// Stores the name of the course.
pub(crate) fn set_name(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<()> {
    transaction.change("UPDATE course SET name = ?1", [name])
}
