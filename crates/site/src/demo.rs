//! A class to look at: a term that was played already. `demo/make` plays it on the pages of a site, and makes the
//! backup that this module restores.

use crate::files::backup::restore_from;
use crate::files::{Database, Statements, now};
use botyard_runner::Error;
use rusqlite::Transaction;
use std::io::Cursor;
use std::path::Path;

/// The password of all people of the demonstration.
pub const PASSWORD: &str = "demonstration";

/// The accounts that are worth looking at: who, and the name for signing in.
pub const ACCOUNTS: [(&str, &str); 3] =
    [("teacher", "9002"), ("assistant", "9001"), ("student", "1001")];

/// The backup of the class.
const TERM: &[u8] = include_bytes!("../demo/term.zip");

/// Makes the class in a directory that does not exist or is empty.
///
/// # Errors
///
/// The directory has files; the host fails.
pub(crate) fn make(directory: &Path) -> Result<(), Error> {
    restore_from(Cursor::new(TERM), "the demonstration", directory).map(drop)
}

/// Moves all times of the class, so that what was done last was done now.
///
/// # Errors
///
/// The database cannot be used.
pub(crate) fn move_to_now(database: &Database) -> Result<(), Error> {
    database.write(|transaction| {
        let last: i64 = transaction.value("SELECT COALESCE(MAX(at), 0) FROM audit", [])?;
        let by = now() - last;
        for (table, column) in times(transaction)? {
            transaction.execute(&format!("UPDATE {table} SET {column} = {column} + ?1"), [by])?;
        }
        Ok(())
    })
}

/// Returns the tables and their columns that have times: whole numbers called `at`, `until`, or something with `_at`.
fn times(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<(String, String)>> {
    transaction.rows(
        "SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns \
         WHERE tables.type = 'table' AND columns.type = 'INTEGER' \
         AND (columns.name IN ('at', 'until') OR columns.name LIKE '%\\_at' ESCAPE '\\')",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}
