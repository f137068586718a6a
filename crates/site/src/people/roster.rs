//! The roster: people and teams from a CSV file. A file is imported as a whole or, if it has errors,
//! not at all.

use crate::error::SiteError;
use crate::files::{Statements, now, secrets};
use crate::people::{self, Person, Role, TEAM};
use rusqlite::{Transaction, params};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The columns. `role` may be missing, and is then `student`.
const COLUMNS: [&str; 6] = ["student_id", "name", "email", "group", "team", "role"];

/// The longest value, in characters.
const LONGEST: usize = 100;

/// The most people of a roster.
const MOST: usize = 5000;

/// The most errors that are listed.
const LISTED: usize = 20;

/// A person of a roster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The line in the file, from 1.
    line: u64,
    student_id: String,
    name: String,
    email: String,
    section: String,
    team: String,
    role: Role,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Imported {
    /// People who are new.
    pub added: usize,
    /// People who had other values.
    pub changed: usize,
    /// People who had the same values.
    pub unchanged: usize,
    /// The names of people with an ID who are not in the file. They stay.
    pub absent: Vec<String>,
}

/// Reads a roster: commas or semicolons between the values, a header first.
///
/// # Errors
///
/// All errors of the file, up to a limit.
pub(crate) fn read(text: &str) -> Result<Vec<Row>, SiteError> {
    let text = text.trim_start_matches('\u{feff}');
    let header = text.lines().next().unwrap_or_default();
    let delimiter = if header.contains(';') && !header.contains(',') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let wrong = |error: csv::Error| SiteError::wrong(error.to_string());
    let header: Vec<String> =
        reader.headers().map_err(wrong)?.iter().map(str::to_lowercase).collect();
    let unknown: Vec<&str> =
        header.iter().map(String::as_str).filter(|name| !COLUMNS.contains(name)).collect();
    let missing: Vec<&str> = COLUMNS[..5]
        .iter()
        .copied()
        .filter(|name| !header.iter().any(|column| column == name))
        .collect();
    if !unknown.is_empty() || !missing.is_empty() {
        return Err(SiteError::Wrong(format!(
            "line 1: expected the columns {} and, if wanted, role; missing: {}; unknown: {}",
            COLUMNS[..5].join(", "),
            list(&missing),
            list(&unknown)
        )));
    }
    let place = |name: &str| header.iter().position(|column| column == name);
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let line = record.position().map_or(0, csv::Position::line);
        if record.iter().all(str::is_empty) {
            continue;
        }
        let value = |name: &str| place(name).and_then(|at| record.get(at)).unwrap_or_default();
        if record.len() != header.len() {
            errors.push(format!(
                "line {line}: expected {} values, got {}",
                header.len(),
                record.len()
            ));
            continue;
        }
        match row(line, &value) {
            Ok(row) => rows.push(row),
            Err(error) => errors.push(format!("line {line}: {error}")),
        }
    }
    if rows.len() > MOST {
        errors.push(format!("expected at most {MOST} people, got {}", rows.len()));
    }
    errors.extend(contradictions(&rows));
    if rows.is_empty() && errors.is_empty() {
        errors.push("the file has a header and no people".to_string());
    }
    errors.truncate(LISTED);
    if errors.is_empty() { Ok(rows) } else { Err(SiteError::wrong(errors.join("\n"))) }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

fn row<'a>(line: u64, value: &impl Fn(&str) -> &'a str) -> Result<Row, String> {
    for column in COLUMNS {
        let length = value(column).chars().count();
        if length > LONGEST {
            return Err(format!("expected at most {LONGEST} characters in {column}, got {length}"));
        }
        if value(column).chars().any(char::is_control) {
            return Err(format!("{column} has a control character"));
        }
    }
    for column in ["student_id", "name"] {
        if value(column).is_empty() {
            return Err(format!("{column} is empty"));
        }
    }
    let email = value("email").to_lowercase();
    if !email.is_empty() && !is_email(&email) {
        return Err(format!("expected an email address, got {email:?}"));
    }
    let role = match value("role") {
        "" => Role::Student,
        role => role.to_lowercase().parse()?,
    };
    let text = |name: &str| value(name).to_string();
    if role != Role::Student && !value("team").is_empty() {
        return Err(format!("only students have teams, and the role is {role}"));
    }
    Ok(Row {
        line,
        student_id: text("student_id"),
        name: text("name"),
        email,
        section: text("group"),
        team: text("team"),
        role,
    })
}

