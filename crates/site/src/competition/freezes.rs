//! Freezes of the board: students and guests see the standings of the ladder as they were.

use crate::files::{Json, Statements, now};
use rusqlite::{OptionalExtension, Transaction, params};

/// A freeze, or its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Freeze {
    /// Whether the board is frozen from then on.
    pub is_frozen: bool,
    /// The entrants that played at that moment.
    pub entrants: Vec<i64>,
    /// The row of the last game at that moment.
    pub last_game: i64,
    /// Why.
    pub reason: String,
    /// Who did it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// Freezes the board of an event with these entrants, or ends that.
pub(crate) fn set(
    transaction: &Transaction<'_>,
    event: i64,
    entrants: Option<&[i64]>,
    reason: &str,
    person: i64,
) -> rusqlite::Result<()> {
    let ids = Json(entrants.unwrap_or_default());
    transaction.change(
        "INSERT INTO freezes(event, is_frozen, entrants, last_game, reason, person, at) \
         SELECT ?1, ?2, ?3, COALESCE(MAX(rowid), 0), ?4, ?5, ?6 FROM games WHERE event = ?1",
        params![event, entrants.is_some(), ids, reason, person, now()],
    )
}

const SELECT: &str = "SELECT is_frozen, entrants, last_game, reason, people.name, at FROM freezes \
                      JOIN people ON people.id = freezes.person WHERE event = ?1 ORDER BY freezes.id DESC";

fn freeze(row: &rusqlite::Row<'_>) -> rusqlite::Result<Freeze> {
    let Json(entrants) = row.get(1)?;
    Ok(Freeze {
        is_frozen: row.get(0)?,
        entrants,
        last_game: row.get(2)?,
        reason: row.get(3)?,
        person: row.get(4)?,
        at: row.get(5)?,
    })
}

/// Returns the freeze of an event that is in force.
pub(crate) fn in_force(
    transaction: &Transaction<'_>,
    event: i64,
) -> rusqlite::Result<Option<Freeze>> {
    let last = transaction.row(SELECT, [event], freeze).optional()?;
    Ok(last.filter(|last| last.is_frozen))
}

/// Returns all freezes of an event and their ends, the newest first.
pub(crate) fn all(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<Vec<Freeze>> {
    transaction.rows(SELECT, [event], freeze)
}
