//! What the audit states of a person, which is deleted with the person: names, addresses, and the IDs in the entries
//! of the time in which they were this person's. An ID may have been another's before or after; what is stated of
//! others stays.

use crate::files::Statements;
use crate::people::Person;
use rusqlite::{Transaction, params};
use std::collections::{BTreeSet, HashSet};
use std::ops::RangeInclusive;

/// The kinds of entries that state the values of people: a part for each person, or more.
const OF_VALUES: [&str; 4] =
    ["added a person", "edited a person", "imported a roster", "undid an import"];

/// What separates the parts of an entry about values.
const BETWEEN: &str = "; ";

/// What stands for an empty value.
const NOTHING: &str = "nothing";

/// The values that identify a person.
const IDENTIFYING: [&str; 4] = ["name from ", "email from ", "name ", "email "];

/// The shortest name that is found in other words, in characters.
const NAME: usize = 2;

/// The shortest ID that is found without its name, in characters: shorter numbers stand for much else.
const ID: usize = 3;

/// An ID that a person had, with the time of it in seconds since 1970.
pub(crate) type HeldId = (String, RangeInclusive<i64>);

/// An entry of the audit.
struct Entry {
    id: i64,
    at: i64,
    is_of_values: bool,
    subject: String,
    detail: String,
}

/// A part of an entry about values, as it is written: see [`crate::people::roster::Change::in_words`].
enum Part<'a> {
    /// `changed Ada (1): name from Ada to Eve`, or with `added`.
    Values { name: &'a str, id: &'a str, values: &'a str, is_new: bool },
    /// `changed the ID of Ada from 1 to 2`.
    NewId { name: &'a str, before: &'a str, after: &'a str },
}

impl Part<'_> {
    fn read(text: &str) -> Option<Part<'_>> {
        if let Some(change) = text.strip_prefix("changed the ID of ") {
            let (name, change) = change.rsplit_once(" from ")?;
            let (before, after) = change.split_once(" to ")?;
            return Some(Part::NewId { name, before, after });
        }
        let is_new = text.starts_with("added ");
        let rest = text.strip_prefix("added ").or_else(|| text.strip_prefix("changed "))?;
        let (head, values) = rest.split_once("): ")?;
        let (name, id) = head.rsplit_once(" (")?;
        Some(Part::Values { name, id, values, is_new })
    }
}

/// What the audit states of a person.
#[derive(Debug, Default)]
struct Stated {
    /// Names and addresses.
    names: BTreeSet<String>,
    /// The IDs, each with the numbers of the first and the last entry of its time.
    ids: Vec<(String, RangeInclusive<i64>)>,
    /// The parts of entries about values: the number of the entry, and the part.
    parts: HashSet<(i64, usize)>,
}

impl Stated {
    /// Reads the entries from the newest back to the one with which the person came, or with which the ID was taken
    /// from its holder before.
    fn read(person: &Person, entries: &[Entry]) -> Stated {
        let mut stated = Stated::default();
        stated.names.extend([person.name.clone(), person.email.clone()]);
        let (mut id, mut last) = (person.student_id.clone(), i64::MAX);
        'entries: for entry in entries.iter().rev().filter(|entry| entry.is_of_values) {
            let parts: Vec<&str> = entry.detail.split(BETWEEN).collect();
            for (number, part) in parts.into_iter().enumerate().rev() {
                let Some(its) = id.clone() else { break 'entries };
                match Part::read(part) {
                    Some(Part::NewId { name, before, after }) if after == its => {
                        stated.ids.push((its, entry.id..=last));
                        stated.names.insert(name.to_string());
                        id = Some(before.to_string()).filter(|before| before != NOTHING);
                        last = entry.id;
                    }
                    // Until then another person had it.
                    Some(Part::NewId { before, .. }) if before == its => {
                        stated.ids.push((its, entry.id + 1..=last));
                        id = None;
                        continue;
                    }
                    Some(Part::Values { name, id: of, values, is_new }) if of == its => {
                        stated.names.insert(name.to_string());
                        let values = values.split(", ").filter_map(|value| {
                            IDENTIFYING.iter().find_map(|name| value.strip_prefix(name))
                        });
                        stated
                            .names
                            .extend(values.flat_map(|it| it.split(" to ")).map(String::from));
                        if is_new {
                            stated.ids.push((its, entry.id..=last));
                            id = None;
                        }
                    }
                    _ => continue,
                }
                stated.parts.insert((entry.id, number));
            }
        }
        stated.ids.extend(id.map(|id| (id, i64::MIN..=last)));
        stated.names.retain(|text| !text.is_empty() && text != NOTHING);
        stated
    }

