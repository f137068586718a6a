//! The roster: people and teams, from a file. An import is shown before it is made, and made as it was shown: both are
//! the same work in a transaction, which is undone for a preview.

mod columns;
pub(crate) mod damage;
mod preview;
mod table;
mod undo;

use self::table::LISTED;
use crate::error::SiteError;
use crate::files::{Statements, now, secrets};
use crate::people::{self, Person, Role, TEAM};
pub(crate) use preview::{Previewed, apply, preview};
use rusqlite::{OptionalExtension, Transaction, params};
use std::collections::BTreeSet;
pub(crate) use table::{read, typed};
pub(crate) use undo::{LastImport, last, undo};

/// The most people of a roster.
const MOST: usize = 5000;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Roster {
    /// The people, in the order of the file.
    rows: Vec<Row>,
    /// The headings of columns that are not read.
    pub ignored: Vec<String>,
    /// The rows of Canvas that are no people.
    pub skipped: Vec<u64>,
}

/// A person of a roster. What the file has no column for is `None`, and stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The row in the file, from 1.
    pub line: u64,
    /// The ID in a grade book.
    pub student_id: String,
    /// The name.
    pub name: String,
    /// The email address; empty if there is none.
    pub email: Option<String>,
    /// The group of the course; empty if there is none.
    pub section: Option<String>,
    /// The team; empty for a student alone.
    pub team: Option<String>,
    /// The role.
    pub role: Option<Role>,
}

/// A person who is added or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The name before.
    pub name: String,
    /// The ID.
    pub student_id: String,
    /// Whether the person is new.
    pub is_new: bool,
    /// What changes: a word for it, the value before and the value after.
    pub values: Vec<(&'static str, String, String)>,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Imported {
    /// People who are new, or had other values.
    pub changes: Vec<Change>,
    /// People who had the same values.
    pub unchanged: usize,
    /// The names of people with an ID who are not in the file. They stay.
    pub absent: Vec<String>,
}

impl Imported {
    /// Returns the number of people who are new.
    pub(crate) fn added(&self) -> usize {
        self.changes.iter().filter(|change| change.is_new).count()
    }

    /// Returns the number of people who had other values.
    pub(crate) fn changed(&self) -> usize {
        self.changes.len() - self.added()
    }
}

impl Change {
    /// Returns the change in words, for the audit.
    pub(crate) fn in_words(&self) -> String {
        let Change { name, student_id, is_new, values } = self;
        let shown = |text: &str| if text.is_empty() { "nothing".into() } else { text.to_string() };
        let one = |(what, before, after): &(&str, String, String)| match is_new {
            true => format!("{what} {}", shown(after)),
            false => format!("{what} from {} to {}", shown(before), shown(after)),
        };
        let values: Vec<String> =
            values.iter().filter(|it| !is_new || !it.2.is_empty()).map(one).collect();
        format!(
            "{} {name} ({student_id}): {}",
            if *is_new { "added" } else { "changed" },
            values.join(", ")
        )
    }
}

/// Returns whether a text has the form of an email address.
pub(crate) fn is_email(text: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    text.split_once('@').is_some_and(|(name, host)| {
        is_plain(name) && is_plain(host) && !host.contains('@') && host.contains('.')
    })
}

/// Imports a roster for a person with this role: adds people, and changes those with the same ID.
///
/// # Errors
///
/// The roster contradicts what is stored, or gives a role that the person may not give.
pub(crate) fn import(
    transaction: &Transaction<'_>,
    roster: &Roster,
    by: Role,
) -> Result<Imported, SiteError> {
    let mut imported = Imported::default();
    let mut errors = Vec::new();
    let rows = &roster.rows;
    let mut before = Vec::new();
    for row in rows {
        before.push(people::with_student_id(transaction, &row.student_id)?);
    }
    errors.extend(look_alikes(transaction, rows, &before)?);
    // The addresses of people who are in the file may move from one to another.
    for row in rows.iter().filter(|row| row.email.is_some()) {
        transaction.change(
            "UPDATE people SET email = '' WHERE student_id = ?1 AND email <> ?2",
            params![row.student_id, row.email],
        )?;
    }
    let had_admin = people::has_admin(transaction)?;
    for (row, before) in rows.iter().zip(before) {
        match store(transaction, row, before.as_ref(), by) {
            Ok(None) => imported.unchanged += 1,
            Ok(Some(change)) => imported.changes.push(change),
            Err(SiteError::Wrong(why)) => errors.push(format!("row {}: {why}", row.line)),
            Err(error) => return Err(error),
        }
    }
    errors.extend(large_teams(transaction)?);
    if had_admin && !people::has_admin(transaction)? {
        errors.push("no administrator who can sign in would be left".to_string());
    }
    if !errors.is_empty() {
        errors.truncate(LISTED);
        return Err(SiteError::wrong(errors.join("\n")));
    }
    let listed: BTreeSet<&str> = rows.iter().map(|row| row.student_id.as_str()).collect();
    imported.absent = people::all(transaction)?
        .into_iter()
        .filter(|person| person.student_id.as_deref().is_some_and(|id| !listed.contains(id)))
        .map(|person| person.name)
        .collect();
    Ok(imported)
}

