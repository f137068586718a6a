//! Submissions: versions of a team's bot, from the upload to the verdict, and their logs. Whatever is
//! decided about one is decided in one transaction, so a process that is killed loses nothing.

use crate::files::{Statements, now};
use crate::submissions::decisions::Decision;
use crate::submissions::queue::Queue;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, Transaction, params};
use std::time::{SystemTime, UNIX_EPOCH};

/// The most submissions of a team in a day.
pub(crate) const A_DAY: i64 = 20;

/// How often the work on a submission is begun before it is given up. The site may be killed while it
/// works on a version that is not to blame, and those with fewer attempts come first.
pub(crate) const ATTEMPTS: i64 = 20;

/// The competition that every class has: that of the file `event.toml`.
#[cfg(test)]
pub(crate) const FIRST: i64 = 1;

/// The longest log, in bytes; a build shows less.
const LOG: usize = 1 << 20;

/// How far a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It waits.
    Queued,
    /// It is being built, checked, or plays its gate.
    Working,
    /// A newer version came before there was a verdict.
    Superseded,
    /// The team or the staff cancelled it.
    Cancelled,
    /// It was not admitted.
    Rejected,
    /// It was admitted.
    Accepted,
}

impl State {
    /// All states.
    pub(crate) const ALL: [State; 6] = [
        State::Queued,
        State::Working,
        State::Superseded,
        State::Cancelled,
        State::Rejected,
        State::Accepted,
    ];

    /// Returns its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            State::Queued => "queued",
            State::Working => "working",
            State::Superseded => "superseded",
            State::Cancelled => "cancelled",
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
    /// The competition for which it was submitted.
    pub competition: i64,
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
    /// Why it was rejected or cancelled.
    pub reason: String,
    /// What it declared in its `hello`. Untrusted.
    pub declared: String,
    /// The decision of a teacher that is in force.
    pub decision: Option<Decision>,
}

const SELECT: &str = "SELECT submissions.id, submissions.team, version, people.name, at, file, source, \
                      iif(cancelled_by IS NULL, state, 'cancelled'), attempts, reason, declared, \
                      decision, commit_id, submissions.competition FROM submissions \
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
        competition: row.get(13)?,
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

/// Returns the submissions of a team for a competition, the newest first.
pub(crate) fn of_team_in(
    transaction: &Transaction<'_>,
    team: i64,
    competition: i64,
) -> rusqlite::Result<Vec<Submission>> {
    let mut all = of_team(transaction, team)?;
    all.retain(|submission| submission.competition == competition);
    Ok(all)
}

/// Returns submissions of all teams, the newest first: those in a state if one is given, after leaving
/// out some, this number at most.
pub(crate) fn newest(
    transaction: &Transaction<'_>,
    state: Option<State>,
    skipped: u32,
    most: u32,
) -> rusqlite::Result<Vec<Submission>> {
    let sql = format!(
        "{SELECT} WHERE ?1 IS NULL OR iif(cancelled_by IS NULL, state, 'cancelled') = ?1 \
         ORDER BY submissions.id DESC LIMIT ?3 OFFSET ?2"
    );
    transaction.rows(&sql, params![state.map(|state| state.as_str()), skipped, most], submission)
}

