//! What is known of the competitions of a class besides their games: names, order, and states.

use crate::error::SiteError;
use crate::files::Statements;
use crate::files::directory::EVENTS;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, Transaction, params};

/// The longest name of a competition in addresses, in characters.
const LONGEST: usize = 40;

/// The state of a competition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// It has a file, and no event yet.
    Draft,
    /// It takes versions and plays.
    Open,
    /// It is shown, and takes and plays nothing.
    Closed,
}

impl Course {
    const ALL: [Course; 3] = [Course::Draft, Course::Open, Course::Closed];

    /// Returns its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Course::Draft => "draft",
            Course::Open => "open",
            Course::Closed => "closed",
        }
    }
}

/// A competition of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct About {
    /// Its number.
    pub(crate) id: i64,
    /// Its name in addresses.
    pub(crate) slug: String,
    /// Its title; empty: the name of its game.
    pub(crate) title: String,
    /// Its place on the pages.
    pub(crate) position: i64,
    /// Its state.
    pub(crate) state: Course,
    /// Its file, below the directory of the class.
    pub(crate) file: String,
}

impl About {
    /// Returns the title, or the name in addresses of one that has none.
    pub(crate) fn shown(&self) -> &str {
        if self.title.is_empty() { &self.slug } else { &self.title }
    }
}

const SELECT: &str = "SELECT id, slug, title, position, state, file FROM competitions";

fn about(row: &Row<'_>) -> rusqlite::Result<About> {
    let state: String = row.get(4)?;
    let state = Course::ALL.into_iter().find(|it| it.as_str() == state).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(4, Type::Text, "no such state".into())
    })?;
    Ok(About {
        id: row.get(0)?,
        slug: row.get(1)?,
        title: row.get(2)?,
        position: row.get(3)?,
        state,
        file: row.get(5)?,
    })
}

/// Returns the competitions of a class, in the order of its pages.
pub(crate) fn all(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<About>> {
    transaction.rows(&format!("{SELECT} ORDER BY position, id"), [], about)
}

/// Returns the competition with this number.
pub(crate) fn find(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<About> {
    transaction.row(&format!("{SELECT} WHERE id = ?1"), [id], about)
}

/// Returns the competition with this name in addresses.
pub(crate) fn named(transaction: &Transaction<'_>, slug: &str) -> rusqlite::Result<Option<About>> {
    transaction.row(&format!("{SELECT} WHERE slug = ?1"), [slug], about).optional()
}

/// Checks a name for addresses, which is also that of a file.
///
/// # Errors
///
/// It has other characters than small letters, digits and hyphens, or is too long.
pub(crate) fn check_slug(slug: &str) -> Result<(), SiteError> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_right = !slug.is_empty()
        && slug.len() <= LONGEST
        && slug.chars().all(is_plain)
        && !slug.starts_with('-')
        && !slug.ends_with('-');
    if is_right {
        return Ok(());
    }
    Err(SiteError::wrong(format!(
        "Expected a name for addresses of at most {LONGEST} small letters, digits and hyphens, as in \
         \"spring-cup\", got {slug:?}."
    )))
}

/// Adds a draft as the last competition. Returns it.
///
/// # Errors
///
/// The name is wrong or taken.
pub(crate) fn add(
    transaction: &Transaction<'_>,
    slug: &str,
    title: &str,
) -> Result<About, SiteError> {
    check_slug(slug)?;
    if named(transaction, slug)?.is_some() {
        return Err(SiteError::wrong(format!(
            "There is an event {slug:?} already: choose another name for addresses."
        )));
    }
    transaction.change(
        "INSERT INTO competitions(slug, title, position, state, file) \
         SELECT ?1, ?2, MAX(position) + 1, 'draft', ?3 FROM competitions",
        params![slug, title, format!("{EVENTS}/{slug}.toml")],
    )?;
    Ok(find(transaction, transaction.last_insert_rowid())?)
}

/// Changes the state of a competition.
pub(crate) fn set_state(
    transaction: &Transaction<'_>,
    id: i64,
    state: Course,
) -> rusqlite::Result<()> {
    let sql = "UPDATE competitions SET state = ?2 WHERE id = ?1";
    transaction.change(sql, params![id, state.as_str()])
}

/// Changes the title of a competition.
pub(crate) fn set_title(
    transaction: &Transaction<'_>,
    id: i64,
    title: &str,
) -> rusqlite::Result<()> {
    transaction.change("UPDATE competitions SET title = ?2 WHERE id = ?1", params![id, title])
}

/// Moves a competition one place forward, before the one that precedes it.
pub(crate) fn move_up(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    let mut order: Vec<i64> = all(transaction)?.into_iter().map(|about| about.id).collect();
    if let Some(place @ 1..) = order.iter().position(|its| *its == id) {
        order.swap(place - 1, place);
    }
    for (place, id) in order.into_iter().enumerate() {
        let sql = "UPDATE competitions SET position = ?2 WHERE id = ?1";
        transaction.change(sql, [id, place as i64 + 1])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::database::testing::database;

    #[test]
    fn competitions_have_an_order_and_names_for_addresses() {
        let checked = database().transaction(|transaction| {
            let added = add(transaction, "spring-cup", "Spring cup")?;
            assert_eq!(
                (added.state, added.file.as_str()),
                (Course::Draft, "events/spring-cup.toml")
            );
            let order = || {
                let all = all(transaction)?;
                Ok::<_, rusqlite::Error>(all.into_iter().map(|it| it.slug).collect::<Vec<_>>())
            };
            assert_eq!(order()?, ["event", "spring-cup"]);
            move_up(transaction, added.id)?;
            assert_eq!(order()?, ["spring-cup", "event"]);
            for wrong in ["spring-cup", "", "Cup", "a/b", "../x", "-x"] {
                assert!(add(transaction, wrong, "").is_err(), "{wrong}");
            }
            Ok::<(), SiteError>(())
        });
        checked.expect("SQLite works");
    }
}
