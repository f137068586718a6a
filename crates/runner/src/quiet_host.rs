//! The wait for a quiet host, before games and checks that judge the time of a bot that has no other
//! chance: the gate, `check`, the trials of a site.

use crate::concurrency_limit::most_waited;
use crate::error::Error;
use crate::message::Message;
use botyard_protocol::ClockKind;
use botyard_referee::Interrupt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a thread of this program tries to compute, to see whether it must wait for a core.
const SAMPLE: Duration = Duration::from_millis(100);

/// The pause between two samples.
const PAUSE: Duration = Duration::from_millis(400);

/// The end of a wait for a quiet host.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QuietHost {
    /// How long it took.
    pub took: Duration,
    /// The share of the time in which a thread wanted a core that it waited for one, if the host is
    /// still not quiet.
    pub busy: Option<f64>,
}

impl QuietHost {
    /// Returns a warning if the host is not quiet, as a sentence without a full stop.
    pub fn warning(&self) -> Option<Message> {
        let busy = self.busy? * 100.0;
        let warning = format!(
            "this host did not become quiet within {} s (a program waits for {busy:.0}% of the time in which it \
             wants a core): bots may seem slower than they are",
            self.took.as_secs()
        );
        Some(warning.into())
    }
}

/// Waits for a quiet host, not longer than `within`. Returns at once if that is zero, or if the
/// kernel does not measure how long threads wait for cores.
///
/// # Errors
///
/// An interrupt.
pub fn await_quiet_host(within: Duration, interrupt: &Interrupt) -> Result<QuietHost, Error> {
    let begun = Instant::now();
    until_quiet(within, &mut sample, &mut |pause| match interrupt.is_raised_within(pause) {
        true => Err(Error::Interrupted),
        false => Ok(begun.elapsed()),
    })
}

/// Does the same with these samples. `pause` waits, and returns how long all has taken.
fn until_quiet(
    within: Duration,
    sample: &mut dyn FnMut() -> Option<f64>,
    pause: &mut dyn FnMut(Duration) -> Result<Duration, Error>,
) -> Result<QuietHost, Error> {
    let mut host = QuietHost::default();
    if within.is_zero() {
        return Ok(host);
    }
    loop {
        host.busy = sample().filter(|&waited| waited > most_waited(ClockKind::Wall));
        host.took = pause(Duration::ZERO)?;
        if host.busy.is_none() || host.took >= within {
            return Ok(host);
        }
        pause(PAUSE.min(within - host.took))?;
    }
}

/// Computes for a moment. Returns the share of the time that this thread waited for a core, where
/// the kernel measures that.
fn sample() -> Option<f64> {
    let (ran, waited) = core_use()?;
    let begun = Instant::now();
    let mut number = 0_u64;
    while begun.elapsed() < SAMPLE {
        number = black_box(number.wrapping_mul(31).wrapping_add(1));
    }
    let now = core_use()?;
    let (ran, waited) = (now.0.saturating_sub(ran), now.1.saturating_sub(waited));
    Some(waited as f64 / (ran + waited).max(1) as f64)
}

/// Returns how long this thread has run and waited for a core, in nanoseconds.
fn core_use() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut numbers = text.split_ascii_whitespace().map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits on a host on which these shares are measured, one after the other, and the last always.
    fn wait(within: u64, shares: &[f64]) -> (QuietHost, usize) {
        let (mut taken, mut time) = (0, Duration::ZERO);
        let mut sample = || {
            taken += 1;
            shares.get(taken - 1).or(shares.last()).copied()
        };
        let mut pause = |pause: Duration| {
            time += pause;
            Ok(time)
        };
        let found = until_quiet(Duration::from_millis(within), &mut sample, &mut pause);
        (found.unwrap(), taken)
    }

    #[test]
    fn a_host_is_awaited_until_it_is_quiet_or_the_time_is_over() {
        for (within, shares, took, samples, busy) in [
            (30_000, &[0.0][..], 0, 1, None),
            (30_000, &[0.25], 0, 1, None),
            (30_000, &[0.6, 0.5, 0.1], 800, 3, None),
            (1_000, &[0.6, 0.5], 1_000, 4, Some(0.5)),
            // The kernel measures nothing.
            (30_000, &[], 0, 1, None),
            // No wait.
            (0, &[0.9], 0, 0, None),
        ] {
            let (found, taken) = wait(within, shares);
            let expected = QuietHost { took: Duration::from_millis(took), busy };
            assert_eq!((found, taken), (expected, samples), "{within} {shares:?}");
            assert_eq!(found.warning().is_some(), busy.is_some());
        }
    }

    #[test]
    fn a_sample_is_a_share_and_an_interrupt_ends_the_wait() {
        assert!(sample().is_none_or(|share| (0.0..=1.0).contains(&share)));
        let interrupt = Interrupt::new().unwrap();
        interrupt.raise();
        let ended = await_quiet_host(Duration::from_secs(30), &interrupt);
        assert!(matches!(ended, Err(Error::Interrupted)));
        assert_eq!(await_quiet_host(Duration::ZERO, &interrupt).unwrap(), QuietHost::default());
    }
}
