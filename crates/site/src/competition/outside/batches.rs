//! The batches in the database of the class.

use crate::competition::ladder::{OpenBlock, open_blocks_of};
use crate::files::{Json, Statements, now};
use rusqlite::{Transaction, params};

/// Blocks that were handed out together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// The ID of its tournament in the queue.
    pub id: String,
    /// The event of its blocks.
    pub event: i64,
    /// The entrants, in the order of the bots of the tournament.
    pub entrants: Vec<i64>,
}

impl Batch {
    /// Returns the index of an entrant among the bots of the tournament.
    pub(super) fn bot(&self, entrant: i64) -> Option<usize> {
        self.entrants.iter().position(|&its| its == entrant)
    }
}

/// Returns all batches that were not ended, the oldest first.
pub(super) fn all(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Batch>> {
    transaction.rows("SELECT id, event, entrants FROM batches ORDER BY at, id", [], |row| {
        let Json(entrants) = row.get(2)?;
        Ok(Batch { id: row.get(0)?, event: row.get(1)?, entrants })
    })
}

/// Adds a batch of these open blocks.
pub(super) fn begin(
    transaction: &Transaction<'_>,
    batch: &Batch,
    blocks: &[OpenBlock],
) -> rusqlite::Result<()> {
    let entrants = Json(&batch.entrants);
    transaction.change(
        "INSERT INTO batches(id, event, entrants, at) VALUES (?1, ?2, ?3, ?4)",
        params![batch.id, batch.event, entrants, now()],
    )?;
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
    open_blocks_of(transaction, batch.event, Some(&batch.id), u32::MAX)
}

/// Ends a batch. The site plays those of its blocks that have no result.
pub(super) fn end(transaction: &Transaction<'_>, batch: &Batch) -> rusqlite::Result<()> {
    transaction.change("UPDATE blocks SET batch = NULL WHERE batch = ?1", [&batch.id])?;
    transaction.change("DELETE FROM batches WHERE id = ?1", [&batch.id])
}
