//! The undo of the last import: people who were added are removed again, and the others get the values that they had,
//! while nothing depends on the import.

use super::table::LISTED;
use super::{Change, Imported, Row, import_known};
use crate::error::SiteError;
use crate::files::{Json, Statements, now};
use crate::people::{self, Person, Role, audit};
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};

/// A person whom an import added or changed, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    student_id: String,
    is_new: bool,
    /// A word for each value, with the value before and after.
    values: Vec<(String, String, String)>,
}

impl From<&Change> for Kept {
    fn from(change: &Change) -> Kept {
        let values = change.values.iter();
        Kept {
            student_id: change.student_id.clone(),
            is_new: change.is_new,
            values: values
                .map(|(what, before, after)| (what.to_string(), before.clone(), after.clone()))
                .collect(),
        }
    }
}

impl Kept {
    /// Returns the value before the import, if it changed.
    fn before(&self, what: &str) -> Option<String> {
        let found = self.values.iter().find(|(its, ..)| its == what);
        found.map(|(_, before, _)| before.clone())
    }

    /// Returns the row that gives a person the values from before the import.
    fn row(&self, person: &Person) -> Row {
        Row {
            line: 0,
            student_id: self.student_id.clone(),
            name: self.before("name").unwrap_or_else(|| person.name.clone()),
            email: self.before("email"),
            section: self.before("group"),
            team: self.before("team"),
            role: self.before("role").and_then(|role| role.parse().ok()),
        }
    }

    fn was_removed(&self) -> bool {
        self.before("state").is_some_and(|state| state == "removed")
    }
}

/// The last import, which can be undone.
#[derive(Clone, Debug)]
pub(crate) struct LastImport {
    /// Who imported it.
    pub person: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The number of people whom it added.
    pub added: usize,
    /// The number of people whom it changed.
    pub changed: usize,
}

/// Keeps what an import changed.
pub(super) fn keep(
    transaction: &Transaction<'_>,
    imported: &Imported,
    person: i64,
) -> rusqlite::Result<()> {
    let changes: Vec<Kept> = imported.changes.iter().map(Kept::from).collect();
    transaction.change(
        "INSERT INTO imports(person, at, changes) VALUES (?1, ?2, ?3)",
        params![person, now(), Json(changes)],
    )
}

/// Returns the number and the changes of the last import that was not undone.
fn kept(transaction: &Transaction<'_>) -> rusqlite::Result<Option<(i64, Vec<Kept>)>> {
    let sql = "SELECT id, changes FROM imports WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1";
    let read = |row: &rusqlite::Row<'_>| row.get(1).map(|Json(changes)| (row.get(0), changes));
    let found = transaction.row(sql, [], read).optional()?;
    found.map(|(id, changes)| Ok((id?, changes))).transpose()
}

/// Returns the last import, if one can be undone.
pub(crate) fn last(transaction: &Transaction<'_>) -> rusqlite::Result<Option<LastImport>> {
    let Some((id, changes)) = kept(transaction)? else { return Ok(None) };
    let sql = "SELECT people.name, at FROM imports JOIN people ON people.id = person WHERE imports.id = ?1";
    let (person, at) = transaction.row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let added = changes.iter().filter(|change| change.is_new).count();
    Ok(Some(LastImport { person, at, added, changed: changes.len() - added }))
}

