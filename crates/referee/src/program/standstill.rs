//! The wait until a bot's processes have stopped, before the clock of another bot starts.
//!
//! A stop is asynchronous: after the request, a thread inside a long system call, such as a read of
//! many megabytes, continues until that call returns. Dozens of such threads would take cores from
//! the next bot. So no clock starts before they have stopped, and a bot whose processes use the
//! cores for too long instead has failed. What counts is the CPU time that they use: on a busy host
//! dozens of threads may need seconds of wall-clock time for the few milliseconds until they stop.

use crate::failure::{BotFailure, Failure};
use crate::program::interrupt::Interrupt;
use crate::program::processes::Processes;
use botyard_protocol::FaultKind;
use std::time::{Duration, Instant};

/// How much CPU time a bot's processes may use after a stop was requested. They are not judged before
/// as much wall-clock time has passed.
const LIMIT: Duration = Duration::from_secs(1);

/// The longest wait, in wall-clock time.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Processes that have not stopped after [`LIMIT`] and use less than this share of one core (1 /
/// `USED`) are not waited for: they wait for something, such as a busy disk, and take no time from
/// other bots. A bot cannot live on that share: what it uses counts for the whole game ([`RanOn`]).
const USED: u32 = 10;

/// How long the referee only yields its core between two checks. Stopping takes some microseconds
/// of a core, which may be the referee's; a pause needs a timer, which costs more than that.
const YIELDING: Duration = Duration::from_micros(50);

/// The shortest and the longest pause between two checks after that.
const SHORTEST: Duration = Duration::from_micros(50);
const LONGEST: Duration = Duration::from_millis(1);
/// The pause between two checks after [`LIMIT`]: they read the CPU time of all processes.
const WHILE_JUDGED: Duration = Duration::from_millis(20);

/// The CPU time that a bot's processes used in a game although they should have stopped, as far as
/// they were not waited for.
#[derive(Debug, Default)]
pub(crate) struct RanOn {
    used: Duration,
    /// Their CPU time when the last wait for them ended, unless they have continued since.
    since: Option<Duration>,
}

impl RanOn {
    /// Notes that they may run again.
    pub(super) fn wake(&mut self) {
        self.since = None;
    }

    /// Adds what they have used since the last wait, when they have used `cpu` in all.
    fn add(&mut self, cpu: Option<Duration>) {
        if let Some((cpu, since)) = cpu.zip(self.since.take()) {
            self.used += cpu.saturating_sub(since);
        }
    }
}

/// The result of the wait.
#[derive(Debug)]
pub(crate) enum Standstill {
    /// The processes have stopped or ended.
    Reached,
    /// They have not stopped, but they hardly use a core: they wait for the host.
    Waits,
    /// They keep running, which is the bot's failure.
    RunsOn(BotFailure),
}

/// Waits until processes have stopped for which a stop was requested, at most [`LONGEST_WAIT`].
///
/// # Errors
///
/// [`Failure::Interrupted`].
pub(crate) fn of(
    processes: &Processes,
    ran_on: &mut RanOn,
    interrupt: &Interrupt,
) -> Result<Standstill, Failure> {
    if ran_on.since.is_some() {
        ran_on.add(processes.cpu_time());
    }
    let begun = Instant::now();
    while begun.elapsed() < YIELDING {
        // Yield before the first check too: it would fail if the bot runs on this core.
        std::thread::yield_now();
        if processes.stand_still() {
            return Ok(Standstill::Reached);
        }
    }
    let begun = Instant::now();
    let before = processes.cpu_time();
    let mut pause = SHORTEST;
    loop {
        if processes.stand_still() || processes.ending().is_some() {
            return Ok(Standstill::Reached);
        }
        let elapsed = begun.elapsed();
        if elapsed >= LIMIT {
            let now = processes.cpu_time();
            let used = now.zip(before);
            let used = used.map_or(elapsed, |(now, before)| now.saturating_sub(before));
            if let Some(judged) = judge(elapsed, used, ran_on.used) {
                *ran_on = RanOn { used: ran_on.used + used, since: now };
                return Ok(judged);
            }
            pause = WHILE_JUDGED;
        }
        if interrupt.is_raised_within(pause) {
            return Err(Failure::Interrupted);
        }
        pause = (pause * 2).min(LONGEST);
    }
}

