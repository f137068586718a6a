//! When a search must end so that its answer is in time, on a machine that may be busy: the processor
//! may be elsewhere when the time is up, and how long it was away in the last searches tells how
//! much earlier to end.

use crate::time_budget::TimeBudget;
use std::time::{Duration, Instant};

/// What a bot has learned of how late its searches may end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Punctuality {
    /// How long other programs lately kept the processor from this one: ever less of the longest
    /// time.
    stall: Duration,
}

impl Punctuality {
    /// When a search must have ended, if the seat expects to have so many more decisions, this one
    /// counted; `None` where nothing limits it.
    pub fn deadline(&self, budget: &TimeBudget, decisions: u32) -> Option<Instant> {
        let share = budget.share(decisions)?;
        let spent = budget.elapsed() + self.stall.min(share / 2);
        Instant::now().checked_add(share.saturating_sub(spent))
    }

    /// A search has ended in which this was the longest time between two looks at the clock.
    pub fn searched(&mut self, stall: Duration) {
        self.stall = stall.max(self.stall * 7 / 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_protocol::{Clock, ClockKind};

    #[test]
    fn a_busy_machine_ends_searches_earlier() {
        let millis = Duration::from_millis;
        let clock =
            Clock { kind: ClockKind::Wall, move_ms: Some(100_000), bank_ms: None, increment_ms: 0 };
        let budget = TimeBudget::new(clock, Instant::now());
        let share = budget.share(1).unwrap();
        let mut punctuality = Punctuality::default();
        // How much earlier than on an idle machine, against what it takes to ask.
        let mut earlier = |stall: Option<Duration>| {
            let idle = Punctuality::default().deadline(&budget, 1).unwrap();
            stall.into_iter().for_each(|stall| punctuality.searched(stall));
            idle - punctuality.deadline(&budget, 1).unwrap().min(idle)
        };
        assert!(earlier(None) < millis(500));
        assert!(earlier(Some(millis(8000))) > millis(7000));
        let later = earlier(Some(millis(1)));
        assert!(later > millis(6000) && later < millis(8000), "it is forgotten bit by bit");
        let most = earlier(Some(millis(1_000_000)));
        assert!(most <= share / 2 + millis(500), "half of the time is always used");
        assert_eq!(punctuality.deadline(&TimeBudget::unlimited(), 1), None);
    }
}
