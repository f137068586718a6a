//! A running worker: its threads, and its end.

use crate::events::{Notify, WorkerEvent};
use crate::open_tournaments::OpenTournaments;
use crate::options::Options;
use crate::place::Place;
use crate::shared::Shared;
use crate::spool::{Spool, Spooled};
use crate::{game_thread, sender};
use botyard_queue::Work;
use botyard_referee::Interrupt;
use botyard_runner::{Error, Programs};
use crossbeam_channel::{Receiver, Sender, bounded, never};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

/// The results that wait for the thread that sends them, before the threads that play wait for it.
const MOST_WAITING: usize = 256;

/// How often leases are renewed in the time that they last.
const HEARTBEATS: u32 = 4;

/// The longest time between two signs of life.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// How long the end of a worker may take if the queue cannot be reached. Containers and job schedulers
/// kill a program that takes longer than ten seconds.
const LAST: Duration = Duration::from_secs(8);

/// How often the main thread looks at the others.
const LOOK: Duration = Duration::from_millis(50);

/// A worker, which has taken its place on this host and does not play yet.
pub struct Worker {
    shared: Arc<Shared>,
    results: Receiver<Spooled>,
}

/// The end of a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The number of blocks whose results were accepted.
    pub blocks: u64,
    /// The number of games with a result among them.
    pub games: u64,
    /// The number of results that were not sent and are kept on disk.
    pub unsent: usize,
    /// The number of leases that could not be given back, and expire.
    pub left: usize,
    /// The tournaments that were refused, with the reasons.
    pub refused: BTreeMap<String, String>,
    /// Whether the worker ended because no block was left.
    pub is_drained: bool,
}

impl Worker {
    /// Takes the worker's place on this host, with the results that earlier processes left there.
    ///
    /// # Errors
    ///
    /// Another process is the worker of this name, or the cache is not writable.
    pub fn new(
        work: Arc<dyn Work>,
        options: Options,
        programs: Programs,
        notify: Arc<Notify>,
    ) -> Result<Worker, Error> {
        let place = Place::take(&options.cache, options.name.as_deref(), options.group.as_deref())?;
        let failed = |error: std::io::Error| {
            Error::host(format!("the cache {} cannot be used: {error}", place.cache().display()))
        };
        let spool = Spool::open(place.spool()).map_err(failed)?;
        for ended in place.ended().map_err(failed)? {
            spool.adopt(&Spool::open(ended.spool()).map_err(failed)?).map_err(failed)?;
        }
        let games = place.games().map_err(failed)?;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let usual = u16::try_from(cores.saturating_sub(1).max(1)).unwrap_or(u16::MAX);
        let concurrency = options.concurrency.unwrap_or(usual);
        let tournaments = OpenTournaments::new(&place.copies(), &games, concurrency, programs);
        let (sender, results): (Sender<Spooled>, _) = bounded(MOST_WAITING);
        let shared =
            Shared::new(work, place, options, concurrency, tournaments, spool, sender, notify);
        Ok(Worker { shared: Arc::new(shared), results })
    }

    /// Returns the worker's name.
    pub fn name(&self) -> &str {
        self.shared.name()
    }

    /// Plays until the interrupt is raised or, if so asked, no block is left. Gives back what was not
    /// played. If the queue cannot be reached then, a thread of this process may still wait for it
    /// when this returns.
    ///
    /// # Errors
    ///
    /// A failure of the host that concerns every game. Leases were given back then too.
    pub fn run(self, interrupt: &Interrupt) -> Result<Ended, Error> {
        let Worker { shared, results } = self;
        let waiting = shared.spool.results().map_err(Error::host)?;
        shared.notify(WorkerEvent::WorkerStarted {
            name: shared.name().to_string(),
            version: env!("CARGO_PKG_VERSION"),
            concurrency: shared.concurrency,
            cache: shared.place.cache().display().to_string(),
            unsent: waiting.len(),
        });
        let of_threads = Threads::start(&shared, waiting, results)?;
        while !shared.is_stopping() {
            if interrupt.is_raised_within(LOOK) {
                shared.stop();
            }
        }
        let deadline = Instant::now() + LAST;
        // A thread that waits for the queue plays nothing.
        of_threads.players.wait(deadline);
        let left = give_back(&shared, deadline);
        shared.no_more_results();
        of_threads.sender.wait(deadline);
        shared.over();
        if let Some(failure) = shared.failure() {
            return Err(Error::host(failure));
        }
        Ok(Ended {
            blocks: shared.sent.blocks.load(SeqCst),
            games: shared.sent.games.load(SeqCst),
            unsent: shared.spool.results().map_or(0, |results| results.len()),
            left,
            refused: shared.tournaments.refused(),
            is_drained: shared.is_drained(),
        })
    }
}

