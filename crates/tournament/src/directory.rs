//! The directory of a tournament: its store, replays and standings. One program at a time writes to
//! it.

use botyard_league::atomic_file;
use botyard_league::private_files;
use botyard_league::store::{Definition, SqliteStore, StoreError, examine};
use botyard_runner::bots::bundle::Copies;
use botyard_runner::settings::DIRECTORY;
use botyard_runner::{Error, free_space, locked_within, message, passed_by_bots};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The free space required to start a tournament, in bytes.
const LEAST_ROOM: u64 = 16 << 20;

/// A tournament's directory, locked by this program.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    /// Whether this program created it.
    is_new: bool,
    /// The lock is held while the file is open. The system releases it however the program ends.
    _lock: File,
}

impl Directory {
    /// Creates a directory, or takes an empty one.
    ///
    /// # Errors
    ///
    /// The directory is not empty or not writable.
    pub fn create(path: &Path) -> Result<Directory, Error> {
        let shown = path.display();
        if path.exists() && !path.is_dir() {
            return Err(Error::usage(message![
                shown,
                " is not a directory; choose another one with ",
                DIRECTORY
            ]));
        }
        if store_file(path).exists() {
            return Err(StoreError::Exists { directory: path.to_path_buf() }.into());
        }
        let is_new = !path.exists();
        private_files::create_directory(path, passed_by_bots())
            .map_err(|error| unwritable(path, &error))?;
        let mut entries = fs::read_dir(path).map_err(|error| unwritable(path, &error))?;
        // Ignores what a run leaves if it was refused or killed before its first game: the lock,
        // copies of bots, and the unfinished store with SQLite's journal.
        let is_other = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name();
                let is_copies = name == BUNDLES && Copies::are_all_in(&entry.path());
                name != LOCK && !is_copies && !name.to_string_lossy().starts_with(PART)
            })
        };
        if entries.any(is_other) {
            return Err(Error::usage(message![
                format!(
                    "the directory {shown} is not empty: empty it, or choose another one with "
                ),
                DIRECTORY
            ]));
        }
        Ok(Directory { is_new, ..Directory::lock(path)? })
    }

    /// Opens the directory of a started tournament.
    ///
    /// # Errors
    ///
    /// The directory contains no tournament or is not writable, or the tournament is being played.
    pub fn open(path: &Path) -> Result<Directory, Error> {
        if !store_file(path).is_file() {
            return Err(StoreError::NotThere { path: store_file(path) }.into());
        }
        Directory::lock(path)
    }

    /// Opens the directory of a tournament whose store may be damaged or missing.
    ///
    /// # Errors
    ///
    /// The directory has no trace of a tournament or is not writable, or the tournament is being
    /// played.
    pub fn open_damaged(path: &Path) -> Result<Directory, Error> {
        if !store_file(path).is_file() && !path.join(DEFINITION).is_file() {
            return Err(StoreError::NotThere { path: store_file(path) }.into());
        }
        Directory::lock(path)
    }

    /// Stores a copy of the tournament's definition, from which a damaged store can be rebuilt.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn keep_definition(&self, definition: &Definition) -> Result<(), Error> {
        let copy = self.path.join(DEFINITION);
        if copy.exists() {
            return Ok(());
        }
        Ok(SqliteStore::create(&copy, definition.clone()).map(drop)?)
    }

    /// Stores the copies that belong to a definition after an addition to the tournament: of its
    /// file, and last of itself. An interrupted addition is thus found by the latter.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub(crate) fn keep_addition(&self, definition: &Definition) -> Result<(), Error> {
        self.save(FILE, &definition.file)?;
        self.keep_new_definition(definition)
    }

    /// Completes what `botyard` could not when it was killed: the store had an addition already, or
    /// a new tournament, and the copies beside it did not. A copy of the file that was edited is
    /// left as it is.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub(crate) fn complete_copies(&self, definition: &Definition) -> Result<(), Error> {
        let is_old =
            |kept: Definition| kept.file != definition.file || kept.kept != definition.kept;
        if self.kept_definition().is_some_and(is_old) {
            return self.keep_addition(definition);
        }
        match self.path.join(FILE).exists() {
            true => Ok(()),
            false => self.save(FILE, &definition.file),
        }
    }

    /// Replaces the copy of the tournament's definition.
    fn keep_new_definition(&self, definition: &Definition) -> Result<(), Error> {
        let new = self.path.join(NEW_DEFINITION);
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(self.path.join(format!("{NEW_DEFINITION}{suffix}")));
        }
        drop(SqliteStore::create(&new, definition.clone())?);
        atomic_file::rename(&new, &self.path.join(DEFINITION))
            .map_err(|error| Error::host(format!("{}: {error}", new.display())))
    }

    /// Returns the copy of the tournament's definition, if it exists and is intact.
    pub(crate) fn kept_definition(&self) -> Option<Definition> {
        examine(&self.path.join(DEFINITION)).ok()?.definition
    }

    fn lock(path: &Path) -> Result<Directory, Error> {
        tighten(path);
        let Some(lock) =
            locked_within(&path.join(LOCK), DYING).map_err(|error| unwritable(path, &error))?
        else {
            return Err(Error::usage(format!(
                "the tournament in {} is being played by another botyard process; wait for it or stop it",
                path.display()
            )));
        };
        if let Some(room) = free_space(path)
            && room < LEAST_ROOM
        {
            return Err(Error::host(format!(
                "not enough free space for {}: {} KiB; results and replays need at least {} MiB",
                path.display(),
                room >> 10,
                LEAST_ROOM >> 20
            )));
        }
        Ok(Directory { path: path.to_path_buf(), is_new: false, _lock: lock })
    }

    /// Removes all files of a tournament that did not start. A directory that existed before is
    /// kept.
    pub fn discard(self) {
        // A remaining file does no harm: the directory can be used again.
        let _ = fs::remove_file(self.path.join(LOCK));
        if self.is_new {
            let _ = fs::remove_dir(&self.path);
        }
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the directory with the copies of the bots.
    pub fn bundles(&self) -> PathBuf {
        bundles(&self.path)
    }

    /// Opens the store.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn store(&self) -> Result<SqliteStore, Error> {
        Ok(SqliteStore::open(&store_file(&self.path))?)
    }

    /// Writes a file for people, atomically.
    ///
    /// # Errors
    ///
    /// A failure of the host.
    pub fn save(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        atomic_file::replace(&path, text.as_bytes())
            .map_err(|error| Error::host(format!("{}: {error}", path.display())))
    }
}

