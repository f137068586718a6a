//! When a search must end so that its answer is in time, on a machine that may be busy: the processor
//! may be elsewhere when the time is up, and how long it was away in the last searches tells how
//! much earlier to end.

use crate::deadline::{Deadline, Stall};
use crate::time_budget::TimeBudget;

/// What a bot has learned of how late its searches may end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Punctuality {
    /// How late searches lately noticed the time: ever less of the longest time.
    stall: Stall,
}

impl Punctuality {
    /// When a search must have ended, if the seat expects to have so many more decisions, this one
    /// counted; `None` where nothing limits it.
    pub fn deadline(&self, budget: &TimeBudget, decisions: u32) -> Option<Deadline> {
        budget.deadline(decisions, self.stall)
    }

    /// A search has ended in which this was the longest time between two looks at the clock.
    pub fn searched(&mut self, stall: Stall) {
        let faded = Stall { wall: self.stall.wall * 7 / 8, cpu: self.stall.cpu * 7 / 8 };
        self.stall = stall.max(faded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::Reading;
    use botyard_protocol::{Clock, ClockKind};
    use std::time::Duration;

    #[test]
    fn a_busy_machine_ends_searches_earlier() {
        let millis = Duration::from_millis;
        let clock =
            Clock { kind: ClockKind::Wall, move_ms: Some(100_000), bank_ms: None, increment_ms: 0 };
        let budget = TimeBudget::new(clock, Reading::now());
        let share = budget.share(1).unwrap();
        let mut punctuality = Punctuality::default();
        // How much earlier than on an idle machine.
        let mut earlier = |stall: Option<Duration>| {
            let wall = |found: &Punctuality| found.deadline(&budget, 1).unwrap().wall.unwrap();
            stall.into_iter().for_each(|wall| {
                punctuality.searched(Stall { wall, ..Stall::NONE });
            });
            wall(&Punctuality::default()) - wall(&punctuality)
        };
        assert_eq!(earlier(None), Duration::ZERO);
        assert_eq!(earlier(Some(millis(8000))), millis(8000));
        assert_eq!(earlier(Some(millis(1))), millis(7000), "it is forgotten bit by bit");
        assert_eq!(earlier(Some(millis(1_000_000))), share / 2, "half of the time is always used");
        assert_eq!(punctuality.deadline(&TimeBudget::unlimited(), 1), None);
    }
}