/// The threads of a worker.
struct Threads {
    /// Those that play.
    players: Running,
    /// The one that sends results.
    sender: Running,
}

/// Threads that each hold a sender of this channel while they run.
struct Running(Receiver<()>);

impl Running {
    /// Waits until the threads have ended, or until this time.
    fn wait(&self, deadline: Instant) {
        let _ = self.0.recv_deadline(deadline);
    }
}

impl Threads {
    fn start(
        shared: &Arc<Shared>,
        waiting: Vec<Spooled>,
        results: Receiver<Spooled>,
    ) -> Result<Threads, Error> {
        let spawn = |name: String, run: Box<dyn FnOnce() + Send>| {
            thread::Builder::new().name(name).spawn(run).map_err(Error::host)
        };
        let (alive, sender) = bounded::<()>(0);
        {
            let shared = Arc::clone(shared);
            spawn(
                "results".into(),
                Box::new(move || {
                    let _alive = alive;
                    send(&shared, waiting, &results);
                }),
            )?;
        }
        {
            let shared = Arc::clone(shared);
            spawn("heartbeats".into(), Box::new(move || renew(&shared)))?;
        }
        let (alive, players) = bounded::<()>(0);
        let failures = Arc::new(AtomicU32::new(0));
        for number in 0..usize::from(shared.concurrency) {
            let (shared, alive) = (Arc::clone(shared), alive.clone());
            let failures = Arc::clone(&failures);
            spawn(
                format!("game {}", number + 1),
                Box::new(move || {
                    let _alive = alive;
                    if number == 0 {
                        shared.introduce();
                    }
                    game_thread::play(&shared, number, &failures);
                }),
            )?;
        }
        Ok(Threads { players: Running(players), sender: Running(sender) })
    }
}

/// Sends what an earlier process left, and then what arrives until no thread plays any more.
fn send(shared: &Shared, waiting: Vec<Spooled>, results: &Receiver<Spooled>) {
    let (sender, before) = bounded(waiting.len());
    for spooled in waiting {
        shared.leases.sending(&spooled.result.token);
        let _ = sender.send(spooled);
    }
    drop(sender);
    sender::send_all(shared, &before);
    sender::send_all(shared, results);
}

/// Renews the leases.
fn renew(shared: &Shared) {
    let period = (shared.options.ttl / HEARTBEATS).min(LONGEST_SILENCE).max(LOOK);
    let mut due = Instant::now() + period;
    while !shared.is_over() {
        thread::sleep(LOOK.min(due.saturating_duration_since(Instant::now())));
        if Instant::now() < due {
            continue;
        }
        shared.introduce_again();
        let tokens = shared.leases.tokens();
        if let Ok(held) = shared.work.heartbeat(shared.name(), &tokens, shared.options.ttl) {
            let leases = shared.leases.confirmed(&tokens, &held);
            if leases > 0 {
                shared.notify(WorkerEvent::LeasesLost { leases });
            }
        }
        due = Instant::now() + period;
    }
}

/// Gives back the leases whose blocks were not played. Returns how many could not be given back until
/// this time.
fn give_back(shared: &Arc<Shared>, deadline: Instant) -> usize {
    let tokens = shared.leases.playing();
    if tokens.is_empty() {
        return 0;
    }
    shared.notify(WorkerEvent::WorkerStopping { leases: tokens.len() });
    let (done, given_back) = bounded(1);
    let (leases, its) = (tokens.len(), Arc::clone(shared));
    let release = move || {
        let _ = done.send(its.work.release(its.name(), &tokens).is_ok());
    };
    let spawned = thread::Builder::new().spawn(release).is_ok();
    let given_back = if spawned { given_back } else { never() };
    match given_back.recv_deadline(deadline) {
        Ok(true) => 0,
        _ => leases,
    }
}
