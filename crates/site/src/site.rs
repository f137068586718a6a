//! What all requests share.

use crate::database::{Database, failed, now};
use crate::directory::ClassDirectory;
use crate::disk;
use crate::event::Event;
use crate::finals::{self, FinalRound};
use crate::freezes::{self, Freeze};
use crate::hosts;
use crate::intake::FETCHES;
use crate::ladder::{self, Inputs, LadderEntrant, Record, Standing};
use crate::passwords::Passwords;
use crate::people;
use crate::rejudge_preview::Preview;
use crate::role::Role;
use crate::shares::Shares;
use crate::steady_clock;
use crate::tables::Tables;
use botyard_connections::{Names, Pool};
use botyard_queue::{Difference, SeenWorker};
use botyard_runner::bots::bundle::Copies;
use botyard_runner::{ConcurrencyLimit, Error, Programs};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The standings that students see.
#[derive(Debug)]
struct FrozenBoard {
    freeze: Freeze,
    standing: Arc<Standing>,
    /// What they were computed from. `None`: they are those that were shown last.
    inputs: Option<Inputs>,
}

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
    /// The threads that work on passwords.
    pub passwords: Passwords,
    /// What was played in the ladder.
    record: Mutex<Record>,
    /// The standings of the ladder.
    standing: Mutex<Arc<Standing>>,
    /// The standings that students see while the board is frozen.
    frozen: Mutex<Option<FrozenBoard>>,
    /// The final.
    final_round: Mutex<Option<Arc<FinalRound>>>,
    /// What its standings were computed from.
    final_inputs: Mutex<Option<Inputs>>,
    /// The hosts that differ from their peers.
    hosts: Mutex<Arc<Vec<Difference>>>,
    /// Whether the standings were computed since the site started.
    is_computed: AtomicBool,
    /// The number of [`Site::results`] from which they were computed.
    computed: AtomicU64,
    /// What the rejudge with this number would change.
    rejudge: Mutex<Option<(i64, Arc<Preview>)>>,
    /// The copies of the sources of submissions.
    pub sources: Mutex<Copies>,
    /// The free space below which nothing is taken or played, in bytes.
    pub least_free: u64,
    /// What the versions of a team may take on the disk, in bytes.
    pub quota: u64,
    /// The sizes of copies, which never change.
    sizes: Mutex<HashMap<PathBuf, u64>>,
    /// The git repositories that are being fetched, by team.
    pub fetches: Pool<i64>,
    /// The games that people play.
    pub tables: Tables,
    /// What all visitors use.
    pub shares: Shares,
    course: String,
    /// A number that changes when something that pages follow has changed.
    changes: watch::Sender<u64>,
    /// A number that changes when the standings may have.
    results: watch::Sender<u64>,
    /// A number that changes when a session may have ended, or a person has another role or team.
    sessions: watch::Sender<u64>,
    /// The last failure of the host.
    problem: Mutex<Option<String>>,
    /// The blocks that this process plays, by event and number.
    in_play: Mutex<BTreeSet<(i64, u32)>>,
    /// The entrants whose bots cannot be used.
    set_aside: Mutex<BTreeSet<i64>>,
    /// How many games this host can time at once.
    pub limit: Arc<ConcurrencyLimit>,
    /// The workers on other hosts.
    workers: Mutex<Arc<Vec<SeenWorker>>>,
}

