//! Submissions: versions of a team's bot, from the upload to the verdict, and their logs. Whatever is
//! decided about one is decided in one transaction, so a process that is killed loses nothing.

use crate::files::{Statements, now};
use crate::submissions::decisions::Decision;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, Transaction, params};

/// The most submissions of a team in a day.
pub(crate) const A_DAY: i64 = 20;

/// How often the work on a submission is begun before it is given up. The site may be killed while it
/// works on a version that is not to blame, and those with fewer attempts come first.
pub(crate) const ATTEMPTS: i64 = 20;

/// The longest log, in bytes; a build shows less.
const LOG: usize = 1 << 20;

/// How far a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It waits.
    Queued,
    /// It is being built, checked, or plays its gate.
    Working,
    /// A newer version came before it was built.
    Superseded,
    /// It was not admitted.
    Rejected,
    /// It was admitted.
    Accepted,
}

impl State {
    const ALL: [State; 5] =
        [State::Queued, State::Working, State::Superseded, State::Rejected, State::Accepted];

    /// Returns its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            State::Queued => "queued",
            State::Working => "working",
            State::Superseded => "superseded",
            State::Rejected => "rejected",
            State::Accepted => "accepted",
        }
    }

    /// Returns whether nothing follows.
    pub(crate) fn is_final(self) -> bool {
        !matches!(self, State::Queued | State::Working)
    }
}

/// A submission.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    /// Its number.
    pub id: i64,
    /// The team.
    pub team: i64,
    /// The version of the team's bot, from 1.
    pub version: i64,
    /// The name of the person who uploaded it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The name of the file. Untrusted.
    pub file: String,
    /// The digest of its sources.
    pub source: String,
    /// The commit of a git repository that the sources are.
    pub commit: Option<String>,
    /// How far it is.
    pub state: State,
    /// How often the work was begun.
    pub attempts: i64,
    /// Why it was rejected.
    pub reason: String,
    /// What it declared in its `hello`. Untrusted.
    pub declared: String,
    /// The decision of a teacher that is in force.
    pub decision: Option<Decision>,
}

const SELECT: &str = "SELECT submissions.id, submissions.team, version, people.name, at, file, source, \
                      state, attempts, reason, declared, decision, commit_id FROM submissions \
                      JOIN people ON people.id = submissions.person";

fn submission(row: &Row<'_>) -> rusqlite::Result<Submission> {
    let state: String = row.get(7)?;
    let state = State::ALL.into_iter().find(|it| it.as_str() == state).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(7, Type::Text, "no such state".into())
    })?;
    Ok(Submission {
        id: row.get(0)?,
        team: row.get(1)?,
        version: row.get(2)?,
        person: row.get(3)?,
        at: row.get(4)?,
        file: row.get(5)?,
        source: row.get(6)?,
        state,
        attempts: row.get(8)?,
        reason: row.get(9)?,
        declared: row.get(10)?,
        decision: row.get::<_, Option<String>>(11)?.and_then(|decision| decision.parse().ok()),
        commit: row.get(12)?,
    })
}

