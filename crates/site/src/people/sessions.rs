//! Sessions: who is signed in, by the token in a cookie. A token also makes the token of forms, which
//! pages of other sites cannot know.

use crate::error::SiteError;
use crate::files::{Statements, secrets};
use crate::people::steady_clock::now;
use crate::people::{self, Person};
use rusqlite::{OptionalExtension, Transaction, params};

/// How long a session lasts without a request, in seconds.
const IDLE: i64 = 12 * 3600;

/// How long a session lasts at most, in seconds.
pub(crate) const LONGEST: i64 = 7 * 24 * 3600;

/// How often the time of the last request is stored, in seconds.
const SEEN_EVERY: i64 = 60;

/// The beginning of the tokens of sessions that a proxy began.
const BY_PROXY: &str = "proxy-";

/// A visitor who is signed in.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// The person.
    pub person: Person,
    /// The token of the session.
    token: String,
    /// When the session ends at the latest, in seconds since 1970; the token of a program has no end.
    pub ends_at: Option<i64>,
}

impl Visitor {
    /// Returns the owner of a token for programs, which has no session.
    pub(crate) fn of_program(person: Person, token: &str) -> Visitor {
        Visitor { person, token: secrets::digest("program", token), ends_at: None }
    }

    /// Returns the token that the forms of this session have.
    pub(crate) fn form_token(&self) -> String {
        secrets::digest("form", &self.token)
    }

    /// Returns whether the session still is this person's, with the same role and team.
    pub(crate) fn is_current(
        &self,
        transaction: &Transaction<'_>,
        account: Option<&str>,
    ) -> rusqlite::Result<bool> {
        let now = visitor(transaction, &self.token, account)?;
        let same = |now: &Person| {
            (now.id, now.role, now.team) == (self.person.id, self.person.role, self.person.team)
        };
        Ok(now.is_some_and(|now| same(&now.person)))
    }

    /// Ends the session.
    pub(crate) fn sign_out(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        transaction.change(
            "DELETE FROM sessions WHERE token = ?1",
            [secrets::digest("session", &self.token)],
        )
    }
}

/// Begins a session. Returns its token.
///
/// # Errors
///
/// The account is locked or was removed; those of SQLite, or the system gives no random numbers.
pub(crate) fn begin(transaction: &Transaction<'_>, person: i64) -> Result<String, SiteError> {
    store(transaction, person, secrets::token()?)
}

/// Begins a session of a person whom a trusted proxy has signed in: it lasts while the proxy names this
/// person. Returns its token.
///
/// # Errors
///
/// Those of [`begin`].
pub(crate) fn begin_by_proxy(
    transaction: &Transaction<'_>,
    person: i64,
) -> Result<String, SiteError> {
    store(transaction, person, format!("{BY_PROXY}{}", secrets::token()?))
}

fn store(transaction: &Transaction<'_>, person: i64, token: String) -> Result<String, SiteError> {
    let known = people::find(transaction, person)?;
    if known.is_some_and(|person| person.is_locked || person.is_removed) {
        return Err(SiteError::wrong(
            "This account is locked, or no longer in the class. Ask your teacher.",
        ));
    }
    let now = now();
    transaction.change(
        "DELETE FROM sessions WHERE seen_at < ?1 OR created_at < ?2",
        [now - IDLE, now - LONGEST],
    )?;
    transaction.change(
        "INSERT INTO sessions(token, person, created_at, seen_at) VALUES (?1, ?2, ?3, ?3)",
        params![secrets::digest("session", &token), person, now],
    )?;
    Ok(token)
}

/// Returns the visitor with this token, if the session has not expired. `account` is who signed in at a
/// trusted proxy: a session that one began ends when another person uses the browser, or no one is signed in.
pub(crate) fn visitor(
    transaction: &Transaction<'_>,
    token: &str,
    account: Option<&str>,
) -> rusqlite::Result<Option<Visitor>> {
    let (digest, now) = (secrets::digest("session", token), now());
    let found = transaction
        .row(
            "SELECT person, seen_at, created_at FROM sessions WHERE token = ?1 AND seen_at >= ?2 \
             AND created_at >= ?3",
            params![digest, now - IDLE, now - LONGEST],
            |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?)),
        )
        .optional()?;
    let Some((id, seen_at, created_at)) = found else { return Ok(None) };
    let seen_at: i64 = seen_at;
    if seen_at < now - SEEN_EVERY {
        transaction
            .change("UPDATE sessions SET seen_at = ?2 WHERE token = ?1", params![digest, now])?;
    }
    let person = people::find(transaction, id)?;
    let Some(person) = person else { return Ok(None) };
    let ends_at = Some(created_at + LONGEST);
    let visitor = Visitor { person, token: token.to_string(), ends_at };
    if token.starts_with(BY_PROXY) {
        let named = match account {
            Some(account) => people::with_account(transaction, account)?,
            None => None,
        };
        if named.is_none_or(|(person, _)| person.id != visitor.person.id) {
            visitor.sign_out(transaction)?;
            return Ok(None);
        }
    }
    Ok(Some(visitor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;

    #[test]
    fn a_session_lasts_while_it_is_used_and_a_week_at_most() {
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let token = begin(transaction, admin)?;
            let is_valid = || visitor(transaction, &token, None).map(|visitor| visitor.is_some());
            assert!(is_valid()? && visitor(transaction, "other", None)?.is_none());
            transaction.execute("UPDATE sessions SET seen_at = seen_at - 12 * 3600 - 5", [])?;
            assert!(!is_valid()?);
            transaction.execute("UPDATE sessions SET seen_at = unixepoch()", [])?;
            assert!(is_valid()?);
            transaction
                .execute("UPDATE sessions SET created_at = created_at - 7 * 24 * 3600 - 5", [])?;
            assert!(!is_valid()?);
            begin(transaction, admin)?;
            let left: i64 =
                transaction.query_row("SELECT COUNT(*) FROM sessions", [], |row| row.get(0))?;
            assert_eq!(left, 1, "expired sessions are removed");
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }
}
