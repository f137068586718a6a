//! Copies of grades that never change, and which of them students see.

use super::{Grade, Rules};
use crate::competition::ladder::Standing;
use crate::files::{Json, Statements, now};
use rusqlite::{OptionalExtension, Transaction, params};

/// Grades that were frozen.
#[derive(Clone, Debug)]
pub(crate) struct Frozen {
    /// The number.
    pub id: i64,
    /// The competition whose grades they are.
    pub competition: i64,
    /// Who froze them.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// Whether students see it: their own row.
    pub is_released: bool,
    /// The rules.
    pub rules: Rules,
    /// The grades.
    pub grades: Vec<Grade>,
}

/// Stores grades with the standings that they follow from. Returns their number.
pub(crate) fn freeze(
    transaction: &Transaction<'_>,
    (event, person): (i64, i64),
    rules: &Rules,
    grades: &[Grade],
    standing: &Standing,
) -> rusqlite::Result<i64> {
    let (rules, rows) = (Json(rules), Json(grades));
    let standings = Json(standing.standings.to_json());
    transaction.change(
        "INSERT INTO grades(event, person, at, rules, rows, standings) VALUES (?1, ?2, ?3, ?4, \
         ?5, ?6)",
        params![event, person, now(), rules, rows, standings],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// Returns all frozen grades, the newest first.
pub(crate) fn all(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Frozen>> {
    let sql = select("ORDER BY grades.id DESC");
    transaction.rows(&sql, [], frozen)
}

/// Returns the frozen grades with this number.
pub(crate) fn find(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<Option<Frozen>> {
    let sql = select("WHERE grades.id = ?1");
    transaction.row(&sql, [id], frozen).optional()
}

/// Returns the frozen grades that a student sees: of each ladder the newest copy that is released.
pub(crate) fn of_student(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Frozen>> {
    let sql = select(&format!(
        "WHERE grades.id IN (SELECT MAX(grades.id) FROM grades \
         JOIN events ON events.id = grades.event WHERE {IS_RELEASED} \
         GROUP BY COALESCE(events.of, events.id)) ORDER BY grades.id DESC"
    ));
    transaction.rows(&sql, [], frozen)
}

/// Lets students see a copy, or no longer.
pub(crate) fn release(
    transaction: &Transaction<'_>,
    (copy, is_released): (i64, bool),
    reason: &str,
    person: i64,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO grade_releases(copy, is_released, reason, person, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![copy, is_released, reason, person, now()],
    )
}

const IS_RELEASED: &str = "COALESCE((SELECT is_released FROM grade_releases \
                           WHERE copy = grades.id ORDER BY grade_releases.id DESC LIMIT 1), 0)";

/// Returns the statement that reads copies.
fn select(which: &str) -> String {
    format!(
        "SELECT grades.id, people.name, at, rules, rows, {IS_RELEASED}, events.competition FROM grades \
         JOIN people ON people.id = grades.person JOIN events ON events.id = grades.event {which}"
    )
}

fn frozen(row: &rusqlite::Row<'_>) -> rusqlite::Result<Frozen> {
    let (Json(rules), Json(mut grades)): (_, Json<Vec<Grade>>) = (row.get(3)?, row.get(4)?);
    // Earlier versions stored a negative zero.
    grades.iter_mut().for_each(|grade| grade.points += 0.0);
    Ok(Frozen {
        id: row.get(0)?,
        competition: row.get(6)?,
        person: row.get(1)?,
        at: row.get(2)?,
        is_released: row.get(5)?,
        rules,
        grades,
    })
}