/// Returns whether a text has the form of an email address.
pub(crate) fn is_email(text: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    text.split_once('@').is_some_and(|(name, host)| {
        is_plain(name) && is_plain(host) && !host.contains('@') && host.contains('.')
    })
}

/// Returns what is wrong between rows: values that occur twice, and teams that are too large.
fn contradictions(rows: &[Row]) -> Vec<String> {
    let mut errors = Vec::new();
    let mut seen: HashMap<(&str, &str), u64> = HashMap::new();
    for row in rows {
        for (column, value) in [("student_id", &row.student_id), ("email", &row.email)] {
            if value.is_empty() {
                continue;
            }
            if let Some(before) = seen.insert((column, value), row.line) {
                errors
                    .push(format!("line {}: {column} {value:?} is in line {before} too", row.line));
            }
        }
    }
    let mut teams: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.team.is_empty()) {
        teams.entry(&row.team).or_default().push(row);
    }
    for (team, members) in teams {
        if let Some(extra) = members.get(TEAM) {
            errors.push(format!(
                "line {}: the team {team:?} has {} members, and may have {TEAM}",
                extra.line,
                members.len()
            ));
        }
    }
    errors
}

/// Imports a roster for a person with this role: adds people, and changes those with the same ID.
///
/// # Errors
///
/// The roster contradicts what is stored, or gives a role that the person may not give.
pub(crate) fn import(
    transaction: &Transaction<'_>,
    rows: &[Row],
    by: Role,
) -> Result<Imported, SiteError> {
    let mut imported = Imported::default();
    let mut errors = Vec::new();
    // The addresses of people who are in the file may move from one to another.
    for row in rows {
        transaction.change(
            "UPDATE people SET email = '' WHERE student_id = ?1 AND email <> ?2",
            [&row.student_id, &row.email],
        )?;
    }
    for row in rows {
        let before = people::with_student_id(transaction, &row.student_id)?;
        let roles = before.iter().map(|person| person.role).chain([row.role]);
        if let Some(role) = roles.into_iter().find(|&role| !by.may_admit(role)) {
            // A teacher's own row may stand in the file as it is.
            let is_same = |person: &Person| {
                (person.role, &person.name, &person.email) == (row.role, &row.name, &row.email)
            };
            if !before.as_ref().is_some_and(is_same) {
                errors.push(format!(
                    "line {}: only an admin may change or give the role {role}",
                    row.line
                ));
                continue;
            }
        }
        if is_anothers(transaction, row)? {
            let (line, email) = (row.line, &row.email);
            errors
                .push(format!("line {line}: the email address {email:?} belongs to somebody else"));
            continue;
        }
        let team = match (row.role, row.team.as_str()) {
            (Role::Student, "") => {
                let own = before
                    .as_ref()
                    .and_then(|person| person.team)
                    .filter(|&team| members(transaction, team).is_ok_and(|members| members == 1));
                Some(match own {
                    Some(team) => team,
                    None => people::team(transaction, &own_team(row))?,
                })
            }
            (Role::Student, name) => Some(people::team(transaction, name)?),
            _ => None,
        };
        store(transaction, row, team, before.as_ref(), &mut imported)?;
    }
    let large = "SELECT teams.name, COUNT(*) FROM people JOIN teams ON teams.id = team \
                 GROUP BY team HAVING COUNT(*) > ?1";
    let found: Vec<(String, i64)> =
        transaction.rows(large, [TEAM as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (name, count) in found {
        errors.push(format!(
            "the team {name:?} would have {count} members with people who are not in the file, and may have {TEAM}"
        ));
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

/// Returns the name of the team of a student who is alone.
fn own_team(row: &Row) -> String {
    format!("{} ({})", row.name, row.student_id)
}

fn members(transaction: &Transaction<'_>, team: i64) -> rusqlite::Result<i64> {
    transaction.value("SELECT COUNT(*) FROM people WHERE team = ?1", [team])
}

fn is_anothers(transaction: &Transaction<'_>, row: &Row) -> rusqlite::Result<bool> {
    transaction.row(
        "SELECT EXISTS (SELECT 1 FROM people WHERE email <> '' AND email = ?1 \
         AND student_id IS NOT ?2)",
        [&row.email, &row.student_id],
        |found| found.get(0),
    )
}

fn store(
    transaction: &Transaction<'_>,
    row: &Row,
    team: Option<i64>,
    before: Option<&Person>,
    imported: &mut Imported,
) -> Result<(), SiteError> {
    let Some(before) = before else {
        transaction.change(
            "INSERT INTO people(student_id, name, email, section, role, team, join_code, \
             created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                row.student_id,
                row.name,
                row.email,
                row.section,
                row.role.as_str(),
                team,
                secrets::join_code()?,
                now()
            ],
        )?;
        imported.added += 1;
        return Ok(());
    };
    let is_same = before.name == row.name
        && before.email == row.email
        && before.section == row.section
        && before.role == row.role
        && before.team == team;
    if is_same {
        imported.unchanged += 1;
        return Ok(());
    }
    transaction.change(
        "UPDATE people SET name = ?2, email = ?3, section = ?4, role = ?5, team = ?6 WHERE id = ?1",
        params![before.id, row.name, row.email, row.section, row.role.as_str(), team],
    )?;
    imported.changed += 1;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;

    const HEADER: &str = "student_id,name,email,group,team\n";

    fn errors(rows: &str) -> String {
        read(&format!("{HEADER}{rows}")).expect_err("errors").to_string()
    }

    #[test]
    fn every_error_of_a_file_is_reported_with_its_line() {
        let text = errors(
            "1,Ada,ada@x.org,a,red\n2,,b@x.org,a,red\n1,Cy,ADA@x.org,a,\n4,Di,no,a,\n5,Eve\n",
        );
        for expected in [
            "line 3: name is empty",
            "line 4: student_id \"1\" is in line 2 too",
            "line 4: email \"ada@x.org\" is in line 2 too",
            "line 5: expected an email address, got \"no\"",
            "line 6: expected 5 values, got 2",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let header = read("id,name\n1,Ada\n").expect_err("a wrong header").to_string();
        assert!(
            header.contains("missing: student_id, email, group, team; unknown: id"),
            "{header}"
        );
        let five: String = (0..5).map(|id| format!("{id},N,,,red\n")).collect();
        assert!(errors(&five).contains("line 6: the team \"red\" has 5 members, and may have 4"));
        assert!(errors("").contains("no people"));
    }

    #[test]
    fn a_roster_is_imported_again_without_losing_anything() {
        let semicolons = "\u{feff}student_id;name;email;group;team;role\n1;Ada;ada@x.org;a;red;\n\
                          2;Ben;;a;red;\n3;Cy;;b;;\n9;Prof;p@x.org;;;teacher\n";
        let rows = read(semicolons).expect("a roster");
        let checked = database().transaction(|transaction| {
            let first = import(transaction, &rows, Role::Admin)?;
            assert_eq!((first.added, first.changed), (4, 0));
            let ada = people::with_student_id(transaction, "1")?.expect("she is there");
            assert_eq!(ada.team_name.as_deref(), Some("red"));
            people::set_password(transaction, ada.id, "stored")?;
            let again = import(transaction, &rows, Role::Admin)?;
            assert_eq!((again.added, again.changed, again.unchanged), (0, 0, 4));
            let less =
                read(&format!("{HEADER}1,Ada L.,ada@x.org,a,red\n2,Ben,,a,red\n")).expect("it");
            let third = import(transaction, &less, Role::Teacher)?;
            assert_eq!(
                (third.changed, third.absent),
                (1, vec!["Cy".to_string(), "Prof".to_string()])
            );
            let ada = people::with_student_id(transaction, "1")?.expect("she is there");
            assert!(ada.has_joined && ada.name == "Ada L.");
            Ok::<(), SiteError>(())
        });
        checked.expect("a roster");
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
            Ok::<(), SiteError>(())
        });
        checked.expect("rosters");
    }
}
