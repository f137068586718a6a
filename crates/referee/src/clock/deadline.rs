//! The deadline of one exchange with a bot: how long to wait, when to check again, and whether the
//! time is over. The deadline is absolute, and the remaining time is computed before every wait, so
//! a bot cannot extend it by sending bytes one at a time. It is extended only by excused time, and
//! by time for which the referee itself stopped the bot.

use crate::clock::allowance::Allowance;
use crate::host::evidence::{
    BEFORE_WATCHING_US, LOOK_SHARE, LOOK_US, excuse, excuse_for_void, longest_us,
};
use crate::host::watch::{HostWatch, evidence};
use crate::program::connection::Connected;
use botyard_replay::HostEvidence;
use std::time::{Duration, Instant};

/// Returns the microseconds from `start` to `now`, rounded down.
pub(crate) fn micros_since(start: Instant, now: Instant) -> u64 {
    u64::try_from(now.saturating_duration_since(start).as_micros()).unwrap_or(u64::MAX)
}

/// The result of a check of the deadline.
#[derive(Debug)]
pub(crate) enum Ruling {
    /// There is time left, or there was when the bot's output was read.
    InTime,
    /// The time is over.
    TooLate,
    /// The longest wait is over, of which only the waits of the bot's own threads are excused.
    LongestWait,
    /// Unknown: the host did not let the bot run for long enough.
    CannotTell(Box<HostEvidence>),
}

/// The deadline of one exchange.
#[derive(Debug)]
pub(crate) struct Deadline<'a> {
    allowance: &'a Allowance<'a>,
    since: Instant,
    watch: Option<HostWatch>,
    /// Excused time before the watch began, in microseconds.
    excused_before_us: u64,
    /// Excused time in all, in microseconds.
    excused_us: u64,
    /// Excused time that counts for a void game, in microseconds.
    void_us: u64,
    /// When the referee plans its next check, in microseconds after `since`.
    look_at_us: u64,
}

