//! Copies of grades that never change, and which of them students see.

use super::{Grade, Rules};
use crate::competition::ladder::Standing;
use crate::files::{Json, Statements, now};
use crate::people::changes::Deleted;
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::Value;

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

/// Deletes name and ID of a person from all copies, and the former names of teams. The points stay.
pub(crate) fn forget(transaction: &Transaction<'_>, deleted: &Deleted) -> rusqlite::Result<()> {
    let copies = transaction.rows("SELECT id, at, rows, standings FROM grades", [], |row| {
        let (id, at): (i64, i64) = (row.get(0)?, row.get(1)?);
        let (Json(grades), Json(standings)): (Json<Vec<Grade>>, Json<Value>) =
            (row.get(2)?, row.get(3)?);
        Ok((id, at, grades, standings))
    })?;
    for (id, at, mut grades, mut standings) in copies {
        let had = |it: &str| deleted.ids.iter().any(|(id, time)| id == it && time.contains(&at));
        for grade in &mut grades {
            if had(&grade.student_id) {
                grade.student_id.clear();
                grade.name = format!("Person {}", deleted.person);
            }
            if let Some(team) = deleted.teams.iter().find(|team| team.before == grade.team) {
                grade.team.clone_from(&team.name);
            }
        }
        for team in &deleted.teams {
            rename(&mut standings, &team.before, &team.name);
        }
        transaction.change(
            "UPDATE grades SET rows = ?2, standings = ?3 WHERE id = ?1",
            params![id, Json(grades), Json(standings)],
        )?;
    }
    Ok(())
}

/// Replaces the name of a team, alone or with the number of a version as in `red v2`, in all texts and keys of a value.
fn rename(value: &mut Value, before: &str, name: &str) {
    let renamed = |text: &str| {
        let version = text.strip_prefix(before)?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_whole = version.is_empty() || version.strip_prefix(" v").is_some_and(is_number);
        is_whole.then(|| format!("{name}{version}"))
    };
    match value {
        Value::String(text) => *text = renamed(text).unwrap_or_else(|| std::mem::take(text)),
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, before, name)),
        Value::Object(fields) => {
            for (key, mut field) in std::mem::take(fields) {
                rename(&mut field, before, name);
                fields.insert(renamed(&key).unwrap_or(key), field);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
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
