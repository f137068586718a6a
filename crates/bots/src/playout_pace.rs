//! How many playouts a request asks a game's program for: under a clock, no more than there is time for,
//! as a request cannot be interrupted.

use botyard_search::Limits;
use std::time::{Duration, Instant};

/// The most playouts in a request, which is made for a new position: more of them cost less than another
/// exchange with the program.
pub(crate) const PLAYOUTS: u32 = 4;

/// The longest time for a request of several playouts in a search that only a clock ends.
const SLOW: Duration = Duration::from_millis(10);

/// The pace of the playouts of a decision.
#[derive(Debug)]
pub(crate) struct Pace {
    deadline: Option<Instant>,
    /// The longest time for a request of several playouts.
    longest: Duration,
    /// The longest time that one playout has taken.
    one: Option<Duration>,
}

impl Pace {
    /// Returns the pace within these limits. A fixed number of iterations gives the same search on every
    /// machine that completes it in time.
    pub(crate) fn within(limits: &Limits) -> Pace {
        let longest = if limits.nodes == u64::MAX { SLOW } else { Duration::MAX };
        Pace { deadline: limits.deadline.and_then(|deadline| deadline.wall), longest, one: None }
    }

    /// Returns whether the deadline has passed.
    pub(crate) fn is_late(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// Returns whether the next playouts only show how long one takes.
    pub(crate) const fn is_unknown(&self) -> bool {
        self.deadline.is_some() && self.one.is_none()
    }

    /// Returns the number of playouts to ask for now; `None` if there is no time for one.
    pub(crate) fn count(&self) -> Option<u32> {
        self.count_within(self.left())
    }

    /// Records how long a request for this number of playouts took.
    pub(crate) fn record(&mut self, count: u32, took: Duration) {
        self.one = self.one.max(Some(took / count));
    }

    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn count_within(&self, left: Option<Duration>) -> Option<u32> {
        let Some(left) = left else { return Some(PLAYOUTS) };
        let one = self.one.unwrap_or_default();
        if left <= one {
            return None;
        }
        if self.one.is_none() {
            return Some(1);
        }
        let fit = left.min(self.longest).as_nanos() / one.as_nanos().max(1);
        Some(fit.clamp(1, PLAYOUTS.into()) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn without_a_clock_every_request_is_the_same() {
        let mut pace = Pace::within(&Limits::iterations(u64::MAX));
        assert_eq!((pace.count(), pace.is_unknown()), (Some(PLAYOUTS), false));
        pace.record(PLAYOUTS, 1000 * MS);
        assert_eq!((pace.count(), pace.is_late()), (Some(PLAYOUTS), false));
    }

    #[test]
    fn the_first_request_under_a_clock_is_for_one_playout() {
        let pace = Pace::within(&Limits::iterations(u64::MAX));
        let counts = [Duration::ZERO, MS].map(|left| pace.count_within(Some(left)));
        assert_eq!(counts, [None, Some(1)]);
    }

    #[test]
    fn a_request_fits_the_time_that_is_left() {
        let pace = |iterations, count, took| {
            let mut pace = Pace::within(&Limits::iterations(iterations));
            pace.record(count, took);
            move |left| pace.count_within(Some(left))
        };
        let timed = pace(u64::MAX, 4, 8 * MS);
        let counts = [2, 3, 5, 7, 9, 99].map(|ms| timed(ms * MS));
        assert_eq!(counts, [None, Some(1), Some(2), Some(3), Some(4), Some(4)]);
        // Without a limit on iterations, more positions are better than more playouts of one.
        assert_eq!(pace(u64::MAX, 1, 6 * MS)(100 * MS), Some(1));
        // With one, what is asked for depends on the machine only where the time is too short.
        let fixed = pace(100, 1, 6 * MS);
        assert_eq!([24, 20, 6].map(|ms| fixed(ms * MS)), [Some(4), Some(3), None]);
    }
}
