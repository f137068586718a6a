//! A roster as a file: which rows and cells of a CSV file are people. A file is read as a whole or, if it has errors,
//! not at all.

use super::columns::{Column, Columns, Place};
use super::damage;
use super::{MOST, Roster, Row, is_email};
use crate::error::SiteError;
use crate::people::{Role, TEAM};
use std::collections::{BTreeMap, HashMap};

/// The longest value, in characters.
const LONGEST: usize = 100;

/// The most errors that are listed.
pub(super) const LISTED: usize = 20;

/// Reads a roster: commas, semicolons or tabs between the values, a header first.
///
/// # Errors
///
/// All errors of the file, up to a limit.
pub(crate) fn read(text: &str) -> Result<Roster, SiteError> {
    let (delimiter, begin) = delimiter(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .flexible(true)
        .has_headers(false)
        .from_reader(&text.as_bytes()[begin..]);
    let mut records = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| SiteError::wrong(error.to_string()))?;
        if !record.iter().all(|value| value.trim().is_empty()) {
            let byte = record.position().map_or(0, csv::Position::byte);
            records
                .push((line_at(text, begin + usize::try_from(byte).unwrap_or_default()), record));
        }
    }
    let mut records = records.into_iter();
    let Some((line, header)) = records.next() else {
        return Err(SiteError::wrong(
            "the file is empty: expected a header and a row for each person",
        ));
    };
    let header: Vec<&str> = header.iter().map(str::trim).collect();
    let columns = Columns::of(&header, line).map_err(SiteError::Wrong)?;
    let (mut rows, mut errors, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    for (line, record) in records {
        let values: Vec<&str> = record.iter().collect();
        if columns.is_canvas && is_no_person(&columns, &values) {
            skipped.push(line);
            continue;
        }
        let width = header.len();
        let is_wide = values.iter().skip(width).any(|value| !value.is_empty());
        if is_wide || values.len() < columns.least() {
            errors.push(format!("row {line}: expected {width} values, got {}", values.len()));
            continue;
        }
        match row(line, &columns, &values) {
            Ok(row) => rows.push(row),
            Err(error) => errors.push(error),
        }
    }
    if rows.len() > MOST {
        errors.push(format!("expected at most {MOST} people, got {}", rows.len()));
    }
    errors.extend(contradictions(&rows, &columns));
    if rows.is_empty() && errors.is_empty() {
        errors.push("the file has a header and no people".to_string());
    }
    errors.truncate(LISTED);
    match errors.is_empty() {
        true => Ok(Roster { rows, ignored: columns.ignored, skipped }),
        false => Err(SiteError::wrong(errors.join("\n"))),
    }
}

/// Returns the row of a person whose values were typed into a form: ID, name, email, group, team and role.
///
/// # Errors
///
/// A value is refused, as in a file.
pub(crate) fn typed(values: [&str; 6]) -> Result<Row, SiteError> {
    let header = ["ID", "name", "email", "group", "team", "role"];
    let row = Columns::of(&header, 0).and_then(|columns| row(0, &columns, &values));
    row.map_err(|why| {
        let why = why.trim_start_matches("row 0, ").trim_start_matches("row 0: ");
        SiteError::Wrong(format!("{}.", why.replace("column ", "the field ")))
    })
}