const LOCK: &str = "lock";
/// The copy of the tournament file.
pub(super) const FILE: &str = "tournament.toml";
/// The directory with the copies of the bots.
const BUNDLES: &str = "bundles";
/// The copy of the tournament's definition: a store without games.
const DEFINITION: &str = "definition.db";
/// The next copy while it is written.
const NEW_DEFINITION: &str = "definition.new.db";
/// The name of the store.
pub(crate) const STORE: &str = "tournament.db";

/// How long a killed `botyard` may take to exit.
const DYING: Duration = Duration::from_secs(2);

const PART: &str = "tournament.part";

/// Returns the directory with the copies of a tournament's bots.
pub(crate) fn bundles(directory: &Path) -> PathBuf {
    directory.join(BUNDLES)
}

/// Keeps other users from the files of a tournament.
pub(super) fn tighten(directory: &Path) {
    private_files::tighten_directory(directory, &[BUNDLES], passed_by_bots());
}

/// Returns the path of a tournament's store.
pub fn store_file(directory: &Path) -> PathBuf {
    directory.join(STORE)
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::host(format!("cannot write to {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_program_that_was_being_started_does_not_keep_the_lock() {
        let place = tempfile::tempdir().unwrap();
        let directory = Directory::create(place.path()).unwrap();
        let mut child = Command::new("sleep")
            .arg("600")
            .stdin(directory._lock.try_clone().unwrap())
            .spawn()
            .unwrap();
        // This program has been killed before the other one is executed.
        drop(directory);
        let again = Directory::create(place.path());
        child.kill().unwrap();
        child.wait().unwrap();
        again.unwrap();
    }

    #[test]
    fn a_refused_run_takes_away_what_it_has_made_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let (there, new) = (place.path().join("there"), place.path().join("new"));
        fs::create_dir(&there).unwrap();
        for path in [&there, &new] {
            Directory::create(path).unwrap().discard();
        }
        assert!(there.is_dir() && fs::read_dir(&there).unwrap().next().is_none());
        assert!(!new.exists());
    }

    #[test]
    fn what_a_killed_run_leaves_before_its_first_game_is_in_nobodys_way() {
        let place = tempfile::tempdir().unwrap();
        for name in ["lock", "tournament.part", "tournament.part-journal"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        drop(Directory::create(place.path()).unwrap());
        fs::write(place.path().join("essay.txt"), "").unwrap();
        let error = Directory::create(place.path()).unwrap_err().to_string();
        assert!(error.contains("is not empty"), "{error}");
    }
}
