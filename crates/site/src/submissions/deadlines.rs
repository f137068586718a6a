//! Deadlines of submissions: one for all teams, and extensions of single teams. Each change is kept with
//! its reason.

use crate::files::{Statements, now};
use rusqlite::{OptionalExtension, Transaction, params};

/// A deadline or an extension that was set.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    /// The name of the team. `None`: all teams.
    pub team: Option<String>,
    /// When submissions end, in seconds since 1970. `None`: they do not.
    pub until: Option<i64>,
    /// Why.
    pub reason: String,
    /// Who set it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// Sets the deadline of all teams, or extends that of one.
pub(crate) fn set(
    transaction: &Transaction<'_>,
    competition: i64,
    (team, until): (Option<i64>, Option<i64>),
    reason: &str,
    person: i64,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO deadlines(team, until, reason, person, at, competition) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![team, until, reason, person, now(), competition],
    )
}

/// Returns what was stated last in a competition, for all teams or for one: `None` if nothing was, or when submissions end.
pub(crate) fn stated(
    transaction: &Transaction<'_>,
    competition: i64,
    team: Option<i64>,
) -> rusqlite::Result<Option<Option<i64>>> {
    let sql = "SELECT until FROM deadlines WHERE team IS ?1 AND competition = ?2 ORDER BY id DESC LIMIT 1";
    transaction.value(sql, params![team, competition]).optional()
}

/// Returns the end of the submissions of a team: the deadline of all teams, or a later extension. `None`:
/// there is no deadline.
pub(crate) fn of_team(
    transaction: &Transaction<'_>,
    competition: i64,
    team: i64,
) -> rusqlite::Result<Option<i64>> {
    let Some(of_all) = stated(transaction, competition, None)?.flatten() else { return Ok(None) };
    let own = stated(transaction, competition, Some(team))?.flatten();
    Ok(Some(own.map_or(of_all, |own| own.max(of_all))))
}

/// Returns when the last team can no longer submit: the deadline of all teams, or a later extension.
/// `None`: there is no deadline.
pub(crate) fn last_of_all(
    transaction: &Transaction<'_>,
    competition: i64,
) -> rusqlite::Result<Option<i64>> {
    let teams: Vec<i64> = transaction.rows(
        "SELECT DISTINCT team FROM deadlines WHERE team IS NOT NULL AND competition = ?1",
        [competition],
        |row| row.get(0),
    )?;
    // No team has this number: the deadline without an extension.
    let mut last = of_team(transaction, competition, -1)?;
    for team in teams {
        last = last.max(of_team(transaction, competition, team)?);
    }
    Ok(last)
}

/// Returns whether a team may submit now.
pub(crate) fn is_open(
    transaction: &Transaction<'_>,
    competition: i64,
    team: i64,
) -> rusqlite::Result<bool> {
    Ok(of_team(transaction, competition, team)?.is_none_or(|until| now() < until))
}

/// Returns all deadlines and extensions of a competition, the newest first.
pub(crate) fn all(
    transaction: &Transaction<'_>,
    competition: i64,
) -> rusqlite::Result<Vec<Deadline>> {
    transaction.rows(
        "SELECT teams.name, until, reason, people.name, at FROM deadlines \
         JOIN people ON people.id = deadlines.person LEFT JOIN teams ON teams.id = deadlines.team \
         WHERE competition = ?1 ORDER BY deadlines.id DESC",
        [competition],
        |row| {
            Ok(Deadline {
                team: row.get(0)?,
                until: row.get(1)?,
                reason: row.get(2)?,
                person: row.get(3)?,
                at: row.get(4)?,
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use crate::people;
    use crate::submissions::FIRST;

    #[test]
    fn an_extension_is_for_one_team_and_never_shortens() {
        let checked = database().transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let (red, blue) =
                (people::team(transaction, "red")?, people::team(transaction, "blue")?);
            let set = |team, until| set(transaction, FIRST, (team, until), "why", person);
            assert_eq!(of_team(transaction, FIRST, red)?, None);
            set(Some(red), Some(10))?;
            assert_eq!(
                of_team(transaction, FIRST, red)?,
                None,
                "without a deadline there is nothing to extend"
            );
            set(None, Some(100))?;
            assert_eq!(
                (of_team(transaction, FIRST, red)?, of_team(transaction, FIRST, blue)?),
                (Some(100), Some(100))
            );
            assert!(!is_open(transaction, FIRST, red)?, "it was in 1970");
            set(Some(red), Some(i64::MAX))?;
            assert!(is_open(transaction, FIRST, red)? && !is_open(transaction, FIRST, blue)?);
            assert_eq!(last_of_all(transaction, FIRST)?, Some(i64::MAX));
            set(None, None)?;
            assert_eq!(last_of_all(transaction, FIRST)?, None);
            assert!(is_open(transaction, FIRST, blue)?);
            assert_eq!(all(transaction, FIRST)?.len(), 4);
            Ok::<(), rusqlite::Error>(())
        });
        checked.expect("SQLite works");
    }
}
