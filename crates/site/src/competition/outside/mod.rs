//! Workers on other hosts: they play blocks of the ladder, of a final, of challenges and of rejudges beside the worker of
//! the site, and the [gates](gates) of versions. They build and check nothing: what comes of that follows from no
//! replay, so that the site could not check it.
//!
//! Blocks are handed out in [batches](batches): each is a tournament of a queue, with the bots and the
//! draws of its blocks. Workers claim them from the queue itself, or by a coordinator that this process
//! runs, which checks every result against its replay. A thread collects the results, stores them like
//! those of the site's own games, and removes the batch from the queue.
//!
//! * A block is played once: here or in one batch. The database of the class decides.
//! * The queue may be lost at any time. Blocks of a batch that it does not have are played here.
//! * Blocks of a batch that no worker plays any more are taken back.

mod batches;
mod bots;
mod collect;
pub(crate) mod gates;
mod handout;
#[cfg(test)]
mod tests;

use crate::competition::{Competition, Competitions, Rounds};
use crate::files::Database;
use batches::Batch;
pub(crate) use batches::end_of_event;
use bots::Bots;
use botyard_coordinator::{Coordinator, Event, Limits, Setting, TokenFileError, Tokens};
use botyard_queue::{Address, Queue, SeenWorker, owner};
use botyard_runner::Error;
use collect::{Progress, Until};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The file of the queue in the directory of a class, unless another store is named.
const FILE: &str = "workers.db";

/// The file of the workers' tokens in the directory of a class, which is the first of several.
pub const TOKENS: &str = "workers.tokens";

/// How often the thread looks for results.
const LOOK: Duration = Duration::from_millis(500);

/// How long the thread waits after a failure.
const RECOVER: Duration = Duration::from_secs(10);

/// A worker that is silent for longer plays nothing. A busy one renews its leases every 30 seconds.
const ALIVE: Duration = Duration::from_secs(90);

/// Batches are taken back when all workers have been silent for this long.
const TAKE_BACK: Duration = Duration::from_secs(300);

/// How long a batch whose blocks have results waits for its rechecks.
const RECHECKS: Duration = Duration::from_secs(600);

/// The most batches that wait for rechecks.
const MOST_RECHECKED: usize = 32;

/// The most blocks that wait for a few workers whose games are short.
const MOST_AHEAD: u64 = 64;

/// How often content is removed that no batch has any more.
const TIDY: Duration = Duration::from_secs(600);

/// The age at which such content is removed: a worker may be about to name it.
const UNNAMED: Duration = Duration::from_secs(3600);

/// How long calls in progress may take when the site ends.
const PATIENCE: Duration = Duration::from_secs(5);

/// How workers on other hosts reach a site.
#[derive(Clone, Debug)]
pub struct Outside {
    /// The queue that they claim from. `None`: a file in the directory of the first class, which they reach by
    /// a coordinator alone.
    pub store: Option<Address>,
    /// The address and the port of the coordinator; port 0 for any free port. `None`: there is none.
    pub listen: Option<SocketAddr>,
    /// The share of their blocks, from 0 to 1, that another one of them plays again.
    pub recheck: f64,
    /// Receives what the coordinator did and refused, as one line of JSON each.
    pub log: fn(&str),
}

/// How a competition reaches the workers.
#[derive(Debug, Default)]
pub(crate) struct Link {
    /// The queue, if there is one.
    queue: OnceLock<Arc<Queue>>,
    bots: Mutex<Bots>,
}

impl Link {
    fn queue(&self) -> Option<&Arc<Queue>> {
        self.queue.get()
    }

    /// Returns the bundles that the queue has, for this thread alone.
    fn bots(&self) -> MutexGuard<'_, Bots> {
        self.bots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread that hands out blocks of all classes, and the coordinator. They end when this is dropped.
pub(crate) struct Handing {
    coordinator: Option<Coordinator>,
    _rounds: Rounds,
}

impl std::fmt::Debug for Handing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Handing").finish_non_exhaustive()
    }
}

impl Handing {
    /// Opens the queue and starts the thread, and the coordinator if there is to be one. The files of both are in the
    /// directory of the first class.
    ///
    /// # Errors
    ///
    /// There is no class, the queue cannot be opened, the address is taken, or the file of tokens cannot be used.
    pub(crate) fn start(
        classes: Vec<Arc<Competitions>>,
        outside: &Outside,
    ) -> Result<Handing, Error> {
        let first = classes.first().ok_or_else(|| Error::usage("no class is served"))?;
        let competition = first.first();
        let class = competition.class.directory.path();
        let own = Address::File(class.join(FILE));
        let queue = Arc::new(Queue::open(outside.store.as_ref().unwrap_or(&own))?);
        let coordinator = match outside.listen {
            Some(listen) => Some(coordinator(&competition, class, &queue, listen, outside.log)?),
            None => None,
        };
        for competitions in &classes {
            gates::remove_all(&competitions.first(), &queue)?;
        }
        let recheck = outside.recheck;
        let mut all: BTreeMap<(usize, i64), Hands> = BTreeMap::new();
        let rounds = Rounds::start("outside workers", LOOK, move |_| {
            let mut pause = LOOK;
            for (class, competitions) in classes.iter().enumerate() {
                for competition in competitions.all() {
                    let id = (class, competition.id);
                    let hands = all.entry(id).or_insert_with(|| Hands::new(recheck));
                    if let Err(error) = hands.work(&competition, &queue) {
                        competition.class.report(&error);
                        pause = RECOVER;
                    }
                }
            }
            pause
        })?;
        Ok(Handing { coordinator, _rounds: rounds })
    }

