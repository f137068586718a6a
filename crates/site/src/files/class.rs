//! A class that is open: its directory and database, the programs that come with the front end, and what pages follow.

use super::course;
use super::database::Database;
use super::directory::ClassDirectory;
use super::site_file::SiteFile;
use super::zone::CourseZone;
use botyard_runner::{Error, Programs, free_space};
use std::path::Path;
use std::sync::{Mutex, PoisonError, RwLock};
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
    /// The part of the names of its cookies that is its own.
    pub(crate) token: String,
    /// The name of the course.
    course: RwLock<String>,
    /// What `site.toml` states.
    pub(crate) settings: SiteFile,
    /// The time zone of the course.
    pub(crate) zone: CourseZone,
    /// The free space below which nothing is taken or played, in bytes.
    pub(crate) least_free: u64,
    /// A number that changes when something that pages follow has changed.
    changes: watch::Sender<u64>,
    /// The last failure of the host.
    problem: Mutex<Option<String>>,
    /// Why the provider could not sign somebody in last.
    sign_in_problem: Mutex<Option<String>>,
}

impl Class {
    /// Opens a class, or creates one.
    ///
    /// # Errors
    ///
    /// The directory or the database cannot be used.
    pub(crate) fn open(path: &Path, programs: Programs) -> Result<Class, Error> {
        let directory = ClassDirectory::open(path)?;
        let database = Database::open(&directory.database())?;
        let (token, name) = database
            .write(|transaction| Ok((course::token(transaction)?, course::name(transaction)?)))?;
        Ok(Class {
            settings: SiteFile::read(directory.path())?,
            zone: database.write(CourseZone::load)?,
            database,
            token,
            course: RwLock::new(name.unwrap_or_else(|| directory.name())),
            directory,
            programs,
            least_free: LEAST_FREE,
            changes: watch::channel(0).0,
            problem: Mutex::default(),
            sign_in_problem: Mutex::default(),
        })
    }

    /// Returns the name of the course.
    pub(crate) fn course(&self) -> String {
        self.course.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Shows another name of the course, which is stored.
    pub(crate) fn show_course(&self, name: &str) {
        *self.course.write().unwrap_or_else(PoisonError::into_inner) = name.to_string();
        self.announce();
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

    /// Records why the provider could not sign somebody in, for the staff; `None` if it could.
    pub(crate) fn report_sign_in(&self, problem: Option<String>) {
        *self.sign_in_problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }

    /// Returns why the provider could not sign somebody in, if that was the last sign-in.
    pub(crate) fn sign_in_problem(&self) -> Option<String> {
        self.sign_in_problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the last failure of the host.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
