//! Time management: how long a decision may take, by the kind of time that the seat's clock counts.
//! The bot only plans; the referee measures.

use botyard_protocol::{Clock, ClockKind, backstop};
use botyard_search::{Deadline, Reading, Stall};
use std::time::Duration;

/// A safety margin: a fraction of the limit (1/`part`), within these bounds.
struct Margin {
    part: u32,
    least: Duration,
    most: Duration,
}

/// For wall-clock time: on a loaded machine, it may take some milliseconds until the referee, or
/// this process, is scheduled again.
const WALL_MARGIN: Margin =
    Margin { part: 6, least: Duration::from_millis(10), most: Duration::from_millis(50) };

/// For CPU time: reading the `turn` line and writing the answer. Waiting adds nothing.
const CPU_MARGIN: Margin =
    Margin { part: 12, least: Duration::from_millis(3), most: Duration::from_millis(25) };

impl Margin {
    /// Returns the limit minus the margin, which is at most half of the limit.
    fn within(&self, limit: Duration) -> Duration {
        let margin = (limit / self.part).clamp(self.least, self.most);
        limit - margin.min(limit / 2)
    }
}

/// The time for one decision.
#[derive(Clone, Copy, Debug)]
pub struct TimeBudget {
    began: Reading,
    clock: Clock,
}

impl TimeBudget {
    /// Returns the budget of a decision whose `turn` line was read at `began` with this clock.
    pub fn new(clock: Clock, began: Reading) -> TimeBudget {
        TimeBudget { began, clock }
    }

    /// Returns an unlimited budget, for tests and experiments that count iterations.
    pub fn unlimited() -> TimeBudget {
        let clock = Clock { kind: ClockKind::Wall, move_ms: None, bank_ms: None, increment_ms: 0 };
        TimeBudget { began: Reading::now(), clock }
    }

    /// Returns the seat's clock at the start of the decision.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the CPU time of this process at the start of the decision, if the clock counts CPU
    /// time.
    fn cpu_before(&self) -> Option<Duration> {
        self.began.cpu.filter(|_| self.clock.kind == ClockKind::Cpu)
    }

    /// Returns the time since the `turn` line was read, of the kind that the clock counts.
    pub fn elapsed(&self) -> Duration {
        let now = Reading::now();
        match self.cpu_before().zip(now.cpu) {
            Some((before, now)) => now.saturating_sub(before),
            None => now.wall - self.began.wall,
        }
    }

    /// Returns the time for this decision, if the seat expects `decisions` more of them (including
    /// this one; 0 counts as 1): an equal share of the bank plus the increment, at most the cap per
    /// move, minus a margin of at most half the limit: 1/6, 10 to 50 ms, for wall-clock time, or
    /// 1/12, 3 to 25 ms, for CPU time. `None` without a limit.
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
        let margin = if self.cpu_before().is_some() { CPU_MARGIN } else { WALL_MARGIN };
        Some(margin.within(limit))
    }

    /// Returns the remaining time of [`TimeBudget::share`]: zero when it is used up, `None` without
    /// a limit.
    pub fn remaining(&self, decisions: u32) -> Option<Duration> {
        Some(self.share(decisions)?.saturating_sub(self.elapsed()))
    }

    /// Returns the deadline at which [`TimeBudget::share`] is used up, earlier by `stall`, the
    /// delay with which a search may notice it. At least half of the time is always used. With a
    /// clock of CPU time, the search also ends before the referee's wall-clock limit. `None`
    /// without a limit.
    pub fn deadline(&self, decisions: u32, stall: Stall) -> Option<Deadline> {
        let less = |time: Duration, stall: Duration| time - stall.min(time / 2);
        let share = self.share(decisions)?;
        let Some(before) = self.cpu_before() else {
            return Some(Deadline::at(self.began.wall.checked_add(less(share, stall.wall))?));
        };
        // The referee's limit depends on what the clock has left, not on this bot's share of it.
        let whole = self.clock.move_ms.into_iter().chain(self.clock.bank_ms).min();
        let backstop = whole.map(Duration::from_millis).and_then(|whole| {
            let backstop = backstop(whole)?;
            self.began.wall.checked_add(less(WALL_MARGIN.within(backstop), stall.wall))
        });
        Some(Deadline { wall: backstop, cpu: before.checked_add(less(share, stall.cpu)) })
    }

    /// Returns the deadline `time` after the `turn` line was read, by the kind of time that the
    /// clock counts.
    pub fn until(&self, time: Duration) -> Option<Deadline> {
        match self.cpu_before() {
            Some(before) => {
                before.checked_add(time).map(|limit| Deadline { wall: None, cpu: Some(limit) })
            }
            None => self.began.wall.checked_add(time).map(Deadline::at),
        }
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
            let share = TimeBudget::new(clock, Reading::now()).share(decisions);
            assert_eq!(share.map(|s| s.as_millis()), expected, "{clock:?}, {decisions}");
        }
    }

    #[test]
    fn a_clock_of_cpu_time_has_a_smaller_margin_and_a_backstop() {
        let began = Reading { cpu: Some(Duration::from_secs(3)), ..Reading::now() };
        let millis = Duration::from_millis;
        // cap, bank, decisions expected -> CPU time and wall-clock time, in milliseconds
        for (move_ms, bank_ms, decisions, cpu, wall) in [
            (Some(120), None, 1, 110, 800),
            (Some(1000), None, 1, 975, 5200),
            (Some(4), None, 1, 2, 225),
            (None, Some(60_000), 30, 1975, 300_200),
            (Some(1000), Some(900), 30, 27, 4700),
        ] {
            let clock = Clock { kind: ClockKind::Cpu, move_ms, bank_ms, increment_ms: 0 };
            let deadline = TimeBudget::new(clock, began).deadline(decisions, Stall::NONE);
            let deadline = deadline.unwrap();
            let found = (
                deadline.cpu.unwrap() - millis(3000),
                deadline.wall.unwrap().duration_since(began.wall),
            );
            assert_eq!((found.0.as_millis(), found.1.as_millis()), (cpu, wall), "{clock:?}");
        }
        let unlimited =
            Clock { kind: ClockKind::Cpu, move_ms: None, bank_ms: None, increment_ms: 0 };
        assert_eq!(TimeBudget::new(unlimited, began).deadline(30, Stall::NONE), None);
        let own = TimeBudget::new(unlimited, began).until(millis(40)).unwrap();
        assert_eq!((own.wall, own.cpu), (None, Some(millis(3040))));
    }

    #[test]
    fn elapsed_time_is_subtracted() {
        let clock =
            Clock { kind: ClockKind::Wall, move_ms: Some(50), bank_ms: None, increment_ms: 0 };
        let began = Reading::now();
        let budget = TimeBudget::new(clock, began);
        assert!(budget.remaining(1) <= Some(Duration::from_millis(40)));
        let Some(wall) = began.wall.checked_sub(Duration::from_secs(1)) else { return };
        let long_ago = Reading { wall, ..began };
        assert_eq!(TimeBudget::new(clock, long_ago).remaining(1), Some(Duration::ZERO));
        assert_eq!(TimeBudget::unlimited().remaining(1), None);
    }
}
