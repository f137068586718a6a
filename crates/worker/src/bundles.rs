//! Bundles in a queue: archives of copies, under names that follow from the digest of their files. A
//! worker fetches those that its cache does not have.

use botyard_league::store::{Definition, StoreError};
use botyard_queue::{BUNDLES, Work, bundle_file};
use botyard_runner::bots::bundle::{BundleError, Copies};
use botyard_runner::{Error, locked_within};
use botyard_tournament::active_bundles;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// How long to wait for another worker of this host that fetches bundles.
const OTHERS: Duration = Duration::from_secs(600);

/// Why the bundles of a tournament were not fetched.
#[derive(Debug)]
pub(crate) enum NotFetched {
    /// The queue cannot be reached, or the cache cannot be written. This may pass.
    Host(String),
    /// The bundles of the tournament are not what its definition says.
    Bad(String),
}

impl From<StoreError> for NotFetched {
    fn from(error: StoreError) -> NotFetched {
        match error {
            StoreError::Host(_) | StoreError::Full(_) => NotFetched::Host(error.to_string()),
            error => NotFetched::Bad(error.to_string()),
        }
    }
}

impl From<Error> for NotFetched {
    fn from(error: Error) -> NotFetched {
        NotFetched::Host(error.to_string())
    }
}

/// Makes the copies of the bots and the game of a tournament that are missing in the directory `copies`, and checks
/// the others.
///
/// # Errors
///
/// A bundle is missing or is another one, the queue cannot be reached, or the host fails.
pub(crate) fn fetch(
    work: &dyn Work,
    tournament: &str,
    definition: &Definition,
    copies: &Path,
) -> Result<(), NotFetched> {
    let wanted: BTreeMap<String, String> = active_bundles(definition)
        .map_err(|error| NotFetched::Bad(error.to_string()))?
        .into_iter()
        .filter_map(|(owner, bundle)| Some((bundle.files?, owner)))
        .collect();
    if wanted.is_empty() {
        return Ok(());
    }
    // Makes the directory before the lock beside it.
    drop(Copies::create(copies)?);
    let failed = |error| NotFetched::Host(format!("{}: {error}", copies.display()));
    let lock = locked_within(&copies.with_extension("lock"), OTHERS).map_err(failed)?;
    if lock.is_none() {
        return Err(NotFetched::Host("another worker of this host fetches bundles".to_string()));
    }
    let mut copies = Copies::create(copies)?;
    let mut stored = None;
    for (files, owner) in &wanted {
        let of_bot = |what: String| NotFetched::Bad(format!("the bundle of the {owner}: {what}"));
        if copies.path().join(files).is_dir() {
            match Copies::check(copies.path(), files, None) {
                Ok(()) => continue,
                // Another program has changed it.
                Err(BundleError::Damaged { .. }) => copies.discard_one(files),
                Err(error) => return Err(NotFetched::Host(error.to_string())),
            }
        }
        let stored = match &stored {
            Some(stored) => stored,
            None => stored.insert(work.files(tournament, BUNDLES)?),
        };
        let name = bundle_file(files);
        let file = stored.iter().find(|file| file.name == name);
        let file = file.ok_or_else(|| of_bot("the tournament has no such file".into()))?;
        let archive = work.get(&file.digest)?;
        let archive = archive.ok_or_else(|| of_bot("its content is missing".into()))?;
        if botyard_queue::content_digest(&archive) != file.digest {
            return Err(of_bot("its content has another digest".into()));
        }
        copies.unpack(files, &archive).map_err(|error| match error {
            BundleError::Copy { .. } => NotFetched::Host(error.to_string()),
            error => of_bot(error.to_string()),
        })?;
    }
    Ok(())
}

/// Returns the files of a tournament's own bundles: their names with the digests of the archives, which
/// `put` stores.
///
/// # Errors
///
/// A copy is damaged; those of `put`.
pub(crate) fn store_all(
    bundles: &BTreeSet<String>,
    copies: &Path,
    put: &mut dyn FnMut(&[u8]) -> Result<String, StoreError>,
) -> Result<Vec<(String, String)>, Error> {
    let store = |files: &String| {
        let archive = Copies::pack(copies, files).map_err(Error::host)?;
        Ok((bundle_file(files), put(&archive)?))
    };
    bundles.iter().map(store).collect()
}