/// Returns how many submissions wait, and when the oldest of them was submitted.
pub(crate) fn waiting(transaction: &Transaction<'_>) -> rusqlite::Result<(i64, Option<i64>)> {
    transaction.row("SELECT COUNT(*), MIN(at) FROM submissions WHERE state = 'queued'", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Returns the version of a team that plays in a competition.
pub(crate) fn active(
    transaction: &Transaction<'_>,
    team: i64,
    competition: i64,
) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT submission FROM active WHERE team = ?1 AND competition = ?2";
    transaction.value(sql, [team, competition]).optional()
}

/// Lets a version of a team play in its competition, in place of the one before; `None`: no version plays.
pub(crate) fn activate(
    transaction: &Transaction<'_>,
    (team, competition): (i64, i64),
    submission: Option<i64>,
) -> rusqlite::Result<()> {
    let sql = "DELETE FROM active WHERE team = ?1 AND competition = ?2";
    transaction.change(sql, [team, competition])?;
    match submission {
        Some(id) => {
            transaction.change("INSERT INTO active VALUES (?1, ?2, ?3)", [team, competition, id])
        }
        None => Ok(()),
    }
}

/// Returns how many submissions a team has made in the last 24 hours.
pub(crate) fn within_a_day(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<i64> {
    transaction.value(
        "SELECT COUNT(*) FROM submissions WHERE team = ?1 AND at > ?2",
        [team, now() - 24 * 3600],
    )
}

/// Returns whether a team has an accepted version in a competition.
pub(crate) fn has_accepted(
    transaction: &Transaction<'_>,
    competition: i64,
    team: i64,
) -> rusqlite::Result<bool> {
    transaction.value(
        "SELECT EXISTS (SELECT 1 FROM submissions \
         WHERE team = ?1 AND competition = ?2 AND state = 'accepted')",
        params![team, competition],
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
    /// The competition for which they are.
    pub competition: i64,
}

impl<'a> Files<'a> {
    /// Returns the files of an archive, for the first competition of a class.
    #[cfg(test)]
    pub(crate) const fn uploaded(name: &'a str, source: &'a str) -> Files<'a> {
        Files { name, source, commit: None, competition: FIRST }
    }
}

/// What is open: nothing else becomes of a version that another transaction has ended meanwhile.
const OPEN: &str = "state IN ('queued', 'working')";

/// The end of a version, whose time is the first parameter, and in milliseconds the second.
const ENDED: &str =
    "ended_at = ?1, took_ms = iif(state = 'working', MAX(?2 - began_ms, 0), took_ms)";

/// Returns the milliseconds since 1970.
fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Adds a submission of a team, which supersedes those that wait or are tried. Returns its number.
pub(crate) fn add(
    transaction: &Transaction<'_>,
    (team, person): (i64, i64),
    files: Files<'_>,
) -> rusqlite::Result<i64> {
    transaction.change(
        &format!(
            "UPDATE submissions SET state = 'superseded', {ENDED} \
             WHERE team = ?3 AND competition = ?4 AND {OPEN}"
        ),
        [now(), now_ms(), team, files.competition],
    )?;
    transaction.change(
        "INSERT INTO submissions(team, version, person, at, file, source, state, commit_id, \
         competition) \
         SELECT ?1, COALESCE(MAX(version), 0) + 1, ?2, ?3, ?4, ?5, 'queued', ?6, ?7 \
         FROM submissions WHERE team = ?1",
        params![team, person, now(), files.name, files.source, files.commit, files.competition],
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
         AND EXISTS (SELECT 1 FROM submissions AS newer \
         WHERE newer.team = submissions.team AND newer.competition = submissions.competition \
         AND newer.version > submissions.version AND (newer.state IN ('queued', 'working') \
         OR newer.id IN (SELECT submission FROM active)))",
        [now()],
    )
}

/// Begins the work on the submission whose turn it is, of those that may be tried now. Its log is new.
pub(crate) fn begin_next(
    transaction: &Transaction<'_>,
    may: impl Fn(&Submission) -> bool,
) -> rusqlite::Result<Option<Submission>> {
    for id in Queue::read(transaction)?.waiting() {
        let Some(next) = find(transaction, id)?.filter(&may) else { continue };
        transaction.change(
            "UPDATE submissions SET state = 'working', attempts = attempts + 1, began_ms = ?2 WHERE id = ?1",
            [next.id, now_ms()],
        )?;
        transaction.change("DELETE FROM log WHERE submission = ?1", [next.id])?;
        return Ok(Some(Submission { state: State::Working, attempts: next.attempts + 1, ..next }));
    }
    Ok(None)
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

/// Rejects a submission, unless it was superseded or cancelled meanwhile.
pub(crate) fn reject(transaction: &Transaction<'_>, id: i64, reason: &str) -> rusqlite::Result<()> {
    let sql = format!(
        "UPDATE submissions SET state = 'rejected', reason = ?4, {ENDED} WHERE id = ?3 AND {OPEN}"
    );
    transaction.change(&sql, params![now(), now_ms(), id, reason])
}

/// Cancels a submission. Returns whether there was no verdict yet.
pub(crate) fn cancel(
    transaction: &Transaction<'_>,
    id: i64,
    by: (i64, &str),
) -> rusqlite::Result<bool> {
    Ok(cancel_where(transaction, ("id", id), by)? > 0)
}

/// Cancels the submissions for a competition that have no verdict yet. Returns how many there were.
pub(crate) fn cancel_all(
    transaction: &Transaction<'_>,
    competition: i64,
    by: (i64, &str),
) -> rusqlite::Result<u64> {
    cancel_where(transaction, ("competition", competition), by)
}

/// Cancels the submissions without a verdict whose `column` has this value. Returns how many there were.
fn cancel_where(
    transaction: &Transaction<'_>,
    (column, value): (&str, i64),
    (person, reason): (i64, &str),
) -> rusqlite::Result<u64> {
    let sql = format!(
        "UPDATE submissions SET state = 'superseded', cancelled_by = ?4, reason = ?5, {ENDED} \
         WHERE {column} = ?3 AND {OPEN}"
    );
    let cancelled = transaction.execute(&sql, params![now(), now_ms(), value, person, reason])?;
    Ok(cancelled as u64)
}

/// Returns whether a submission for a competition that is open waits. Those of closed ones are not tried.
pub(crate) fn any_waits(transaction: &Transaction<'_>) -> rusqlite::Result<bool> {
    transaction.value(
        "SELECT EXISTS (SELECT 1 FROM submissions WHERE state = 'queued' \
         AND competition IN (SELECT id FROM competitions WHERE state = 'open'))",
        [],
    )
}

/// Returns whether a submission is being tried.
pub(crate) fn is_working(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM submissions WHERE id = ?1 AND state = 'working')";
    transaction.value(sql, [id])
}

/// Accepts a submission, unless it was superseded or cancelled meanwhile: from now on it is the version that plays,
/// unless a newer one does. If another event came into force while it was tried, it waits again. Returns whether it was
/// accepted.
pub(crate) fn accept(
    transaction: &Transaction<'_>,
    id: i64,
    event: i64,
    bundle: &str,
    declared: &str,
) -> rusqlite::Result<bool> {
    let is_over: bool = transaction.value(
        "SELECT EXISTS (SELECT 1 FROM competitions JOIN submissions ON competition = competitions.id \
         WHERE submissions.id = ?1 AND competitions.event <> ?2)",
        [id, event],
    )?;
    if is_over {
        put_back_interrupted(transaction, id)?;
        return Ok(false);
    }
    let sql = format!(
        "UPDATE submissions SET state = 'accepted', reason = '', event = ?4, bundle = ?5, \
         declared = ?6, {ENDED} WHERE id = ?3 AND {OPEN}"
    );
    if transaction.execute(&sql, params![now(), now_ms(), id, event, bundle, declared])? == 0 {
        return Ok(false);
    }
    transaction.change(
        "INSERT INTO active(team, competition, submission) \
         SELECT team, competition, id FROM submissions WHERE id = ?1 \
         ON CONFLICT DO UPDATE SET submission = excluded.submission \
         WHERE (SELECT version FROM submissions WHERE id = active.submission) \
         < (SELECT version FROM submissions WHERE id = excluded.submission)",
        [id],
    )?;
    Ok(true)
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

            let begun = begin_next(transaction, |_| true)?.expect("one waits");
            assert_eq!((begun.id, begun.version, begun.attempts), (second, 2, 1));
            log(transaction, second, "half of it\n")?;
            // A newer version replaces the one that is tried, whatever comes of that.
            add(transaction, (red, person), Files::uploaded("d.zip", "3"))?;
            let all = ["queued", "superseded", "superseded"];
            assert_eq!(states(transaction, red)?, all);
            assert!(!accept(transaction, second, 1, "{}", "")?);
            reject(transaction, second, "too late")?;
            requeue(transaction)?;
            assert_eq!(states(transaction, red)?, all);

            transaction.execute("UPDATE submissions SET attempts = 1 WHERE team = ?1", [red])?;
            let begun = begin_next(transaction, |_| true)?.expect("one waits");
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
                assert_eq!(begin_next(transaction, |_| true)?.map(|it| it.id), Some(id));
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
                assert_eq!(active(transaction, team, FIRST)?, Some(second), "{name}");

                // A newer version was rejected.
                let team = people::team(transaction, &format!("{name} 3"))?;
                let first = begin_one(team)?;
                let second = begin_one(team)?;
                reject(transaction, second, "")?;
                back(transaction, first)?;
                assert_eq!(states(transaction, team)?, ["rejected", "superseded"], "{name}");

                // It was cancelled.
                let team = people::team(transaction, &format!("{name} 4"))?;
                let first = begin_one(team)?;
                assert!(cancel(transaction, first, (person, "a mistake"))?);
                back(transaction, first)?;
                assert!(!accept(transaction, first, 1, "{}", "")?, "{name}");
                assert_eq!(states(transaction, team)?, ["cancelled"], "{name}");
                assert!(!cancel(transaction, first, (person, "again"))?);
                begin_one(team)?;
                let close = |competition| cancel_all(transaction, competition, (person, "closed"));
                assert_eq!((close(FIRST + 1)?, close(FIRST)?), (0, 1), "{name}");
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
            assert_eq!(active(transaction, red, FIRST)?, None);
            accept(transaction, first, 1, "{}", "1.0")?;
            let second = add(transaction, (red, person), Files::uploaded("b.zip", "2"))?;
            begin_next(transaction, |_| true)?;
            log(transaction, second, "one\n")?;
            log(transaction, second, "two\n")?;
            assert_eq!(log_after(transaction, second, 1)?, [(2, "two\n".to_string())]);
            reject(transaction, second, "too slow")?;
            assert_eq!(active(transaction, red, FIRST)?, Some(first));
            assert!(begin_next(transaction, |_| true)?.is_none());
            Ok::<(), rusqlite::Error>(())
        });
        checked.expect("SQLite works");
    }
}
