//! The allowance of an answer: wall-clock time, and CPU time where that is the clock.
//!
//! CPU time is the fair clock where games share cores: a bot that waits for a core is not charged
//! for the wait. But a sleeping bot uses no CPU time, so there is always a limit of wall-clock time
//! too.

use crate::clock::seat_clock::SeatClock;
use crate::host::gauge::HostGauge;
use crate::host::watch::AtQuestion;
use crate::program::processes::Processes;
use std::time::Duration;

/// The shortest pause between two readings of a bot's CPU time, in microseconds.
const SHORTEST_PAUSE_US: u64 = 1000;

/// The number of cores that a bot is assumed to use simultaneously, to estimate how soon its CPU
/// time can be used up. If it uses more cores, this is detected a little later, and it is charged
/// all the same.
const CORES: u64 = 4;

/// The time that an answer may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance<'a> {
    /// Wall-clock time, in microseconds. Excused time is not counted.
    pub wall_us: u64,
    /// CPU time, where that is the clock.
    pub cpu: Option<CpuAllowance>,
    /// The source of measurements of the host.
    pub host: &'a dyn HostGauge,
    /// The counters at the beginning of the allowance.
    pub at_question: AtQuestion,
}

/// The CPU time that an answer may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuAllowance {
    /// CPU time that the bot had used when the allowance began.
    before: Duration,
    /// CPU time that the bot may use in addition, in microseconds.
    pub us: u64,
    /// Wall-clock time beside the CPU time that it uses, in microseconds, if that can be less than the
    /// limit of wall-clock time. Excused time is not counted.
    pub waiting_us: Option<u64>,
}

impl<'a> Allowance<'a> {
    /// Returns an allowance of `us` microseconds of wall-clock time from now. `processes` are the
    /// bot's, if it runs.
    pub(crate) fn wall(
        host: &'a dyn HostGauge,
        processes: Option<&Processes>,
        us: u64,
    ) -> Allowance<'a> {
        let at_question = AtQuestion::now(host, processes);
        Allowance { wall_us: us, cpu: None, host, at_question }
    }

    /// Returns an allowance of what this clock of CPU time has left, with its limits of wall-clock
    /// time. CPU time counts from now, or from the moment when the processes had used `since`.
    pub(crate) fn cpu(
        host: &'a dyn HostGauge,
        processes: &Processes,
        clock: &SeatClock,
        since: Option<Duration>,
    ) -> Allowance<'a> {
        let now = processes.cpu_time().unwrap_or_default();
        let before = since.map_or(now, |since| since.min(now));
        let (us, wall_us) = (clock.allowance_us(), clock.backstop_us());
        let waiting_us = clock.waiting_us().filter(|&us| us < wall_us);
        let cpu = Some(CpuAllowance { before, us, waiting_us });
        Allowance { cpu, ..Allowance::wall(host, Some(processes), wall_us) }
    }

    /// Returns the wall-clock time of an answer, in microseconds, when these processes have used
    /// what they have.
    pub(crate) fn wall_us_now(&self, processes: Option<&Processes>) -> u64 {
        let with_cpu = self.cpu.and_then(|cpu| {
            let used_us = processes.map_or(0, |processes| cpu.used_us(processes));
            Some(cpu.waiting_us?.saturating_add(used_us))
        });
        self.wall_us.min(with_cpu.unwrap_or(u64::MAX))
    }

    /// Returns what is left of the allowance after `elapsed_us` microseconds of wall-clock time.
    pub(crate) fn after(self, elapsed_us: u64) -> Allowance<'a> {
        Allowance { wall_us: self.wall_us.saturating_sub(elapsed_us), ..self }
    }

    /// Returns how long to wait at most, in microseconds, before the CPU time is read again, of which
    /// `used_us` are used.
    pub(crate) fn cpu_pause_us(&self, used_us: u64) -> u64 {
        self.cpu.map_or(u64::MAX, |cpu| {
            let soonest = cpu.us.saturating_sub(used_us) / CORES;
            soonest.max(SHORTEST_PAUSE_US)
        })
    }
}

impl CpuAllowance {
    /// Returns the bot's CPU time since its start, given that it has used `used_us` microseconds
    /// since the question.
    pub(crate) fn total(&self, used_us: u64) -> Duration {
        self.before.saturating_add(Duration::from_micros(used_us))
    }

    /// Returns the CPU time that the bot has used since it was asked, in microseconds.
    pub(crate) fn used_us(&self, processes: &Processes) -> u64 {
        let now = processes.cpu_time().unwrap_or_default();
        u64::try_from(now.saturating_sub(self.before).as_micros()).unwrap_or(u64::MAX)
    }
}
