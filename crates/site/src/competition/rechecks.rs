//! Rechecks: what came of the blocks of workers on other hosts that a second worker played again. They change no
//! result.

use crate::files::{Json, Statements, now};
use botyard_queue::{RecheckedGame, Rechecks};
use rusqlite::{Row, Transaction, params};

/// The rechecks of a class.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rechecked {
    /// The number of blocks.
    pub blocks: i64,
    /// The number of games with the same result.
    pub same: i64,
    /// The games with another result, each with the kind of its event, the newest batch first.
    pub differing: Vec<(String, RecheckedGame)>,
}

/// Stores the rechecks of a batch of an event, if there are any.
pub(crate) fn add(
    transaction: &Transaction<'_>,
    event: i64,
    rechecks: &Rechecks,
) -> rusqlite::Result<()> {
    if rechecks.done == 0 {
        return Ok(());
    }
    let differing = Json(&rechecks.differing);
    let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let same = count(rechecks.same.saturating_add(rechecks.other_course));
    transaction.change(
        "INSERT INTO rechecks(event, blocks, same, differing, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![event, count(rechecks.done), same, differing, now()],
    )
}

/// Returns the rechecks of a class.
pub(crate) fn all(transaction: &Transaction<'_>) -> rusqlite::Result<Rechecked> {
    let mut all = Rechecked::default();
    let read = |row: &Row<'_>| {
        all.blocks += row.get::<_, i64>(0)?;
        all.same += row.get::<_, i64>(1)?;
        let (Json(games), kind): (Json<Vec<RecheckedGame>>, String) = (row.get(2)?, row.get(3)?);
        all.differing.extend(games.into_iter().map(|game| (kind.clone(), game)));
        Ok(())
    };
    transaction.rows(
        "SELECT blocks, same, differing, kind FROM rechecks \
         JOIN events ON events.id = rechecks.event ORDER BY rechecks.rowid DESC",
        [],
        read,
    )?;
    Ok(all)
}
