//! Permits to start a program: as many as there are cores. When many games begin simultaneously,
//! their bots start one after another. Each then gets the core that it needs within its allowance,
//! and the host does not work on a thousand half-started programs. While a bot starts, a core that no
//! start uses may contain the next bot of its game, which does not run yet.

use crate::program::interrupt::Interrupt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a thread that waits for a permit checks the interrupt.
const PATIENCE: Duration = Duration::from_millis(50);

/// The permits that are in use.
#[derive(Debug)]
struct Starts {
    running: usize,
    preparing: usize,
}

static STARTS: Mutex<Starts> = Mutex::new(Starts { running: 0, preparing: 0 });
static FREED: Condvar = Condvar::new();

impl Starts {
    /// Returns whether a core is free for a preparation, beside the start that its thread is about
    /// to make, if at most this many programs start at once.
    fn may_prepare(&self, most: usize) -> bool {
        self.running + self.preparing + 1 < most
    }
}

fn most() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn starts() -> MutexGuard<'static, Starts> {
    STARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A permit to start a program. Dropping it returns the permit.
#[derive(Debug)]
pub(crate) struct StartPermit(());

impl StartPermit {
    /// Waits for a permit; `None` if the interrupt is raised first.
    pub(super) fn wait(interrupt: &Interrupt) -> Option<StartPermit> {
        let most = most();
        let mut starts = starts();
        while starts.running >= most {
            if interrupt.is_raised() {
                return None;
            }
            let waited = FREED.wait_timeout(starts, PATIENCE);
            starts = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        starts.running += 1;
        Some(StartPermit(()))
    }
}

impl Drop for StartPermit {
    fn drop(&mut self) {
        starts().running -= 1;
        FREED.notify_one();
    }
}

/// A permit to contain a program that does not run yet. Dropping it returns the permit. It takes no
/// permit to start from others, because its holder may still have to wait for one.
#[derive(Debug)]
pub(crate) struct PreparationPermit(());

impl PreparationPermit {
    /// Returns a permit if a core is free for it, beside the start that its holder is about to
    /// make.
    pub(super) fn take() -> Option<PreparationPermit> {
        let most = most();
        let mut starts = starts();
        starts.may_prepare(most).then(|| {
            starts.preparing += 1;
            PreparationPermit(())
        })
    }
}

impl Drop for PreparationPermit {
    fn drop(&mut self) {
        starts().preparing -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_free_for_a_preparation_if_neither_starts_nor_preparations_need_it() {
        for (running, preparing, most, expected) in [
            (0, 0, 1, false),
            (0, 0, 2, true),
            (0, 1, 2, false),
            (1, 0, 2, false),
            (1, 1, 4, true),
            (2, 1, 4, false),
        ] {
            let starts = Starts { running, preparing };
            assert_eq!(starts.may_prepare(most), expected, "{starts:?}, {most} at once");
        }
    }
}
