//! Whether it was the host that made a bot late: the evidence, and the rule.
//!
//! A bot that is late although it had a core has lost. One that stood in line for a core for most
//! of its time, or whose machine was taken away from under it, cannot be judged: the game is void.
//! This is not looked into until a decision takes longer than any instant one.

use crate::processes::Processes;
use botyard_sandbox::HostLoad;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A referee that looks this much later than it wanted to cannot say whether the bot was in time:
/// the host kept it from running.
const STALL_US: u64 = 500_000;

/// A decision is watched when it has taken this long, or a quarter of what it may take.
const BEFORE_WATCHING_US: u64 = 20_000;

/// What is known of the host at a deadline that a bot has missed. In microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostEvidence {
    /// What the bot was allowed, on the wall.
    pub allowed_us: u64,
    /// How much later than that the referee looked, because it was not woken earlier.
    pub late_us: u64,
    /// For how long the following was measured, up to that look.
    pub watched_us: u64,
    /// Processor time of the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// How long that of its threads which waited longest for a core had to wait for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_us: Option<u64>,
    /// How long this virtual machine had to wait for its own host, on average of its cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stolen_us: Option<u64>,
    /// How long some program on this machine had to wait for a core (pressure).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_us: Option<u64>,
}

impl HostEvidence {
    /// Whether the bot cannot be blamed: the referee was woken half a second too late; or the bot
    /// waited for a core for half of the time and used less than three quarters of one (a bot whose
    /// threads wait for each other uses a whole one); or the machine was away for half of it.
    pub fn is_against_the_host(&self) -> bool {
        let half = self.watched_us / 2;
        let at_least_half = |us: Option<u64>| us.is_some_and(|us| us >= half && half > 0);
        let used_little = self.cpu_us.is_none_or(|us| us < self.watched_us / 4 * 3);
        self.late_us > STALL_US
            || at_least_half(self.waited_us) && used_little
            || at_least_half(self.stolen_us)
    }
}

/// A look at the host while a bot thinks.
#[derive(Debug)]
pub(crate) struct HostWatch {
    begun: Instant,
    load: HostLoad,
    cpu: Option<Duration>,
}

impl HostWatch {
    /// After how many microseconds of a decision it begins.
    pub fn begins_after_us(allowed_us: u64) -> u64 {
        (allowed_us / 4).min(BEFORE_WATCHING_US)
    }

    /// The first look.
    pub fn begin(processes: &Processes) -> HostWatch {
        HostWatch {
            begun: Instant::now(),
            load: HostLoad::now(processes.id()),
            cpu: processes.cpu_time(),
        }
    }

    /// The last one, at a deadline that was missed.
    pub fn evidence(
        watch: Option<HostWatch>,
        processes: &Processes,
        allowed_us: u64,
        elapsed_us: u64,
    ) -> HostEvidence {
        let evidence = HostEvidence {
            allowed_us,
            late_us: elapsed_us.saturating_sub(allowed_us),
            ..HostEvidence::default()
        };
        let Some(HostWatch { begun, load, cpu }) = watch else { return evidence };
        let us = |time: Option<Duration>| time.and_then(|time| time.as_micros().try_into().ok());
        let since = HostLoad::now(processes.id()).since(&load);
        let used = processes.cpu_time().zip(cpu).map(|(now, then)| now.saturating_sub(then));
        HostEvidence {
            watched_us: us(Some(begun.elapsed())).unwrap_or(0),
            cpu_us: us(used),
            waited_us: us(since.waited),
            stolen_us: us(since.stolen),
            pressure_us: us(since.pressure),
            ..evidence
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_blamed_unless_the_host_kept_it_from_running() {
        let quiet = HostEvidence {
            allowed_us: 1_000_000,
            late_us: 200,
            watched_us: 980_000,
            cpu_us: Some(0),
            waited_us: Some(100),
            stolen_us: Some(0),
            pressure_us: Some(5000),
        };
        let busy = HostEvidence { cpu_us: Some(480_000), waited_us: Some(495_000), ..quiet };
        let crowded = HostEvidence { cpu_us: Some(975_000), waited_us: Some(800_000), ..quiet };
        for (evidence, is_against, what) in [
            (quiet, false, "a bot that sleeps"),
            (HostEvidence { cpu_us: Some(979_000), ..quiet }, false, "a bot that thinks too long"),
            (HostEvidence { late_us: 600_000, ..quiet }, true, "a referee that slept"),
            (busy, true, "a core for half of the time"),
            (crowded, false, "its own threads on one core"),
            (HostEvidence { stolen_us: Some(500_000), ..quiet }, true, "a machine that was away"),
            (HostEvidence { allowed_us: 1, ..HostEvidence::default() }, false, "nothing known"),
        ] {
            assert_eq!(evidence.is_against_the_host(), is_against, "{what}");
        }
    }
}