/// Adds or changes one person, as a row of a roster does.
///
/// # Errors
///
/// The row contradicts what is stored, or gives a role that the person may not give.
pub(crate) fn import_one(
    transaction: &Transaction<'_>,
    row: Row,
    by: Role,
) -> Result<Imported, SiteError> {
    import_known(transaction, vec![row], by)
}

/// Adds or changes people by rows of no file, which errors do not number.
fn import_known(
    transaction: &Transaction<'_>,
    rows: Vec<Row>,
    by: Role,
) -> Result<Imported, SiteError> {
    let (ignored, skipped) = (Vec::new(), Vec::new());
    import(transaction, &Roster { rows, ignored, skipped }, by).map_err(|error| match error {
        SiteError::Wrong(why) => SiteError::Wrong(why.replace("row 0: ", "")),
        error => error,
    })
}

/// Returns what looks like something that is stored, and is not the same.
fn look_alikes(
    transaction: &Transaction<'_>,
    rows: &[Row],
    before: &[Option<Person>],
) -> rusqlite::Result<Vec<String>> {
    let stored: Vec<(String, String)> = transaction.rows(
        "SELECT student_id, name FROM people WHERE student_id IS NOT NULL",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let key = |id: &str| damage::folded(damage::without_zeros(id).unwrap_or(id));
    let stored: std::collections::HashMap<String, (String, String)> =
        stored.into_iter().map(|(id, name)| (key(&id), (id, name))).collect();
    let teams: std::collections::HashMap<String, String> = people::teams(transaction)?
        .into_iter()
        .map(|(_, name)| (damage::folded(&name), name))
        .collect();
    let mut found = Vec::new();
    for (row, _) in rows.iter().zip(before).filter(|(_, before)| before.is_none()) {
        if let Some((id, name)) =
            stored.get(&key(&row.student_id)).filter(|(id, _)| *id != row.student_id)
        {
            let is_zeros = damage::without_zeros(id).is_some();
            let hint = if is_zeros {
                "are its leading zeros lost? Format the column as text"
            } else {
                "write it in one way"
            };
            found.push(format!(
                "row {}: the ID {:?} looks like {id:?} of {name}: {hint}",
                row.line, row.student_id
            ));
        }
    }
    for row in rows {
        let Some(team) = row.team.as_deref().filter(|team| !team.is_empty()) else { continue };
        if let Some(other) = teams.get(&damage::folded(team)).filter(|other| *other != team) {
            found.push(format!(
                "row {}: the team {team:?} looks like {other:?}, which the class has: write it in one way",
                row.line
            ));
        }
    }
    Ok(found)
}

fn large_teams(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<String>> {
    let large = "SELECT teams.name, COUNT(*) FROM people JOIN teams ON teams.id = team \
                 GROUP BY team HAVING COUNT(*) > ?1";
    let found: Vec<(String, i64)> =
        transaction.rows(large, [TEAM as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let words = found.into_iter().map(|(name, count)| {
        format!(
            "the team {name:?} would have {count} members with people who are not in the file, and may have {TEAM}"
        )
    });
    Ok(words.collect())
}

/// Returns the name of the team of a student who is alone.
fn own_team(row: &Row) -> String {
    format!("{} ({})", row.name, row.student_id)
}

fn members(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<i64> {
    transaction.value("SELECT COUNT(*) FROM people WHERE team = ?1", [team])
}

/// Returns the name of another person with this email address.
fn other_with_email(
    transaction: &Transaction<'_>,
    email: &str,
    student_id: &str,
) -> rusqlite::Result<Option<String>> {
    transaction
        .value(
            "SELECT name FROM people WHERE email <> '' AND email = ?1 AND student_id IS NOT ?2",
            [email, student_id],
        )
        .optional()
}

/// Returns the team of a person with this role after an import, and its name.
fn team_of(
    transaction: &Transaction<'_>,
    row: &Row,
    before: Option<&Person>,
    role: Role,
) -> rusqlite::Result<Option<i64>> {
    if role != Role::Student {
        return Ok(None);
    }
    let own = before.and_then(|person| person.team);
    match (row.team.as_deref(), own) {
        (None, Some(team)) => Ok(Some(team)),
        (Some(name), _) if !name.is_empty() => people::team(transaction, name).map(Some),
        (Some(_), Some(team)) if members(transaction, team)? == 1 => Ok(Some(team)),
        _ => people::team(transaction, &own_team(row)).map(Some),
    }
}

/// Stores a row. Returns what changed, if anything.
fn store(
    transaction: &Transaction<'_>,
    row: &Row,
    before: Option<&Person>,
    by: Role,
) -> Result<Option<Change>, SiteError> {
    let role = row.role.or(before.map(|person| person.role)).unwrap_or(Role::Student);
    let of_before = |value: fn(&Person) -> &String| before.map(value).cloned().unwrap_or_default();
    let email = row.email.clone().unwrap_or_else(|| of_before(|person| &person.email));
    let section = row.section.clone().unwrap_or_else(|| of_before(|person| &person.section));
    let roles = before.iter().map(|person| person.role).chain([role]);
    if let Some(refused) = roles.into_iter().find(|&role| !by.may_admit(role)) {
        // A teacher's own row may stand in the file as it is.
        let is_same = |person: &&Person| {
            (person.role, &person.name, &person.email) == (role, &row.name, &email)
        };
        if before.filter(is_same).is_none() {
            return Err(SiteError::wrong(format!(
                "only an admin may change or give the role {refused}"
            )));
        }
    }
    if let Some(other) = other_with_email(transaction, &email, &row.student_id)? {
        return Err(SiteError::wrong(format!("the email address {email:?} belongs to {other}")));
    }
    let team = team_of(transaction, row, before, role)?;
    let team_name = match team {
        Some(team) => people::team_name(transaction, team)?,
        None => String::new(),
    };
    let team_before = before.and_then(|person| person.team_name.clone()).unwrap_or_default();
    let role_before = before.map(|person| person.role.to_string()).unwrap_or_default();
    let state_before =
        if before.is_some_and(|person| person.is_removed) { "removed" } else { "in the class" };
    let values = [
        ("name", of_before(|person| &person.name), row.name.clone()),
        ("email", of_before(|person| &person.email), email.clone()),
        ("group", of_before(|person| &person.section), section.clone()),
        ("team", team_before, team_name),
        ("role", role_before, role.to_string()),
        ("state", state_before.to_string(), "in the class".to_string()),
    ];
    let values: Vec<_> = values.into_iter().filter(|(_, before, after)| before != after).collect();
    let change = Change {
        name: before.map_or(&row.name, |person| &person.name).clone(),
        student_id: row.student_id.clone(),
        is_new: before.is_none(),
        values,
    };
    let Some(before) = before else {
        transaction.change(
            "INSERT INTO people(student_id, name, email, section, role, team, join_code, \
             created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                row.student_id,
                row.name,
                email,
                section,
                role.as_str(),
                team,
                secrets::join_code()?,
                now()
            ],
        )?;
        return Ok(Some(change));
    };
    if change.values.is_empty() {
        // Its address may have been moved aside.
        transaction
            .change("UPDATE people SET email = ?2 WHERE id = ?1", params![before.id, email])?;
        return Ok(None);
    }
    transaction.change(
        "UPDATE people SET name = ?2, email = ?3, section = ?4, role = ?5, team = ?6, removed_at = NULL WHERE id = ?1",
        params![before.id, row.name, email, section, role.as_str(), team],
    )?;
    if before.is_removed {
        people::renew_code(transaction, before.id, &secrets::join_code()?)?;
    }
    Ok(Some(change))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;
    use botyard_replay::text_file;

    const HEADER: &str = "student_id,name,email,group,team\n";

    #[test]
    fn a_roster_is_imported_again_without_losing_anything() {
        let semicolons = "\u{feff}student_id;name;email;group;team;role\n1;Ada;ada@x.org;a;red;\n\
                          2;Ben;;a;red;\n3;Cy;;b;;\n9;Prof;p@x.org;;;teacher\n";
        let rows = read(&text_file::guess(semicolons.as_bytes())).expect("a roster");
        let checked = database().transaction(|transaction| {
            let first = import(transaction, &rows, Role::Admin)?;
            assert_eq!((first.added(), first.changed()), (4, 0));
            let ada = people::with_student_id(transaction, "1")?.expect("she is there");
            assert_eq!(ada.team_name.as_deref(), Some("red"));
            people::set_password(transaction, ada.id, "stored")?;
            let again = import(transaction, &rows, Role::Admin)?;
            assert_eq!((again.added(), again.changed(), again.unchanged), (0, 0, 4));
            let less =
                read(&format!("{HEADER}1,Ada L.,ada@x.org,a,red\n2,Ben,,a,red\n")).expect("it");
            let third = import(transaction, &less, Role::Teacher)?;
            assert_eq!(
                (third.changed(), third.absent),
                (1, vec!["Cy".to_string(), "Prof".to_string()])
            );
            assert_eq!(third.changes[0].in_words(), "changed Ada (1): name from Ada to Ada L.");
            let ada = people::with_student_id(transaction, "1")?.expect("she is there");
            assert!(ada.has_joined && ada.name == "Ada L.");
            // Columns that a file lacks stay, and addresses move between people of one file.
            let fourth = import(transaction, &read("ID,name\n1,Ada\n9,Prof\n")?, Role::Admin)?;
            assert_eq!((fourth.changed(), fourth.unchanged), (1, 1));
            let ada = people::with_student_id(transaction, "1")?.expect("she is there");
            assert_eq!((ada.email.as_str(), ada.team_name.as_deref()), ("ada@x.org", Some("red")));
            let moved = read("ID,name,email\n1,Ada,\n2,Ben,ada@x.org\n")?;
            assert_eq!(import(transaction, &moved, Role::Admin)?.changed(), 2);
            Ok::<(), SiteError>(())
        });
        checked.expect("a roster");
    }

    #[test]
    fn what_looks_like_a_person_or_team_of_the_class_is_refused() {
        let checked = database().transaction(|transaction| {
            import(transaction, &read(&format!("{HEADER}00014,Ada,,,Red\n"))?, Role::Admin)?;
            for (rows, expected) in [
                (
                    "14,Ada,,,\n",
                    "row 2: the ID \"14\" looks like \"00014\" of Ada: are its leading zeros lost?",
                ),
                ("2,Ben,,,red\n", "row 2: the team \"red\" looks like \"Red\""),
            ] {
                let error = import(transaction, &read(&format!("{HEADER}{rows}"))?, Role::Admin);
                let error = error.expect_err("refused").to_string();
                assert!(error.contains(expected), "{error}");
            }
            Ok::<(), SiteError>(())
        });
        checked.expect("rosters");
    }

    #[test]
    fn a_teacher_appoints_assistants_but_no_teachers() {
        let rows = |role: &str| {
            read(&format!("student_id,name,email,group,team,role\n7,Eve,,,,{role}\n"))
                .expect("a roster")
        };
        let checked = database().transaction(|transaction| {
            import(transaction, &rows("assistant"), Role::Teacher)?;
            let error = import(transaction, &rows("teacher"), Role::Teacher).expect_err("refused");
            assert!(
                error.to_string().contains("only an admin may change or give the role teacher")
            );
            import(transaction, &rows("admin"), Role::Admin)?;
            // Nor can a teacher take a role away.
            let error = import(transaction, &rows("student"), Role::Teacher).expect_err("refused");
            assert!(error.to_string().contains("the role admin"), "{error}");
            // The last administrator who can sign in stays one.
            let eve = people::with_student_id(transaction, "7")?.expect("she is there");
            people::set_password(transaction, eve.id, "stored")?;
            let error = import(transaction, &rows("student"), Role::Admin).expect_err("refused");
            assert!(error.to_string().contains("no administrator"), "{error}");
            Ok::<(), SiteError>(())
        });
        checked.expect("rosters");
    }
}
