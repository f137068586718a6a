//! Looking at the clock during a search: whether it must end, and how long other programs kept the
//! processor from it meanwhile.

use std::time::{Duration, Instant};

/// A deadline, and what was seen of the time on the way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    deadline: Option<Instant>,
    /// When the time was looked at last, and the longest time between two looks.
    looked: Option<Instant>,
    stall: Duration,
}

impl Watch {
    /// A watch for a search that must have ended then; `None` for one that is not limited by time.
    pub(super) const fn new(deadline: Option<Instant>) -> Watch {
        Watch { deadline, looked: None, stall: Duration::ZERO }
    }

    /// The longest time between two looks at the clock: some ten or a hundred microseconds, or as
    /// long as other programs kept the processor from this one.
    pub(super) const fn stall(&self) -> Duration {
        self.stall
    }

    /// Whether the time is up.
    #[cold]
    pub(super) fn is_late(&mut self) -> bool {
        let Some(deadline) = self.deadline else { return false };
        let now = Instant::now();
        if let Some(looked) = self.looked.replace(now) {
            self.stall = self.stall.max(now - looked);
        }
        now >= deadline
    }
}