impl<'a> Deadline<'a> {
    /// Returns the deadline of an allowance that began at `since`.
    pub fn new(allowance: &'a Allowance<'a>, since: Instant) -> Deadline<'a> {
        Deadline {
            allowance,
            since,
            watch: None,
            excused_before_us: 0,
            excused_us: 0,
            void_us: 0,
            look_at_us: u64::MAX,
        }
    }

    /// Returns the allowance.
    pub fn allowance(&self) -> &Allowance<'a> {
        self.allowance
    }

    /// Returns the excused time, in microseconds of wall-clock time.
    pub fn excused_us(&self) -> u64 {
        self.excused_us
    }

    /// Postpones the deadline by `pause`, for which the referee had stopped the bot.
    pub fn postpone(&mut self, pause: Duration) {
        self.since += pause;
    }

    /// Returns how long to wait now, in microseconds, after the bot has used `cpu_us` of CPU time.
    pub fn pause_us(&mut self, now: Instant, cpu_us: u64) -> u64 {
        let elapsed_us = micros_since(self.since, now);
        let counted_us = elapsed_us.saturating_sub(self.excused_us);
        let mut pause_us = self.allowance.pause_us(counted_us, cpu_us);
        if elapsed_us > self.allowance.wall_us {
            let left_us = longest_us(self.allowance.wall_us).saturating_sub(elapsed_us);
            let over_us = elapsed_us - self.allowance.wall_us;
            pause_us = pause_us.max(LOOK_US).max(over_us / LOOK_SHARE).min(left_us);
        } else if self.watch.is_none() {
            pause_us = pause_us.min((self.allowance.wall_us / 4).min(BEFORE_WATCHING_US));
        }
        self.look_at_us = elapsed_us.saturating_add(pause_us);
        pause_us
    }

    /// Begins to watch the host unless it is watched already: the decision is not a quick one.
    pub fn watch(&mut self, bots: &[impl Connected], asked: usize) {
        if self.watch.is_none() {
            let watch = HostWatch::begin(self.allowance.host, bots, asked);
            // Usually nothing is excused before the watch, but the referee may have been kept from
            // beginning it sooner.
            let elapsed_us = micros_since(self.since, watch.begun());
            let late_us = elapsed_us.saturating_sub(self.look_at_us);
            let at_question = &self.allowance.at_question;
            self.excused_before_us =
                watch.excused_before(at_question, bots, asked, (elapsed_us, late_us));
            self.watch = Some(watch);
        }
    }

    /// Returns the excused time for an answer that was read at `at`, in microseconds: 0 if it came
    /// before the watch began.
    pub fn excused_until(&mut self, bots: &[impl Connected], asked: usize, at: Instant) -> u64 {
        if self.watch.is_some() {
            let evidence = self.evidence(bots, asked, micros_since(self.since, at));
            let excused_us = self.excused_before_us.saturating_add(excuse(&evidence));
            self.excused_us = self.excused_us.max(excused_us);
        }
        self.excused_us
    }

    /// Decides whether there is time left. If this bot's wall-clock time is over, the other running
    /// bots of the game are stopped: they have no claim to the cores in its turn.
    pub fn rule(&mut self, bots: &mut [impl Connected], asked: usize, now: Instant) -> Ruling {
        let elapsed_us = micros_since(self.since, now);
        let allowed_us = self.allowance.wall_us;
        let is_longest = elapsed_us >= longest_us(allowed_us);
        if !is_longest && elapsed_us.saturating_sub(self.excused_us) <= allowed_us {
            return Ruling::InTime;
        }
        let evidence = self.evidence(bots, asked, elapsed_us);
        let excused_us = self.excused_before_us.saturating_add(excuse(&evidence));
        self.excused_us = self.excused_us.max(excused_us);
        let void_us = self.excused_before_us.saturating_add(excuse_for_void(&evidence));
        self.void_us = self.void_us.max(void_us);
        let evidence = HostEvidence { excused_us: Some(self.excused_us), ..evidence };
        for (index, bot) in bots.iter_mut().enumerate() {
            if index != asked {
                bot.yield_cores();
            }
        }
        if elapsed_us.saturating_sub(self.excused_us) > allowed_us {
            return Ruling::TooLate;
        }
        if !is_longest {
            return Ruling::InTime;
        }
        match elapsed_us.saturating_sub(self.void_us) > allowed_us {
            true => Ruling::LongestWait,
            false => Ruling::CannotTell(Box::new(evidence)),
        }
    }

    /// Returns the measurements of the host since the watch began, or since the question if it has
    /// not.
    fn evidence(&self, bots: &[impl Connected], asked: usize, elapsed_us: u64) -> HostEvidence {
        evidence(
            (&self.allowance.at_question, self.watch.as_ref()),
            self.allowance.host,
            (bots, asked),
            (self.allowance.wall_us, elapsed_us, elapsed_us.saturating_sub(self.look_at_us)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::gauge::{CanaryReading, HostGauge};
    use crate::program::connection::Connection;
    use botyard_sandbox::HostLoad;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A host on which, at each reading, every thread has waited one more second for a core.
    #[derive(Debug, Default)]
    struct Crowded(AtomicU64);

    impl HostGauge for Crowded {
        fn canary(&self) -> CanaryReading {
            let denied = Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed));
            CanaryReading {
                late: Duration::ZERO,
                denied: Some(denied),
                denied_on_one: Some(denied),
            }
        }

        fn load(&self) -> HostLoad {
            HostLoad { idle: Some(Duration::ZERO), ..HostLoad::default() }
        }
    }

    /// A bot whose program does not run.
    struct NotRunning;

    impl Connected for NotRunning {
        fn connection(&self) -> Option<&Connection> {
            None
        }

        fn connection_mut(&mut self) -> Option<&mut Connection> {
            None
        }

        fn yield_cores(&mut self) {}
    }

    /// Before the watch, the CPU time of the bot's children is not known: they may be what crowds the
    /// host.
    #[test]
    fn a_crowded_host_excuses_nothing_before_it_is_watched() {
        let host = Crowded::default();
        let allowance = Allowance::wall(&host, None, 1_000_000);
        let bots = [NotRunning];
        let mut deadline = Deadline::new(&allowance, Instant::now() - Duration::from_millis(20));
        deadline.watch(&bots, 0);
        assert_eq!(deadline.excused_before_us, 0);
        // While the host is watched, the children's CPU time is counted and waiting is excused.
        std::thread::sleep(Duration::from_millis(2));
        let excused_us = deadline.excused_until(&bots, 0, Instant::now());
        assert!(excused_us >= 2_000, "{excused_us}");
    }

    /// A host on which the referee is kept waiting by its first measurement.
    #[derive(Debug)]
    struct Stalls(Duration);

    impl HostGauge for Stalls {
        fn canary(&self) -> CanaryReading {
            CanaryReading::default()
        }

        fn sample_now(&self) {
            std::thread::sleep(self.0);
        }

        fn load(&self) -> HostLoad {
            HostLoad::default()
        }
    }

    #[test]
    fn a_referee_that_is_stalled_while_the_watch_begins_excuses_that_time() {
        let host = Stalls(Duration::from_millis(50));
        let allowance = Allowance::wall(&host, None, 20_000);
        let bots = [NotRunning];
        let since = Instant::now();
        let mut deadline = Deadline::new(&allowance, since);
        assert_eq!(deadline.pause_us(since, 0), 5_000);
        deadline.watch(&bots, 0);
        assert!(deadline.excused_before_us >= 45_000, "{}", deadline.excused_before_us);
    }

    #[test]
    fn a_deadline_that_is_put_off_leaves_as_much_time_as_before() {
        let host = Crowded::default();
        let allowance = Allowance::wall(&host, None, 1_000_000);
        let (since, pause) = (Instant::now(), Duration::from_millis(300));
        let mut deadline = Deadline::new(&allowance, since);
        deadline.postpone(pause);
        let mut bots = [NotRunning];
        let at = |us: u64| since + pause + Duration::from_micros(us);
        assert!(matches!(deadline.rule(&mut bots, 0, at(1_000_000)), Ruling::InTime));
        assert_eq!(deadline.excused_us(), 0, "nothing had to be excused for that");
    }
}
