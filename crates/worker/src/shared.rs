//! What the threads of a worker share.

use crate::calibration::{Calibration, Calibrations};
use crate::claims::Claims;
use crate::events::{Notify, WorkerEvent};
use crate::leases::Leases;
use crate::open_tournaments::OpenTournaments;
use crate::options::Options;
use crate::place::{Place, host_name};
use crate::spool::{Spool, Spooled};
use botyard_queue::{Request, Work};
use botyard_referee::Interrupt;
use botyard_runner::ConcurrencyChange;
use crossbeam_channel::Sender;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A running worker.
pub(crate) struct Shared {
    pub work: Arc<dyn Work>,
    pub place: Place,
    pub options: Options,
    pub concurrency: u16,
    /// Whether the number of threads that may play has changed since the worker said it.
    is_changed: AtomicBool,
    pub tournaments: OpenTournaments,
    pub leases: Leases,
    pub claims: Claims,
    pub spool: Spool,
    pub calibrations: Calibrations,
    /// The counts of what was sent.
    pub sent: Sent,
    /// Passes results to the thread that sends them, until no thread plays any more.
    results: Mutex<Option<Sender<Spooled>>>,
    notify: Arc<Notify>,
    stop: Stop,
    /// The switches of the games that are played.
    interrupts: Mutex<Vec<Option<Interrupt>>>,
}

/// The counts of what a worker has sent.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    pub blocks: AtomicU64,
    pub games: AtomicU64,
}

/// Why the worker ends.
#[derive(Debug, Default)]
struct Stop {
    is_raised: AtomicBool,
    is_drained: AtomicBool,
    /// Whether everything that can be sent was sent.
    is_over: AtomicBool,
    failure: Mutex<Option<String>>,
}

impl Shared {
    #[expect(clippy::too_many_arguments, reason = "each is a different part of a worker")]
    pub(crate) fn new(
        work: Arc<dyn Work>,
        place: Place,
        options: Options,
        concurrency: u16,
        tournaments: OpenTournaments,
        spool: Spool,
        results: Sender<Spooled>,
        notify: Arc<Notify>,
    ) -> Shared {
        Shared {
            work,
            calibrations: Calibrations::new(options.calibration),
            place,
            options,
            concurrency,
            is_changed: AtomicBool::new(false),
            tournaments,
            leases: Leases::default(),
            claims: Claims::default(),
            spool,
            sent: Sent::default(),
            results: Mutex::new(Some(results)),
            notify,
            stop: Stop::default(),
            interrupts: Mutex::new(vec![None; usize::from(concurrency)]),
        }
    }

    /// Returns the worker's name.
    pub(crate) fn name(&self) -> &str {
        self.place.name()
    }

    /// Reports an event.
    pub(crate) fn notify(&self, event: WorkerEvent) {
        (self.notify)(&event);
    }

    /// Returns the request for this many blocks.
    pub(crate) fn request(&self, blocks: u32) -> Request {
        Request {
            worker: self.name().to_string(),
            blocks,
            ttl: self.options.ttl,
            tournament: self.options.tournament.clone(),
            except: self.tournaments.refused().into_keys().collect(),
        }
    }

    /// Returns what the worker says of itself.
    fn about(&self) -> Value {
        let calibration: Option<Calibration> = self.calibrations.last();
        json!({
            "botyard": env!("CARGO_PKG_VERSION"),
            "host": host_name(),
            "cores": std::thread::available_parallelism().map_or(1, usize::from),
            "concurrency": self.concurrency,
            "allowed": self.tournaments.limit.allowed(),
            "calibration": calibration,
            "refused": self.tournaments.refused(),
        })
    }

    /// Says to the queue what the worker is, if that has changed.
    pub(crate) fn introduce_again(&self) {
        if self.is_changed.swap(false, SeqCst) {
            self.introduce();
        }
    }

    /// Says to the queue what the worker is. A failure does no harm: it is said again later.
    pub(crate) fn introduce(&self) {
        let _ = self.work.introduce(self.name(), &self.about());
    }

    /// Returns whether the thread with this number may begin a block.
    pub(crate) fn may_begin(&self, number: usize) -> bool {
        number < self.tournaments.limit.allowed()
    }

    /// Reports that more or fewer of its threads may play now.
    pub(crate) fn concurrency_changed(&self, change: ConcurrencyChange) {
        self.is_changed.store(true, SeqCst);
        self.notify(WorkerEvent::ConcurrencyChanged(change));
    }

    /// Returns whether the worker ends.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stop.is_raised.load(SeqCst)
    }

    /// Ends the worker: interrupts its games.
    pub(crate) fn stop(&self) {
        self.stop.is_raised.store(true, SeqCst);
        self.interrupts().iter().flatten().for_each(Interrupt::raise);
    }

    /// Ends the worker, because no block is left.
    pub(crate) fn drained(&self) {
        self.stop.is_drained.store(true, SeqCst);
        self.stop();
    }

    /// Ends the worker because of a failure.
    pub(crate) fn fail(&self, reason: String) {
        let mut failure = self.stop.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(reason);
        drop(failure);
        self.stop();
    }

    /// Passes a result to the thread that sends it.
    pub(crate) fn send(&self, result: Spooled) {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(results) = results {
            // The receiver is gone only if the worker ends: the result is on disk.
            let _ = results.send(result);
        }
    }

    /// Ends the thread that sends results, when it has sent those that it has.
    pub(crate) fn no_more_results(&self) {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Ends the renewal of leases.
    pub(crate) fn over(&self) {
        self.stop.is_over.store(true, SeqCst);
    }

    /// Returns whether the renewal of leases ends.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_over.load(SeqCst)
    }

    /// Returns whether no block was left.
    pub(crate) fn is_drained(&self) -> bool {
        self.stop.is_drained.load(SeqCst)
    }

    /// Returns the failure that ended the worker, if one did.
    pub(crate) fn failure(&self) -> Option<String> {
        self.stop.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn interrupts(&self) -> MutexGuard<'_, Vec<Option<Interrupt>>> {
        self.interrupts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the switch of the games that a thread is about to play. The end of the worker raises it.
    pub(crate) fn interrupt(&self, thread: usize) -> std::io::Result<Interrupt> {
        let interrupt = Interrupt::new()?;
        if let Some(place) = self.interrupts().get_mut(thread) {
            *place = Some(interrupt.clone());
        }
        if self.is_stopping() {
            interrupt.raise();
        }
        Ok(interrupt)
    }
}