/// Returns the number of the line in which a record begins that was read from here on, from 1: ends of lines before it
/// are no part of it.
fn line_at(text: &str, from: usize) -> u64 {
    let rest = &text.as_bytes()[from..];
    let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let before = &text.as_bytes()[..from + ends];
    1 + before.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Returns what stands between values, and where the table begins: a spreadsheet may name the one in a line before it.
fn delimiter(text: &str) -> (u8, usize) {
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let plain = line.trim().trim_matches('"').to_ascii_lowercase();
        if let Some(named) = plain.strip_prefix("sep=") {
            let after = begin + line.len();
            return match named.bytes().next() {
                Some(byte) if byte.is_ascii() => (byte, after),
                // A tab was trimmed.
                _ => (b'\t', after),
            };
        }
        if !plain.trim_matches([';', ',', '\t', ' ']).is_empty() {
            let mut is_quoted = false;
            let mut counts = [0; 3];
            for byte in line.bytes() {
                is_quoted ^= byte == b'"';
                if let (false, Some(at)) = (is_quoted, b",;\t".iter().position(|it| *it == byte)) {
                    counts[at] += 1;
                }
            }
            let [commas, semicolons, tabs] = counts;
            let best = if semicolons > commas.max(tabs) {
                b';'
            } else if tabs > commas {
                b'\t'
            } else {
                b','
            };
            return (best, begin);
        }
        begin += line.len();
    }
    (b',', 0)
}

/// Returns whether a row of Canvas's export is no person's: the points of assignments, or the student for tests.
fn is_no_person(columns: &Columns, values: &[&str]) -> bool {
    let value = |column| {
        columns.find(column).and_then(|place| values.get(place.at)).copied().unwrap_or_default()
    };
    let (id, name) = (value(Column::Id), value(Column::Name));
    id.is_empty() && (name.is_empty() || name == "Points Possible" || name == "Student, Test")
}

fn row(line: u64, columns: &Columns, values: &[&str]) -> Result<Row, String> {
    let at = |place: &Place, why: &str| format!("row {line}, column {:?}: {why}", place.heading);
    let mut found: HashMap<usize, String> = HashMap::new();
    for place in &columns.read {
        let value = damage::composed(values.get(place.at).copied().unwrap_or_default());
        let length = value.chars().count();
        if length > LONGEST {
            return Err(at(place, &format!("expected at most {LONGEST} characters, got {length}")));
        }
        let is_name = matches!(place.column, Column::Name | Column::First | Column::Last);
        let why = damage::refused(&value, is_name);
        let why = why
            .or_else(|| (place.column == Column::Id).then(|| damage::refused_id(&value)).flatten());
        if let Some(why) = why {
            return Err(at(place, &why));
        }
        found.insert(place.at, value);
    }
    let value = |column| columns.find(column).and_then(|place| found.get(&place.at).cloned());
    let needed = |column| match (columns.find(column), value(column)) {
        (Some(place), Some(value)) if value.is_empty() => Err(at(place, "it is empty")),
        (_, value) => Ok(value.unwrap_or_default()),
    };
    let student_id = needed(Column::Id)?;
    let name = match columns.find(Column::Name) {
        Some(place) => {
            let name = needed(Column::Name)?;
            match name.split_once(", ") {
                // Canvas writes the last name first.
                Some((last, first)) if columns.is_canvas && place.heading == "Student" => {
                    format!("{first} {last}")
                }
                _ => name,
            }
        }
        None => format!("{} {}", needed(Column::First)?, needed(Column::Last)?),
    };
    let email = match columns.find(Column::Email) {
        None => None,
        Some(place) => {
            let email = found.get(&place.at).map(|it| it.to_lowercase()).unwrap_or_default();
            let is_login = damage::folded(&place.heading) == "sis login id";
            match email.is_empty() || is_email(&email) {
                true => Some(email),
                // A name for signing in is no address everywhere.
                false if is_login => None,
                false => {
                    return Err(at(place, &format!("expected an email address, got {email:?}")));
                }
            }
        }
    };
    let role = match (columns.find(Column::Role), value(Column::Role)) {
        (Some(place), Some(role)) if !role.is_empty() => {
            Some(role.to_lowercase().parse().map_err(|why: String| at(place, &why))?)
        }
        (Some(_), _) => Some(Role::Student),
        (None, _) => None,
    };
    let team = value(Column::Team);
    if let (Some(role), Some(team)) = (role, &team)
        && role != Role::Student
        && !team.is_empty()
    {
        return Err(format!("row {line}: only students have teams, and the role is {role}"));
    }
    Ok(Row { line, student_id, name, email, section: value(Column::Section), team, role })
}

