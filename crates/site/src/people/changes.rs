//! Changes of one person: added, edited, moved to another team, locked, removed from the class, or deleted with what
//! identifies the person.

use crate::error::SiteError;
use crate::files::{Statements, now};
use crate::people::roster::{self, Row, damage};
use crate::people::spellings::{self, HeldId};
use crate::people::{self, Person, audit};
use rusqlite::{Transaction, params};

/// Adds a person. Returns the number.
///
/// # Errors
///
/// The ID is another's, or the values contradict what is stored.
pub(crate) fn add(transaction: &Transaction<'_>, row: Row, by: &Person) -> Result<i64, SiteError> {
    let id = row.student_id.clone();
    if let Some(other) = people::with_student_id(transaction, &id)? {
        let state = if other.is_removed {
            ", who was removed: the roster has a link to take the person back"
        } else {
            ""
        };
        return Err(SiteError::wrong(format!("The ID {id:?} belongs to {}{state}.", other.name)));
    }
    let imported = roster::import_one(transaction, row, by.role)?;
    for change in &imported.changes {
        audit::note(transaction, Some(by.id), "added a person", &change.in_words())?;
    }
    let person = people::with_student_id(transaction, &id)?;
    Ok(person.map(|person| person.id).unwrap_or_default())
}

/// Gives a person these values. Returns what changed, in words; empty if nothing did.
///
/// # Errors
///
/// The ID is another's, the values contradict what is stored, or no administrator would be left.
pub(crate) fn edit(
    transaction: &Transaction<'_>,
    person: &Person,
    row: Row,
    by: &Person,
) -> Result<String, SiteError> {
    let mut words = Vec::new();
    let before = person.student_id.as_deref();
    if before != Some(row.student_id.as_str()) {
        refuse_id(transaction, person, &row.student_id)?;
        transaction.change(
            "UPDATE people SET student_id = ?2 WHERE id = ?1",
            params![person.id, row.student_id],
        )?;
        let name = &person.name;
        words.push(format!(
            "changed the ID of {name} from {} to {}",
            before.unwrap_or("nothing"),
            row.student_id
        ));
    }
    let imported = roster::import_one(transaction, row, by.role)?;
    words.extend(imported.changes.iter().map(roster::Change::in_words));
    let words = words.join("; ");
    if !words.is_empty() {
        audit::note(transaction, Some(by.id), "edited a person", &words)?;
    }
    Ok(words)
}