/// Returns the submission with this number.
pub(crate) fn find(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<Option<Submission>> {
    let sql = format!("{SELECT} WHERE submissions.id = ?1");
    transaction.row(&sql, [id], submission).optional()
}

/// Returns the submissions of a team, the newest first.
pub(crate) fn of_team(
    transaction: &Transaction<'_>,
    team: i64,
) -> rusqlite::Result<Vec<Submission>> {
    let sql = format!("{SELECT} WHERE submissions.team = ?1 ORDER BY version DESC");
    transaction.rows(&sql, [team], submission)
}

/// Returns the newest submissions of all teams.
pub(crate) fn newest(
    transaction: &Transaction<'_>,
    most: u32,
) -> rusqlite::Result<Vec<Submission>> {
    let sql = format!("{SELECT} ORDER BY submissions.id DESC LIMIT ?1");
    transaction.rows(&sql, [most], submission)
}

/// Returns the version of a team that plays.
pub(crate) fn active(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<Option<i64>> {
    transaction.value("SELECT active FROM teams WHERE id = ?1", [team])
}

/// Returns how many submissions a team has made in the last 24 hours.
pub(crate) fn within_a_day(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<i64> {
    transaction.value(
        "SELECT COUNT(*) FROM submissions WHERE team = ?1 AND at > ?2",
        [team, now() - 24 * 3600],
    )
}

/// The files of a submission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files<'a> {
    /// The name of the file, or the address of the repository. Untrusted.
    pub name: &'a str,
    /// The digest.
    pub source: &'a str,
    /// The commit of the repository.
    pub commit: Option<&'a str>,
}

impl<'a> Files<'a> {
    /// Returns the files of an archive.
    pub(crate) const fn uploaded(name: &'a str, source: &'a str) -> Files<'a> {
        Files { name, source, commit: None }
    }
}

/// Adds a submission of a team, which supersedes those that wait. Returns its number.
pub(crate) fn add(
    transaction: &Transaction<'_>,
    (team, person): (i64, i64),
    files: Files<'_>,
) -> rusqlite::Result<i64> {
    transaction.change(
        "UPDATE submissions SET state = 'superseded', ended_at = ?2 WHERE team = ?1 \
         AND state = 'queued'",
        [team, now()],
    )?;
    transaction.change(
        "INSERT INTO submissions(team, version, person, at, file, source, state, commit_id) \
         SELECT ?1, COALESCE(MAX(version), 0) + 1, ?2, ?3, ?4, ?5, 'queued', ?6 \
         FROM submissions WHERE team = ?1",
        params![team, person, now(), files.name, files.source, files.commit],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// Returns the names of other teams that have submitted the same files.
pub(crate) fn others_with(
    transaction: &Transaction<'_>,
    team: i64,
    source: &str,
) -> rusqlite::Result<Vec<String>> {
    transaction.rows(
        "SELECT DISTINCT teams.name FROM submissions JOIN teams ON teams.id = submissions.team \
         WHERE source = ?2 AND submissions.team <> ?1",
        params![team, source],
        |row| row.get(0),
    )
}

/// Queues again what a process was working on when it ended.
pub(crate) fn requeue(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute("UPDATE submissions SET state = 'queued' WHERE state = 'working'", [])?;
    supersede_older(transaction)
}

/// Gives up versions that wait while a newer one of their team waits, is worked on or plays: a version that
/// was put back must not replace a newer one.
fn supersede_older(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE submissions SET state = 'superseded', ended_at = ?1 WHERE state = 'queued' \
         AND EXISTS (SELECT 1 FROM submissions AS newer JOIN teams ON teams.id = newer.team \
         WHERE newer.team = submissions.team AND newer.version > submissions.version \
         AND (newer.state IN ('queued', 'working') OR newer.id = teams.active))",
        [now()],
    )
}

/// Begins the work on the submission that has waited longest. Its log is new.
pub(crate) fn begin_next(transaction: &Transaction<'_>) -> rusqlite::Result<Option<Submission>> {
    let sql = format!("{SELECT} WHERE state = 'queued' ORDER BY attempts, submissions.id LIMIT 1");
    let next = transaction.row(&sql, [], submission).optional()?;
    let Some(next) = next else { return Ok(None) };
    transaction.change(
        "UPDATE submissions SET state = 'working', attempts = attempts + 1 WHERE id = ?1",
        [next.id],
    )?;
    transaction.change("DELETE FROM log WHERE submission = ?1", [next.id])?;
    Ok(Some(Submission { state: State::Working, attempts: next.attempts + 1, ..next }))
}

/// Puts a submission back, because the worker was interrupted or the program of the game failed: the attempt does not count.
pub(crate) fn put_back_interrupted(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE submissions SET state = 'queued', attempts = attempts - 1 \
         WHERE id = ?1 AND state = 'working'",
        [id],
    )?;
    supersede_older(transaction)
}

/// Puts a submission back, because the host failed.
pub(crate) fn put_back(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE submissions SET state = 'queued' WHERE id = ?1 AND state = 'working'",
        [id],
    )?;
    supersede_older(transaction)
}

/// Rejects a submission.
pub(crate) fn reject(transaction: &Transaction<'_>, id: i64, reason: &str) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE submissions SET state = 'rejected', reason = ?2, ended_at = ?3 WHERE id = ?1",
        params![id, reason, now()],
    )
}

/// Accepts a submission: from now on it is the version that plays, unless a newer one does.
pub(crate) fn accept(
    transaction: &Transaction<'_>,
    id: i64,
    event: i64,
    bundle: &str,
    declared: &str,
) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE submissions SET state = 'accepted', reason = '', event = ?2, bundle = ?3, \
         declared = ?4, ended_at = ?5 WHERE id = ?1",
        params![id, event, bundle, declared, now()],
    )?;
    transaction.change(
        "UPDATE teams SET active = ?1 WHERE id = (SELECT team FROM submissions WHERE id = ?1) \
         AND NOT EXISTS (SELECT 1 FROM submissions AS playing WHERE playing.id = teams.active \
         AND playing.version > (SELECT version FROM submissions WHERE id = ?1))",
        [id],
    )
}

/// Adds a text to the log of a submission, unless the log is full.
pub(crate) fn log(transaction: &Transaction<'_>, id: i64, text: &str) -> rusqlite::Result<()> {
    let bytes: i64 = transaction
        .value("SELECT COALESCE(SUM(LENGTH(text)), 0) FROM log WHERE submission = ?1", [id])?;
    if usize::try_from(bytes).unwrap_or(usize::MAX) > LOG {
        return Ok(());
    }
    transaction.change(
        "INSERT INTO log(submission, number, text) \
         SELECT ?1, COALESCE(MAX(number), 0) + 1, ?2 FROM log WHERE submission = ?1",
        params![id, text],
    )
}