    /// Returns the address at which workers reach the coordinator, if there is one.
    pub(crate) fn address(&self) -> Option<String> {
        self.coordinator.as_ref().map(|coordinator| format!("http://{}", coordinator.address()))
    }
}

impl Drop for Handing {
    fn drop(&mut self) {
        if let Some(coordinator) = self.coordinator.take() {
            coordinator.stop(PATIENCE);
        }
    }
}

fn coordinator(
    competition: &Competition,
    class: &Path,
    queue: &Arc<Queue>,
    listen: SocketAddr,
    log: fn(&str),
) -> Result<Coordinator, Error> {
    let tokens = Tokens::in_file(class.join(TOKENS));
    match tokens.check() {
        // The first token is added to a class, which has to be there before.
        Ok(()) | Err(TokenFileError::NotThere(_)) => {}
        Err(error) => return Err(Error::usage(error)),
    }
    let setting = Setting {
        listen,
        tokens: Arc::new(tokens),
        programs: competition.class.programs.clone(),
        limits: Limits::default(),
        log: Arc::new(move |event: &Event| log(&event.to_string())),
    };
    Coordinator::start(Arc::clone(queue), setting).map_err(|error| {
        Error::host(format!(
            "cannot listen on {listen} for workers: {error}; choose another address"
        ))
    })
}

/// Takes all blocks back that were handed out: the site has no outside workers now.
///
/// # Errors
///
/// The database cannot be used.
pub(crate) fn take_all_back(database: &Database) -> Result<(), Error> {
    database.write(|transaction| {
        for batch in batches::all(transaction)? {
            batches::end(transaction, &batch)?;
        }
        Ok(())
    })
}

/// What the thread keeps between its looks.
struct Hands {
    /// The number of blocks that should wait for workers.
    ahead: u64,
    /// When content was removed last.
    tidied: Instant,
    /// The share of blocks that are played again.
    recheck: f64,
    /// Since when batches wait for rechecks alone, by ID.
    rechecked: HashMap<String, Instant>,
}

impl Hands {
    fn new(recheck: f64) -> Hands {
        Hands { ahead: 0, tidied: Instant::now(), recheck, rechecked: HashMap::new() }
    }

    /// Collects results and hands out blocks.
    fn work(&mut self, competition: &Competition, queue: &Arc<Queue>) -> Result<(), Error> {
        competition.outside.queue.get_or_init(|| Arc::clone(queue));
        let seen = queue.workers(TAKE_BACK)?;
        let batches = competition
            .class
            .database
            .write(|transaction| batches::of(transaction, competition.id))?;
        let is_abandoned = seen.is_empty();
        let alive: Vec<SeenWorker> = seen
            .into_iter()
            .filter(|worker| u128::from(worker.silent_ms) < ALIVE.as_millis())
            .collect();
        let owners: BTreeSet<&str> = alive.iter().map(|worker| owner(&worker.name)).collect();
        self.rechecked.retain(|id, _| batches.iter().any(|batch| batch.id == *id));
        let mut waiting = 0;
        for batch in &batches {
            let until = match (is_abandoned, owners.len()) {
                (true, _) => Until::Now,
                (false, 0 | 1) => Until::Results,
                _ if self.waits_for_rechecks_of(batch) => Until::Rechecks,
                _ => Until::Results,
            };
            match collect::results(competition, queue, batch, until)? {
                Progress::Waiting(blocks) => waiting += blocks,
                Progress::Rechecks => {
                    self.rechecked.entry(batch.id.clone()).or_insert_with(Instant::now);
                }
            }
        }
        let at_once: u64 = alive.iter().map(games_at_once).sum();
        competition.show_workers(alive);
        self.ahead = ahead(self.ahead, at_once, waiting, !batches.is_empty());
        let wanted = self.ahead.saturating_sub(waiting);
        handout::blocks(competition, queue, self.recheck, wanted)?;
        if self.tidied.elapsed() >= TIDY {
            queue.remove_unnamed(UNNAMED)?;
            self.tidied = Instant::now();
        }
        Ok(())
    }
}

impl Hands {
    /// Returns whether a batch whose blocks have results waits for its rechecks.
    fn waits_for_rechecks_of(&self, batch: &Batch) -> bool {
        match self.rechecked.get(&batch.id) {
            Some(since) => since.elapsed() < RECHECKS,
            None => self.rechecked.len() < MOST_RECHECKED,
        }
    }
}

/// Returns how many blocks should wait for workers that play this number of games at once. As few as keep
/// them busy until the next look, because blocks are chosen by what was played.
fn ahead(before: u64, at_once: u64, waiting: u64, is_begun: bool) -> u64 {
    if at_once == 0 {
        return 0;
    }
    // A block has at least two games, and the next ones wait while it is played.
    let least = 2 * at_once;
    let next = match waiting {
        0 if is_begun => before.saturating_mul(2),
        waiting if waiting > before / 2 => before - before / 4,
        _ => before,
    };
    next.clamp(least, least.max(MOST_AHEAD))
}

/// Returns how many games a worker plays at once.
pub(crate) fn games_at_once(worker: &SeenWorker) -> u64 {
    worker.about["concurrency"].as_u64().unwrap_or(1)
}
