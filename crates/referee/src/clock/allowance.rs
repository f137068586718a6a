//! What an answer may take: time on the wall, and processor time where that is the clock.
//!
//! Processor time is the fair clock where games share cores: a bot that waits for a core is not
//! charged for it. But a bot that sleeps uses none of it, so that the wall always has an end too.

use crate::host::gauge::HostGauge;
use crate::host::watch::AtQuestion;
use crate::program::processes::Processes;
use std::time::Duration;

/// With processor time as the clock, an answer may take this many times as long on the wall, and
/// [`BACKSTOP_MORE_US`] more.
const BACKSTOP_TIMES: u64 = 5;

/// See [`BACKSTOP_TIMES`], in microseconds.
const BACKSTOP_MORE_US: u64 = 250_000;

/// The shortest pause between two looks at a bot's processor time.
const SHORTEST_PAUSE_US: u64 = 1000;

/// How many cores a bot is taken to use at once, when it is reckoned how soon it can have used up
/// its processor time. One that uses more is found out a little later, and charged all the same.
const CORES: u64 = 4;

/// What an answer may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance<'a> {
    /// Wall-clock time, in microseconds. Time that the host took does not count.
    pub wall_us: u64,
    /// Of processor time, where that is the clock.
    pub cpu: Option<CpuAllowance>,
    /// By what the host is judged.
    pub host: &'a dyn HostGauge,
    /// What was counted when it began.
    pub at_question: AtQuestion,
}

/// What an answer may take of processor time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuAllowance {
    /// What the bot had used when this began.
    before: Duration,
    /// How much more it may use, in microseconds.
    pub us: u64,
}

impl<'a> Allowance<'a> {
    /// `us` microseconds of wall-clock time, from now on. `processes` are those of the bot, where it runs.
    pub fn wall(host: &'a dyn HostGauge, processes: Option<&Processes>, us: u64) -> Allowance<'a> {
        let at_question = AtQuestion::now(host, processes);
        Allowance { wall_us: us, cpu: None, host, at_question }
    }

    /// So many microseconds of CPU time for a decision, and a backstop of wall-clock time. CPU time counts
    /// from now on, or from when the processes had used `since`.
    pub fn cpu(
        host: &'a dyn HostGauge,
        processes: &Processes,
        us: u64,
        since: Option<Duration>,
    ) -> Allowance<'a> {
        let wall_us = us.saturating_mul(BACKSTOP_TIMES).saturating_add(BACKSTOP_MORE_US);
        let now = processes.cpu_time().unwrap_or_default();
        let before = since.map_or(now, |since| since.min(now));
        let cpu = Some(CpuAllowance { before, us });
        Allowance { cpu, ..Allowance::wall(host, Some(processes), wall_us) }
    }

    /// The same after so many microseconds on the wall.
    pub fn after(self, elapsed_us: u64) -> Allowance<'a> {
        Allowance { wall_us: self.wall_us.saturating_sub(elapsed_us), ..self }
    }

    /// How long to wait, in microseconds, when so many have gone by on the wall and `used_us` of
    /// processor time are used.
    pub fn pause_us(&self, elapsed_us: u64, used_us: u64) -> u64 {
        let left_us = self.wall_us.saturating_sub(elapsed_us);
        match self.cpu {
            Some(cpu) => {
                let soonest = cpu.us.saturating_sub(used_us) / CORES;
                left_us.min(soonest.max(SHORTEST_PAUSE_US))
            }
            None => left_us,
        }
    }
}

impl CpuAllowance {
    /// What the bot has used since its start when it has used so many microseconds since the question.
    pub fn total(&self, used_us: u64) -> Duration {
        self.before.saturating_add(Duration::from_micros(used_us))
    }

    /// What the bot has used since it was asked, in microseconds.
    pub fn used_us(&self, processes: &Processes) -> u64 {
        let now = processes.cpu_time().unwrap_or_default();
        u64::try_from(now.saturating_sub(self.before).as_micros()).unwrap_or(u64::MAX)
    }
}
