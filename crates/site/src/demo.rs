//! A class to look at: a term that was played already. `demo/make` plays it on the pages of a site, and makes the
//! backup that this module restores.

use crate::files::backup::restore_from;
use crate::files::{Database, Statements, now};
use botyard_runner::Error;
use jiff::ToSpan;
use jiff::civil::DateTime;
use rusqlite::{Transaction, params};
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
        let details: Vec<(i64, String)> =
            transaction
                .rows("SELECT id, detail FROM audit", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (id, detail) in details {
            let moved = params![id, moved(&detail, by)];
            transaction.change("UPDATE audit SET detail = ?2 WHERE id = ?1", moved)?;
        }
        Ok(())
    })
}

/// Moves the times in a text, which are written as in `2026-11-30 08:10 UTC`, by seconds.
fn moved(text: &str, by: i64) -> String {
    const ZONE: &str = " UTC";
    const FORMAT: &str = "%Y-%m-%d %H:%M";
    const LENGTH: usize = "2026-11-30 08:10".len();
    let mut out = String::new();
    let mut parts = text.split(ZONE).peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        let begin = part.len().checked_sub(LENGTH).filter(|&begin| part.is_char_boundary(begin));
        let (words, time) = part.split_at(begin.unwrap_or(part.len()));
        let time = DateTime::strptime(FORMAT, time)
            .and_then(|time| time.checked_add(by.seconds()))
            .map(|time| time.strftime(FORMAT).to_string());
        match time {
            Ok(time) if !is_last => out.extend([words, &time]),
            _ => out.push_str(part),
        }
        out.push_str(if is_last { "" } else { ZONE });
    }
    out
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_texts_are_moved_and_nothing_else_is() {
        let day = 24 * 60 * 60;
        for (text, expected) in [
            (
                "from 2026-11-30 08:10 UTC to 2026-11-30 23:59 UTC: é",
                "from 2026-12-01 08:10 UTC to 2026-12-01 23:59 UTC: é",
            ),
            ("from never to 2026-12-31 08:15 UTC", "from never to 2027-01-01 08:15 UTC"),
            ("the zone UTC", "the zone UTC"),
            ("from 2026-11-30 08:10", "from 2026-11-30 08:10"),
            ("éééééééé UTC 2026-13-30 08:10 UTC", "éééééééé UTC 2026-13-30 08:10 UTC"),
            ("", ""),
        ] {
            assert_eq!(moved(text, day), expected);
        }
    }
}
