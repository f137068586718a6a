//! What an answer may take: time on the wall, and processor time where that is the clock.
//!
//! Processor time is the fair clock where games share cores: a bot that waits for a core is not
//! charged for it. But a bot that sleeps uses none of it, so that the wall always has an end too.

use crate::processes::Processes;
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
pub(crate) struct Allowance {
    /// On the wall, in microseconds.
    pub wall_us: u64,
    /// Of processor time, where that is the clock.
    pub cpu: Option<CpuAllowance>,
    /// Whether the host is watched meanwhile: where it has kept the bot from running, nobody can
    /// say that the bot was late.
    pub is_watched: bool,
}

/// What an answer may take of processor time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuAllowance {
    /// What the bot had used before it was asked.
    before: Duration,
    /// How much more it may use, in microseconds.
    pub us: u64,
}

impl Allowance {
    /// So many microseconds on the wall to start or to set up.
    pub fn preparing(wall_us: u64) -> Allowance {
        Allowance { wall_us, cpu: None, is_watched: true }
    }

    /// So many microseconds on the wall for a decision.
    pub fn wall(wall_us: u64) -> Allowance {
        Allowance { wall_us, cpu: None, is_watched: true }
    }

    /// So many microseconds of processor time for a decision, from now on, and a backstop on the
    /// wall.
    pub fn cpu(processes: &Processes, us: u64) -> Allowance {
        let wall_us = us.saturating_mul(BACKSTOP_TIMES).saturating_add(BACKSTOP_MORE_US);
        let before = processes.cpu_time().unwrap_or_default();
        Allowance { wall_us, cpu: Some(CpuAllowance { before, us }), is_watched: true }
    }

    /// The same after so many microseconds on the wall.
    pub fn after(self, elapsed_us: u64) -> Allowance {
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
    /// What the bot has used since it was asked, in microseconds.
    pub fn used_us(&self, processes: &Processes) -> u64 {
        let now = processes.cpu_time().unwrap_or_default();
        u64::try_from(now.saturating_sub(self.before).as_micros()).unwrap_or(u64::MAX)
    }
}
