//! A class that is served: each floor of it.

use crate::competition::{Competition, event};
use crate::files::Class;
use crate::people::access::People;
use crate::people::steady_clock;
use crate::submissions::copies::Submissions;
use botyard_connections::Names;
use botyard_runner::{Error, Programs};
use std::path::Path;
use std::sync::Arc;

/// A class that is served.
#[derive(Debug)]
pub(crate) struct Site {
    /// Its files and database.
    pub(crate) class: Arc<Class>,
    /// What its people use.
    pub(crate) people: People,
    /// What its teams have submitted.
    pub(crate) submissions: Arc<Submissions>,
    /// What is played.
    pub(crate) competition: Arc<Competition>,
}

impl Site {
    /// Opens a class, or creates one.
    ///
    /// # Errors
    ///
    /// The directory or the database cannot be used.
    pub(crate) fn open(path: &Path, programs: Programs) -> Result<Site, Error> {
        Site::of(Class::open(path, Programs { name: event::name, ..programs })?)
    }

    /// Serves a class that is open.
    pub(crate) fn of(class: Class) -> Result<Site, Error> {
        let class = Arc::new(class);
        class.database.write(steady_clock::follow)?;
        let submissions = Arc::new(Submissions::open(&class)?);
        let competition = Arc::new(Competition::open(&class, &submissions)?);
        Ok(Site { class, people: People::new(Names::Loopback), submissions, competition })
    }
}
