//! The directory of a tournament: the file with its results, the replays, the standings. One program at
//! a time writes to it.

use crate::Error;
use crate::bots::bundle::Copies;
use crate::settings::DIRECTORY;
use botyard_league::atomic_file;
use botyard_league::store::{Definition, SqliteStore, StoreError, examine};
use rustix::fs::{FlockOperation, fcntl_lock, statvfs};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// With less room than this a tournament is not begun, in bytes.
const LEAST_ROOM: u64 = 16 << 20;

/// A tournament's directory, held by this program.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    /// Whether this program has made it.
    is_new: bool,
    /// Locked as long as it is open; the system unlocks it however the program ends.
    _lock: File,
}

impl Directory {
    /// A new or empty directory.
    ///
    /// # Errors
    ///
    /// One that holds something, and one that cannot be written to.
    pub fn create(path: &Path) -> Result<Directory, Error> {
        let shown = path.display();
        if path.exists() && !path.is_dir() {
            return Err(Error::usage(format!(
                "{shown} is not a directory; choose another one with {DIRECTORY}"
            )));
        }
        if store_file(path).exists() {
            return Err(Error::usage(format!(
                "{shown} has a tournament already: resume it with `botyard tournament resume {shown}`, or \
                 choose another directory with {DIRECTORY}"
            )));
        }
        let is_new = !path.exists();
        fs::create_dir_all(path).map_err(|error| unwritable(path, &error))?;
        let mut entries = fs::read_dir(path).map_err(|error| unwritable(path, &error))?;
        // What a run leaves that was refused or killed before its first game: the lock, copies of bots, and the
        // file of results with SQLite's journal beside it.
        let is_other = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name();
                let is_copies = name == BUNDLES && Copies::are_all_in(&entry.path());
                name != LOCK && !is_copies && !name.to_string_lossy().starts_with(PART)
            })
        };
        if entries.any(is_other) {
            return Err(Error::usage(format!(
                "the directory {shown} is not empty: empty it, or choose another one with {DIRECTORY}"
            )));
        }
        Ok(Directory { is_new, ..Directory::lock(path)? })
    }

    /// The directory of a tournament that was begun.
    ///
    /// # Errors
    ///
    /// One without a tournament, or whose tournament is being played, or that cannot be written
    /// to.
    pub fn open(path: &Path) -> Result<Directory, Error> {
        if !store_file(path).is_file() {
            return Err(StoreError::NotThere { path: store_file(path) }.into());
        }
        Directory::lock(path)
    }

    /// The directory of a tournament whose store may be damaged or gone.
    ///
    /// # Errors
    ///
    /// One without any trace of a tournament, one that is being played, and one that cannot be written to.
    pub fn open_damaged(path: &Path) -> Result<Directory, Error> {
        if !store_file(path).is_file() && !path.join(DEFINITION).is_file() {
            return Err(StoreError::NotThere { path: store_file(path) }.into());
        }
        Directory::lock(path)
    }

    /// Keeps a copy of what the tournament is, so that a damaged store can be rebuilt.
    ///
    /// # Errors
    ///
    /// What the host cannot do.
    pub fn keep_definition(&self, definition: &Definition) -> Result<(), Error> {
        let copy = self.path.join(DEFINITION);
        if copy.exists() {
            return Ok(());
        }
        Ok(SqliteStore::create(&copy, definition.clone()).map(drop)?)
    }

    /// Keeps a copy of what the tournament is now, in place of the one before.
    ///
    /// # Errors
    ///
    /// What the host cannot do.
    pub fn keep_new_definition(&self, definition: &Definition) -> Result<(), Error> {
        let new = self.path.join(NEW_DEFINITION);
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(self.path.join(format!("{NEW_DEFINITION}{suffix}")));
        }
        drop(SqliteStore::create(&new, definition.clone())?);
        atomic_file::rename(&new, &self.path.join(DEFINITION))
            .map_err(|error| Error::host(format!("{}: {error}", new.display())))
    }

    /// The copy of what the tournament is, if it is there and sound.
    pub fn kept_definition(&self) -> Option<Definition> {
        examine(&self.path.join(DEFINITION)).ok()?.definition
    }

    fn lock(path: &Path) -> Result<Directory, Error> {
        let lock = File::options().create(true).truncate(false).write(true).open(path.join(LOCK));
        let lock = lock.map_err(|error| unwritable(path, &error))?;
        if !is_ours_within(&lock, DYING) {
            return Err(Error::usage(format!(
                "the tournament in {} is being played by another botyard process; wait for it, or stop it",
                path.display()
            )));
        }
        let room = statvfs(path).map(|found| found.f_bavail.saturating_mul(found.f_frsize));
        if let Ok(room) = room
            && room < LEAST_ROOM
        {
            return Err(Error::host(format!(
                "there is hardly any room where {} is: {} KiB; results and replays need {} MiB or more",
                path.display(),
                room >> 10,
                LEAST_ROOM >> 20
            )));
        }
        Ok(Directory { path: path.to_path_buf(), is_new: false, _lock: lock })
    }

    /// Leaves nothing of a tournament that was not begun. A directory that was there before stays.
    pub fn discard(self) {
        // What cannot be taken away does no harm: an empty directory can be used again.
        let _ = fs::remove_file(self.path.join(LOCK));
        if self.is_new {
            let _ = fs::remove_dir(&self.path);
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the copies of its bots are.
    pub fn bundles(&self) -> PathBuf {
        bundles(&self.path)
    }

    /// The store in it.
    ///
    /// # Errors
    ///
    /// One that cannot be read.
    pub fn store(&self) -> Result<SqliteStore, Error> {
        Ok(SqliteStore::open(&store_file(&self.path))?)
    }

    /// Writes a file that a person may read, whole or not at all.
    ///
    /// # Errors
    ///
    /// What the host cannot do.
    pub fn save(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        atomic_file::replace(&path, text.as_bytes())
            .map_err(|error| Error::host(format!("{}: {error}", path.display())))
    }
}

const LOCK: &str = "lock";
/// The directory with the copies of the bots.
const BUNDLES: &str = "bundles";
/// The copy of what the tournament is: a store without games.
const DEFINITION: &str = "definition.db";
/// The next one of these copies while it is written.
const NEW_DEFINITION: &str = "definition.new.db";
/// The name of the store.
pub const STORE: &str = "tournament.db";

/// How long a `botyard` that was killed may take to be gone.
const DYING: Duration = Duration::from_secs(2);

/// Whether this process gets the lock in this time.
///
/// The lock is the process's (`fcntl`), and not that of the open file (`flock`): programs that are
/// being started have all open files until they are executed, also after this one was killed, and would
/// keep a tournament from being resumed.
fn is_ours_within(lock: &File, time: Duration) -> bool {
    let deadline = Instant::now() + time;
    loop {
        if fcntl_lock(lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
const PART: &str = "tournament.part";

/// Where the copies of the bots of a tournament are.
pub fn bundles(directory: &Path) -> PathBuf {
    directory.join(BUNDLES)
}

/// Where the results of a tournament are.
pub fn store_file(directory: &Path) -> PathBuf {
    directory.join(STORE)
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::host(format!("nothing can be written to {}: {error}", path.display()))
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
        // As when this program is killed before the other one is executed.
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
