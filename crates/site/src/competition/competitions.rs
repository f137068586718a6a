//! The competitions of a class, in the order of its pages.

use super::Competition;
use super::about::{self, About, Course};
use super::history::Why;
use crate::files::Class;
use crate::submissions::copies::Submissions;
use botyard_runner::Error;
use std::sync::{Arc, PoisonError, RwLock};

/// The competitions of a class that have an event. There is at least one.
#[derive(Debug)]
pub(crate) struct Competitions {
    all: RwLock<Vec<Arc<Competition>>>,
}

impl Competitions {
    /// Opens the competitions of a class. Where the settings of a file have changed, another event begins if nothing
    /// was played, or that is `wanted`.
    ///
    /// # Errors
    ///
    /// A file has errors and no event; the host fails.
    pub(crate) fn open(
        class: &Arc<Class>,
        submissions: &Arc<Submissions>,
        wanted: Option<Why<'_>>,
    ) -> Result<Competitions, Error> {
        let rows = class.database.write(about::all)?;
        let begun = rows.into_iter().filter(|about| about.state != Course::Draft);
        let opened = begun
            .map(|about| Competition::open_of(class, submissions, about, wanted).map(Arc::new));
        Ok(Competitions { all: RwLock::new(opened.collect::<Result<_, Error>>()?) })
    }

    /// Returns the competitions of a class that has this one alone.
    #[cfg(test)]
    pub(crate) fn of(competition: Competition) -> Competitions {
        Competitions { all: RwLock::new(vec![Arc::new(competition)]) }
    }

    /// Returns those that are open, in the order of the pages: these take versions and play.
    pub(crate) fn all(&self) -> Vec<Arc<Competition>> {
        let mut all = self.shown();
        all.retain(|competition| competition.about().state == Course::Open);
        all
    }

    /// Returns those that are open or closed, in the order of the pages.
    pub(crate) fn shown(&self) -> Vec<Arc<Competition>> {
        self.all.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the one that a page without a name of a competition shows: the first that is open.
    pub(crate) fn first(&self) -> Arc<Competition> {
        let first = self.all().into_iter().next();
        first.unwrap_or_else(|| self.shown().swap_remove(0))
    }

    /// Returns the one with this number.
    pub(crate) fn find(&self, id: i64) -> Option<Arc<Competition>> {
        self.shown().into_iter().find(|competition| competition.id == id)
    }

    /// Returns the one with this name in addresses.
    pub(crate) fn named(&self, slug: &str) -> Option<Arc<Competition>> {
        self.shown().into_iter().find(|competition| competition.about().slug == slug)
    }

    /// Opens a competition that was a draft, or whose other event or other settings come into force.
    ///
    /// # Errors
    ///
    /// Its file has errors, or the host fails.
    pub(crate) fn open_again(
        &self,
        class: &Arc<Class>,
        submissions: &Arc<Submissions>,
        about: About,
        why: Why<'_>,
    ) -> Result<Arc<Competition>, Error> {
        let mut opened = Competition::open_of(class, submissions, about, Some(why))?;
        let before = self.find(opened.id).filter(|before| before.event.id == opened.event.id);
        if let Some(before) = &before {
            opened.continue_from(before);
        }
        let opened = Arc::new(opened);
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        match all.iter_mut().find(|one| one.id == opened.id) {
            Some(place) => {
                let ended = std::mem::replace(place, Arc::clone(&opened));
                if before.is_none() {
                    ended.tables.close();
                }
            }
            None => all.push(Arc::clone(&opened)),
        }
        drop(all);
        class.announce();
        Ok(opened)
    }

    /// Reads the order, the states and the titles again.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn reload(&self, class: &Class) -> Result<(), Error> {
        let rows = class.database.write(about::all)?;
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        for competition in all.iter() {
            if let Some(about) = rows.iter().find(|about| about.id == competition.id) {
                competition.set_about(about.clone());
            }
        }
        all.sort_by_key(|competition| competition.about().position);
        drop(all);
        class.announce();
        Ok(())
    }
}
