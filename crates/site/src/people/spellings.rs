//! The names, IDs and addresses that a person had, as entries of the audit state them: these are deleted with the
//! person.

use crate::files::Statements;
use crate::people::Person;
use rusqlite::Transaction;
use std::collections::BTreeSet;

/// The condition for entries that state the values of a person.
pub(super) const OF_VALUES: &str =
    "what IN ('added a person', 'edited a person', 'imported a roster', 'undid an import')";

/// What stands for an empty value.
const NOTHING: &str = "nothing";

/// The values that identify a person.
const IDENTIFYING: [&str; 4] = ["name from ", "email from ", "name ", "email "];

/// Returns what the person is and was called, without empty texts.
pub(super) fn of(
    transaction: &Transaction<'_>,
    person: &Person,
) -> rusqlite::Result<BTreeSet<String>> {
    let sql = format!("SELECT detail FROM audit WHERE {OF_VALUES} ORDER BY id DESC");
    let details: Vec<String> = transaction.rows(&sql, [], |row| row.get(0))?;
    let mut id = person.student_id.clone();
    let mut found = BTreeSet::from([person.name.clone(), person.email.clone()]);
    found.extend(id.clone());
    // From the newest back to the one that gave the ID: before it, the ID may have been that of another person.
    for part in details.iter().flat_map(|detail| detail.rsplit("; ")) {
        let Some(its) = &id else { break };
        if let Some(before) = id_before(part, its) {
            id = Some(before.to_string()).filter(|before| before != NOTHING);
            found.extend(id.clone());
            continue;
        }
        let Some((named, values)) = about(part, its) else { continue };
        found.insert(named.to_string());
        for value in values.split(", ") {
            let change = IDENTIFYING.iter().find_map(|name| value.strip_prefix(name));
            found.extend(change.into_iter().flat_map(|it| it.split(" to ")).map(String::from));
        }
        if part.starts_with("added ") {
            break;
        }
    }
    found.retain(|text| !text.is_empty() && text != NOTHING);
    Ok(found)
}

/// Returns the ID that became this one: `changed the ID of Ada from 1 to 2`.
fn id_before<'a>(part: &'a str, id: &str) -> Option<&'a str> {
    let (_, change) = part.strip_prefix("changed the ID of ")?.rsplit_once(" from ")?;
    let (before, after) = change.split_once(" to ")?;
    (after == id).then_some(before)
}

/// Returns the name and the values of an entry about this ID: `changed Ada (1): name from Ada to Eve`.
fn about<'a>(part: &'a str, id: &str) -> Option<(&'a str, &'a str)> {
    let part = part.strip_prefix("changed ").or_else(|| part.strip_prefix("added "))?;
    part.split_once(&format!(" ({id}): "))
}
