//! The wait until a bot's processes have stopped, before the clock of another bot starts.
//!
//! A stop is asynchronous: after the request, a thread inside a long system call, such as a read of
//! many megabytes, continues until that call returns. Dozens of such threads would take cores from
//! the next bot. So no clock starts before they have stopped, and a bot that takes too long to stop
//! has failed.

use crate::failure::{BotFailure, Failure};
use crate::program::interrupt::Interrupt;
use crate::program::processes::Processes;
use botyard_protocol::FaultKind;
use std::time::{Duration, Instant};

/// How long a bot's processes may use the cores after a stop was requested.
pub(crate) const STANDSTILL_LIMIT: Duration = Duration::from_secs(1);

/// Processes that have not stopped have failed if they use at least this share of one core (1 /
/// `USED`). Processes that use less wait for something, such as a busy disk, and take no time from
/// other bots.
const USED: u32 = 10;

/// How long the referee only yields its core between two checks. Stopping takes some microseconds
/// of a core, which may be the referee's; a pause needs a timer, which costs more than that.
const YIELDING: Duration = Duration::from_micros(50);

/// The shortest and the longest pause between two checks after that.
const SHORTEST: Duration = Duration::from_micros(50);
const LONGEST: Duration = Duration::from_millis(1);

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

/// Waits until processes have stopped for which a stop was requested, at most [`STANDSTILL_LIMIT`].
///
/// # Errors
///
/// [`Failure::Interrupted`].
pub(crate) fn of(processes: &Processes, interrupt: &Interrupt) -> Result<Standstill, Failure> {
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
        if elapsed >= STANDSTILL_LIMIT {
            let used = processes.cpu_time().zip(before);
            let used = used.map_or(elapsed, |(now, before)| now.saturating_sub(before));
            return Ok(judge(elapsed, used));
        }
        if interrupt.is_raised_within(pause) {
            return Err(Failure::Interrupted);
        }
        pause = (pause * 2).min(LONGEST);
    }
}

/// Judges processes that have not stopped after `elapsed` and have used `used` of CPU time
/// meanwhile.
fn judge(elapsed: Duration, used: Duration) -> Standstill {
    if used < elapsed / USED {
        return Standstill::Waits;
    }
    let message = format!(
        "expected its processes to stop within {} ms when its turn was over, but they kept running and \
         used {} ms of CPU time; a thread inside a long system call, such as a read of many megabytes, \
         cannot be stopped before that call returns",
        STANDSTILL_LIMIT.as_millis(),
        used.as_millis()
    );
    Standstill::RunsOn(BotFailure::new(FaultKind::Timeout, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_that_does_not_stop_has_failed_if_it_uses_the_cores() {
        let ms = Duration::from_millis;
        for (used, has_failed) in [(0, false), (99, false), (101, true), (1999, true)] {
            let judged = judge(ms(1005), ms(used));
            match &judged {
                Standstill::RunsOn(failure) => {
                    assert!(has_failed, "{judged:?}");
                    assert_eq!(failure.kind, FaultKind::Timeout);
                    assert!(failure.message.contains("within 1000 ms"), "{failure}");
                    assert!(failure.message.contains(&format!("used {used} ms")), "{failure}");
                }
                _ => assert!(!has_failed, "{judged:?}"),
            }
        }
    }
}
