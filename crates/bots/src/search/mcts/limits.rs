//! When a search must end: after so many iterations, or at an instant, whichever is first.

use std::time::Instant;

/// How often the time is looked at, in iterations.
const ITERATIONS_PER_LOOK: u64 = 4;

/// The limits of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many iterations it does at most, over all threads.
    pub iterations: u64,
    /// When it has ended, give or take a few iterations; at least one is always done.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// No limit but the number of iterations.
    pub const fn iterations(iterations: u64) -> Limits {
        Limits { iterations, deadline: None }
    }

    /// Whether a search that has done so many iterations must end.
    pub(super) fn reached(&self, done: u64) -> bool {
        done >= self.iterations
            || done > 0
                && done.is_multiple_of(ITERATIONS_PER_LOOK)
                && self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whichever_is_first() {
        let long_ago = Some(Instant::now());
        for (limits, expected) in [
            (Limits::iterations(0), 0),
            (Limits::iterations(7), 7),
            (Limits { iterations: 3, deadline: long_ago }, 3),
            (Limits { iterations: u64::MAX, deadline: long_ago }, ITERATIONS_PER_LOOK),
        ] {
            let done = (0..).find(|&done| limits.reached(done)).unwrap();
            assert_eq!(done, expected, "{limits:?}");
        }
    }
}