/// Undoes the last import.
///
/// # Errors
///
/// There is none, something depends on it, or the person may not take away or give a role.
pub(crate) fn undo(
    transaction: &Transaction<'_>,
    reason: &str,
    (person, role): (i64, Role),
) -> Result<(), SiteError> {
    let Some((id, changes)) = kept(transaction)? else {
        return Err(SiteError::wrong("There is no import that can be undone."));
    };
    let mut people = Vec::new();
    let mut reasons = Vec::new();
    for change in &changes {
        match people::with_student_id(transaction, &change.student_id)? {
            Some(person) => {
                reasons.extend(why_not(change, &person).or_else(|| not_by(role, change, &person)));
                people.push((change, person));
            }
            None => reasons.push(format!("no one has the ID {:?} any more", change.student_id)),
        }
    }
    let (new, changed): (Vec<_>, Vec<_>) = people.into_iter().partition(|(its, _)| its.is_new);
    for (_, person) in &new {
        if !is_deleted(transaction, "people", person.id)? {
            reasons.push(format!("the class has something of {}", person.name));
        }
    }
    if !reasons.is_empty() {
        reasons.truncate(LISTED);
        return Err(refused(&reasons.join("\n")));
    }
    let rows = changed.iter().map(|(change, person)| change.row(person)).collect();
    let restored = import_known(transaction, rows, role).map_err(|error| match error {
        SiteError::Wrong(why) => refused(&why),
        error => error,
    })?;
    for (_, person) in changed.iter().filter(|(change, _)| change.was_removed()) {
        transaction.change(
            "UPDATE people SET removed_at = ?2, team = NULL, join_code = NULL WHERE id = ?1",
            params![person.id, now()],
        )?;
    }
    // Teams that the import made are empty now.
    for team in new.iter().chain(&changed).filter_map(|(_, person)| person.team) {
        is_deleted(transaction, "teams", team)?;
    }
    transaction.change("UPDATE imports SET undone_at = ?2 WHERE id = ?1", [id, now()])?;
    let detail =
        format!("{} removed, {} changed back: {reason}", new.len(), restored.changes.len());
    audit::note(transaction, Some(person), "undid an import", &detail)?;
    for change in &restored.changes {
        audit::note(transaction, Some(person), "undid an import", &change.in_words())?;
    }
    Ok(())
}

fn refused(reasons: &str) -> SiteError {
    SiteError::wrong(format!("The import cannot be undone:\n{reasons}"))
}

/// Returns why this role may not take a person out of the class again, if so.
fn not_by(role: Role, change: &Kept, person: &Person) -> Option<String> {
    let takes_out = change.is_new || change.was_removed();
    (takes_out && !role.may_admit(person.role))
        .then(|| format!("only an admin may remove {}: {}", person.name, person.role))
}

/// Returns why the change of a person cannot be undone, if so.
fn why_not(change: &Kept, person: &Person) -> Option<String> {
    let now_of = |what: &str| match what {
        "name" => person.name.clone(),
        "email" => person.email.clone(),
        "group" => person.section.clone(),
        "team" => person.team_name.clone().unwrap_or_default(),
        "role" => person.role.to_string(),
        _ if person.is_removed => "removed".to_string(),
        _ => "in the class".to_string(),
    };
    let other = change.values.iter().find(|(what, _, after)| now_of(what) != *after);
    match other {
        Some((what, ..)) => Some(format!("{} was changed since: {what}", person.name)),
        None if (change.is_new || change.was_removed()) && person.has_joined => {
            Some(format!("{} has joined since", person.name))
        }
        None => None,
    }
}

