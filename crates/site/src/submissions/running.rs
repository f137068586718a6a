//! The trials that run, so that one ends when its version is superseded or cancelled, and the bundles that they have.

use super::copies::Submissions;
use super::queue::{Place, Queue};
use crate::submissions;
use botyard_referee::Interrupt;
use botyard_runner::Error;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the queue is shown as it was read: many pages follow it.
const SHOWN: Duration = Duration::from_millis(500);

/// The trials that run, and the queue behind them.
#[derive(Debug, Default)]
pub(crate) struct Running {
    /// Their interrupts, by submission.
    interrupts: Mutex<BTreeMap<i64, Interrupt>>,
    /// How many trials have a bundle, by the digest of its files.
    bundles: Mutex<BTreeMap<String, usize>>,
    /// The queue, and when it was read.
    queue: Mutex<Option<(Instant, Arc<Queue>)>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Running {
    /// Counts a trial that has this bundle.
    pub(super) fn hold_bundle(&self, files: &str) {
        *locked(&self.bundles).entry(files.to_string()).or_default() += 1;
    }

    /// Counts it no more. Returns whether no other trial has the bundle.
    pub(super) fn release_bundle(&self, files: &str) -> bool {
        let mut bundles = locked(&self.bundles);
        let left = bundles.get(files).copied().unwrap_or_default().saturating_sub(1);
        match left {
            0 => drop(bundles.remove(files)),
            left => drop(bundles.insert(files.to_string(), left)),
        }
        left == 0
    }
}

impl Submissions {
    /// Lets a trial be ended by this interrupt while `trial` runs.
    ///
    /// # Errors
    ///
    /// Those of the trial, or the database cannot be used.
    pub(crate) fn interruptible<T>(
        &self,
        submission: i64,
        interrupt: &Interrupt,
        trial: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        locked(&self.running.interrupts).insert(submission, interrupt.clone());
        // It may have ended since it was begun, when this was not there to be raised.
        let tried = self.end_trials().and_then(|()| trial());
        locked(&self.running.interrupts).remove(&submission);
        tried
    }

    /// Ends the trials of versions that were superseded or cancelled. To be called after either.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn end_trials(&self) -> Result<(), Error> {
        *locked(&self.running.queue) = None;
        let ids: Vec<i64> = locked(&self.running.interrupts).keys().copied().collect();
        let over = self.class.database.write(|transaction| {
            let mut over = Vec::new();
            for id in ids {
                if !submissions::is_working(transaction, id)? {
                    over.push(id);
                }
            }
            Ok(over)
        })?;
        let interrupts = locked(&self.running.interrupts);
        over.iter().filter_map(|id| interrupts.get(id)).for_each(Interrupt::raise);
        Ok(())
    }

    /// Returns the queue, as it was at most a moment ago.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn queue(&self) -> Result<Arc<Queue>, Error> {
        let mut shown = locked(&self.running.queue);
        if let Some((at, queue)) = &*shown
            && at.elapsed() < SHOWN
        {
            return Ok(Arc::clone(queue));
        }
        let queue = Arc::new(self.class.database.write(Queue::read)?);
        *shown = Some((Instant::now(), Arc::clone(&queue)));
        Ok(queue)
    }

    /// Returns the place of a submission among those that wait; `None` if it does not.
    ///
    /// # Errors
    ///
    /// The database cannot be used.
    pub(crate) fn place(&self, submission: i64) -> Result<Option<Place>, Error> {
        Ok(self.queue()?.place(submission, self.lanes.number(), &self.lanes.elapsed()))
    }
}
