//! The deadline of a search, by wall-clock time and by the CPU time of this process.
//!
//! A [`Reading`] holds the values of both clocks, a [`Deadline`] is a limit on one or both, and a
//! [`Watch`] compares the two during a search.

use std::time::{Duration, Instant};

/// A reading of both clocks at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Wall-clock time.
    pub wall: Instant,
    /// The CPU time of this process, summed over its threads; `None` if it was not read or cannot
    /// be measured.
    pub cpu: Option<Duration>,
}

impl Reading {
    /// Reads both clocks.
    pub fn now() -> Reading {
        Reading { wall: Instant::now(), cpu: cpu_time() }
    }
}

/// Returns the CPU time of this process, summed over its threads.
#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

/// Not measured on this platform: bots plan by wall-clock time there.
#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}

/// The deadline of a search: it passes when the first of the two limits is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The wall-clock limit.
    pub wall: Option<Instant>,
    /// The limit on the CPU time of this process.
    pub cpu: Option<Duration>,
}

impl Deadline {
    /// Returns a deadline by wall-clock time alone.
    pub const fn at(wall: Instant) -> Deadline {
        Deadline { wall: Some(wall), cpu: None }
    }

    /// Returns the deadline that passes as soon as either of the two does.
    #[must_use]
    pub fn or(self, other: Deadline) -> Deadline {
        let wall = self.wall.into_iter().chain(other.wall).min();
        Deadline { wall, cpu: self.cpu.into_iter().chain(other.cpu).min() }
    }

    /// Returns the deadline of the next of `searches` searches that share the time from `now` to this
    /// deadline: what one leaves of its part is divided among those after it. A clock that was not
    /// read keeps its limit.
    ///
    /// # Panics
    ///
    /// Panics if `searches` is 0.
    #[must_use]
    pub fn share(self, now: &Reading, searches: u32) -> Deadline {
        let wall =
            self.wall.map(|limit| now.wall + limit.saturating_duration_since(now.wall) / searches);
        let cpu = self.cpu.map(|limit| match now.cpu {
            Some(used) => used + limit.saturating_sub(used) / searches,
            None => limit,
        });
        Deadline { wall, cpu }
    }

    /// Returns whether the deadline has passed at this reading. A clock that was not read does not
    /// count.
    pub fn has_passed(&self, now: &Reading) -> bool {
        let by_cpu = self.cpu.zip(now.cpu).is_some_and(|(limit, used)| used >= limit);
        by_cpu || self.wall.is_some_and(|limit| now.wall >= limit)
    }

    /// Reads the clocks that this deadline needs. CPU time costs a system call.
    fn read(&self) -> Reading {
        Reading { wall: Instant::now(), cpu: self.cpu.and_then(|_| cpu_time()) }
    }
}

/// The longest interval between two clock reads during a search: an upper bound on how late the
/// search notices that its time is up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stall {
    /// In wall-clock time: about 100 microseconds, more when the process is preempted.
    pub wall: Duration,
    /// In CPU time, which preemption does not add to; zero without a deadline by CPU time.
    pub cpu: Duration,
}

impl Stall {
    /// No stall.
    pub const NONE: Stall = Stall { wall: Duration::ZERO, cpu: Duration::ZERO };

    /// Returns the maximum of each of the two durations.
    #[must_use]
    pub fn max(self, other: Stall) -> Stall {
        Stall { wall: self.wall.max(other.wall), cpu: self.cpu.max(other.cpu) }
    }
}

/// Checks the deadline during a search, and measures the interval from one clock read to the next.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    deadline: Option<Deadline>,
    looked: Option<Reading>,
    latest: Option<Duration>,
    stall: Stall,
}

impl Watch {
    /// Returns the watch of a search with this deadline; `None` for a search without a time limit.
    pub const fn new(deadline: Option<Deadline>) -> Watch {
        Watch { deadline, looked: None, latest: None, stall: Stall::NONE }
    }

    /// Replaces the deadline of a running search.
    pub const fn replace(&mut self, deadline: Option<Deadline>) {
        self.deadline = deadline;
    }

    /// Returns the longest interval between two clock reads so far.
    pub const fn stall(&self) -> Stall {
        self.stall
    }

    /// Returns the wall-clock time between the last two clock reads; `None` before there were two.
    pub const fn between_looks(&self) -> Option<Duration> {
        self.latest
    }

    /// Reads the clocks, and returns whether the deadline has passed.
    #[cold]
    pub fn is_late(&mut self) -> bool {
        self.deadline.is_some_and(|deadline| self.is_late_at(deadline.read()))
    }

    /// [`Watch::is_late`] with a reading of the caller, for tests of time management.
    pub fn is_late_at(&mut self, now: Reading) -> bool {
        if let Some(looked) = self.looked.replace(now) {
            let cpu = now.cpu.zip(looked.cpu).map(|(now, then)| now.saturating_sub(then));
            let between = Stall { wall: now.wall - looked.wall, cpu: cpu.unwrap_or_default() };
            self.latest = Some(between.wall);
            self.stall = self.stall.max(between);
        }
        self.deadline.is_some_and(|deadline| deadline.has_passed(&now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_deadline_passes_with_the_first_limit() {
        let began = Reading { wall: Instant::now(), cpu: Some(Duration::from_secs(1)) };
        let later = |wall: u32, cpu: u32| Reading {
            wall: began.wall + wall * MS,
            cpu: began.cpu.map(|before| before + cpu * MS),
        };
        let deadline = Deadline { wall: Some(later(50, 0).wall), cpu: later(0, 10).cpu };
        for (now, passed) in [
            (later(0, 0), false),
            (later(49, 9), false),
            (later(10, 10), true),
            (later(50, 0), true),
            (Reading { cpu: None, ..later(49, 0) }, false),
        ] {
            assert_eq!(deadline.has_passed(&now), passed, "{now:?}");
        }
        let sooner = deadline.or(Deadline::at(later(20, 0).wall));
        assert_eq!(sooner, Deadline { wall: Some(later(20, 0).wall), ..deadline });
    }

    #[test]
    fn searches_that_use_their_whole_shares_get_equal_ones() {
        let began = Reading { wall: Instant::now(), cpu: Some(Duration::from_secs(1)) };
        let later = |wall: u32, cpu: u32| Reading {
            wall: began.wall + wall * MS,
            cpu: began.cpu.map(|before| before + cpu * MS),
        };
        let deadline = Deadline { wall: Some(later(80, 0).wall), cpu: later(0, 40).cpu };
        let ends = |now: Reading, searches: u32| deadline.share(&now, searches);
        for searched in 0..8 {
            let share = ends(later(10 * searched, 5 * searched), 8 - searched);
            let end = later(10 * (searched + 1), 5 * (searched + 1));
            assert_eq!((share.wall, share.cpu), (Some(end.wall), end.cpu), "search {searched}");
        }
        // What the first seven left is the last one's.
        assert_eq!(ends(later(7, 7), 1), deadline);
        // Nothing is left: the search ends at once.
        let late = later(90, 50);
        assert!(ends(late, 3).has_passed(&late));
        let not_read = Reading { cpu: None, ..later(0, 0) };
        assert_eq!(ends(not_read, 8).cpu, deadline.cpu);
    }

    #[test]
    fn cpu_time_grows_with_work() {
        let before = Reading::now().cpu;
        let mut sum = 0u64;
        while Reading::now().cpu.zip(before).is_some_and(|(now, then)| now < then + 2 * MS) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert_eq!(before.is_some(), cfg!(unix));
    }
}
