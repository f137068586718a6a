//! When a search must end: after so many iterations, or at an instant, whichever is first.

use crate::deadline::{Deadline, Stall, Watch};

/// How often the time is looked at, in iterations.
const ITERATIONS_PER_LOOK: u64 = 4;

/// The limits of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many iterations it does at most, over all threads.
    pub iterations: u64,
    /// When it has ended, give or take a few iterations; at least one is always done.
    pub deadline: Option<Deadline>,
}

impl Limits {
    /// No limit but the number of iterations.
    pub const fn iterations(iterations: u64) -> Limits {
        Limits { iterations, deadline: None }
    }
}

/// Counts iterations against the limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    iterations: u64,
    done: u64,
    watch: Watch,
}

impl Meter {
    pub(super) const fn new(limits: &Limits) -> Meter {
        Meter { iterations: limits.iterations, done: 0, watch: Watch::new(limits.deadline) }
    }

    /// How many iterations there were.
    pub(super) const fn done(&self) -> u64 {
        self.done
    }

    /// The longest time between two looks at the clock.
    pub(super) const fn stall(&self) -> Stall {
        self.watch.stall()
    }

    /// Counts an iteration that is about to begin; false where none may.
    pub(super) fn begin(&mut self) -> bool {
        let looks = self.done.is_multiple_of(ITERATIONS_PER_LOOK);
        // The first look is for the watch alone: one iteration is always done.
        let is_late = looks && self.watch.is_late() && self.done > 0;
        if self.done >= self.iterations || is_late {
            return false;
        }
        self.done += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whichever_is_first() {
        let long_ago = Some(Deadline::at(std::time::Instant::now()));
        for (limits, expected) in [
            (Limits::iterations(0), 0),
            (Limits::iterations(7), 7),
            (Limits { iterations: 3, deadline: long_ago }, 3),
            (Limits { iterations: u64::MAX, deadline: long_ago }, ITERATIONS_PER_LOOK),
        ] {
            let mut meter = Meter::new(&limits);
            while meter.begin() {}
            assert_eq!(meter.done(), expected, "{limits:?}");
        }
    }
}
