//! Tokens with which programs submit for a person. The database has their digests; a token itself is shown
//! once. It is valid until it is revoked, or its owner gets a new password or join code.

use crate::error::SiteError;
use crate::files::{Statements, now, secrets};
use crate::people::{self, Person};
use rusqlite::{OptionalExtension, Transaction, params};

/// The most valid tokens of a person.
pub(crate) const MOST: usize = 10;

/// What every token begins with, so that programs which search files for secrets recognize one.
const PREFIX: &str = "botyard_";

/// How often the time of the last use is stored, in seconds.
const USED_EVERY: i64 = 60;

/// A valid token in a list, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedToken {
    /// Its number.
    pub id: i64,
    /// What its owner calls it. Untrusted.
    pub name: String,
    /// When it was made, in seconds since 1970.
    pub created_at: i64,
    /// When it was used last.
    pub used_at: Option<i64>,
}

/// Makes a token of a person. Returns it.
///
/// # Errors
///
/// Those of SQLite, or the system gives no random numbers.
pub(crate) fn make(
    transaction: &Transaction<'_>,
    person: i64,
    name: &str,
) -> Result<String, SiteError> {
    let token = format!("{PREFIX}{}", secrets::token()?);
    transaction.change(
        "INSERT INTO tokens(token, person, name, created_at) VALUES (?1, ?2, ?3, ?4)",
        params![secrets::digest("token", &token), person, name, now()],
    )?;
    Ok(token)
}

/// Returns the valid tokens of a person, the newest first.
pub(crate) fn of_person(
    transaction: &Transaction<'_>,
    person: i64,
) -> rusqlite::Result<Vec<ListedToken>> {
    transaction.rows(
        "SELECT id, name, created_at, used_at FROM tokens \
         WHERE person = ?1 AND revoked_at IS NULL ORDER BY id DESC",
        [person],
        |row| {
            Ok(ListedToken {
                id: row.get(0)?,
                name: row.get(1)?,
                created_at: row.get(2)?,
                used_at: row.get(3)?,
            })
        },
    )
}

/// Returns the owner of a valid token.
pub(crate) fn owner(
    transaction: &Transaction<'_>,
    token: &str,
) -> rusqlite::Result<Option<Person>> {
    let digest = secrets::digest("token", token);
    let found: Option<(i64, i64, Option<i64>)> = transaction
        .row(
            "SELECT id, person, used_at FROM tokens WHERE token = ?1 AND revoked_at IS NULL",
            [digest],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let Some((id, person, used_at)) = found else { return Ok(None) };
    if used_at.is_none_or(|at| at < now() - USED_EVERY) {
        transaction.change("UPDATE tokens SET used_at = ?2 WHERE id = ?1", [id, now()])?;
    }
    people::find(transaction, person)
}

/// Revokes a token of a person. Returns its name, or `None` if the person has no such token.
pub(crate) fn revoke(
    transaction: &Transaction<'_>,
    person: i64,
    id: i64,
) -> rusqlite::Result<Option<String>> {
    transaction.value(
        "UPDATE tokens SET revoked_at = ?3 WHERE id = ?2 AND person = ?1 AND revoked_at IS NULL \
         RETURNING name", [person, id, now()])
        .optional()
}

/// Revokes all tokens of a person.
pub(crate) fn revoke_all(transaction: &Transaction<'_>, person: i64) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE tokens SET revoked_at = ?2 WHERE person = ?1 AND revoked_at IS NULL",
        [person, now()],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;

    #[test]
    fn a_token_is_valid_until_it_is_revoked_and_is_stored_as_a_digest() {
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let token = make(transaction, admin, "laptop")?;
            assert!(token.starts_with("botyard_") && token.len() == 8 + 64, "{token}");
            let stored: String =
                transaction.query_row("SELECT token FROM tokens", [], |row| row.get(0))?;
            assert!(!stored.contains(&token[8..]), "only the digest");
            let is_valid = |token: &str| owner(transaction, token).map(|found| found.is_some());
            assert!(is_valid(&token)? && !is_valid(&token[8..])? && !is_valid("")?);
            let listed = of_person(transaction, admin)?;
            assert_eq!((listed.len(), listed[0].name.as_str()), (1, "laptop"));
            assert!(listed[0].used_at.is_some());
            assert_eq!(revoke(transaction, admin + 1, listed[0].id)?, None, "another's");
            assert!(is_valid(&token)?);
            assert_eq!(revoke(transaction, admin, listed[0].id)?.as_deref(), Some("laptop"));
            assert!(!is_valid(&token)? && of_person(transaction, admin)?.is_empty());
            let token = make(transaction, admin, "again")?;
            people::set_password(transaction, admin, "stored")?;
            assert!(!is_valid(&token)?, "a new password revokes tokens");
            let token = make(transaction, admin, "again")?;
            people::renew_code(transaction, admin, "CODE")?;
            assert!(!is_valid(&token)?, "a new join code revokes tokens");
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }
}
