//! Points by hand: for a student or a team, with a reason. They are taken back, not deleted.

use crate::files::{Statements, now};
use crate::people::Person;
use rusqlite::{OptionalExtension, Transaction, params};

/// Who gets points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whom {
    /// A student.
    Student(i64),
    /// All members of a team.
    Team(i64),
}

/// Points that count.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// Their number.
    pub id: i64,
    /// Who gets them.
    pub whom: Whom,
    /// The name of the student or the team.
    pub name: String,
    /// The points; negative ones are taken away.
    pub points: f64,
    /// Why.
    pub reason: String,
    /// Who gave them.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

impl Given {
    #[cfg(test)]
    pub(super) fn of(whom: Whom, points: f64, reason: &str) -> Given {
        let (name, person, reason) = (String::new(), String::new(), reason.to_string());
        Given { id: 0, whom, name, points, reason, person, at: 0 }
    }

    /// Returns whether a person gets them.
    pub(super) fn counts_for(&self, person: &Person) -> bool {
        match self.whom {
            Whom::Student(student) => person.id == student,
            Whom::Team(team) => person.team == Some(team),
        }
    }
}

/// Gives points in a ladder's event.
pub(crate) fn give(
    transaction: &Transaction<'_>,
    event: i64,
    whom: Whom,
    (points, reason): (f64, &str),
    person: i64,
) -> rusqlite::Result<()> {
    let (student, team) = match whom {
        Whom::Student(student) => (Some(student), None),
        Whom::Team(team) => (None, Some(team)),
    };
    transaction.change(
        "INSERT INTO points(event, student, team, points, reason, person, at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![event, student, team, points, reason, person, now()],
    )
}

/// Returns the points that count in a ladder's event, the first first.
pub(crate) fn given(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<Vec<Given>> {
    transaction.rows(
        "SELECT points.id, student, points.team, COALESCE(students.name, teams.name), points, reason, \
         people.name, at FROM points JOIN people ON people.id = points.person \
         LEFT JOIN people AS students ON students.id = student LEFT JOIN teams ON teams.id = points.team \
         WHERE event = ?1 AND withdrawn_at IS NULL ORDER BY points.id",
        [event],
        |row| {
            let student: Option<i64> = row.get(1)?;
            let whom = match student {
                Some(student) => Whom::Student(student),
                None => Whom::Team(row.get(2)?),
            };
            Ok(Given {
                id: row.get(0)?,
                whom,
                name: row.get(3)?,
                points: row.get(4)?,
                reason: row.get(5)?,
                person: row.get(6)?,
                at: row.get(7)?,
            })
        },
    )
}

/// Takes points of a ladder's event back. Returns them; `None` if there are no such points that count.
pub(crate) fn withdraw(
    transaction: &Transaction<'_>,
    event: i64,
    id: i64,
) -> rusqlite::Result<Option<Given>> {
    let found = given(transaction, event)?.into_iter().find(|given| given.id == id);
    if found.is_some() {
        let sql = "UPDATE points SET withdrawn_at = ?2 WHERE id = ?1 RETURNING id";
        transaction.value::<i64>(sql, [id, now()]).optional()?;
    }
    Ok(found)
}