/// Deletes a row if no other names it. Returns whether none does.
fn is_deleted(transaction: &Transaction<'_>, table: &str, id: i64) -> rusqlite::Result<bool> {
    match transaction.execute(&format!("DELETE FROM {table} WHERE id = ?1"), [id]) {
        Ok(_) => Ok(true),
        Err(error)
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use crate::people::roster::{import, read};

    fn imported(transaction: &Transaction<'_>, text: &str, by: i64) -> Result<(), SiteError> {
        let made = import(transaction, &read(text)?, Role::Admin)?;
        Ok(keep(transaction, &made, by)?)
    }

    fn row(transaction: &Transaction<'_>, id: &str) -> Option<(String, String, Option<String>)> {
        let person = people::with_student_id(transaction, id).expect("SQLite works")?;
        Some((person.name, person.section, person.team_name))
    }

    #[test]
    fn the_last_import_is_undone_with_its_teams() {
        let checked = database().transaction(|transaction| {
            let by = people::first_admin(transaction)?;
            imported(transaction, "id,name,group,team\n1,Ada,a,red\n2,Ben,a,red\n", by)?;
            let before = [row(transaction, "1"), row(transaction, "2"), row(transaction, "3")];
            let second = "id,name,group,team\n1,Ada L.,b,blue\n2,Ben,a,red\n3,Cy,b,green\n";
            imported(transaction, second, by)?;
            let known = last(transaction)?.expect("it can be undone");
            assert_eq!((known.added, known.changed), (1, 1));
            undo(transaction, "the wrong file", (by, Role::Admin))?;
            let after = [row(transaction, "1"), row(transaction, "2"), row(transaction, "3")];
            assert_eq!(after, before);
            let teams: Vec<String> =
                people::teams(transaction)?.into_iter().map(|(_, name)| name).collect();
            assert_eq!(teams, ["red"]);
            let details: Vec<String> = transaction.rows(
                "SELECT detail FROM audit WHERE what = 'undid an import' ORDER BY id",
                [],
                |row| row.get(0),
            )?;
            assert!(details[0].ends_with("the wrong file"), "{details:?}");
            assert!(details[1].contains("name from Ada L. to Ada"), "{details:?}");
            // The import before it is the last now.
            undo(transaction, "that too", (by, Role::Admin))?;
            assert_eq!(row(transaction, "1"), None);
            assert!(undo(transaction, "x", (by, Role::Admin)).is_err(), "nothing is left");
            Ok::<(), SiteError>(())
        });
        checked.expect("rosters");
    }

    #[test]
    fn a_teacher_removes_no_teachers_whom_an_admin_imported() {
        let checked = database().transaction(|transaction| {
            let by = people::first_admin(transaction)?;
            imported(transaction, "id,name,role\n1,Ada,teacher\n2,Ben,student\n", by)?;
            let error = undo(transaction, "x", (by, Role::Teacher)).expect_err("refused");
            let expected = "The import cannot be undone:\nonly an admin may remove Ada: teacher";
            assert_eq!(error.to_string(), expected);
            // Outside of a test a refusal takes the transaction back.
            imported(transaction, "id,name,role\n1,Ada,teacher\n", by)?;
            transaction.change("UPDATE people SET removed_at = 1 WHERE student_id = '1'", [])?;
            imported(transaction, "id,name,role\n1,Ada,teacher\n", by)?;
            let error = undo(transaction, "x", (by, Role::Teacher)).expect_err("refused");
            assert_eq!(error.to_string(), expected);
            undo(transaction, "x", (by, Role::Admin))?;
            Ok::<(), SiteError>(())
        });
        checked.expect("rosters");
    }

    #[test]
    fn an_undo_that_contradicts_the_class_names_no_row() {
        let checked = database().transaction(|transaction| {
            let by = people::first_admin(transaction)?;
            imported(transaction, "id,name,email\n1,Ada,a@x.org\n2,Ben,\n", by)?;
            imported(transaction, "id,name,email\n1,Ada,b@x.org\n", by)?;
            let sql = "UPDATE people SET email = 'a@x.org' WHERE student_id = '2'";
            transaction.change(sql, [])?;
            let error = undo(transaction, "x", (by, Role::Admin)).expect_err("refused");
            let expected = "The import cannot be undone:\n\
                            the email address \"a@x.org\" belongs to Ben";
            assert_eq!(error.to_string(), expected);
            Ok::<(), SiteError>(())
        });
        checked.expect("rosters");
    }

    #[test]
    fn an_import_on_which_somebody_depends_stays() {
        let checked = database().transaction(|transaction| {
            let by = people::first_admin(transaction)?;
            imported(transaction, "id,name,group\n1,Ada,a\n2,Ben,a\n3,Cy,a\n", by)?;
            let person = |id| people::with_student_id(transaction, id).map(|it| it.expect("there"));
            people::set_password(transaction, person("1")?.id, "stored")?;
            transaction.change("UPDATE people SET section = 'b' WHERE student_id = '2'", [])?;
            audit::note(transaction, Some(person("3")?.id), "did something", "")?;
            let error = undo(transaction, "x", (by, Role::Admin)).expect_err("refused").to_string();
            for expected in [
                "Ada has joined since",
                "Ben was changed since: group",
                "the class has something of Cy",
            ] {
                assert!(error.contains(expected), "{error}");
            }
            Ok::<(), SiteError>(())
        });
        checked.expect("a roster");
    }
}
