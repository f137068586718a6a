//! People and teams: who takes part, and how they join.

use crate::error::SiteError;
use crate::files::{Statements, now, secrets};
use crate::people::{Role, tokens};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, Transaction, params};

/// The most people of a team.
pub(crate) const TEAM: usize = 4;

/// A person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Person {
    /// The number in the database.
    pub id: i64,
    /// The ID in a grade book.
    pub student_id: Option<String>,
    /// The name. Untrusted.
    pub name: String,
    /// The email address in lower case; empty if unknown.
    pub email: String,
    /// The group of the course; empty if there is none.
    pub section: String,
    /// The role.
    pub role: Role,
    /// The team.
    pub team: Option<i64>,
    /// The name of the team.
    pub team_name: Option<String>,
    /// The code that was not used yet.
    pub join_code: Option<String>,
    /// Whether the person has a password.
    pub has_joined: bool,
    /// Whether the person may not sign in for now.
    pub is_locked: bool,
    /// Whether the person is no longer in the class.
    pub is_removed: bool,
}

const COLUMNS: &str = "people.id, student_id, people.name, email, section, role, team, teams.name, \
                       join_code, password IS NOT NULL, locked_at IS NOT NULL, removed_at IS NOT NULL";

const FROM: &str = "FROM people LEFT JOIN teams ON teams.id = people.team";

fn person(row: &Row<'_>) -> rusqlite::Result<Person> {
    let role: String = row.get(5)?;
    Ok(Person {
        id: row.get(0)?,
        student_id: row.get(1)?,
        name: row.get(2)?,
        email: row.get(3)?,
        section: row.get(4)?,
        role: role.parse().map_err(|error: String| {
            rusqlite::Error::FromSqlConversionFailure(5, Type::Text, error.into())
        })?,
        team: row.get(6)?,
        team_name: row.get(7)?,
        join_code: row.get(8)?,
        has_joined: row.get(9)?,
        is_locked: row.get(10)?,
        is_removed: row.get(11)?,
    })
}

