//! The limits of a search. A limit is never exceeded: an iteration that reaches one is abandoned, and
//! the last finished iteration counts.

use crate::deadline::{Deadline, Stall, Watch};
use crate::value::MOST_PLIES;

/// The limits of one search; the first one reached ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The depth of the last iteration, 1 to [`MOST_PLIES`]: in plies, or in the unit of the
    /// searcher. Monte Carlo tree search ignores it.
    pub depth: u32,
    /// The most nodes to visit. In Monte Carlo tree search: the most iterations, over all threads.
    pub nodes: u64,
    /// When the search ends, give or take the time between two looks at the clock: 256 nodes, or 4
    /// iterations of Monte Carlo tree search.
    pub deadline: Option<Deadline>,
}

impl Limits {
    /// No limit but the depth.
    pub const fn depth(depth: u32) -> Limits {
        Limits { depth, nodes: u64::MAX, deadline: None }
    }

    /// No limit but the number of nodes.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { depth: MOST_PLIES, nodes, deadline: None }
    }

    /// No limit but the number of iterations: [`Limits::nodes`] in the words of Monte Carlo tree
    /// search.
    pub const fn iterations(iterations: u64) -> Limits {
        Limits::nodes(iterations)
    }

    /// Returns the same limits, with at most a million nodes where neither depth nor nodes nor time
    /// limit the search.
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

/// How often the clock is read, in nodes: a power of two.
const NODES_PER_LOOK: u64 = 256;
/// How often the clock is read, in iterations of Monte Carlo tree search.
const ITERATIONS_PER_LOOK: u64 = 4;

/// Counts nodes against the limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    limits: Limits,
    nodes: u64,
    watch: Watch,
}

impl Meter {
    #[inline]
    pub(crate) const fn new(limits: Limits) -> Meter {
        Meter { limits, nodes: 0, watch: Watch::new(limits.deadline) }
    }

    /// How many nodes were visited.
    #[inline]
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The longest time between two looks at the clock.
    #[inline]
    pub(crate) const fn stall(&self) -> Stall {
        self.watch.stall()
    }

    /// Counts a node that is about to be visited, unless a limit is reached.
    #[inline(always)]
    pub(crate) fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limits.nodes {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(NODES_PER_LOOK) && self.watch.is_late() {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts an iteration of Monte Carlo tree search that is about to begin; returns false where a
    /// limit is reached.
    #[inline]
    pub(crate) fn begin_iteration(&mut self) -> bool {
        let looks = self.nodes.is_multiple_of(ITERATIONS_PER_LOOK);
        // The first look only starts the watch: one iteration always runs.
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
    fn not_one_node_too_many() {
        for limit in [0, 1, 255, 256, 1000] {
            let mut meter = Meter::new(Limits::nodes(limit));
            while meter.visit().is_ok() {}
            assert_eq!(meter.nodes(), limit);
        }
    }

    #[test]
    fn a_deadline_that_has_passed_allows_nothing() {
        let deadline = Some(Deadline::at(std::time::Instant::now()));
        let mut meter = Meter::new(Limits { deadline, ..Limits::depth(9) });
        assert_eq!(meter.visit(), Err(Stopped));
        assert_eq!(meter.nodes(), 0);
    }

    #[test]
    fn tree_search_runs_one_iteration_whatever_the_clock_says() {
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