/// Judges processes that have not stopped after `elapsed`, at least [`LIMIT`], and have used `used`
/// of CPU time meanwhile, and `before` in earlier waits. `None` if they may still stop.
fn judge(elapsed: Duration, used: Duration, before: Duration) -> Option<Standstill> {
    let has_more = used + before < LIMIT;
    if used < elapsed / USED && has_more {
        return Some(Standstill::Waits);
    }
    if has_more && elapsed < LONGEST_WAIT {
        return None;
    }
    let message = format!(
        "expected its processes to stop when its turn was over, but they kept running for {} ms and \
         used {} ms of CPU time; a thread inside a long system call, such as a read of many megabytes, \
         cannot be stopped before that call returns",
        elapsed.as_millis(),
        (used + before).as_millis()
    );
    Some(Standstill::RunsOn(BotFailure::new(FaultKind::Timeout, message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether processes have failed; `None` while they may still stop.
    fn has_failed(elapsed_ms: u64, used_ms: u64) -> Option<bool> {
        let ms = Duration::from_millis;
        let judged = judge(ms(elapsed_ms), ms(used_ms), Duration::ZERO)?;
        if let Standstill::RunsOn(failure) = &judged {
            assert_eq!(failure.kind, FaultKind::Timeout);
            let expected = format!("kept running for {elapsed_ms} ms and used {used_ms} ms of CPU");
            assert!(failure.message.contains(&expected), "{failure}");
        }
        Some(matches!(judged, Standstill::RunsOn(_)))
    }

    #[test]
    fn processes_that_hardly_use_a_core_are_not_waited_for() {
        for (elapsed, used) in [(1000, 0), (1005, 99), (9999, 900), (10_000, 999)] {
            assert_eq!(has_failed(elapsed, used), Some(false), "{elapsed} {used}");
        }
    }

    #[test]
    fn a_bot_has_a_second_in_all_waits_of_a_game() {
        let mut ran_on = RanOn::default();
        let mut judged = Vec::new();
        for wait in 0..12_u64 {
            // 90 ms of each second, and as much before the next wait.
            let cpu = Duration::from_millis(180 * wait);
            ran_on.add(Some(cpu));
            let used = Duration::from_millis(90);
            let result = judge(Duration::from_secs(1), used, ran_on.used);
            judged.push(matches!(result, Some(Standstill::Waits)));
            ran_on = RanOn { used: ran_on.used + used, since: Some(cpu + used) };
        }
        assert_eq!(judged.iter().filter(|&&waits| waits).count(), 6, "{judged:?}");
        let before = ran_on.used;
        ran_on.wake();
        ran_on.add(Some(Duration::from_secs(100)));
        assert_eq!(ran_on.used, before, "that was its own turn");
    }

    #[test]
    fn processes_have_failed_after_a_second_of_cpu_time() {
        for (elapsed, used) in [(1000, 1000), (1005, 1999), (5000, 1000), (9000, 1000)] {
            assert_eq!(has_failed(elapsed, used), Some(true), "{elapsed} {used}");
        }
    }

    /// Sixty threads that need some milliseconds each to stop, on a host that gives them a fifth of a
    /// core.
    #[test]
    fn a_busy_host_gives_processes_more_wall_clock_time_to_stop() {
        for elapsed in [1000, 2000, 4000] {
            assert_eq!(has_failed(elapsed, elapsed / 5), None, "{elapsed}");
        }
    }

    #[test]
    fn no_wait_is_longer_than_ten_seconds() {
        assert_eq!(has_failed(9_990, 999), None);
        assert_eq!(has_failed(10_000, 1000), Some(true));
        for used in (0..2000).step_by(100) {
            assert!(has_failed(10_000, used).is_some(), "{used}");
        }
    }
}
