//! The submission of a tournament to a queue: its bots were copied, started and played the gate on the
//! host of the submitter. The queue gets the definition, the bundles and the first blocks, all at once.

use crate::bundles::store_all;
use crate::place::host_name;
use botyard_league::store::{Definition, Store, StoreError, copy_results};
use botyard_queue::{Hold, Queue, Schedule, TournamentStore};
use botyard_runner::Error;
use botyard_tournament::{Directory, active_bundles, schedule_of};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A submitted tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Its id in the queue.
    pub id: String,
    /// The number of its games, at least in a knockout.
    pub games: u64,
    /// The number of bundles.
    pub bundles: usize,
}

/// Checks that no tournament of a queue has this id.
///
/// # Errors
///
/// One has; errors of the queue.
pub fn check_id(queue: &Queue, id: &str) -> Result<(), Error> {
    match queue.tournaments()?.iter().any(|listed| listed.id == id) {
        true => Err(StoreError::Refused(format!("there is a tournament {id:?} already")).into()),
        false => Ok(()),
    }
}

/// Adds a tournament to a queue. Its copies of bots are in the directory `copies`; `recheck` is the
/// [share of blocks](Queue::set_recheck) that are played again.
///
/// # Errors
///
/// An id that is taken; a damaged copy; errors of the queue.
pub fn submit(
    queue: &Arc<Queue>,
    id: &str,
    definition: &Definition,
    copies: &Path,
    recheck: f64,
) -> Result<Submitted, Error> {
    let (games, scale) = schedule_of(definition)?;
    let bundles = active_bundles(definition)?;
    let bundles: BTreeSet<String> =
        bundles.into_iter().filter_map(|(_, bundle)| bundle.files).collect();
    let files = store_all(&bundles, copies, &mut |archive| queue.put(archive))?;
    let schedule = Schedule { games: &games, scale };
    // No block is completed before its share is known.
    queue.add_with_files(id, definition, &schedule, &files, Hold::Held)?;
    queue.set_recheck(id, recheck)?;
    queue.hold(id, Hold::Open)?;
    let mut store = TournamentStore::open(Arc::clone(queue), id)?;
    store.note("began", &format!("botyard {}", env!("CARGO_PKG_VERSION")))?;
    store.note("submitted", &by_whom(definition))?;
    Ok(Submitted { id: id.to_string(), games: games.games(), bundles: bundles.len() })
}

/// Adds the tournament of a directory to a queue, with the games that were played there and their files.
/// Workers play the rest. The directory is not changed.
///
/// # Errors
///
/// The directory has no tournament, or one that is being played or that version 0.1.0 began; an id that
/// is taken; errors of the queue or of the host.
pub fn import(queue: &Arc<Queue>, id: Option<&str>, path: &Path) -> Result<Submitted, Error> {
    let directory = Directory::open(path)?;
    let from = directory.store()?;
    let definition = from.definition();
    let id = id.unwrap_or(&definition.name);
    check_id(queue, id)?;
    let (games, scale) = schedule_of(definition)?;
    let schedule = Schedule { games: &games, scale };
    let bundles: BTreeSet<String> =
        active_bundles(definition)?.into_iter().filter_map(|(_, bundle)| bundle.files).collect();
    let mut files = store_all(&bundles, &directory.bundles(), &mut |archive| queue.put(archive))?;
    let names = files_below(path, "replays").map_err(|error| {
        Error::host(format!("the replays in {} cannot be read: {error}", path.display()))
    })?;
    for name in names {
        let content = fs::read(path.join(&name))
            .map_err(|error| Error::host(format!("{name} cannot be read: {error}")))?;
        files.push((name, queue.put(&content)?));
    }
    // No block is leased before it is known which have results.
    queue.add_with_files(id, definition, &schedule, &files, Hold::Held)?;
    let mut store = TournamentStore::open(Arc::clone(queue), id)?;
    copy_results(&from, &mut store)?;
    queue.extend(id, definition, &schedule)?;
    store.note("submitted", &format!("from a directory on {}, with its results", host_name()))?;
    queue.hold(id, Hold::Open)?;
    Ok(Submitted { id: id.to_string(), games: games.games(), bundles: bundles.len() })
}

/// Returns the names of all files below a directory, with `/`.
fn files_below(path: &Path, name: &str) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let entries = match fs::read_dir(path.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let own = entry.file_name().into_string().map_err(|name| {
            io::Error::other(format!("a file has a name that is not UTF-8: {name:?}"))
        })?;
        let name = format!("{name}/{own}");
        match entry.file_type()?.is_dir() {
            true => found.extend(files_below(path, &name)?),
            false => found.push(name),
        }
    }
    Ok(found)
}

/// Describes where the bots were admitted.
fn by_whom(definition: &Definition) -> String {
    let (host, bots) = (host_name(), definition.entrants.len());
    let has_gate = definition.entrants.iter().any(|entrant| entrant.gate_passed.is_some());
    match has_gate {
        true => format!(
            "from {host}, which played the gate: {bots} admitted, {} rejected",
            definition.rejected.len()
        ),
        false => format!("from {host}, which started all {bots} bots; there was no gate"),
    }
}