/// Refuses an ID that another person has, or that looks like one.
fn refuse_id(transaction: &Transaction<'_>, person: &Person, id: &str) -> Result<(), SiteError> {
    let key = |id: &str| damage::folded(damage::without_zeros(id).unwrap_or(id));
    let others: Vec<(String, String)> = transaction.rows(
        "SELECT student_id, name FROM people WHERE student_id IS NOT NULL AND id <> ?1",
        [person.id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    match others.iter().find(|(other, _)| key(other) == key(id)) {
        Some((other, name)) => {
            Err(SiteError::wrong(format!("{name} has the ID {other:?}, and {id:?} looks like it.")))
        }
        None => Ok(()),
    }
}

/// Locks an account, which ends its sessions and revokes its tokens, or unlocks it.
///
/// # Errors
///
/// It is the account of who asks, or no administrator would be left.
pub(crate) fn lock(
    transaction: &Transaction<'_>,
    person: &Person,
    is_locked: bool,
    reason: &str,
    by: &Person,
) -> Result<(), SiteError> {
    let since = is_locked.then(now);
    guarded(transaction, person, by, || {
        transaction
            .change("UPDATE people SET locked_at = ?2 WHERE id = ?1", params![person.id, since])?;
        if is_locked { people::end_access(transaction, person.id) } else { Ok(()) }
    })?;
    let what = if is_locked { "locked an account" } else { "unlocked an account" };
    Ok(audit::note(transaction, Some(by.id), what, &format!("{}: {reason}", shown(person)))?)
}

/// Removes a person from the class and the team. What the person did stays.
///
/// # Errors
///
/// Those of [`lock`].
pub(crate) fn remove(
    transaction: &Transaction<'_>,
    person: &Person,
    reason: &str,
    by: &Person,
) -> Result<(), SiteError> {
    guarded(transaction, person, by, || {
        transaction.change(
            "UPDATE people SET removed_at = ?2, team = NULL, join_code = NULL, password = NULL WHERE id = ?1",
            params![person.id, now()],
        )?;
        people::end_access(transaction, person.id)
    })?;
    let team =
        person.team_name.as_deref().map(|team| format!(" of the team {team}")).unwrap_or_default();
    let detail = format!("{}{team}, with the history kept: {reason}", shown(person));
    Ok(audit::note(transaction, Some(by.id), "removed a person", &detail)?)
}

/// A team that lost its name.
#[derive(Debug)]
pub(crate) struct Renamed {
    /// The number.
    pub id: i64,
    /// The name before.
    pub before: String,
    /// The name now.
    pub name: String,
}

/// What identified a person whose personal data were deleted, for what is stored elsewhere.
#[derive(Debug)]
pub(crate) struct Deleted {
    /// The person.
    pub person: i64,
    /// The IDs.
    pub ids: Vec<HeldId>,
    /// The teams that lost their names.
    pub teams: Vec<Renamed>,
}

/// Removes a person, and deletes what identifies the person, as `site forget` does for all. Teams that have no
/// other members lose their names, too.
///
/// # Errors
///
/// Those of [`lock`].
pub(crate) fn delete(
    transaction: &Transaction<'_>,
    person: &Person,
    reason: &str,
    by: &Person,
) -> Result<Deleted, SiteError> {
    let ids = guarded(transaction, person, by, || {
        transaction.change(
            "UPDATE people SET removed_at = ?2, team = NULL, join_code = NULL, password = NULL, student_id = NULL, \
             name = 'Person ' || id, email = '', section = '' WHERE id = ?1",
            params![person.id, now()],
        )?;
        people::end_access(transaction, person.id)?;
        transaction.change("DELETE FROM tokens WHERE person = ?1", [person.id])?;
        // Files that teachers looked at and did not import, and what can be undone.
        transaction.change("DELETE FROM roster_previews", [])?;
        transaction.change("DELETE FROM imports", [])?;
        spellings::erase(transaction, person)
    })?;
    // The team, and those that the person was in or was alone, unless another who is known submitted there, too.
    let mut teams: Vec<Renamed> = transaction.rows(
        "SELECT id, name FROM teams WHERE NOT EXISTS (SELECT 1 FROM people WHERE team = teams.id) AND (id = ?2 \
         OR (name = ?3 OR EXISTS (SELECT 1 FROM submissions WHERE team = teams.id AND person = ?1)) \
         AND NOT EXISTS (SELECT 1 FROM submissions JOIN people ON people.id = submissions.person \
         WHERE submissions.team = teams.id AND people.id <> ?1 AND student_id IS NOT NULL))",
        params![person.id, person.team, shown(person)],
        |row| Ok(Renamed { id: row.get(0)?, before: row.get(1)?, name: String::new() }),
    )?;
    for team in &mut teams {
        // Another team may have the name that it gets.
        transaction.change(
            "UPDATE teams SET alias = NULL, name = 'Team ' || id || CASE WHEN EXISTS \
             (SELECT 1 FROM teams AS other WHERE other.name = 'Team ' || teams.id AND other.id <> teams.id) \
             THEN '-' || hex(randomblob(4)) ELSE '' END WHERE id = ?1",
            [team.id],
        )?;
        team.name = transaction.value("SELECT name FROM teams WHERE id = ?1", [team.id])?;
    }
    let detail = format!("Person {}, with the personal data deleted: {reason}", person.id);
    audit::note(transaction, Some(by.id), "removed a person", &detail)?;
    Ok(Deleted { person: person.id, ids, teams })
}

/// Does something that takes a person's access away, unless it is that of who asks or of the last administrator.
fn guarded<T>(
    transaction: &Transaction<'_>,
    person: &Person,
    by: &Person,
    work: impl FnOnce() -> rusqlite::Result<T>,
) -> Result<T, SiteError> {
    if person.id == by.id {
        return Err(SiteError::wrong("This is your own account: another person has to do it."));
    }
    let had_admin = people::has_admin(transaction)?;
    let done = work()?;
    if had_admin && !people::has_admin(transaction)? {
        return Err(SiteError::wrong(
            "No administrator who can sign in would be left: make another person administrator first.",
        ));
    }
    Ok(done)
}

/// Returns the name and ID of a person.
fn shown(person: &Person) -> String {
    match &person.student_id {
        Some(id) => format!("{} ({id})", person.name),
        None => person.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use crate::people::{Role, sessions};

    /// Adds people, and returns them by their IDs.
    fn person(transaction: &Transaction<'_>, id: &str) -> Person {
        people::with_student_id(transaction, id).expect("SQLite works").expect("imported")
    }

    /// Returns a row with an ID and a name alone.
    fn named(id: &str, name: &str) -> Row {
        Row {
            line: 0,
            student_id: id.into(),
            name: name.into(),
            email: None,
            section: None,
            team: None,
            role: None,
        }
    }

    #[test]
    fn the_last_administrator_and_ones_own_account_stay() {
        let checked = database().transaction(|transaction| {
            let rows = "ID,name,role\n1,Ada,admin\n2,Ben,admin\n3,Cy,\n";
            roster::import(transaction, &roster::read(rows)?, Role::Admin)?;
            let (ada, ben) = (person(transaction, "1"), person(transaction, "2"));
            people::set_password(transaction, ada.id, "stored")?;
            let own = lock(transaction, &ada, true, "x", &ada).expect_err("own").to_string();
            assert!(own.contains("your own account"), "{own}");
            let last = lock(transaction, &ada, true, "x", &ben).expect_err("last").to_string();
            assert!(last.contains("No administrator who can sign in"), "{last}");
            // Outside of a test a refusal takes the transaction back.
            transaction.change("UPDATE people SET locked_at = NULL", [])?;
            people::set_password(transaction, ben.id, "stored")?;
            remove(transaction, &person(transaction, "2"), "left", &ada)?;
            let last = remove(transaction, &ada, "x", &ben).expect_err("last").to_string();
            assert!(last.contains("No administrator who can sign in"), "{last}");
            Ok::<(), SiteError>(())
        });
        checked.expect("changes");
    }

    #[test]
    fn who_is_locked_or_removed_cannot_begin_a_session_and_comes_back_with_a_roster() {
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let admin = people::find(transaction, admin)?.expect("added");
            let rows = roster::read("ID,name,team\n1,Anna Example,red\n2,Ben,red\n")?;
            roster::import(transaction, &rows, Role::Admin)?;
            let anna = person(transaction, "1");
            people::set_password(transaction, anna.id, "stored")?;
            let token = sessions::begin(transaction, anna.id)?;
            lock(transaction, &anna, true, "spam", &admin)?;
            assert!(sessions::visitor(transaction, &token, None)?.is_none());
            assert!(sessions::begin(transaction, anna.id).is_err());
            lock(transaction, &anna, false, "sorry", &admin)?;
            sessions::begin(transaction, anna.id)?;
            remove(transaction, &anna, "left", &admin)?;
            assert!(sessions::begin(transaction, anna.id).is_err());
            assert!(people::all(transaction)?.iter().all(|person| person.id != anna.id));
            let again = roster::import(transaction, &rows, Role::Teacher)?;
            assert!(again.changes[0].in_words().contains("state from removed to in the class"));
            let anna = person(transaction, "1");
            assert!(!anna.is_removed && !anna.has_joined && anna.join_code.is_some());
            Ok::<(), SiteError>(())
        });
        checked.expect("changes");
    }

    #[test]
    fn nothing_that_identifies_a_deleted_person_is_left() {
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let admin = people::find(transaction, admin)?.expect("added");
            let row = |id: &str, team: &str| Row {
                line: 0,
                student_id: id.into(),
                name: format!("Zoe Secret {id}"),
                email: Some(format!("zoe{id}@x.org")),
                section: Some("Monday".into()),
                team: Some(team.into()),
                role: Some(Role::Student),
            };
            add(transaction, row("4711", "red"), &admin)?;
            add(transaction, row("4712", "red"), &admin)?;
            assert!(add(transaction, row("4711", "red"), &admin).is_err());
            let words =
                edit(transaction, &person(transaction, "4711"), row("4713", "blue"), &admin)?;
            assert!(words.contains("the ID of Zoe Secret 4711 from 4711 to 4713"), "{words}");
            assert!(words.contains("team from red to blue"), "{words}");
            let looks =
                edit(transaction, &person(transaction, "4713"), row("04712", "blue"), &admin);
            assert!(looks.expect_err("refused").to_string().contains("has the ID \"4712\""));
            let one = person(transaction, "4713");
            lock(transaction, &one, false, "nothing", &admin)?;
            let married = Row { name: "Zoe Lee".into(), ..row("4713", "blue") };
            edit(transaction, &one, married, &admin)?;
            lock(transaction, &person(transaction, "4713"), false, "nothing", &admin)?;
            let single = Row { name: "Zoe Open".into(), ..row("4713", "blue") };
            edit(transaction, &person(transaction, "4713"), single, &admin)?;
            let one = person(transaction, "4713");
            assert_eq!(
                delete(transaction, &one, "asked for it", &admin)?
                    .teams
                    .first()
                    .map(|team| team.id),
                one.team,
                "no one is left in blue"
            );
            let other = person(transaction, "4712");
            let all = people::all(transaction)?;
            assert!(
                all.iter().all(|person| person.id != one.id)
                    && all.iter().any(|person| person.id == other.id)
            );
            let details: Vec<String> =
                transaction.rows("SELECT detail FROM audit", [], |row| row.get(0))?;
            let left = |text: &str| details.iter().any(|detail| detail.contains(text));
            assert!(!left("4713") && !left("4711") && !left("Lee"), "{details:?}");
            assert!(left("Zoe Secret 4712"), "another person stays: {details:?}");
            assert!(people::teams(transaction)?.iter().all(|(_, name)| name != "blue"));
            Ok::<(), SiteError>(())
        });
        checked.expect("changes");
    }

    #[test]
    fn who_gave_an_id_to_a_deleted_person_or_got_one_stays() {
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let admin = people::find(transaction, admin)?.expect("added");
            // Zoe had 4711, then Yan, and then Max.
            add(transaction, named("4711", "Zoe Early"), &admin)?;
            edit(transaction, &person(transaction, "4711"), named("5822", "Zoe Early"), &admin)?;
            add(transaction, named("4711", "Yan Middle"), &admin)?;
            edit(transaction, &person(transaction, "4711"), named("6933", "Yan Middle"), &admin)?;
            add(transaction, named("4711", "Max Late"), &admin)?;
            for id in ["5822", "4711"] {
                lock(transaction, &person(transaction, id), false, "nothing", &admin)?;
            }
            audit::about(
                transaction,
                None,
                ("gave points", "Yan Middle"),
                "4711 was ill, 14711 not",
            )?;
            delete(transaction, &person(transaction, "6933"), "asked for it", &admin)?;
            let stated = stated(transaction)?;
            assert!(!stated.contains("Yan") && !stated.contains("6933"), "{stated}");
            for kept in [
                "added Zoe Early (4711): ",
                "changed the ID of Zoe Early from 4711 to 5822",
                "Zoe Early (5822): nothing",
                "added Max Late (4711): ",
                "Max Late (4711): nothing",
                // By then the ID was that of Max.
                "gave points|Person 3|4711 was ill, 14711 not",
            ] {
                assert!(stated.contains(kept), "{kept}: {stated}");
            }
            Ok::<(), SiteError>(())
        });
        checked.expect("changes");
    }

    /// Returns the entries of the audit, a line each.
    fn stated(transaction: &Transaction<'_>) -> rusqlite::Result<String> {
        let sql = "SELECT what || '|' || subject || '|' || detail FROM audit ORDER BY id";
        Ok(transaction.rows(sql, [], |row| row.get::<_, String>(0))?.join("\n"))
    }

    #[test]
    fn who_had_the_id_of_an_imported_person_before_stays() {
        let checked = database().transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            let admin = people::find(transaction, admin)?.expect("added");
            let import =
                |rows: &str| roster::import(transaction, &roster::read(rows)?, Role::Admin);
            import("ID,name\n4711,Zoe Early\n12,Ann\n34,Ann\n")?;
            lock(transaction, &person(transaction, "4711"), false, "4711 asked", &admin)?;
            let zoe = person(transaction, "4711");
            edit(transaction, &zoe, named("4711", "Zoe Later"), &admin)?;
            edit(transaction, &zoe, named("5822", "Zoe Later"), &admin)?;
            // An import has no entry for each new person.
            import("ID,name\n4711,Max Late\n")?;
            let max = person(transaction, "4711");
            lock(transaction, &max, false, "4711 asked again", &admin)?;
            delete(transaction, &max, "asked for it", &admin)?;
            let stated = stated(transaction)?;
            for kept in [
                "Zoe Early (4711): 4711 asked\n",
                "changed Zoe Early (4711): name from Zoe Early to Zoe Later",
                "changed the ID of Zoe Early from 4711 to 5822\n",
                "Person 5: Person 5 asked again",
            ] {
                assert!(stated.contains(kept), "{kept}: {stated}");
            }
            assert!(!stated.contains("Max"), "{stated}");
            // Of two people with one name, the other stays.
            for id in ["12", "34"] {
                lock(transaction, &person(transaction, id), false, "is 12", &admin)?;
            }
            delete(transaction, &person(transaction, "12"), "asked for it", &admin)?;
            let stated = self::stated(transaction)?;
            assert!(
                stated.contains("Person 3: is 12\nunlocked an account||Ann (34): is 12"),
                "{stated}"
            );
            Ok::<(), SiteError>(())
        });
        checked.expect("changes");
    }
}
