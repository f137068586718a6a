//! The deadline of a search on a machine that may be loaded: the process may be preempted when the
//! time is up. The delays of the last searches determine how much earlier to end.

use crate::time_budget::TimeBudget;
use botyard_search::{Deadline, Stall};
use std::time::Duration;

/// Statistics of how late searches notice their deadline.
#[derive(Clone, Copy, Debug, Default)]
pub struct Punctuality {
    /// The stall of recent searches: the longest one, decaying.
    stall: Stall,
    /// The longest time of a search, whatever the clock allows.
    most: Option<Duration>,
}

impl Punctuality {
    /// Returns statistics of searches that take at most this time each, by the kind of time that
    /// the clock counts; with `None`, what the clock allows.
    pub fn within(most: Option<Duration>) -> Punctuality {
        Punctuality { most, ..Punctuality::default() }
    }

    /// Returns the deadline of a search if the seat expects `decisions` more decisions, including
    /// this one; `None` without a limit.
    pub fn deadline(&self, budget: &TimeBudget, decisions: u32) -> Option<Deadline> {
        let own = self.most.and_then(|most| budget.until(most));
        budget.deadline(decisions, self.stall).into_iter().chain(own).reduce(Deadline::or)
    }

    /// Records the longest interval between two clock reads of a finished search.
    pub fn searched(&mut self, stall: Stall) {
        let faded = Stall { wall: self.stall.wall * 7 / 8, cpu: self.stall.cpu * 7 / 8 };
        self.stall = stall.max(faded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_protocol::{Clock, ClockKind};
    use botyard_search::{Reading, Watch};
    use std::time::Instant;

    const MS: Duration = Duration::from_millis(1);

    /// A simulated machine on which this process gets the CPU for 1/`load` of the time, in slices
    /// of this length, and reads the clock every 50 microseconds of CPU time.
    struct Machine {
        now: Reading,
        load: u32,
        slice: Duration,
        left: Duration,
    }

    impl Machine {
        fn new(load: u32, slice: Duration) -> Machine {
            let now = Reading { wall: Instant::now(), cpu: Some(Duration::from_secs(7)) };
            Machine { now, load, slice, left: slice }
        }

        fn work(&mut self) {
            let step = Duration::from_micros(50);
            self.now.wall += step;
            self.now.cpu = self.now.cpu.map(|cpu| cpu + step);
            self.left = self.left.saturating_sub(step);
            if self.left.is_zero() {
                self.left = self.slice;
                self.now.wall += self.slice * (self.load - 1);
            }
        }

        /// Searches until the deadline, and returns the time used by each clock.
        fn search(&mut self, clock: Clock, punctuality: &mut Punctuality) -> (Duration, Duration) {
            let began = self.now;
            let deadline = punctuality.deadline(&TimeBudget::new(clock, began), 1).unwrap();
            let mut watch = Watch::new(Some(deadline));
            while !watch.is_late_at(self.now) {
                self.work();
            }
            punctuality.searched(watch.stall());
            (self.now.wall - began.wall, self.now.cpu.unwrap() - began.cpu.unwrap())
        }
    }

    fn clock(kind: ClockKind) -> Clock {
        Clock { kind, move_ms: Some(100), bank_ms: None, increment_ms: 0 }
    }

    #[test]
    fn a_cpu_clock_is_used_up_under_any_load_within_the_backstop() {
        for (load, slice) in [(1, 4 * MS), (2, 4 * MS), (4, 3 * MS), (4, 10 * MS), (6, MS)] {
            let mut machine = Machine::new(load, slice);
            let mut punctuality = Punctuality::default();
            for _ in 0..20 {
                let (wall, cpu) = machine.search(clock(ClockKind::Cpu), &mut punctuality);
                assert!(cpu > 85 * MS && cpu < 100 * MS, "load {load}: {cpu:?}");
                assert!(wall < 750 * MS, "load {load}: {wall:?}");
            }
        }
        // Without the CPU, the backstop of 750 ms ends the search.
        let mut machine = Machine::new(50, MS);
        let mut punctuality = Punctuality::default();
        for _ in 0..20 {
            let (wall, cpu) = machine.search(clock(ClockKind::Cpu), &mut punctuality);
            assert!(wall < 750 * MS && wall > 400 * MS && cpu > 7 * MS, "{wall:?}, {cpu:?}");
        }
    }

    #[test]
    fn a_wall_clock_ends_a_search_under_any_load() {
        for load in [1, 2, 4] {
            let mut machine = Machine::new(load, 2 * MS);
            let mut punctuality = Punctuality::default();
            for _ in 0..20 {
                let (wall, _) = machine.search(clock(ClockKind::Wall), &mut punctuality);
                assert!(wall > 40 * MS && wall < 100 * MS, "load {load}: {wall:?}");
            }
        }
    }

    #[test]
    fn a_search_takes_its_own_time_or_what_the_clock_allows() {
        for kind in [ClockKind::Cpu, ClockKind::Wall] {
            for (most, range) in [(20, 19..=21), (1000, 75..=100)] {
                let mut machine = Machine::new(1, 4 * MS);
                let mut punctuality = Punctuality::within(Some(most * MS));
                for _ in 0..5 {
                    let (time, _) = machine.search(clock(kind), &mut punctuality);
                    assert!(range.contains(&time.as_millis()), "{kind:?} {most}: {time:?}");
                }
            }
        }
        let untimed = Clock { move_ms: None, ..clock(ClockKind::Wall) };
        let began = Reading { wall: Instant::now(), cpu: None };
        let budget = TimeBudget::new(untimed, began);
        let own = Punctuality::within(Some(MS)).deadline(&budget, 1);
        assert_eq!(own, budget.until(MS));
        assert_eq!(Punctuality::default().deadline(&budget, 1), None);
    }

    #[test]
    fn without_cpu_time_searches_plan_by_the_wall_clock() {
        let began = Reading { wall: Instant::now(), cpu: None };
        let of = |kind| {
            let budget = TimeBudget::new(clock(kind), began);
            (Punctuality::default().deadline(&budget, 1), budget.until(5 * MS))
        };
        assert_eq!(of(ClockKind::Cpu), of(ClockKind::Wall));
    }

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
        assert_eq!(earlier(Some(millis(1))), millis(7000), "the estimate decays");
        assert_eq!(earlier(Some(millis(1_000_000))), share / 2, "half of the time is always used");
        assert_eq!(punctuality.deadline(&TimeBudget::unlimited(), 1), None);
    }
}
