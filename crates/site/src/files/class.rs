//! A class that is open: its directory and database, the programs that come with the front end, and what pages follow.

use super::database::Database;
use super::directory::ClassDirectory;
use botyard_runner::{Error, Programs, free_space};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;

/// The least free space with which versions are taken, tried and played, in bytes: a build and its bundle
/// take less.
const LEAST_FREE: u64 = 1 << 30;

/// A class that is open.
#[derive(Debug)]
pub(crate) struct Class {
    /// Its files.
    pub(crate) directory: ClassDirectory,
    /// Its database.
    pub(crate) database: Database,
    /// The programs that come with the front end.
    pub(crate) programs: Programs,
    /// The name of the course.
    pub(crate) course: String,
    /// The free space below which nothing is taken or played, in bytes.
    pub(crate) least_free: u64,
    /// A number that changes when something that pages follow has changed.
    changes: watch::Sender<u64>,
    /// The last failure of the host.
    problem: Mutex<Option<String>>,
}

impl Class {
    /// Opens a class, or creates one.
    ///
    /// # Errors
    ///
    /// The directory or the database cannot be used.
    pub(crate) fn open(path: &Path, programs: Programs) -> Result<Class, Error> {
        let directory = ClassDirectory::open(path)?;
        Ok(Class {
            database: Database::open(&directory.database())?,
            course: directory.name(),
            directory,
            programs,
            least_free: LEAST_FREE,
            changes: watch::channel(0).0,
            problem: Mutex::default(),
        })
    }

    /// Checks that the disk has the room for work.
    ///
    /// # Errors
    ///
    /// It has not.
    pub(crate) fn check_free(&self) -> Result<(), Error> {
        match free_space(self.directory.path()) {
            Some(free) if free < self.least_free => Err(Error::host(format!(
                "the disk of the class has {} MiB free, and the site works only with at least {} MiB: free some space",
                free >> 20,
                self.least_free >> 20
            ))),
            _ => Ok(()),
        }
    }

    /// Lets the pages that follow something look again.
    pub(crate) fn announce(&self) {
        self.changes.send_modify(|number| *number = number.wrapping_add(1));
    }

    /// Returns what changes when something that pages follow has changed.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Records a failure of the host, for the staff.
    pub(crate) fn report(&self, error: &Error) {
        let problem = Some(error.message().text(self.programs.name));
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }

    /// Returns the last failure of the host.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