/// Returns the parts of a log after this number, each with its own.
pub(crate) fn log_after(
    transaction: &Transaction<'_>,
    id: i64,
    number: i64,
) -> rusqlite::Result<Vec<(i64, String)>> {
    transaction.rows(
        "SELECT number, text FROM log WHERE submission = ?1 AND number > ?2 ORDER BY number",
        [id, number],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use crate::people;

    fn states(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<Vec<&'static str>> {
        Ok(of_team(transaction, team)?.iter().map(|it| it.state.as_str()).collect())
    }

    #[test]
    fn only_the_newest_version_that_waits_is_built_and_a_killed_process_loses_nothing() {
        let checked = database().transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            let (red, blue) =
                (people::team(transaction, "red")?, people::team(transaction, "blue")?);
            add(transaction, (red, person), Files::uploaded("a.zip", "1"))?;
            let second = add(transaction, (red, person), Files::uploaded("b.zip", "2"))?;
            let of_blue = add(transaction, (blue, person), Files::uploaded("c.zip", "1"))?;
            assert_eq!(states(transaction, red)?, ["queued", "superseded"]);
            assert_eq!(others_with(transaction, blue, "1")?, ["red"]);
            assert_eq!(within_a_day(transaction, red)?, 2);

            let begun = begin_next(transaction)?.expect("one waits");
            assert_eq!((begun.id, begun.version, begun.attempts), (second, 2, 1));
            log(transaction, second, "half of it\n")?;
            // A newer version does not end the work on one that has begun, unless the process ends.
            add(transaction, (red, person), Files::uploaded("d.zip", "3"))?;
            assert_eq!(states(transaction, red)?, ["queued", "working", "superseded"]);
            requeue(transaction)?;
            assert_eq!(states(transaction, red)?, ["queued", "superseded", "superseded"]);

            transaction.execute("UPDATE submissions SET attempts = 1 WHERE team = ?1", [red])?;
            let begun = begin_next(transaction)?.expect("one waits");
            assert_eq!(begun.id, of_blue, "one that was begun before waits behind the others");
            Ok::<(), rusqlite::Error>(())
        });
        checked.expect("SQLite works");
    }

    #[test]
    fn a_version_that_was_put_back_never_replaces_a_newer_one() {
        let checked = database().transaction(|transaction| {
            transaction.execute(
                "INSERT INTO events(id, text, draws, began_at) VALUES (1, '', '', 0)",
                [],
            )?;
            let person = people::first_admin(transaction)?;
            let begin_one = |team| {
                let id = add(transaction, (team, person), Files::uploaded("a.zip", "1"))?;
                assert_eq!(begin_next(transaction)?.map(|it| it.id), Some(id));
                Ok::<_, rusqlite::Error>(id)
            };
            type PutBack = fn(&Transaction<'_>, i64) -> rusqlite::Result<()>;
            for (name, back) in [
                ("failed", put_back as PutBack),
                ("interrupted", put_back_interrupted),
                ("killed", |transaction, _| requeue(transaction)),
            ] {
                // A newer version waits.
                let team = people::team(transaction, &format!("{name} 1"))?;
                let first = begin_one(team)?;
                let second = add(transaction, (team, person), Files::uploaded("b.zip", "2"))?;
                back(transaction, first)?;
                assert_eq!(states(transaction, team)?, ["queued", "superseded"], "{name}");
                reject(transaction, second, "")?;

                // A newer version plays.
                let team = people::team(transaction, &format!("{name} 2"))?;
                let first = begin_one(team)?;
                let second = begin_one(team)?;
                accept(transaction, second, 1, "{}", "")?;
                back(transaction, first)?;
                assert_eq!(states(transaction, team)?, ["accepted", "superseded"], "{name}");
                accept(transaction, first, 1, "{}", "")?;
                assert_eq!(active(transaction, team)?, Some(second), "{name}");

                // A newer version was rejected.
                let team = people::team(transaction, &format!("{name} 3"))?;
                let first = begin_one(team)?;
                let second = begin_one(team)?;
                reject(transaction, second, "")?;
                back(transaction, first)?;
                assert_eq!(states(transaction, team)?, ["rejected", "queued"], "{name}");
                reject(transaction, first, "")?;
            }
            Ok::<(), rusqlite::Error>(())
        });
        checked.expect("SQLite works");
    }

    #[test]
    fn the_version_that_plays_is_the_last_that_was_accepted() {
        let checked = database().transaction(|transaction| {
            transaction.execute(
                "INSERT INTO events(id, text, draws, began_at) VALUES (1, '', '', 0)",
                [],
            )?;
            let person = people::first_admin(transaction)?;
            let red = people::team(transaction, "red")?;
            let first = add(transaction, (red, person), Files::uploaded("a.zip", "1"))?;
            assert_eq!(active(transaction, red)?, None);
            accept(transaction, first, 1, "{}", "1.0")?;
            let second = add(transaction, (red, person), Files::uploaded("b.zip", "2"))?;
            begin_next(transaction)?;
            log(transaction, second, "one\n")?;
            log(transaction, second, "two\n")?;
            assert_eq!(log_after(transaction, second, 1)?, [(2, "two\n".to_string())]);
            reject(transaction, second, "too slow")?;
            assert_eq!(active(transaction, red)?, Some(first));
            assert!(begin_next(transaction)?.is_none());
            Ok::<(), rusqlite::Error>(())
        });
        checked.expect("SQLite works");
    }
}
