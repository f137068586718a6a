//! The files of a team whose members were deleted: its versions stay as numbers, because games refer to them.

use super::copies::Submissions;
use crate::files::Statements;
use rusqlite::Transaction;

/// Deletes what the versions of a team are, and lets none of them play. Returns the digests of sources that no version
/// has any more.
pub(crate) fn delete_files(
    transaction: &Transaction<'_>,
    team: i64,
) -> rusqlite::Result<Vec<String>> {
    let sources: Vec<String> = transaction.rows(
        "SELECT DISTINCT source FROM submissions WHERE team = ?1 AND source <> '' AND source NOT IN \
         (SELECT source FROM submissions WHERE team <> ?1)",
        [team],
        |row| row.get(0),
    )?;
    transaction.change("DELETE FROM active WHERE team = ?1", [team])?;
    transaction.change(
        "DELETE FROM log WHERE submission IN (SELECT id FROM submissions WHERE team = ?1)",
        [team],
    )?;
    transaction.change(
        "UPDATE submissions SET state = CASE WHEN state IN ('queued', 'working') THEN 'superseded' ELSE state END, \
         file = '', source = '', commit_id = NULL, reason = '', declared = '' WHERE team = ?1",
        [team],
    )?;
    Ok(sources)
}

impl Submissions {
    /// Removes the copies of these sources.
    pub(crate) fn remove_sources(&self, digests: &[String]) {
        let sources = self.sources.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        digests.iter().for_each(|digest| sources.discard_one(digest));
    }
}
