//! The limits of a search. A search never exceeds a limit: it abandons the iteration that reaches
//! one and returns the last finished iteration; a two-sided search keeps a better move that the
//! abandoned one has found ([`crate::two_sided::Settings::unfinished`]).

use crate::deadline::{Deadline, Stall, Watch};
use crate::value::MOST_PLIES;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limits of one search; the first one reached ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum depth, 1 to [`MOST_PLIES`]: in plies, or in the unit of the searcher. Ignored by
    /// Monte Carlo tree search.
    pub depth: u32,
    /// The maximum number of nodes; in a two-sided search with several threads, of the main one. In
    /// Monte Carlo tree search: of iterations, over all threads.
    pub nodes: u64,
    /// The deadline. The clock is read about every 100 microseconds, and at least every 256 nodes or
    /// every 4 iterations of Monte Carlo tree search.
    pub deadline: Option<Deadline>,
}

impl Limits {
    /// Limits the depth alone.
    pub const fn depth(depth: u32) -> Limits {
        Limits { depth, nodes: u64::MAX, deadline: None }
    }

    /// Limits the number of nodes alone.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { depth: MOST_PLIES, nodes, deadline: None }
    }

    /// Limits the number of iterations alone: [`Limits::nodes`] for Monte Carlo tree search.
    pub const fn iterations(iterations: u64) -> Limits {
        Limits::nodes(iterations)
    }

    /// Returns the same limits, with a maximum of a million nodes if the search has no limit of
    /// depth, nodes or time.
    #[must_use]
    pub fn within_reason(self) -> Limits {
        const ENOUGH: u64 = 1_000_000;
        match self {
            Limits { depth: MOST_PLIES.., nodes: u64::MAX, deadline: None } => {
                Limits { nodes: ENOUGH, ..self }
            }
            limited => limited,
        }
    }
}

/// The search has reached a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The maximum number of nodes between two clock reads.
const MOST_PER_LOOK: u64 = 256;
/// Half the number of nodes between the first two clock reads. A node takes a quarter of a
/// microsecond in some games and 100 in others, and how long is not known yet.
const FIRST_PER_LOOK: u64 = 8;
/// From one clock read to the next, half as many nodes are visited if the last took longer than
/// this, and otherwise twice as many.
const TIME_PER_LOOK: Duration = Duration::from_micros(100);
/// The number of iterations of Monte Carlo tree search between two clock reads.
const ITERATIONS_PER_LOOK: u64 = 4;

/// Counts nodes against the limits.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    limits: Limits,
    nodes: u64,
    /// The number of nodes at which the clock is read next.
    next_look: u64,
    /// The number of nodes from one clock read to the next, 1 to [`MOST_PER_LOOK`].
    per_look: u64,
    watch: Watch,
    /// Set by another thread to end the search.
    stop: Option<Arc<AtomicBool>>,
}

impl Meter {
    #[inline]
    pub(crate) const fn new(limits: Limits) -> Meter {
        let watch = Watch::new(limits.deadline);
        Meter { limits, nodes: 0, next_look: 0, per_look: FIRST_PER_LOOK, watch, stop: None }
    }

    /// Adds a limit: that another thread sets this. It is read as often as the clock.
    pub(crate) fn stop_when(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }

    /// Reads the clock, and what another thread may have set.
    #[cold]
    fn is_over(&mut self) -> bool {
        // Relaxed: no other data depend on it.
        let is_stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_stopped || self.watch.is_late() {
            // The next read stays due: a search that asks again must stop as well.
            return true;
        }
        self.per_look = match self.watch.between_looks() {
            Some(time) if time > TIME_PER_LOOK => (self.per_look / 2).max(1),
            _ => (self.per_look * 2).min(MOST_PER_LOOK),
        };
        self.next_look = self.nodes + self.per_look;
        false
    }

    /// Replaces the limits of a running search; what was counted stays.
    pub(crate) const fn replace(&mut self, limits: Limits) {
        self.limits = limits;
        self.watch.replace(limits.deadline);
    }