/// Returns what is wrong between rows: values that occur twice or look alike, and teams that are too large.
fn contradictions(rows: &[Row], columns: &Columns) -> Vec<String> {
    let mut errors = Vec::new();
    let heading = |column| columns.find(column).map_or("", |place| place.heading.as_str());
    let mut seen: HashMap<(&str, String), &Row> = HashMap::new();
    for row in rows {
        let id = damage::without_zeros(&row.student_id).unwrap_or(&row.student_id);
        let email = row.email.as_deref().unwrap_or_default();
        for (what, column, value, key) in [
            ("ID", Column::Id, row.student_id.as_str(), id),
            ("email", Column::Email, email, email),
        ] {
            if value.is_empty() {
                continue;
            }
            let Some(before) = seen.insert((what, damage::folded(key)), row) else { continue };
            let other = if what == "ID" {
                &before.student_id
            } else {
                before.email.as_ref().unwrap_or(&before.name)
            };
            let line = row.line;
            errors.push(match other == value {
                true => format!("row {line}, column {:?}: {value:?} is in row {} too", heading(column), before.line),
                false => format!(
                    "row {line}, column {:?}: {value:?} looks like {other:?} in row {}: are zeros lost, or is it one \
                     person twice?",
                    heading(column),
                    before.line
                ),
            });
        }
    }
    let mut teams: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        if let Some(team) = row.team.as_deref().filter(|team| !team.is_empty()) {
            teams.entry(damage::folded(team)).or_default().push(row);
        }
    }
    for members in teams.into_values() {
        let team = |row: &Row| row.team.clone().unwrap_or_default();
        let first = members[0];
        if let Some(other) = members.iter().find(|row| row.team != first.team) {
            errors.push(format!(
                "row {}, column {:?}: {:?} looks like {:?} in row {}: write it in one way",
                other.line,
                heading(Column::Team),
                team(other),
                team(first),
                first.line
            ));
        }
        if let Some(extra) = members.get(TEAM) {
            errors.push(format!(
                "row {}: the team {:?} has {} members, and may have {TEAM}",
                extra.line,
                team(extra),
                members.len()
            ));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_replay::text_file;
    use botyard_testkit::cases;
    use botyard_testkit::mutations::{damaged, encodings};

    const HEADER: &str = "student_id,name,email,group,team\n";

    fn errors(rows: &str) -> String {
        read(&format!("{HEADER}{rows}")).expect_err("errors").to_string()
    }

    /// Returns the people of a file in a line each.
    fn people(bytes: &[u8]) -> Result<String, String> {
        let roster = read(&text_file::guess(bytes)).map_err(|error| error.to_string())?;
        let shown = |row: &Row| {
            let optional = |value: &Option<String>| value.clone().unwrap_or("?".into());
            let Row { line, student_id, name, .. } = row;
            let (email, section, team) =
                (optional(&row.email), optional(&row.section), optional(&row.team));
            format!("{line} {student_id} {name} {email} {section} {team}")
        };
        Ok(roster.rows.iter().map(shown).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn every_error_of_a_file_is_reported_with_its_cell() {
        let text = errors(
            "1,Ada,ada@x.org,a,red\n2,,b@x.org,a,red\n1,Cy,ADA@x.org,a,\n4,Di,no,a,\n5,Eve\n\
             1.23457E+11,Fay,,a,\n7,Gus,,a,,8\n",
        );
        for expected in [
            "row 3, column \"name\": it is empty",
            "row 4, column \"student_id\": \"1\" is in row 2 too",
            "row 4, column \"email\": \"ada@x.org\" is in row 2 too",
            "row 5, column \"email\": expected an email address, got \"no\"",
            "row 6: expected 5 values, got 2",
            "row 7, column \"student_id\": 1.23457E+11 is a rounded number",
            "row 8: expected 5 values, got 6",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let header = read("key,name\n1,Ada\n").expect_err("a wrong header").to_string();
        assert!(header.contains("row 1: expected a header with a column for the ID ("), "{header}");
        let five: String = (1..6).map(|id| format!("{id},N,,,red\n")).collect();
        assert!(errors(&five).contains("row 6: the team \"red\" has 5 members, and may have 4"));
        assert!(errors("").contains("no people"));
        assert!(read("").expect_err("nothing").to_string().contains("is empty"));
    }

    #[test]
    fn files_of_spreadsheets_and_grade_books_are_read() {
        for (file, expected) in [
            (
                "\r\nstudent_id;name;email;group;team\r\n1006;Person A;;Mo;\r\n",
                "3 1006 Person A  Mo ",
            ),
            (
                ";;;;\r\nstudent_id;name;email;group;team\r\n1006;Person A;;Mo;\r\n",
                "3 1006 Person A  Mo ",
            ),
            (
                "student_id;name;email;group;team;;\r\n1009;Person A;;Mo;;;\r\n",
                "2 1009 Person A  Mo ",
            ),
            (
                "sep=;\r\nstudent_id;name;email;group;team\r\n1005;Person A;;Mo;\r\n",
                "3 1005 Person A  Mo ",
            ),
            ("sep=\t\r\nID\tname\r\n1\tA, B; C\r\n", "3 1 A, B; C ? ? ?"),
            ("\u{feff}name,ID\nA,1\n", "2 1 A ? ? ?"),
            (
                "\"First name\",Surname,\"ID number\",Department,\"Email address\",Groups\nAnna,Example,1001,,anna@x.org,\"Mo, Tu\"\n",
                "2 1001 Anna Example anna@x.org Mo, Tu ?",
            ),
            (
                "Student,ID,SIS User ID,SIS Login ID,Section,Quiz 1 (77)\n,,,,,Manual Posting\n    Points Possible,,,,,10\n\
                 \"Example, Anna\",5,1001,anna,Mo,3\n\"Student, Test\",9,,abc,Mo,\n",
                "4 1001 Anna Example ? Mo ?",
            ),
        ] {
            assert_eq!(people(file.as_bytes()).as_deref(), Ok(expected), "{file:?}");
        }
        assert_eq!(people(b"ID;Name\n1;M\xfcller\n").as_deref(), Ok("2 1 Müller ? ? ?"));
    }

    #[test]
    fn every_encoding_is_read_and_damage_is_reported_with_its_row() {
        let file =
            "ID;Name;Email;Group;Team\n00014;Müller, Šárka;a@x.org;Mo;red\n15;Ben;b@x.org;Tu;red\n";
        let expected = people(file.as_bytes());
        assert!(expected.is_ok());
        for form in encodings(file) {
            assert_eq!(people(&form.bytes), expected, "{}", form.what);
        }
        for form in damaged(file.as_bytes(), cases(200, 5000), 1) {
            let Err(error) = people(&form.bytes) else { continue };
            assert!(
                error.contains("row ") || error.contains("the file "),
                "{}: {error}",
                form.what
            );
        }
    }

    #[test]
    fn values_that_look_alike_are_refused() {
        for (rows, expected) in [
            (
                "00014,A,,,\n14,B,,,\n",
                "row 3, column \"student_id\": \"14\" looks like \"00014\" in row 2",
            ),
            ("a1,A,,,\nA1,B,,,\n", "\"A1\" looks like \"a1\" in row 2"),
            (
                "1,A,,,Red\n2,B,,,red\n",
                "row 3, column \"team\": \"red\" looks like \"Red\" in row 2",
            ),
            ("1,A,,,Zoe\u{301}\n2,B,,,zo\u{e9}\n", "looks like"),
            ("1,A,,,red\u{200b}\n", "invisible character U+200B"),
        ] {
            assert!(errors(rows).contains(expected), "{rows}: {}", errors(rows));
        }
    }
}
