//! A competition that runs: what the threads that play, compute and show it share.

use super::about::About;
use super::boards::Boards;
use super::event::{Event, Pending, Place};
use super::game::{self, State};
use super::history::Why;
use super::ladder::{self, LadderEntrant, Record, Standing};
use super::outside::Link;
use super::tables::Tables;
use crate::files::Class;
use crate::submissions::Submission;
use crate::submissions::copies::Submissions;
use botyard_engine::registry::plain_name;
use botyard_runner::{ConcurrencyLimit, Error};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// A competition of a class.
#[derive(Debug)]
pub(crate) struct Competition {
    /// Its number.
    pub(crate) id: i64,
    about: RwLock<Arc<About>>,
    /// The class.
    pub(crate) class: Arc<Class>,
    /// The versions that play.
    pub(crate) submissions: Arc<Submissions>,
    /// The conditions of the games.
    pub(crate) event: Event,
    /// The games that people play.
    pub(crate) tables: Arc<Tables>,
    /// How many games this host can time at once.
    pub(crate) limit: Arc<ConcurrencyLimit>,
    /// What is shown.
    pub(super) boards: Mutex<Arc<Boards>>,
    /// What was played in the ladder.
    pub(super) record: Arc<Mutex<Record>>,
    in_play: Arc<Mutex<InPlay>>,
    /// The workers on other hosts.
    pub(super) outside: Link,
    /// A number that changes when the standings may have.
    pub(super) results: Arc<AtomicU64>,
    /// What the program of the game draws for the page of the event, once it was asked; `None` if it draws nothing.
    pub(crate) drawing: OnceLock<Option<String>>,
}

/// What this process plays, and what it does not.
#[derive(Debug, Default)]
pub(crate) struct InPlay {
    /// The blocks that are played, by event and number.
    pub(crate) blocks: BTreeSet<(i64, u32)>,
    /// The entrants whose bots cannot be used.
    pub(crate) set_aside: BTreeSet<i64>,
}

impl Competition {
    /// Opens the first competition of a class.
    ///
    /// # Errors
    ///
    /// Those of [`Competition::open_of`].
    #[cfg(test)]
    pub(crate) fn open(
        class: &Arc<Class>,
        submissions: &Arc<Submissions>,
    ) -> Result<Competition, Error> {
        let first = |transaction: &rusqlite::Transaction<'_>| {
            super::about::find(transaction, crate::submissions::FIRST)
        };
        Competition::open_of(class, submissions, class.database.write(first)?, None)
    }

    /// Opens a competition of a class. Another event begins as for [`Event::open_of`].
    ///
    /// # Errors
    ///
    /// The event has errors, or the database cannot be used.
    pub(crate) fn open_of(
        class: &Arc<Class>,
        submissions: &Arc<Submissions>,
        about: About,
        wanted: Option<Why<'_>>,
    ) -> Result<Competition, Error> {
        let event = Event::open_of(Place::of(class), &about, wanted)?;
        let (record, entrants) = class.database.write(|transaction| {
            let record = Record::read(transaction, event.id)?;
            Ok((record, ladder::of_event(transaction, &event)?))
        })?;
        // They take seconds in a large class, and a thread computes them.
        let standing = Standing::of_none(&event, entrants)?;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() - 1);
        let at_once = event.setup.file.run.concurrency.map_or(cores, usize::from);
        let competition = Competition {
            id: about.id,
            about: RwLock::new(Arc::new(about)),
            class: Arc::clone(class),
            submissions: Arc::clone(submissions),
            event,
            tables: Arc::default(),
            limit: Arc::new(ConcurrencyLimit::new(at_once)),
            boards: Mutex::new(Arc::new(Boards::new(standing))),
            record: Arc::new(Mutex::new(record)),
            in_play: Arc::default(),
            outside: Link::default(),
            results: Arc::default(),
            drawing: OnceLock::new(),
        };
        competition.reload_course()?;
        Ok(competition)
    }

    /// Continues from what this process has played and shown of the same event: games that it plays now end in both.
    pub(super) fn continue_from(&mut self, before: &Competition) {
        self.tables = Arc::clone(&before.tables);
        self.record = Arc::clone(&before.record);
        self.in_play = Arc::clone(&before.in_play);
        self.results = Arc::clone(&before.results);
        self.boards = Mutex::new(before.boards());
    }

    /// Returns what is known of it besides its games.
    pub(crate) fn about(&self) -> Arc<About> {
        Arc::clone(&self.about.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn set_about(&self, about: About) {
        *self.about.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(about);
    }

    /// Returns its title, or the name in its file, or that of its game.
    pub(crate) fn title(&self) -> String {
        let about = self.about();
        if !about.title.is_empty() {
            return about.title.clone();
        }
        self.event.name().unwrap_or_else(|| plain_name(self.event.game())).to_string()
    }

    /// Returns what of its file waits for a teacher.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the database cannot be used.
    pub(crate) fn pending(&self) -> Result<Option<Pending>, Error> {
        self.event.pending(Place::of(&self.class), &self.about())
    }

    /// Returns whether a submission is tried under the conditions of this competition.
    pub(super) fn tries(&self, submission: &Submission) -> bool {
        submission.competition == self.id
    }

    /// Returns whether the game of the event is played; `None` for a built-in game.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(super) fn game_state(&self) -> Result<Option<State>, Error> {
        let Some(game) = &self.event.game else { return Ok(None) };
        let status = self.class.database.write(|it| game::status(it, game.event))?;
        Ok(status.map(|status| status.state))
    }

    /// Lets the standings be computed again.
    pub(crate) fn announce_result(&self) {
        self.results.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns what was played in the ladder, for this thread alone.
    pub(crate) fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what was played in the ladder again.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn reload_record(&self) -> Result<(), Error> {
        let event = self.event.id;
        let mut record = self.record();
        *record = self.class.database.read(|transaction| Record::read(transaction, event))?;
        Ok(())
    }

    /// Returns what this process plays, for this thread alone: others choose no blocks meanwhile.
    pub(super) fn in_play(&self) -> MutexGuard<'_, InPlay> {
        self.in_play.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what came of reading the bot of an entrant. One that cannot be read is set aside: no block
    /// with it is chosen until the site starts again, so that others are played.
    ///
    /// # Errors
    ///
    /// The bot could not be read.
    pub(super) fn usable<T>(
        &self,
        entrant: &LadderEntrant,
        read: Result<T, Error>,
    ) -> Result<T, Error> {
        if read.is_err() {
            self.in_play().set_aside.insert(entrant.id);
        }
        read
    }
}
