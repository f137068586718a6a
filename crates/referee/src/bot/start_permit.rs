//! Permits to start a program: as many at once as there are cores. Where many games begin together their
//! starts come one after another, so that each gets the core that it needs within its allowance, and a
//! host is not at work on a thousand half-started programs.

use crate::program::interrupt::Interrupt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often somebody who waits for a permit looks at the interrupt.
const PATIENCE: Duration = Duration::from_millis(50);

static STARTS: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

fn starts() -> MutexGuard<'static, usize> {
    STARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A permit to start a program, until it is dropped.
#[derive(Debug)]
pub(crate) struct StartPermit(());

impl StartPermit {
    /// Waits for a permit; `None` where the interrupt is raised first.
    pub fn wait(interrupt: &Interrupt) -> Option<StartPermit> {
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let mut running = starts();
        while *running >= most {
            if interrupt.is_raised() {
                return None;
            }
            let waited = FREED.wait_timeout(running, PATIENCE);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *running += 1;
        Some(StartPermit(()))
    }
}

impl Drop for StartPermit {
    fn drop(&mut self) {
        *starts() -= 1;
        FREED.notify_one();
    }
}
