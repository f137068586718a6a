//! Permits to start a program: as many as there are cores. When many games begin simultaneously,
//! their bots start one after another. Each then gets the core that it needs within its allowance,
//! and the host does not work on a thousand half-started programs.

use crate::program::interrupt::Interrupt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a thread that waits for a permit checks the interrupt.
const PATIENCE: Duration = Duration::from_millis(50);

static STARTS: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

fn starts() -> MutexGuard<'static, usize> {
    STARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A permit to start a program. Dropping it returns the permit.
#[derive(Debug)]
pub(crate) struct StartPermit(());

impl StartPermit {
    /// Waits for a permit; `None` if the interrupt is raised first.
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