    /// Returns the number of nodes visited.
    #[inline]
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the longest interval between two clock reads.
    #[inline]
    pub(crate) const fn stall(&self) -> Stall {
        self.watch.stall()
    }

    /// Counts a node before it is visited; fails if a limit is reached.
    #[inline(always)]
    pub(crate) fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limits.nodes {
            return Err(Stopped);
        }
        if self.nodes >= self.next_look && self.is_over() {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts an iteration of Monte Carlo tree search before it starts; returns false if a limit is
    /// reached.
    #[inline]
    pub(crate) fn begin_iteration(&mut self) -> bool {
        let looks = self.nodes.is_multiple_of(ITERATIONS_PER_LOOK);
        // The first check only starts the watch: one iteration always runs.
        let is_late = looks && self.watch.is_late() && self.nodes > 0;
        if self.nodes >= self.limits.nodes || is_late {
            return false;
        }
        self.nodes += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_node_limit_is_never_exceeded() {
        for limit in [0, 1, 255, 256, 1000] {
            let mut meter = Meter::new(Limits::nodes(limit));
            while meter.visit().is_ok() {}
            assert_eq!(meter.nodes(), limit);
        }
    }

    #[test]
    fn another_thread_ends_a_search() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut meter = Meter::new(Limits::depth(9));
        meter.stop_when(Arc::clone(&stop));
        assert_eq!(meter.visit(), Ok(()));
        stop.store(true, Ordering::Relaxed);
        while meter.visit().is_ok() {}
        assert_eq!(meter.nodes(), 2 * FIRST_PER_LOOK);
        assert_eq!(meter.visit(), Err(Stopped), "also when it is asked again");
    }

    #[test]
    fn the_clock_is_read_more_often_where_nodes_take_longer() {
        let hour = Duration::from_secs(3600);
        let deadline = Some(Deadline::at(std::time::Instant::now() + hour));
        let mut meter = Meter::new(Limits { deadline, ..Limits::depth(9) });
        let mut looks = Vec::new();
        for _ in 0..64 {
            let before = meter.next_look;
            assert_eq!(meter.visit(), Ok(()));
            looks.extend((meter.next_look != before).then_some(meter.nodes()));
            std::thread::sleep(2 * TIME_PER_LOOK);
        }
        assert_eq!(looks[..6], [1, 17, 25, 29, 31, 32]);
        assert_eq!(looks[6..], Vec::from_iter(33..=64), "every node");
    }

    #[test]
    fn a_deadline_that_has_passed_allows_nothing() {
        let deadline = Some(Deadline::at(std::time::Instant::now()));
        let mut meter = Meter::new(Limits { deadline, ..Limits::depth(9) });
        for _ in 0..2 {
            assert_eq!(meter.visit(), Err(Stopped));
            assert_eq!(meter.nodes(), 0);
        }
    }

    #[test]
    fn tree_search_runs_at_least_one_iteration() {
        let long_ago = Some(Deadline::at(std::time::Instant::now()));
        for (limits, expected) in [
            (Limits::iterations(0), 0),
            (Limits::iterations(7), 7),
            (Limits { deadline: long_ago, ..Limits::iterations(3) }, 3),
            (Limits { deadline: long_ago, ..Limits::iterations(u64::MAX) }, ITERATIONS_PER_LOOK),
        ] {
            let mut meter = Meter::new(limits);
            while meter.begin_iteration() {}
            assert_eq!(meter.nodes(), expected, "{limits:?}");
        }
    }

    #[test]
    fn a_search_without_limits_ends_after_a_million_nodes() {
        let reason = |limits: Limits| limits.within_reason().nodes;
        assert_eq!(reason(Limits::depth(MOST_PLIES)), 1_000_000);
        assert_eq!(reason(Limits::depth(7)), u64::MAX);
        assert_eq!(reason(Limits::nodes(5)), 5);
        let deadline = Some(Deadline::at(std::time::Instant::now()));
        assert_eq!(reason(Limits { deadline, ..Limits::depth(MOST_PLIES) }), u64::MAX);
    }
}
