//! A seat's clock as a bot plans with it: how long the decision at hand may take, now that this
//! much of it has passed. Deciding how to spend the time is all it does; the referee measures.

use botyard_protocol::{Clock, ClockKind};
use std::time::{Duration, Instant};

/// What is kept back of every limit, at least and at most, for the way of the answer to the referee:
/// a busy machine may take some milliseconds to run the other process, or to run this one again.
const MARGIN: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(50)];
/// Between them it is one part in so many of the limit.
const MARGIN_PART: u32 = 6;

/// The time there is for one decision.
#[derive(Clone, Copy, Debug)]
pub struct TimeBudget {
    began: Instant,
    clock: Clock,
}

impl TimeBudget {
    /// The budget of a decision whose `turn` line was read at `began` and had this clock.
    pub fn new(clock: Clock, began: Instant) -> TimeBudget {
        TimeBudget { began, clock }
    }

    /// A budget that never runs out, for tests and experiments that count iterations.
    pub fn unlimited() -> TimeBudget {
        let clock = Clock { kind: ClockKind::Wall, move_ms: None, bank_ms: None, increment_ms: 0 };
        TimeBudget { began: Instant::now(), clock }
    }

    /// The seat's clock as the decision began.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time since the `turn` line was read.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// What this decision should take in all, if the seat expects to have `decisions` more of them
    /// (this one counted; 0 counts as 1): an equal share of the bank and what the increment gives
    /// back, within the cap for a move, less a margin of a sixth, which is 10 to 50 ms but never more
    /// than half the limit. `None` where nothing limits it.
    pub fn share(&self, decisions: u32) -> Option<Duration> {
        let millis = Duration::from_millis;
        let cap = self.clock.move_ms.map(millis);
        let from_bank = self.clock.bank_ms.map(|bank| {
            let share = millis(bank) / decisions.max(1) + millis(self.clock.increment_ms);
            share.min(millis(bank))
        });
        let limit = match (cap, from_bank) {
            (Some(cap), Some(share)) => cap.min(share),
            (limit, None) | (None, limit) => limit?,
        };
        let [least, most] = MARGIN;
        let margin = (limit / MARGIN_PART).clamp(least, most);
        Some(limit - margin.min(limit / 2))
    }

    /// What is left of [`TimeBudget::share`] now: zero when it is used up, `None` where nothing
    /// limits it.
    pub fn remaining(&self, decisions: u32) -> Option<Duration> {
        Some(self.share(decisions)?.saturating_sub(self.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_clock() {
        // cap, bank, increment, decisions expected -> milliseconds
        let cases = [
            (Some(1000), None, 0, 1, Some(950)),
            (Some(1000), None, 500, 30, Some(950)),
            (Some(120), None, 0, 1, Some(100)),
            (Some(4), None, 0, 1, Some(2)),
            (None, Some(60_000), 0, 30, Some(1950)),
            (None, Some(60_000), 1000, 30, Some(2950)),
            (None, Some(90), 1000, 30, Some(75)),
            (None, Some(60_000), 0, 0, Some(59_950)),
            (Some(1500), Some(60_000), 0, 30, Some(1450)),
            (Some(1500), Some(900), 0, 30, Some(20)),
            (Some(1500), Some(0), 0, 30, Some(0)),
            (None, None, 0, 30, None),
        ];
        for (move_ms, bank_ms, increment_ms, decisions, expected) in cases {
            let clock = Clock { kind: ClockKind::Wall, move_ms, bank_ms, increment_ms };
            let share = TimeBudget::new(clock, Instant::now()).share(decisions);
            assert_eq!(share.map(|s| s.as_millis()), expected, "{clock:?}, {decisions}");
        }
    }

    #[test]
    fn what_has_passed_is_gone() {
        let clock =
            Clock { kind: ClockKind::Wall, move_ms: Some(50), bank_ms: None, increment_ms: 0 };
        let began = Instant::now();
        let budget = TimeBudget::new(clock, began);
        assert!(budget.remaining(1) <= Some(Duration::from_millis(40)));
        let Some(long_ago) = began.checked_sub(Duration::from_secs(1)) else { return };
        assert_eq!(TimeBudget::new(clock, long_ago).remaining(1), Some(Duration::ZERO));
        assert_eq!(TimeBudget::unlimited().remaining(1), None);
    }
}
