//! The claims of a worker: its threads ask the queue for blocks one after another, and wait together
//! while there are none.

use crate::events::WorkerEvent;
use crate::shared::Shared;
use botyard_league::store::StoreError;
use botyard_queue::{Lease, Request};
use botyard_runner::free_space;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first and the longest pause between two claims of a worker that got nothing.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// The pause after a claim that failed.
const FAILED: Duration = Duration::from_secs(2);

/// How often a waiting thread checks whether the worker ends.
const LOOK: Duration = Duration::from_millis(50);

/// The claims of a worker.
#[derive(Debug)]
pub(crate) struct Claims(Mutex<State>);

#[derive(Debug)]
struct State {
    /// When the queue may be asked again.
    next: Instant,
    pause: Duration,
    /// Whether the last claim failed.
    is_failing: bool,
    /// Whether there was too little free space at the last claim.
    is_full: bool,
}

impl Default for Claims {
    fn default() -> Claims {
        let state =
            State { next: Instant::now(), pause: PAUSES.0, is_failing: false, is_full: false };
        Claims(Mutex::new(state))
    }
}

impl Claims {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Delays the next claim of all threads, after a failure of the host.
    pub(crate) fn delay(&self, time: Duration) {
        let mut state = self.state();
        state.next = state.next.max(Instant::now() + time);
    }

    /// Returns up to this many blocks, or none if there are none within this time or the worker ends.
    pub(crate) fn next(&self, shared: &Shared, blocks: u32, patience: Duration) -> Vec<Lease> {
        let deadline = Instant::now() + patience;
        while !shared.is_stopping() {
            let wait = {
                let mut state = self.state();
                if state.next <= Instant::now() {
                    let leases = state.claim(shared, blocks);
                    if !leases.is_empty() {
                        return leases;
                    }
                }
                state.next
            };
            let now = Instant::now();
            if now >= deadline {
                break;
            }
            let wait = wait.min(deadline).saturating_duration_since(now);
            std::thread::sleep(wait.min(LOOK));
        }
        Vec::new()
    }
}

impl State {
    /// Asks the queue once.
    fn claim(&mut self, shared: &Shared, blocks: u32) -> Vec<Lease> {
        if !self.has_space(shared) {
            self.next = Instant::now() + PAUSES.1;
            return Vec::new();
        }
        let request = shared.request(blocks);
        let claimed = shared.work.claim(&request);
        let now = Instant::now();
        let leases = match claimed {
            Ok(leases) => leases,
            Err(error) => {
                if !std::mem::replace(&mut self.is_failing, true) {
                    shared.notify(WorkerEvent::QueueFailed { error: error.to_string() });
                }
                if let StoreError::Refused(reason) = error {
                    shared.fail(format!("the queue refuses this worker: {reason}"));
                }
                self.next = now + FAILED;
                return Vec::new();
            }
        };
        if std::mem::replace(&mut self.is_failing, false) {
            shared.notify(WorkerEvent::QueueReached);
        }
        if !leases.is_empty() {
            shared.leases.claimed(&leases);
            self.pause = PAUSES.0;
            return leases;
        }
        self.next = now + self.pause;
        self.pause = (self.pause * 2).min(PAUSES.1);
        if shared.options.drain && self.is_drained(shared, &request) {
            shared.drained();
        }
        leases
    }

    /// Returns whether no block is left that this worker could get.
    fn is_drained(&self, shared: &Shared, request: &Request) -> bool {
        matches!(shared.work.unfinished(request), Ok(0))
    }

    /// Returns whether there is enough free space to play.
    fn has_space(&mut self, shared: &Shared) -> bool {
        let least = shared.options.least_free;
        let free = free_space(shared.place.cache());
        let is_full = free.is_some_and(|free| free < least);
        if is_full != std::mem::replace(&mut self.is_full, is_full) {
            let free = free.unwrap_or_default();
            shared.notify(match is_full {
                true => WorkerEvent::DiskFull { free, least },
                false => WorkerEvent::DiskFree { free },
            });
        }
        if is_full && shared.options.drain {
            shared.fail(format!(
                "{} has {} MiB of free space, and {} MiB are to be kept: free some, or lower the limit",
                shared.place.cache().display(),
                free.unwrap_or_default() >> 20,
                least >> 20
            ));
        }
        !is_full
    }
}