    /// Returns a text of an entry with another text in the place of what identifies the person.
    fn without(&self, entry: i64, text: &str, others: &Others, by: &str) -> String {
        let ids = || self.ids.iter().filter(|(_, time)| time.contains(&entry)).map(|(id, _)| id);
        let mut text = text.to_string();
        // The longest first: a name may begin with another.
        let mut names = Vec::from_iter(&self.names);
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        for name in names {
            for id in ids() {
                text = replaced(&text, &format!("{name} ({id})"), by, |_| true);
            }
            if others.have(name) || name.chars().count() < NAME {
                continue;
            }
            text = replaced(&text, name, by, |rest| !others.follow(rest));
        }
        for id in ids().filter(|id| id.chars().count() >= ID) {
            text = replaced(&text, id, by, |_| true);
        }
        text
    }
}

/// The other people of the class, by what a text may state of them.
struct Others {
    names: HashSet<String>,
    ids: HashSet<String>,
}

impl Others {
    fn read(transaction: &Transaction<'_>, person: i64) -> rusqlite::Result<Others> {
        let rows: Vec<(String, String, Option<String>)> = transaction.rows(
            "SELECT name, email, student_id FROM people WHERE id <> ?1",
            [person],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        let ids = rows.iter().filter_map(|(.., id)| id.clone()).collect();
        Ok(Others {
            names: rows.into_iter().flat_map(|(name, email, _)| [name, email]).collect(),
            ids,
        })
    }

    /// Returns whether another person has this name or address.
    fn have(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns whether a text continues a name with the ID of another person.
    fn follow(&self, rest: &str) -> bool {
        let id = rest.strip_prefix(" (").and_then(|rest| rest.split_once(')'));
        id.is_some_and(|(id, _)| self.ids.contains(id))
    }
}

/// Returns a text with another one in the place of each whole word, or words, if what follows is accepted.
fn replaced(text: &str, words: &str, by: &str, accepts: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut before = None;
    while let Some((head, tail)) = rest.split_once(words) {
        before = head.chars().next_back().or(before);
        let is_whole = |next: Option<char>| !next.is_some_and(char::is_alphanumeric);
        let is_found = is_whole(before) && is_whole(tail.chars().next()) && accepts(tail);
        out.push_str(head);
        out.push_str(if is_found { by } else { words });
        before = words.chars().next_back();
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Deletes what identifies a person from the audit, and returns the IDs of the person. The person has lost the values
/// in the database already.
pub(super) fn erase(
    transaction: &Transaction<'_>,
    person: &Person,
) -> rusqlite::Result<Vec<HeldId>> {
    // What was noted before the person came is about others.
    let entries: Vec<Entry> = transaction.rows(
        "SELECT id, what, subject, detail, at FROM audit \
         WHERE at >= (SELECT created_at FROM people WHERE id = ?1) ORDER BY id",
        [person.id],
        |row| {
            let what: String = row.get(1)?;
            let is_of_values = OF_VALUES.contains(&what.as_str());
            let (subject, detail) = (row.get(2)?, row.get(3)?);
            Ok(Entry { id: row.get(0)?, at: row.get(4)?, is_of_values, subject, detail })
        },
    )?;
    let stated = Stated::read(person, &entries);
    let others = Others::read(transaction, person.id)?;
    let by = format!("Person {}", person.id);
    for entry in &entries {
        let without = |text: &str| stated.without(entry.id, text, &others, &by);
        let parts: Vec<&str> = entry.detail.split(BETWEEN).collect();
        let detail = if !entry.is_of_values {
            without(&entry.detail)
        } else if parts.iter().all(|part| Part::read(part).is_some()) {
            let kept =
                |(number, part): (usize, &&str)| match stated.parts.contains(&(entry.id, number)) {
                    true => by.clone(),
                    false => without(part),
                };
            parts.iter().enumerate().map(kept).collect::<Vec<_>>().join(BETWEEN)
        } else if without(&entry.detail) != entry.detail {
            // A name or group has the separator in it, so what belongs to whom is not known.
            by.clone()
        } else {
            continue;
        };
        let subject = without(&entry.subject);
        if (&detail, &subject) != (&entry.detail, &entry.subject) {
            transaction.change(
                "UPDATE audit SET detail = ?2, subject = ?3 WHERE id = ?1",
                params![entry.id, detail, subject],
            )?;
        }
    }
    let first = |id| entries.iter().find(|entry| entry.id >= id).map(|entry| entry.at);
    let time = |span: RangeInclusive<i64>| {
        first(*span.start()).unwrap_or(i64::MIN)..=first(*span.end()).unwrap_or(i64::MAX)
    };
    Ok(stated.ids.into_iter().map(|(id, span)| (id, time(span))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_replaced_alone() {
        let all = |text, words| replaced(text, words, "X", |_| true);
        assert_eq!(all("Ada (1), Adam, (Ada)", "Ada"), "X (1), Adam, (X)");
        assert_eq!(all("4711: 14711 47112 4711-4711", "4711"), "X: 14711 47112 X-X");
        assert_eq!(all("AdaAda Ada", "Ada"), "AdaAda X");
        assert_eq!(all("", "Ada"), "");
        assert_eq!(
            replaced("Ada (2), Ada (1)", "Ada", "X", |rest| rest != " (1)"),
            "X (2), Ada (1)"
        );
    }
}
