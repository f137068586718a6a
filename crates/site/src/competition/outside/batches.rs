//! The batches in the database of the class.

use crate::competition::ladder::{OpenBlock, open_blocks_of};
use crate::competition::next::Purpose;
use crate::competition::rejudges;
use crate::files::{Json, Statements, now};
use rusqlite::{Row, Transaction, params};

/// Blocks that were handed out together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// The ID of its tournament in the queue.
    pub id: String,
    /// The event of its blocks.
    pub event: i64,
    /// The entrants, in the order of the bots of the tournament.
    pub entrants: Vec<i64>,
    /// The rejudge of its games; `None`: they are games of the event.
    pub rejudge: Option<i64>,
}

impl Batch {
    /// Returns the index of an entrant among the bots of the tournament.
    pub(super) fn bot(&self, entrant: i64) -> Option<usize> {
        self.entrants.iter().position(|&its| its == entrant)
    }

    /// Returns the generation of its games.
    pub(super) fn generation(&self) -> u32 {
        self.rejudge.map_or(0, |rejudge| Purpose::Rejudge(rejudge).generation())
    }
}

const SELECT: &str = "SELECT batches.id, event, entrants, rejudge FROM batches";

fn read(row: &Row<'_>) -> rusqlite::Result<Batch> {
    let Json(entrants) = row.get(2)?;
    Ok(Batch { id: row.get(0)?, event: row.get(1)?, entrants, rejudge: row.get(3)? })
}

/// Returns all batches that were not ended, the oldest first.
pub(super) fn all(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Batch>> {
    transaction.rows(&format!("{SELECT} ORDER BY at, id"), [], read)
}

/// Returns the batches of a competition that were not ended, the oldest first.
pub(super) fn of(transaction: &Transaction<'_>, competition: i64) -> rusqlite::Result<Vec<Batch>> {
    let sql = format!(
        "{SELECT} JOIN events ON events.id = event WHERE competition = ?1 ORDER BY at, batches.id"
    );
    transaction.rows(&sql, [competition], read)
}

/// Adds a batch of these open blocks.
pub(super) fn begin(
    transaction: &Transaction<'_>,
    batch: &Batch,
    blocks: &[OpenBlock],
) -> rusqlite::Result<()> {
    let entrants = Json(&batch.entrants);
    transaction.change(
        "INSERT INTO batches(id, event, entrants, at, rejudge) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![batch.id, batch.event, entrants, now(), batch.rejudge],
    )?;
    if let Some(rejudge) = batch.rejudge {
        return rejudges::hand_out(transaction, rejudge, blocks, &batch.id);
    }
    for block in blocks {
        transaction.change(
            "UPDATE blocks SET batch = ?3 WHERE event = ?1 AND number = ?2",
            params![batch.event, block.number, batch.id],
        )?;
    }
    Ok(())
}

/// Returns the blocks of a batch that have no result yet.
pub(super) fn open(
    transaction: &Transaction<'_>,
    batch: &Batch,
) -> rusqlite::Result<Vec<OpenBlock>> {
    match batch.rejudge {
        Some(rejudge) => {
            let of = (rejudge, batch.event);
            rejudges::open_blocks_of(transaction, of, Some(&batch.id), u32::MAX)
        }
        None => open_blocks_of(transaction, batch.event, Some(&batch.id), u32::MAX),
    }
}

/// Ends the batches of an event and its parts.
pub(crate) fn end_of_event(transaction: &Transaction<'_>, event: i64) -> rusqlite::Result<()> {
    let sql = format!("{SELECT} WHERE event IN (SELECT id FROM events WHERE id = ?1 OR of = ?1)");
    let ended = transaction.rows(&sql, [event], read)?;
    ended.iter().try_for_each(|batch| end(transaction, batch))
}

/// Ends a batch. The site plays those of its blocks that have no result.
pub(super) fn end(transaction: &Transaction<'_>, batch: &Batch) -> rusqlite::Result<()> {
    for table in ["blocks", "rejudged"] {
        let sql = format!("UPDATE {table} SET batch = NULL WHERE batch = ?1");
        transaction.change(&sql, [&batch.id])?;
    }
    transaction.change("DELETE FROM batches WHERE id = ?1", [&batch.id])
}
