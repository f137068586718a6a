//! The audit: who changed what, from what to what, and why. Entries are only added.

use crate::files::{Statements, now};
use rusqlite::{Row, Transaction, params};

/// An entry of the audit.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// When, in seconds since 1970.
    pub at: i64,
    /// The name of the person who did it. `None`: the site.
    pub who: Option<String>,
    /// What was done, in a word or two: its kind.
    pub what: String,
    /// Whom or what it is about, such as a team; empty if it is about nothing in particular.
    pub subject: String,
    /// From what to what, and why.
    pub detail: String,
}

/// Which entries are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    /// A part of any of the texts, in any case; empty: all.
    pub text: String,
    /// What was done; empty: anything.
    pub what: String,
    /// Who did it. `None`: anyone; 0: the site.
    pub person: Option<i64>,
    /// The first moment, in seconds since 1970.
    pub from: Option<i64>,
    /// The moment after the last.
    pub until: Option<i64>,
}

/// Adds an entry about nothing in particular.
pub(crate) fn note(
    transaction: &Transaction<'_>,
    person: Option<i64>,
    what: &str,
    detail: &str,
) -> rusqlite::Result<()> {
    about(transaction, person, (what, ""), detail)
}

/// Adds an entry: what was done, and to whom or what.
pub(crate) fn about(
    transaction: &Transaction<'_>,
    person: Option<i64>,
    (what, subject): (&str, &str),
    detail: &str,
) -> rusqlite::Result<()> {
    transaction.change(
        "INSERT INTO audit(at, person, what, subject, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![now(), person, what, subject, detail],
    )
}

const FOUND: &str = "FROM audit LEFT JOIN people ON people.id = audit.person \
     WHERE (?1 = '' OR instr(lower(audit.what || char(10) || subject || char(10) || detail || char(10) \
     || coalesce(people.name, '')), lower(?1)) > 0) \
     AND (?2 = '' OR audit.what = ?2) AND (?3 IS NULL OR coalesce(audit.person, 0) = ?3) \
     AND (?4 IS NULL OR audit.at >= ?4) AND (?5 IS NULL OR audit.at < ?5)";

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        at: row.get(0)?,
        who: row.get(1)?,
        what: row.get(2)?,
        subject: row.get(3)?,
        detail: row.get(4)?,
    })
}

/// Returns the entries that are wanted, the newest first, after the first `skipped`.
pub(crate) fn found(
    transaction: &Transaction<'_>,
    search: &Search,
    (skipped, most): (u64, u64),
) -> rusqlite::Result<Vec<Entry>> {
    let Search { text, what, person, from, until } = search;
    let sql = format!(
        "SELECT audit.at, people.name, audit.what, subject, detail {FOUND} ORDER BY audit.id DESC LIMIT ?6 OFFSET ?7"
    );
    let (most, skipped) = (most.cast_signed(), skipped.cast_signed());
    transaction.rows(&sql, params![text, what, person, from, until, most, skipped], entry)
}

/// Returns the number of entries that are wanted.
pub(crate) fn count(transaction: &Transaction<'_>, search: &Search) -> rusqlite::Result<u64> {
    let Search { text, what, person, from, until } = search;
    let sql = format!("SELECT COUNT(*) {FOUND}");
    let count: i64 = transaction.value(&sql, params![text, what, person, from, until])?;
    Ok(count.unsigned_abs())
}

/// Returns what was done, each once.
pub(crate) fn kinds(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<String>> {
    transaction.rows("SELECT DISTINCT what FROM audit ORDER BY what", [], |row| row.get(0))
}

/// Returns who did something: numbers and names.
pub(crate) fn people(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<(i64, String)>> {
    transaction.rows(
        "SELECT id, name FROM people WHERE id IN (SELECT person FROM audit) ORDER BY name",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// Returns names in words, up to a bound: `red, blue and 3 more`.
pub(crate) fn listed(names: &[String], most: usize) -> String {
    match names.split_at_checked(most) {
        Some((first, rest)) if !rest.is_empty() => {
            format!("{} and {} more", first.join(", "), rest.len())
        }
        _ if names.is_empty() => "none".to_string(),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::SiteError;
    use crate::files::database::testing::database;

    #[test]
    fn entries_are_found_by_text_kind_person_and_time() {
        let checked = database().transaction(|transaction| {
            let admin = crate::people::first_admin(transaction)?;
            about(transaction, Some(admin), ("extended a deadline", "red"), "from a to b: ill")?;
            about(transaction, Some(admin), ("extended a deadline", "blue"), "from a to c: 100%")?;
            note(transaction, None, "began an event", "event 1")?;
            let number = |search: Search| -> rusqlite::Result<(u64, usize)> {
                let found = found(transaction, &search, (0, 10))?;
                Ok((count(transaction, &search)?, found.len()))
            };
            let all = Search::default;
            assert_eq!(number(all())?, (3, 3));
            assert_eq!(number(Search { text: "ILL".into(), ..all() })?, (1, 1));
            assert_eq!(number(Search { text: "100%".into(), ..all() })?, (1, 1), "no wildcard");
            assert_eq!(number(Search { text: "administrator".into(), ..all() })?, (2, 2));
            assert_eq!(number(Search { what: "began an event".into(), ..all() })?, (1, 1));
            assert_eq!(number(Search { person: Some(admin), ..all() })?, (2, 2));
            assert_eq!(number(Search { person: Some(0), ..all() })?, (1, 1));
            assert_eq!(number(Search { until: Some(1), ..all() })?, (0, 0));
            assert_eq!(number(Search { from: Some(1), ..all() })?, (3, 3));
            let second = found(transaction, &all(), (1, 1))?;
            assert_eq!((second.len(), second[0].subject.as_str()), (1, "blue"));
            assert_eq!(kinds(transaction)?, ["began an event", "extended a deadline"]);
            assert_eq!(people(transaction)?.len(), 1);
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }

    #[test]
    fn lists_have_a_bound() {
        let names = ["a", "b", "c"].map(String::from);
        assert_eq!(listed(&names, 3), "a, b, c");
        assert_eq!(listed(&names, 1), "a and 2 more");
        assert_eq!(listed(&[], 1), "none");
    }
}
