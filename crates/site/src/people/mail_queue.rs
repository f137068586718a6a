//! The queue of email in the database. A message is stored as being sent before the server is asked, so that it is never
//! sent twice after a kill; its text is made when it is sent.

use crate::error::SiteError;
use crate::files::{Statements, now, secrets};
use rusqlite::{OptionalExtension, Row, Transaction, params};

/// How long the queue waits after each failed attempt, in seconds. After the last one it gives up.
const PAUSES: [i64; 5] = [60, 300, 1800, 7200, 6 * 3600];

/// How long a link with which a person chooses a new password is valid, in seconds.
const RESET: i64 = 3600;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A join code.
    Code,
    /// A link with which a person chooses a new password.
    Reset,
    /// A reminder of a deadline.
    Reminder,
    /// A test of the server.
    Test,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Code, Kind::Reset, Kind::Reminder, Kind::Test];

    const fn as_str(self) -> &'static str {
        match self {
            Kind::Code => "code",
            Kind::Reset => "reset",
            Kind::Reminder => "reminder",
            Kind::Test => "test",
        }
    }

    /// Returns its name.
    pub(crate) const fn in_words(self) -> &'static str {
        match self {
            Kind::Code => "join code",
            Kind::Reset => "new password",
            Kind::Reminder => "reminder of a deadline",
            Kind::Test => "test",
        }
    }
}

/// A message of the queue.
#[derive(Clone, Debug)]
pub(crate) struct Queued {
    /// Its number.
    pub id: i64,
    /// To whom it goes.
    pub person: i64,
    /// The name of that person.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The deadline that it reminds of, in seconds since 1970.
    pub until: Option<i64>,
    /// How often it was tried.
    pub attempts: i64,
    /// When it was added.
    pub at: i64,
    /// Why the last attempt failed.
    pub error: String,
}

const SELECT: &str = "SELECT mail.id, person, people.name, kind, until, attempts, at, error FROM mail \
                      JOIN people ON people.id = mail.person";

fn queued(row: &Row<'_>) -> rusqlite::Result<Queued> {
    let kind: String = row.get(3)?;
    Ok(Queued {
        id: row.get(0)?,
        person: row.get(1)?,
        name: row.get(2)?,
        kind: Kind::ALL.into_iter().find(|it| it.as_str() == kind).unwrap_or(Kind::Test),
        until: row.get(4)?,
        attempts: row.get(5)?,
        at: row.get(6)?,
        error: row.get(7)?,
    })
}

/// Adds a message. With a text in `once`, only if no message had the same. Returns whether it was added.
pub(crate) fn add(
    transaction: &Transaction<'_>,
    (person, kind): (i64, Kind),
    once: Option<&str>,
    until: Option<i64>,
) -> rusqlite::Result<bool> {
    let added = transaction.execute(
        "INSERT OR IGNORE INTO mail(person, kind, once, until, at, next_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
        params![person, kind.as_str(), once, until, now()],
    )?;
    Ok(added > 0)
}

/// Adds the message with the join code of a person, once for each code.
pub(crate) fn add_code(
    transaction: &Transaction<'_>,
    person: i64,
    code: &str,
) -> rusqlite::Result<bool> {
    let once = format!("code {}", secrets::digest("mail", code));
    add(transaction, (person, Kind::Code), Some(&once), None)
}

/// Ends what an earlier process was sending: no one knows whether it arrived.
pub(crate) fn end_interrupted(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE mail SET state = 'failed', ended_at = ?1, \
         error = 'the site ended while it was sent: it may have arrived' WHERE state = 'sending'",
        [now()],
    )
}

/// Takes the next message to be sent.
pub(crate) fn take(transaction: &Transaction<'_>) -> rusqlite::Result<Option<Queued>> {
    let sql =
        format!("{SELECT} WHERE state = 'waiting' AND next_at <= ?1 ORDER BY mail.id LIMIT 1");
    let found = transaction.row(&sql, [now()], queued).optional()?;
    if let Some(found) = &found {
        transaction.change(
            "UPDATE mail SET state = 'sending', attempts = attempts + 1 WHERE id = ?1",
            [found.id],
        )?;
    }
    Ok(found)
}

/// Stores that a message was sent.
pub(crate) fn sent(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE mail SET state = 'sent', ended_at = ?2, error = '' WHERE id = ?1",
        [id, now()],
    )
}

/// Stores that a message is not needed any more.
pub(crate) fn dropped(transaction: &Transaction<'_>, id: i64, why: &str) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE mail SET state = 'dropped', ended_at = ?2, error = ?3 WHERE id = ?1",
        params![id, now(), why],
    )
}

/// Stores that an attempt failed. It is tried again later, unless it cannot succeed or was tried often.
pub(crate) fn failed(
    transaction: &Transaction<'_>,
    message: &Queued,
    (why, is_permanent): (&str, bool),
) -> rusqlite::Result<()> {
    let pause = usize::try_from(message.attempts).ok().and_then(|tried| PAUSES.get(tried));
    let (state, next) = match pause {
        Some(pause) if !is_permanent => ("waiting", now() + pause),
        _ => ("failed", now()),
    };
    transaction.change(
        "UPDATE mail SET state = ?2, next_at = ?3, ended_at = ?4, error = ?5 WHERE id = ?1",
        params![message.id, state, next, now(), why],
    )
}

