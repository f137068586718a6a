//! When a search must end. A limit is never overrun: what is under way when it is reached is given
//! up, and the last finished iteration counts.

use super::value::MOST_PLIES;
use crate::deadline::{Deadline, Stall, Watch};

/// The limits of one search; whichever is reached first ends it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How deep it goes, in plies; 1 to [`MOST_PLIES`].
    pub depth: u32,
    /// How many nodes it visits at most.
    pub nodes: u64,
    /// When it has ended, give or take a few hundred nodes.
    pub deadline: Option<Deadline>,
}

impl Limits {
    /// No limit but the depth.
    pub const fn depth(depth: u32) -> Limits {
        Limits { depth, nodes: u64::MAX, deadline: None }
    }

    /// The same limits, but with a million nodes at most where nothing limits the search: neither
    /// depth nor nodes nor time.
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

    /// No limit but the number of nodes.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { depth: MOST_PLIES, nodes, deadline: None }
    }
}

/// The search has reached a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// How often the time is looked at, in nodes: a power of two.
const NODES_PER_LOOK: u64 = 256;

/// Counts nodes against the limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    limits: Limits,
    nodes: u64,
    watch: Watch,
}

impl Meter {
    pub(super) const fn new(limits: Limits) -> Meter {
        Meter { limits, nodes: 0, watch: Watch::new(limits.deadline) }
    }

    /// How many nodes were visited.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The longest time between two looks at the clock.
    pub(super) const fn stall(&self) -> Stall {
        self.watch.stall()
    }

    /// Counts a node that is about to be visited, unless it may not be.
    #[inline(always)]
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limits.nodes {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(NODES_PER_LOOK) && self.watch.is_late() {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
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
}
