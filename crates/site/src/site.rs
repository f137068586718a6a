//! A class that is served: each floor of it.

use crate::competition::history::Why;
use crate::competition::{Competition, Competitions, event};
use crate::files::{Class, course};
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
    pub(crate) competitions: Arc<Competitions>,
}

impl Site {
    /// Opens a class, or creates one.
    ///
    /// # Errors
    ///
    /// The directory or the database cannot be used.
    #[cfg(test)]
    pub(crate) fn open(path: &Path, programs: Programs) -> Result<Site, Error> {
        Site::open_with(path, programs, None)
    }

    /// Opens a class, or creates one. Events with other settings than those in force begin if that is `wanted`.
    ///
    /// # Errors
    ///
    /// The directory or the database cannot be used.
    pub(crate) fn open_with(
        path: &Path,
        programs: Programs,
        wanted: Option<Why<'_>>,
    ) -> Result<Site, Error> {
        Site::with(Class::open(path, Programs { name: event::name, ..programs })?, wanted)
    }

    /// Serves a class that is open.
    #[cfg(test)]
    pub(crate) fn of(class: Class) -> Result<Site, Error> {
        Site::with(class, None)
    }

    fn with(class: Class, wanted: Option<Why<'_>>) -> Result<Site, Error> {
        let class = Arc::new(class);
        class.database.write(steady_clock::follow)?;
        let submissions = Arc::new(Submissions::open(&class)?);
        let competitions = Arc::new(Competitions::open(&class, &submissions, wanted)?);
        name_course(&class, &competitions)?;
        Ok(Site { class, people: People::new(Names::Loopback), submissions, competitions })
    }

    /// Returns the competition that a page without its name shows.
    pub(crate) fn competition(&self) -> Arc<Competition> {
        self.competitions.first()
    }
}

/// Gives a course a name of its own if it has none: that of the first file, or else that of the directory. A copy of
/// the course keeps it.
fn name_course(class: &Class, competitions: &Competitions) -> Result<(), Error> {
    if class.database.write(course::name)?.is_some() {
        return Ok(());
    }
    let named = competitions.first().event.name().map(String::from);
    let name = named.unwrap_or_else(|| class.directory.name());
    class.database.write(|transaction| course::set_name(transaction, &name))?;
    class.show_course(&name);
    Ok(())
}
