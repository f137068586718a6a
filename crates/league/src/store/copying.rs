//! The copy of all results from one store to another.

use super::{GenerationState, Store, StoreError, StoredGame};

/// The games that are written at once.
const TOGETHER: usize = 500;

/// Copies the games, the rejudges and the audit log of a store to one with the same definition and
/// without results. Entries of the log get the present time. Returns the number of games.
///
/// # Errors
///
/// Content that cannot be read; errors of the host.
pub fn copy_results(from: &dyn Store, to: &mut dyn Store) -> Result<u64, StoreError> {
    let mut copied = copy_games(from, to, 0)?;
    for generation in from.generations()? {
        to.begin_rejudge(&generation.reason, &generation.games)?;
        copied += copy_games(from, to, generation.number)?;
        if generation.state != GenerationState::Pending {
            to.finish_rejudge(generation.state == GenerationState::Applied)?;
        }
    }
    for entry in from.audit()? {
        to.note(&entry.what, &entry.detail)?;
    }
    Ok(copied)
}

fn copy_games(from: &dyn Store, to: &mut dyn Store, generation: u32) -> Result<u64, StoreError> {
    let mut games: Vec<StoredGame> = Vec::new();
    from.games(generation, &mut |game| games.push(game))?;
    games.chunks(TOGETHER).try_for_each(|games| to.record(games))?;
    Ok(games.len() as u64)
}
