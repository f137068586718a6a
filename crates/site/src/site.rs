//! What all requests share.

use crate::database::{Database, failed};
use crate::directory::ClassDirectory;
use crate::event::Event;
use crate::finals::{self, FinalRound};
use crate::freezes;
use crate::ladder::{self, Record, Standing};
use crate::people;
use crate::rejudge_preview::Preview;
use crate::role::Role;
use botyard_runner::bots::bundle::Copies;
use botyard_runner::{Error, Programs};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// A class that is served.
#[derive(Debug)]
pub struct Site {
    /// Its files.
    pub directory: ClassDirectory,
    /// Its database.
    pub database: Database,
    /// The conditions of its games.
    pub event: Event,
    /// The programs that come with the front end.
    pub programs: Programs,
    /// Puts the front end's names of settings into a text.
    pub words: fn(&str) -> String,
    /// What was played in the ladder.
    record: Mutex<Record>,
    /// The standings of the ladder.
    standing: Mutex<Arc<Standing>>,
    /// The standings that students see while the board is frozen.
    frozen: Mutex<Option<Arc<Standing>>>,
    /// The final.
    final_round: Mutex<Option<Arc<FinalRound>>>,
    /// What the rejudge with this number would change.
    rejudge: Mutex<Option<(i64, Arc<Preview>)>>,
    /// The copies of the sources of submissions.
    pub sources: Mutex<Copies>,
    /// The number of git repositories that are being fetched.
    pub fetches: AtomicUsize,
    course: String,
    /// A number that changes when something that pages follow has changed.
    changes: watch::Sender<u64>,
    /// A number that changes when the standings may have.
    results: watch::Sender<u64>,
    /// The last failure of the host.
    problem: Mutex<Option<String>>,
}

impl Site {
    /// Opens a class, or creates one.
    ///
    /// # Errors
    ///
    /// The directory or the database cannot be used.
    pub fn open(path: &Path, programs: Programs, words: fn(&str) -> String) -> Result<Site, Error> {
        let directory = ClassDirectory::open(path)?;
        let database = Database::open(&directory.database())?;
        let event = Event::open(&directory, &database, &programs)?;
        let sources = Mutex::new(Copies::create(&directory.sources())?);
        let course = directory.name();
        let record = database.transaction(|transaction| Record::read(transaction, event.id));
        let record = Mutex::new(record.map_err(failed)?);
        let standing = Mutex::new(Arc::new(Standing::compute(&event, &database, &record)?));
        let site = Site {
            directory,
            database,
            event,
            programs,
            words,
            record,
            standing,
            frozen: Mutex::default(),
            final_round: Mutex::default(),
            rejudge: Mutex::default(),
            sources,
            fetches: AtomicUsize::new(0),
            course,
            changes: watch::channel(0).0,
            results: watch::channel(0).0,
            problem: Mutex::default(),
        };
        site.reload_course()?;
        Ok(site)
    }

    /// Reads the freeze of the board and the final again.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub fn reload_course(&self) -> Result<(), Error> {
        let event = &self.event;
        let (freeze, round) = self
            .database
            .transaction(|transaction| {
                let freeze = freezes::in_force(transaction, event.id)?;
                let frozen = match freeze {
                    Some(freeze) => {
                        let mut entrants = ladder::all(transaction, event.id)?;
                        entrants.retain(|entrant| freeze.entrants.contains(&entrant.id));
                        let last = Some(freeze.last_game);
                        let games = ladder::games_of_event(transaction, event.id, last)?;
                        Some((freeze.at, entrants, games))
                    }
                    None => None,
                };
                Ok::<_, rusqlite::Error>((frozen, finals::read(transaction, event)?))
            })
            .map_err(failed)?;
        let frozen = freeze
            .map(|(at, entrants, games)| Standing::of_games(event, entrants, &games, at))
            .transpose()?;
        let round = round.map(finals::Read::computed).transpose()?;
        *self.frozen.lock().unwrap_or_else(PoisonError::into_inner) = frozen.map(Arc::new);
        *self.final_round.lock().unwrap_or_else(PoisonError::into_inner) = round.map(Arc::new);
        self.announce();
        Ok(())
    }

    /// Returns the final of the event.
    pub fn final_round(&self) -> Option<Arc<FinalRound>> {
        self.final_round.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns what a rejudge would change, if it was computed.
    pub fn rejudge_preview(&self, id: i64) -> Option<Arc<Preview>> {
        let preview = self.rejudge.lock().unwrap_or_else(PoisonError::into_inner).clone();
        preview.filter(|(its, _)| *its == id).map(|(_, preview)| preview)
    }

    /// Shows what a rejudge would change.
    pub fn show_rejudge_preview(&self, id: i64, preview: Preview) {
        let preview = Some((id, Arc::new(preview)));
        *self.rejudge.lock().unwrap_or_else(PoisonError::into_inner) = preview;
        self.announce();
    }

    /// Returns the standings that a role sees, and whether they are frozen.
    pub fn standing_for(&self, role: Role) -> (Arc<Standing>, bool) {
        let frozen = self.frozen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match frozen {
            Some(frozen) if !role.is_staff() => (frozen, true),
            _ => (self.standing(), false),
        }
    }

    /// Returns whether the board is frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Returns the directory with the sources of this digest.
    pub fn source(&self, digest: &str) -> PathBuf {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner).kept_directory(digest)
    }

    /// Lets the pages that follow something look again.
    pub fn announce(&self) {
        self.changes.send_modify(|number| *number = number.wrapping_add(1));
    }

    /// Lets the standings be computed again.
    pub fn announce_result(&self) {
        self.results.send_modify(|number| *number = number.wrapping_add(1));
    }

    /// Returns what changes when the standings may have.
    pub fn results(&self) -> watch::Receiver<u64> {
        self.results.subscribe()
    }

    /// Returns what was played in the ladder, for this thread alone.
    pub fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what was played in the ladder again.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub fn reload_record(&self) -> Result<(), Error> {
        let event = self.event.id;
        let mut record = self.record();
        *record = self
            .database
            .transaction(|transaction| Record::read(transaction, event))
            .map_err(failed)?;
        Ok(())
    }

    /// Returns the standings of the ladder.
    pub fn standing(&self) -> Arc<Standing> {
        Arc::clone(&self.standing.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Computes the standings, and shows them.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub fn compute_standing(&self) -> Result<(), Error> {
        let standing = Standing::compute(&self.event, &self.database, &self.record)?;
        self.database
            .transaction(|transaction| ladder::keep_ratings(transaction, &standing))
            .map_err(failed)?;
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(standing);
        match self.final_round().is_some_and(|round| !round.state.is_complete()) {
            true => self.reload_course(),
            false => {
                self.announce();
                Ok(())
            }
        }
    }

    /// Returns what changes when something that pages follow has changed.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Records a failure of the host, for the staff.
    pub fn report(&self, error: &Error) {
        let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        *problem = Some((self.words)(&error.to_string()));
    }

    /// Returns the last failure of the host.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the name of the course.
    pub fn course(&self) -> &str {
        &self.course
    }

    /// Makes a link with which an administrator chooses a new password. Returns its token.
    ///
    /// # Errors
    ///
    /// The database cannot be used, or the system gives no random numbers.
    pub fn admin_link(&self) -> Result<String, Error> {
        let link = self.database.transaction(|transaction| {
            let admin = people::first_admin(transaction)?;
            people::link(transaction, admin)
        });
        link.map_err(Error::host)
    }

    /// Returns whether an administrator can sign in.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub fn has_admin(&self) -> Result<bool, Error> {
        self.database.transaction(people::has_admin).map_err(failed)
    }
}