/// Returns all people of the class, by group, team and name.
pub(crate) fn all(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Person>> {
    let sql = format!(
        "SELECT {COLUMNS} {FROM} WHERE removed_at IS NULL \
         ORDER BY role <> 'student', section, teams.name, people.name"
    );
    transaction.rows(&sql, [], person)
}

/// Returns the people who were removed with their history kept, by name.
pub(crate) fn removed(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Person>> {
    let sql = format!(
        "SELECT {COLUMNS} {FROM} WHERE removed_at IS NOT NULL AND student_id IS NOT NULL ORDER BY people.name"
    );
    transaction.rows(&sql, [], person)
}

/// Returns the person with this number.
pub(crate) fn find(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<Option<Person>> {
    let sql = format!("SELECT {COLUMNS} {FROM} WHERE people.id = ?1");
    transaction.row(&sql, [id], person).optional()
}

/// Returns the person with this ID in a grade book.
pub(crate) fn with_student_id(
    transaction: &Transaction<'_>,
    student_id: &str,
) -> rusqlite::Result<Option<Person>> {
    let sql = format!("SELECT {COLUMNS} {FROM} WHERE student_id = ?1");
    transaction.row(&sql, [student_id], person).optional()
}

/// Returns the person with this email address, which is in lower case.
pub(crate) fn with_email(
    transaction: &Transaction<'_>,
    email: &str,
) -> rusqlite::Result<Option<Person>> {
    let sql = format!("SELECT {COLUMNS} {FROM} WHERE email <> '' AND email = ?1");
    transaction.row(&sql, [email], person).optional()
}

/// Returns the person with this name for signing in, an ID or an email address, and the stored
/// password.
pub(crate) fn with_account(
    transaction: &Transaction<'_>,
    account: &str,
) -> rusqlite::Result<Option<(Person, Option<String>)>> {
    let sql = format!(
        "SELECT {COLUMNS}, password {FROM} \
         WHERE student_id = ?1 OR (email <> '' AND email = ?2) ORDER BY student_id = ?1 DESC"
    );
    let found = |row: &Row<'_>| Ok((person(row)?, row.get(12)?));
    let email = account.to_lowercase();
    transaction.row(&sql, [account, &email], found).optional()
}

/// Returns the person with this join code.
pub(crate) fn with_code(
    transaction: &Transaction<'_>,
    code: &str,
) -> rusqlite::Result<Option<Person>> {
    let sql = format!("SELECT {COLUMNS} {FROM} WHERE join_code = ?1");
    transaction.row(&sql, [code], person).optional()
}

/// Stores a password, uses up the join code, and ends all sessions and tokens of the person.
pub(crate) fn set_password(
    transaction: &Transaction<'_>,
    id: i64,
    stored: &str,
) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE people SET password = ?2, join_code = NULL WHERE id = ?1",
        params![id, stored],
    )?;
    transaction.change("DELETE FROM sessions WHERE person = ?1", [id])?;
    tokens::revoke_all(transaction, id)
}

/// Ends all sessions, links and tokens of a person.
pub(crate) fn end_access(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    transaction.change("DELETE FROM sessions WHERE person = ?1", [id])?;
    transaction.change("DELETE FROM links WHERE person = ?1", [id])?;
    tokens::revoke_all(transaction, id)
}

/// Gives a person a new join code, and takes the password, all sessions and tokens away.
pub(crate) fn renew_code(
    transaction: &Transaction<'_>,
    id: i64,
    code: &str,
) -> rusqlite::Result<()> {
    transaction.change(
        "UPDATE people SET password = NULL, join_code = ?2 WHERE id = ?1",
        params![id, code],
    )?;
    transaction.change("DELETE FROM sessions WHERE person = ?1", [id])?;
    tokens::revoke_all(transaction, id)
}

/// Sets the email address of a person, which is in lower case.
pub(crate) fn set_email(
    transaction: &Transaction<'_>,
    id: i64,
    email: &str,
) -> rusqlite::Result<()> {
    transaction.change("UPDATE people SET email = ?2 WHERE id = ?1", params![id, email])
}

/// Returns the number of the team with this name, which is created if necessary.
pub(crate) fn team(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<i64> {
    transaction.change("INSERT OR IGNORE INTO teams(name) VALUES (?1)", [name])?;
    transaction.value("SELECT id FROM teams WHERE name = ?1", [name])
}

/// Returns the name of a team.
pub(crate) fn team_name(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<String> {
    transaction.value("SELECT name FROM teams WHERE id = ?1", [team])
}

/// Returns the name of a team, if there is one.
pub(crate) fn team_if_any(
    transaction: &Transaction<'_>,
    team: i64,
) -> rusqlite::Result<Option<String>> {
    transaction.value("SELECT name FROM teams WHERE id = ?1", [team]).optional()
}

/// Returns the teams with their names.
pub(crate) fn teams(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<(i64, String)>> {
    transaction
        .rows("SELECT id, name FROM teams ORDER BY name", [], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns whether another team has this alias.
pub(crate) fn is_anothers_alias(
    transaction: &Transaction<'_>,
    team: i64,
    alias: &str,
) -> rusqlite::Result<bool> {
    transaction.value(
        "SELECT EXISTS (SELECT 1 FROM teams WHERE alias = ?2 COLLATE NOCASE AND id <> ?1)",
        params![team, alias],
    )
}

/// Returns what others call a team; `None`: its number.
pub(crate) fn alias(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<Option<String>> {
    transaction.value("SELECT alias FROM teams WHERE id = ?1", [team])
}

/// Sets what others call a team.
pub(crate) fn set_alias(
    transaction: &Transaction<'_>,
    team: i64,
    alias: &str,
) -> rusqlite::Result<()> {
    transaction.change("UPDATE teams SET alias = ?2 WHERE id = ?1", params![team, alias])
}

/// Returns the administrator of the first start, who is added if there is no administrator.
pub(crate) fn first_admin(transaction: &Transaction<'_>) -> rusqlite::Result<i64> {
    let found = transaction
        .value(
            "SELECT id FROM people WHERE role = 'admin' AND removed_at IS NULL ORDER BY id LIMIT 1",
            [],
        )
        .optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    transaction.change(
        "INSERT INTO people(name, role, created_at) VALUES ('Administrator', 'admin', ?1)",
        [now()],
    )?;
    Ok(transaction.last_insert_rowid())
}

/// Returns whether an administrator can sign in.
pub(crate) fn has_admin(transaction: &Transaction<'_>) -> rusqlite::Result<bool> {
    transaction.value(
        "SELECT EXISTS (SELECT 1 FROM people WHERE role = 'admin' AND password IS NOT NULL \
         AND locked_at IS NULL AND removed_at IS NULL)",
        [],
    )
}

/// Makes a link that works once, in place of all earlier ones of the person. Returns its token.
///
/// # Errors
///
/// Those of SQLite, or the system gives no random numbers.
pub(crate) fn link(transaction: &Transaction<'_>, person: i64) -> Result<String, SiteError> {
    let token = secrets::token()?;
    transaction.change("DELETE FROM links WHERE person = ?1", [person])?;
    transaction.change(
        "INSERT INTO links(token, person, created_at) VALUES (?1, ?2, ?3)",
        params![secrets::digest("link", &token), person, now()],
    )?;
    Ok(token)
}

/// Returns the person whose link this is.
pub(crate) fn with_link(
    transaction: &Transaction<'_>,
    token: &str,
) -> rusqlite::Result<Option<Person>> {
    let sql = format!(
        "SELECT {COLUMNS} {FROM} JOIN links ON links.person = people.id WHERE links.token = ?1"
    );
    let digest = secrets::digest("link", token);
    transaction.row(&sql, [digest], person).optional()
}

/// Uses up the links of a person, whose account is not locked from then on: who runs the site has made the link.
pub(crate) fn use_links(transaction: &Transaction<'_>, person: i64) -> rusqlite::Result<()> {
    transaction.change("UPDATE people SET locked_at = NULL WHERE id = ?1", [person])?;
    transaction.change("DELETE FROM links WHERE person = ?1", [person])
}
