//! Announcements of teachers to the whole class. They are changed and withdrawn, not deleted.

use crate::files::{Statements, now};
use rusqlite::{OptionalExtension, Row, Transaction, params};

/// An announcement.
#[derive(Clone, Debug)]
pub(crate) struct Announcement {
    /// Its number.
    pub id: i64,
    /// Its title.
    pub title: String,
    /// Its text, in Markdown.
    pub text: String,
    /// Who wrote it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// When it was changed last.
    pub changed_at: Option<i64>,
    /// Whether it is no longer shown to the class.
    pub is_withdrawn: bool,
}

const SELECT: &str = "SELECT announcements.id, title, text, people.name, at, changed_at, \
                      withdrawn_at IS NOT NULL FROM announcements \
                      JOIN people ON people.id = announcements.person";

fn announcement(row: &Row<'_>) -> rusqlite::Result<Announcement> {
    Ok(Announcement {
        id: row.get(0)?,
        title: row.get(1)?,
        text: row.get(2)?,
        person: row.get(3)?,
        at: row.get(4)?,
        changed_at: row.get(5)?,
        is_withdrawn: row.get(6)?,
    })
}

/// Returns the announcements that are shown, the newest first, and at most this number; with those that were
/// withdrawn, if so asked.
pub(crate) fn newest(
    transaction: &Transaction<'_>,
    with_withdrawn: bool,
    most: u32,
) -> rusqlite::Result<Vec<Announcement>> {
    let sql = format!(
        "{SELECT} WHERE ?1 OR withdrawn_at IS NULL ORDER BY announcements.id DESC LIMIT ?2"
    );
    transaction.rows(&sql, params![with_withdrawn, most], announcement)
}

/// Returns the announcement with this number.
pub(crate) fn find(
    transaction: &Transaction<'_>,
    id: i64,
) -> rusqlite::Result<Option<Announcement>> {
    let sql = format!("{SELECT} WHERE announcements.id = ?1");
    transaction.row(&sql, [id], announcement).optional()
}

/// Posts an announcement. Returns its number.
pub(crate) fn post(
    transaction: &Transaction<'_>,
    (title, text): (&str, &str),
    person: i64,
) -> rusqlite::Result<i64> {
    transaction.change(
        "INSERT INTO announcements(title, text, person, at) VALUES (?1, ?2, ?3, ?4)",
        params![title, text, person, now()],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// Changes an announcement.
pub(crate) fn change(
    transaction: &Transaction<'_>,
    id: i64,
    (title, text): (&str, &str),
) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE announcements SET title = ?2, text = ?3, changed_at = ?4 WHERE id = ?1",
        params![id, title, text, now()],
    )
}

/// Withdraws an announcement, or shows it again.
pub(crate) fn withdraw(
    transaction: &Transaction<'_>,
    id: i64,
    is_withdrawn: bool,
) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE announcements SET withdrawn_at = ?2 WHERE id = ?1",
        params![id, is_withdrawn.then(now)],
    )
}
