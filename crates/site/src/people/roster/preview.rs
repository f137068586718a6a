//! The preview of an import: what a file would change, kept until its teacher confirms it. A later preview of the same
//! teacher takes its place.

use super::{Imported, Roster, import, read, undo};
use crate::error::SiteError;
use crate::files::{Database, Statements, now, secrets};
use crate::people::{Role, audit};
use rusqlite::{OptionalExtension, params};

/// A roster that was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Previewed {
    /// The file.
    pub roster: Roster,
    /// What it would change.
    pub imported: Imported,
    /// The digest of these changes, with which they are confirmed.
    pub digest: String,
}

/// Why the transaction of a preview ends.
enum Undone {
    /// It was made.
    Made(Imported),
    Failed(SiteError),
}

impl From<rusqlite::Error> for Undone {
    fn from(error: rusqlite::Error) -> Undone {
        Undone::Failed(error.into())
    }
}

fn digest(imported: &Imported) -> String {
    secrets::digest("roster", &format!("{imported:?}"))
}

/// Returns what the text of a roster would change, and keeps the text until it is confirmed.
///
/// # Errors
///
/// Those of the file and of its import.
pub(crate) fn preview(
    database: &Database,
    text: &str,
    (person, role): (i64, Role),
) -> Result<Previewed, SiteError> {
    let roster = read(text)?;
    // An error undoes a transaction.
    let undone = database.transaction(|transaction| match import(transaction, &roster, role) {
        Ok(imported) => Err::<(), Undone>(Undone::Made(imported)),
        Err(error) => Err(Undone::Failed(error)),
    });
    let imported = match undone {
        Ok(()) => Imported::default(),
        Err(Undone::Made(imported)) => imported,
        Err(Undone::Failed(error)) => return Err(error),
    };
    let digest = digest(&imported);
    database.transaction(|transaction| {
        transaction.change(
            "INSERT OR REPLACE INTO roster_previews(person, text, at) VALUES (?1, ?2, ?3)",
            params![person, text, now()],
        )
    })?;
    Ok(Previewed { roster, imported, digest })
}

/// Makes the changes that a person has seen, whose digest this is. `Err` has the text of the file if they would be
/// others now.
///
/// # Errors
///
/// There is no preview; those of the import.
pub(crate) fn apply(
    database: &Database,
    seen: &str,
    (person, role): (i64, Role),
) -> Result<Result<Imported, String>, SiteError> {
    let sql = "SELECT text FROM roster_previews WHERE person = ?1";
    let text: Option<String> =
        database.transaction(|transaction| transaction.value(sql, [person]).optional())?;
    let Some(text) = text else {
        return Err(SiteError::wrong(
            "The preview was confirmed before, or is gone: choose the file again.",
        ));
    };
    let roster = read(&text)?;
    let made = database.transaction(|transaction| {
        let imported = import(transaction, &roster, role).map_err(Undone::Failed)?;
        if digest(&imported) != seen {
            return Err(Undone::Made(imported));
        }
        transaction.change("DELETE FROM roster_previews WHERE person = ?1", [person])?;
        if !imported.changes.is_empty() {
            undo::keep(transaction, &imported, person)?;
        }
        let detail = format!(
            "{} added, {} changed, {} the same",
            imported.added(),
            imported.changed(),
            imported.unchanged
        );
        audit::note(transaction, Some(person), "imported a roster", &detail)?;
        for change in imported.changes.iter().filter(|change| !change.is_new) {
            audit::note(transaction, Some(person), "imported a roster", &change.in_words())?;
        }
        Ok(imported)
    });
    match made {
        Ok(imported) => Ok(Ok(imported)),
        Err(Undone::Made(_)) => Ok(Err(text)),
        Err(Undone::Failed(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use crate::people;

    #[test]
    fn a_preview_changes_nothing_and_is_applied_as_it_was_shown() {
        let database = database();
        let admin = database.transaction(people::first_admin).expect("SQLite works");
        let by = (admin, Role::Admin);
        let count = || {
            let people = database.transaction(people::all).expect("SQLite works");
            people.iter().filter(|person| person.student_id.is_some()).count()
        };
        let seen = preview(&database, "id,name,team\n1,Ada,red\n", by).expect("a roster");
        assert_eq!((seen.imported.added(), count()), (1, 0));
        assert!(database.transaction(people::teams).expect("SQLite works").is_empty());
        let made = apply(&database, &seen.digest, by).expect("a preview").expect("nothing changed");
        assert_eq!((made, count()), (seen.imported, 1));
        assert!(apply(&database, &seen.digest, by).is_err(), "it is used");

        // Somebody else changes the same person meanwhile.
        let seen = preview(&database, "id,name\n1,Eve\n", by).expect("a roster");
        let row = read("id,name\n1,Zoe\n").expect("a roster");
        database
            .transaction(|transaction| import(transaction, &row, Role::Admin))
            .expect("SQLite works");
        let text =
            apply(&database, &seen.digest, by).expect("a preview").expect_err("other changes");
        let again = preview(&database, &text, by).expect("a roster");
        assert_eq!(again.imported.changes[0].in_words(), "changed Zoe (1): name from Zoe to Eve");
        assert!(apply(&database, &again.digest, by).expect("a preview").is_ok());
    }
}