/// Lets a message that failed be sent again. Returns it.
pub(crate) fn again(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<Option<Queued>> {
    let sql = format!("{SELECT} WHERE mail.id = ?1 AND state = 'failed'");
    let found = transaction.row(&sql, [id], queued).optional()?;
    if found.is_some() {
        transaction.change(
            "UPDATE mail SET state = 'waiting', attempts = 0, next_at = ?2 WHERE id = ?1",
            [id, now()],
        )?;
    }
    Ok(found)
}

/// Returns what was not sent: the messages that failed, or whose last attempt did, the newest first.
pub(crate) fn failures(transaction: &Transaction<'_>, most: u32) -> rusqlite::Result<Vec<Queued>> {
    let sql = format!(
        "{SELECT} WHERE state = 'failed' OR (state = 'waiting' AND error <> '') ORDER BY mail.id DESC LIMIT ?1"
    );
    transaction.rows(&sql, [most], queued)
}

/// Returns the number of messages in a state.
pub(crate) fn count(transaction: &Transaction<'_>, state: &str) -> rusqlite::Result<i64> {
    transaction.value("SELECT COUNT(*) FROM mail WHERE state = ?1", [state])
}

/// Makes a link with which a person chooses a new password. Returns its token.
///
/// # Errors
///
/// Those of SQLite, or the system gives no random numbers.
pub(crate) fn reset_link(transaction: &Transaction<'_>, person: i64) -> Result<String, SiteError> {
    let token = secrets::token()?;
    transaction
        .change("DELETE FROM resets WHERE at < ?1 OR person = ?2", [now() - RESET, person])?;
    transaction.change(
        "INSERT INTO resets(token, person, at) VALUES (?1, ?2, ?3)",
        params![secrets::digest("reset", &token), person, now()],
    )?;
    Ok(token)
}

/// Returns the person whose link this is, if it is still valid.
pub(crate) fn with_reset_link(
    transaction: &Transaction<'_>,
    token: &str,
) -> rusqlite::Result<Option<i64>> {
    let digest = secrets::digest("reset", token);
    let sql = "SELECT person FROM resets WHERE token = ?1 AND at >= ?2";
    transaction.value(sql, params![digest, now() - RESET]).optional()
}

/// Uses up the links of a person.
pub(crate) fn use_reset_links(transaction: &Transaction<'_>, person: i64) -> rusqlite::Result<()> {
    transaction.change("DELETE FROM resets WHERE person = ?1", [person])
}

/// Returns whether teams are reminded of the deadline.
pub(crate) fn reminds(transaction: &Transaction<'_>) -> rusqlite::Result<bool> {
    let sql = "SELECT is_on FROM reminders ORDER BY id DESC LIMIT 1";
    Ok(transaction.value(sql, []).optional()?.unwrap_or(false))
}

/// Sets whether teams are reminded of the deadline.
pub(crate) fn set_reminders(
    transaction: &Transaction<'_>,
    is_on: bool,
    (reason, person): (&str, i64),
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO reminders(is_on, reason, person, at) VALUES (?1, ?2, ?3, ?4)",
        params![is_on, reason, person, now()],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use crate::people;

    #[test]
    fn a_message_is_tried_again_with_pauses_and_never_twice_after_a_kill() {
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let add = |once| add(transaction, (admin, Kind::Test), once, None);
            assert!(add(Some("a"))? && !add(Some("a"))?, "once");
            let first = take(transaction)?.expect("it waits");
            assert!(take(transaction)?.is_none(), "it is being sent");
            failed(transaction, &first, ("no answer", false))?;
            assert!(take(transaction)?.is_none(), "it is tried after a pause");
            assert_eq!(failures(transaction, 9)?.len(), 1);
            transaction.execute("UPDATE mail SET next_at = 0, attempts = 5", [])?;
            let last = take(transaction)?.expect("it waits");
            failed(transaction, &last, ("no answer", false))?;
            assert_eq!(count(transaction, "failed")?, 1, "it was tried often");
            assert!(
                again(transaction, last.id)?.is_some() && again(transaction, last.id)?.is_none()
            );
            take(transaction)?.expect("it waits again");
            // The process is killed.
            end_interrupted(transaction)?;
            assert!(take(transaction)?.is_none());
            assert!(failures(transaction, 9)?[0].error.contains("may have arrived"));
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }

    #[test]
    fn a_link_is_valid_for_an_hour_and_the_newest_alone() {
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let first = reset_link(transaction, admin)?;
            let second = reset_link(transaction, admin)?;
            assert_eq!(with_reset_link(transaction, &first)?, None);
            assert_eq!(with_reset_link(transaction, &second)?, Some(admin));
            transaction.execute("UPDATE resets SET at = at - 3601", [])?;
            assert_eq!(with_reset_link(transaction, &second)?, None);
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }
}