impl Site {
    /// Opens a class, or creates one.
    ///
    /// # Errors
    ///
    /// The directory or the database cannot be used.
    pub fn open(path: &Path, programs: Programs) -> Result<Site, Error> {
        let programs = Programs { name: crate::event::name, ..programs };
        let directory = ClassDirectory::open(path)?;
        let database = Database::open(&directory.database())?;
        let event = Event::open(&directory, &database, &programs)?;
        let sources = Mutex::new(Copies::create(&directory.sources())?);
        let course = directory.name();
        database.transaction(steady_clock::follow).map_err(failed)?;
        let record = database.transaction(|transaction| Record::read(transaction, event.id));
        let record = Mutex::new(record.map_err(failed)?);
        // They take seconds in a large class, and a thread computes them.
        let entrants = database.transaction(|transaction| ladder::of_event(transaction, &event));
        let entrants = entrants.map_err(failed)?;
        let standing = Mutex::new(Arc::new(Standing::of_none(&event, entrants)?));
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() - 1);
        let at_once = event.setup.file.run.concurrency.map_or(cores, usize::from);
        let site = Site {
            directory,
            database,
            event,
            programs,
            passwords: Passwords::default(),
            record,
            standing,
            frozen: Mutex::default(),
            final_round: Mutex::default(),
            final_inputs: Mutex::default(),
            hosts: Mutex::default(),
            is_computed: AtomicBool::new(false),
            computed: AtomicU64::new(0),
            rejudge: Mutex::default(),
            sources,
            least_free: disk::LEAST_FREE,
            quota: disk::QUOTA,
            sizes: Mutex::default(),
            fetches: Pool::with_most(FETCHES, 1),
            tables: Tables::default(),
            shares: Shares::new(Names::Loopback),
            course,
            changes: watch::channel(0).0,
            results: watch::channel(0).0,
            sessions: watch::channel(0).0,
            problem: Mutex::default(),
            in_play: Mutex::default(),
            set_aside: Mutex::default(),
            limit: Arc::new(ConcurrencyLimit::new(at_once)),
            workers: Mutex::default(),
        };
        site.reload_course()?;
        Ok(site)
    }

    /// Reads the freeze of the board and the final again, and lets their standings be computed. Until then
    /// the board shows what it showed, and a new final is empty.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub fn reload_course(&self) -> Result<(), Error> {
        self.read_course()?;
        self.announce();
        self.announce_result();
        Ok(())
    }

    fn read_course(&self) -> Result<(), Error> {
        let event = &self.event;
        let (freeze, state) = self
            .database
            .transaction(|transaction| {
                let freeze = freezes::in_force(transaction, event.id)?;
                Ok::<_, rusqlite::Error>((freeze, finals::state(transaction, event)?))
            })
            .map_err(failed)?;
        let live = self.standing();
        {
            let mut board = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = board.take();
            *board = freeze.map(|freeze| match kept {
                Some(kept) if kept.freeze == freeze => kept,
                _ => FrozenBoard { freeze, standing: live, inputs: None },
            });
        }
        let mut round = self.final_round.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = round.take();
        *round = match state {
            None => None,
            Some(state) => {
                let standing = match kept {
                    Some(kept) if kept.state.event.id == state.event.id => {
                        Arc::clone(&kept.standing)
                    }
                    _ => Arc::new(Standing::of_none(&state.event, Vec::new())?),
                };
                Some(Arc::new(FinalRound { state, standing }))
            }
        };
        Ok(())
    }

    /// Computes the standings of the frozen board and of the final, unless they follow from what they
    /// were computed from.
    fn compute_course(&self) -> Result<(), Error> {
        let event = &self.event;
        let (frozen, round) = self
            .database
            .read(|transaction| {
                let frozen = match freezes::in_force(transaction, event.id)? {
                    Some(freeze) => {
                        let mut entrants = ladder::all(transaction, event.id)?;
                        entrants.retain(|entrant| freeze.entrants.contains(&entrant.id));
                        let last = Some(freeze.last_game);
                        let inputs = Inputs::read(transaction, event.id, last, entrants)?;
                        Some((freeze, inputs))
                    }
                    None => None,
                };
                let round = match finals::state(transaction, event)? {
                    Some(state) => {
                        let entrants = ladder::of_final(transaction, state.event.id)?;
                        let inputs = Inputs::read(transaction, state.event.id, None, entrants)?;
                        Some((state, inputs))
                    }
                    None => None,
                };
                Ok::<_, rusqlite::Error>((frozen, round))
            })
            .map_err(failed)?;
        if let Some((freeze, inputs)) = frozen {
            let is_known = {
                let board = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
                board.as_ref().is_some_and(|board| board.inputs.as_ref() == Some(&inputs))
            };
            if !is_known {
                let (last, entrants) = (Some(freeze.last_game), inputs.entrants.clone());
                let standing = self.standing_of(event, entrants, last, freeze.at)?;
                let mut board = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
                // It may have ended meanwhile.
                if let Some(board) = board.as_mut().filter(|board| board.freeze == freeze) {
                    (board.standing, board.inputs) = (standing, Some(inputs));
                }
            }
        }
        if let Some((state, inputs)) = round {
            let mut known = self.final_inputs.lock().unwrap_or_else(PoisonError::into_inner);
            if known.as_ref() != Some(&inputs) {
                let entrants = inputs.entrants.clone();
                let standing = self.standing_of(&state.event, entrants, None, now())?;
                let mut round = self.final_round.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(own) = round.clone()
                    && own.state.event.id == inputs.event
                {
                    let state = own.state.clone();
                    *round = Some(Arc::new(FinalRound { state, standing }));
                    *known = Some(inputs);
                }
            }
        }
        Ok(())
    }

    /// Computes the standings of these bots by the games of an event, up to this row if one is given.
    fn standing_of(
        &self,
        event: &Event,
        entrants: Vec<LadderEntrant>,
        last: Option<i64>,
        at: i64,
    ) -> Result<Arc<Standing>, Error> {
        let games = self
            .database
            .read(|transaction| ladder::games_of_event(transaction, event.id, last))
            .map_err(failed)?;
        Ok(Arc::new(Standing::of_games(event, entrants, &games, at)?))
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
        let board = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
        let frozen = board.as_ref().map(|board| Arc::clone(&board.standing));
        drop(board);
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

    /// Returns the size of a copy of sources or of a bundle, in bytes.
    pub fn size_of_copy(&self, copy: &Path) -> u64 {
        let sizes = || self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(size) = sizes().get(copy).copied() {
            return size;
        }
        let size = disk::size(copy);
        if size > 0 {
            sizes().insert(copy.to_path_buf(), size);
        }
        size
    }

    /// Lets the pages that follow something look again.
    pub fn announce(&self) {
        self.changes.send_modify(|number| *number = number.wrapping_add(1));
    }

    /// Lets the standings be computed again.
    pub fn announce_result(&self) {
        self.results.send_modify(|number| *number = number.wrapping_add(1));
    }

    /// Ends what visitors follow whose session has ended, or who have another role or team.
    pub fn check_sessions(&self) {
        self.sessions.send_modify(|number| *number = number.wrapping_add(1));
    }

    /// Returns what changes when a session may have ended.
    pub fn sessions(&self) -> watch::Receiver<u64> {
        self.sessions.subscribe()
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
        *record =
            self.database.read(|transaction| Record::read(transaction, event)).map_err(failed)?;
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
        let number = *self.results.borrow();
        let standing = Standing::compute(&self.event, &self.database, &self.record)?;
        self.database
            .transaction(|transaction| ladder::keep_ratings(transaction, &standing))
            .map_err(failed)?;
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(standing);
        if self.final_round().is_some_and(|round| !round.state.is_complete()) {
            self.read_course()?;
        }
        self.compute_course()?;
        let differing = self.database.read(hosts::differing).map_err(failed)?;
        *self.hosts.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(differing);
        self.computed.store(number, Ordering::Release);
        self.is_computed.store(true, Ordering::Release);
        self.announce();
        Ok(())
    }

    /// Returns whether the standings have everything that has happened.
    pub fn is_current(&self) -> bool {
        self.is_computed() && self.computed.load(Ordering::Acquire) == *self.results.borrow()
    }

    /// Returns the hosts that differ from their peers.
    pub fn differing_hosts(&self) -> Arc<Vec<Difference>> {
        Arc::clone(&self.hosts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns whether the standings were computed since the site started.
    pub fn is_computed(&self) -> bool {
        self.is_computed.load(Ordering::Acquire)
    }

    /// Returns what changes when something that pages follow has changed.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Records a failure of the host, for the staff.
    pub fn report(&self, error: &Error) {
        let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        *problem = Some(error.message().text(self.programs.name));
    }

    /// Returns the last failure of the host.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the blocks that this process plays, for this thread alone: others choose none meanwhile.
    pub fn in_play(&self) -> MutexGuard<'_, BTreeSet<(i64, u32)>> {
        self.in_play.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what came of reading the bot of an entrant. One that cannot be read is set aside: no block
    /// with it is chosen until the site starts again, so that others are played.
    ///
    /// # Errors
    ///
    /// The bot could not be read.
    pub fn usable<T>(&self, entrant: &LadderEntrant, read: Result<T, Error>) -> Result<T, Error> {
        if read.is_err() {
            let mut aside = self.set_aside.lock().unwrap_or_else(PoisonError::into_inner);
            aside.insert(entrant.id);
        }
        read
    }

    /// Returns whether an entrant is set aside.
    pub fn is_set_aside(&self, entrant: &LadderEntrant) -> bool {
        self.set_aside.lock().unwrap_or_else(PoisonError::into_inner).contains(&entrant.id)
    }

    /// Returns the workers on other hosts that are alive.
    pub fn workers(&self) -> Arc<Vec<SeenWorker>> {
        Arc::clone(&self.workers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Shows the workers on other hosts that are alive.
    pub fn show_workers(&self, workers: Vec<SeenWorker>) {
        *self.workers.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(workers);
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
