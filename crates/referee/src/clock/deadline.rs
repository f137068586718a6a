//! The deadline of one exchange with a bot: how long to wait, when to check again, and whether the
//! time is over. The deadline is absolute, and the remaining time is computed before every wait, so
//! a bot cannot extend it by sending bytes one at a time. It is extended only by excused time, and
//! by time for which the referee itself stopped the bot.

use crate::clock::allowance::Allowance;
use crate::host::evidence::{
    BEFORE_WATCHING_US, COSTLY_US, LONGEST_PAUSE_US, LOOK_SHARE, LOOK_US, excuse, longest_us,
};
use crate::host::watch::{HostWatch, Measured, measure};
use crate::program::connection::Connected;
use botyard_replay::HostEvidence;
use std::time::{Duration, Instant};

/// A watch that begins this much late is as usual, in microseconds.
const SLACK_US: u64 = 1000;

/// Returns the microseconds from `start` to `now`, rounded down.
pub(crate) fn micros_since(start: Instant, now: Instant) -> u64 {
    u64::try_from(now.saturating_duration_since(start).as_micros()).unwrap_or(u64::MAX)
}

/// The result of a check of the deadline.
#[derive(Debug)]
pub(crate) enum Ruling {
    /// There is time left, or there was when the bot's output was read, or a wait that lasts decides
    /// it.
    InTime,
    /// The time is over.
    TooLate,
    /// Unknown: the host did not let the bot run for long enough.
    CannotTell(Box<HostEvidence>),
}

/// The deadline of one exchange.
#[derive(Debug)]
pub(crate) struct Deadline<'a> {
    allowance: &'a Allowance<'a>,
    /// The wall-clock time of the allowance at the last look, in microseconds.
    allowed_us: u64,
    since: Instant,
    watch: Option<HostWatch>,
    /// By how much the watch began later than planned, in microseconds. How long the bot waited for a
    /// core meanwhile is not known.
    unwatched_us: u64,
    /// Excused time at the last look, in microseconds, and the greatest so far without the referee's
    /// lateness, which is excused only to a line that was in the pipe meanwhile.
    excused_us: u64,
    lasting_us: u64,
    /// The bot's CPU time since the question at the last measurement, in microseconds.
    used_us: Option<u64>,
    /// When the referee plans its next look, and when the last one was, in microseconds after `since`.
    look_at_us: u64,
    looked_us: u64,
    /// The referee's greatest lateness, and how long the last measurement took, in microseconds.
    latest_us: u64,
    cost_us: u64,
    /// How long this thread had waited for a core before it began to wait for the bot, and for how long
    /// it waited for one meanwhile, in microseconds.
    own_wait: Option<Duration>,
    kept_us: u64,
}

impl<'a> Deadline<'a> {
    /// Returns the deadline of an allowance that began at `since`.
    pub(crate) fn new(allowance: &'a Allowance<'a>, since: Instant) -> Deadline<'a> {
        let mut deadline = Deadline {
            allowance,
            allowed_us: allowance.wall_us_now(None),
            since,
            watch: None,
            unwatched_us: 0,
            excused_us: 0,
            lasting_us: 0,
            used_us: None,
            look_at_us: 0,
            looked_us: 0,
            latest_us: 0,
            cost_us: 0,
            own_wait: None,
            kept_us: 0,
        };
        deadline.plan();
        deadline
    }

    /// Returns the allowance.
    pub(crate) fn allowance(&self) -> &Allowance<'a> {
        self.allowance
    }

    /// Returns the wall-clock time of the allowance at the last look, in microseconds.
    pub(crate) fn allowed_us(&self) -> u64 {
        self.allowed_us
    }

    /// Returns the excused time, in microseconds of wall-clock time.
    pub(crate) fn excused_us(&self) -> u64 {
        self.excused_us
    }

    /// Returns the bot's CPU time since the question at the last measurement, in microseconds, where it
    /// is known. It is measured when the allowance is over.
    pub(crate) fn used_us(&self) -> Option<u64> {
        self.used_us
    }

    /// Returns whether the wall-clock time of the allowance is over, whatever is excused.
    pub(crate) fn is_past(&self, now: Instant) -> bool {
        micros_since(self.since, now) > self.allowed_us
    }

    /// Postpones the deadline by `pause`, for which the referee had stopped the bot.
    pub(crate) fn postpone(&mut self, pause: Duration) {
        self.since += pause;
    }

    /// Returns how long to wait now, in microseconds, after the bot has used `cpu_us` of CPU time. What
    /// the bot sends meanwhile puts the next look off only if it is a whole line.
    pub(crate) fn pause_us(&self, now: Instant, cpu_us: u64) -> u64 {
        let left_us = self.look_at_us.saturating_sub(micros_since(self.since, now));
        left_us.min(self.allowance.cpu_pause_us(cpu_us))
    }

    /// Returns whether it is time for a look at the clock.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        micros_since(self.since, now) >= self.look_at_us
    }

    /// Notes that the referee begins to wait for the bot.
    pub(crate) fn wait_begins(&mut self) {
        let is_watched = self.watch.is_some();
        self.own_wait = is_watched.then(|| self.allowance.host.own_core_wait()).flatten();
    }

    /// Notes that the referee has read what the bot wrote. It may have waited for a core before that.
    pub(crate) fn wait_ends(&mut self) {
        let before = self.own_wait.take();
        let waited = before.and_then(|before| {
            Some(self.allowance.host.own_core_wait()?.saturating_sub(before).as_micros())
        });
        self.kept_us = waited.and_then(|us| us.try_into().ok()).unwrap_or(0);
    }

    /// Returns by how much the referee read a line later than it could have, at most `late_us`, in
    /// microseconds. A line that was written later was not there before.
    fn late_for_line_us(&self, bots: &[impl Connected], asked: usize, late_us: u64) -> u64 {
        let late_us = late_us.max(self.kept_us);
        if late_us == 0 {
            return 0;
        }
        let in_pipe = bots[asked].connection().and_then(|bot| bot.stdout.longest_in_pipe());
        let in_pipe_us = in_pipe.and_then(|time| time.as_micros().try_into().ok());
        late_us.min(in_pipe_us.unwrap_or(u64::MAX))
    }

    /// Plans the next look. It may lie in the past, if the referee was kept from it.
    fn plan(&mut self) {
        let allowed_us = self.allowed_us;
        let over_us = self.looked_us.saturating_sub(allowed_us);
        let due_us = allowed_us.saturating_add(self.lasting_us);
        self.look_at_us = if self.watch.is_none() {
            due_us.min((allowed_us / 4).min(BEFORE_WATCHING_US))
        } else if over_us == 0 {
            due_us
        } else {
            let cost_us = self.cost_us.saturating_mul(LOOK_SHARE).min(COSTLY_US);
            let pause_us = (over_us / LOOK_SHARE).clamp(LOOK_US, LONGEST_PAUSE_US).max(cost_us);
            due_us.max(self.looked_us.saturating_add(pause_us)).min(longest_us(allowed_us))
        };
    }

    /// Begins to watch the host if that is due: the decision is not a quick one.
    fn watch(&mut self, bots: &[impl Connected], asked: usize, now: Instant) {
        if self.watch.is_none() && self.is_due(now) {
            let (host, at_question) = (self.allowance.host, &self.allowance.at_question);
            let begun_us = micros_since(self.since, Instant::now());
            self.watch = Some(HostWatch::begin(host, at_question, bots, asked));
            let late_us = begun_us.saturating_sub(self.look_at_us.max(self.looked_us));
            self.unwatched_us = Some(late_us).filter(|us| *us >= SLACK_US).unwrap_or(0);
        }
    }

    /// Returns the excused time for an answer that was read at `at`, in microseconds: 0 if it came
    /// before the watch began.
    pub(crate) fn excused_until(
        &mut self,
        bots: &[impl Connected],
        asked: usize,
        at: Instant,
    ) -> u64 {
        if self.watch.is_some() {
            let elapsed_us = micros_since(self.since, at);
            let late_us = self.late_for_line_us(bots, asked, 0);
            let measured = self.measure(bots, asked, elapsed_us, late_us);
            self.excused_us = self.excused_us.max(excuse(&measured.evidence));
        }
        self.excused_us
    }

    /// Returns for how long a thread of the bot has waited for a core in this exchange, and the bot's
    /// CPU time, in microseconds; `None` if the exchange was not watched.
    pub(crate) fn wait_and_cpu_us(
        &self,
        bots: &[impl Connected],
        asked: usize,
    ) -> Option<(u64, u64)> {
        self.watch.as_ref()?.wait_and_cpu_us(self.allowance.host, bots, asked)
    }

    /// Decides whether there is time left, or was for a line that was read at `now` (`has_line`). If
    /// this bot's wall-clock time is over, the other running bots of the game are stopped: they have no
    /// claim to the cores in its turn.
    pub(crate) fn rule(
        &mut self,
        bots: &mut [impl Connected],
        asked: usize,
        now: Instant,
        has_line: bool,
    ) -> Ruling {
        if !has_line {
            self.watch(bots, asked, now);
        }
        let elapsed_us = micros_since(self.since, now);
        let late_us = elapsed_us.saturating_sub(self.look_at_us.max(self.looked_us));
        self.looked_us = elapsed_us;
        self.latest_us = self.latest_us.max(late_us);
        let ruling = self.ruling(bots, asked, (elapsed_us, late_us), has_line);
        self.plan();
        ruling
    }

    fn ruling(
        &mut self,
        bots: &mut [impl Connected],
        asked: usize,
        (elapsed_us, late_us): (u64, u64),
        has_line: bool,
    ) -> Ruling {
        let processes = bots[asked].connection().map(|bot| &bot.processes);
        self.allowed_us = self.allowance.wall_us_now(processes);
        let allowed_us = self.allowed_us;
        let is_longest = elapsed_us >= longest_us(allowed_us);
        let is_late = |excused_us: u64| elapsed_us.saturating_sub(excused_us) > allowed_us;
        self.excused_us = self.lasting_us;
        if !is_longest && !is_late(self.excused_us) {
            return Ruling::InTime;
        }
        let measured = self.measure(bots, asked, elapsed_us, 0);
        self.lasting_us = self.lasting_us.max(excuse(&measured.evidence));
        self.excused_us = self.lasting_us;
        if has_line {
            let late_us = self.late_for_line_us(bots, asked, late_us);
            let late_us = self.unwatched_us.saturating_add(late_us);
            let with_lateness = HostEvidence { late_us, ..measured.evidence };
            self.excused_us = self.excused_us.max(excuse(&with_lateness));
        }
        for (index, bot) in bots.iter_mut().enumerate() {
            if index != asked {
                bot.yield_cores();
            }
        }
        match is_late(self.excused_us) {
            // An answer that has come with the end of the longest wait is played.
            false if has_line || !is_longest => Ruling::InTime,
            true if has_line || is_late(excuse(&measured.at_most(self.latest_us))) => {
                Ruling::TooLate
            }
            true if !is_longest => Ruling::InTime,
            _ => {
                // What lasts is why the game is void, if what is over does not excuse the bot.
                let evidence = measured.at_most(self.latest_us);
                let excused_us = Some(excuse(&evidence).max(self.excused_us));
                Ruling::CannotTell(Box::new(HostEvidence { excused_us, ..evidence }))
            }
        }
    }

    /// Measures the host, for a look at which the referee was `late_us` late.
    fn measure(
        &mut self,
        bots: &[impl Connected],
        asked: usize,
        elapsed_us: u64,
        late_us: u64,
    ) -> Measured {
        let begun = Instant::now();
        let late_us = self.unwatched_us.saturating_add(late_us);
        let measured = measure(
            (&self.allowance.at_question, self.watch.as_ref()),
            self.allowance.host,
            (bots, asked),
            (self.allowed_us, elapsed_us, late_us),
        );
        self.cost_us = micros_since(begun, Instant::now());
        self.used_us = measured.evidence.cpu_us;
        measured
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::gauge::{CanaryReading, HostGauge};
    use crate::program::connection::Connection;
    use botyard_sandbox::{CoreWait, CoreWaits, HostLoad};
    use std::sync::Mutex;

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

    /// A host whose canary reports this.
    #[derive(Debug, Default)]
    struct Reports(Mutex<CanaryReading>);

    /// A host on which the referee has waited for a core for so long.
    #[derive(Debug, Default)]
    struct KeptFor(Mutex<Duration>);

    impl HostGauge for KeptFor {
        fn canary(&self) -> CanaryReading {
            CanaryReading::default()
        }

        fn load(&self) -> HostLoad {
            HostLoad::default()
        }

        fn own_core_wait(&self) -> Option<Duration> {
            Some(*self.0.lock().unwrap())
        }
    }

    impl HostGauge for Reports {
        fn canary(&self) -> CanaryReading {
            *self.0.lock().unwrap()
        }

        fn load(&self) -> HostLoad {
            HostLoad::default()
        }

        fn longest_core_wait(&self, _waits: &mut CoreWaits, _id: i32) -> Option<CoreWait> {
            Some(CoreWait::default())
        }
    }

    const ALLOWED_US: u64 = 1_000_000;

    /// Each case: the times of looks in milliseconds, each with whether a line was read; and the
    /// ruling of the last one. The allowance is 1 s, and the first look is planned for 20 ms.
    #[test]
    fn lateness_of_the_referee_is_excused_to_a_line_that_was_in_the_pipe() {
        for (what, looks, in_time) in [
            ("the answer comes in time", &[(20, false), (1000, true)][..], true),
            ("none comes", &[(20, false), (1001, false)], false),
            ("the referee is late to look, and finds it", &[(20, false), (3000, true)], true),
            ("the referee is late to look, and finds none", &[(20, false), (3000, false)], false),
            (
                "the referee is late to look, and finds another line",
                &[(20, false), (3000, true), (3001, true)],
                false,
            ),
            ("it comes after a look", &[(20, false), (990, true), (1010, true)], true),
            ("it comes after a look that was due", &[(1001, true), (1010, true)], false),
            ("the referee was kept from its first look", &[(3000, true)], true),
        ] {
            let host = Reports::default();
            let allowance = Allowance::wall(&host, None, ALLOWED_US);
            let since = Instant::now();
            let mut deadline = Deadline::new(&allowance, since);
            let mut last = None;
            for &(ms, has_line) in looks {
                let at = since + Duration::from_millis(ms);
                last = Some(deadline.rule(&mut [NotRunning], 0, at, has_line));
            }
            assert_eq!(matches!(last, Some(Ruling::InTime)), in_time, "{what}: {deadline:?}");
        }
    }

    /// The referee waited for a core before it read a line, before and after a look was due.
    #[test]
    fn a_wait_of_the_referee_is_excused_to_the_line_that_it_read_after_it() {
        for (waited_ms, read_ms, excused_ms) in [(0, 500, 0), (150, 500, 150), (150, 1100, 150)] {
            let host = KeptFor::default();
            let allowance = Allowance::wall(&host, None, ALLOWED_US);
            let since = Instant::now();
            let mut deadline = Deadline::new(&allowance, since);
            let at = |ms| since + Duration::from_millis(ms);
            assert!(matches!(deadline.rule(&mut [NotRunning], 0, at(20), false), Ruling::InTime));
            deadline.wait_begins();
            *host.0.lock().unwrap() += Duration::from_millis(waited_ms);
            deadline.wait_ends();
            let ruling = deadline.rule(&mut [NotRunning], 0, at(read_ms), true);
            assert!(matches!(ruling, Ruling::InTime), "{ruling:?}");
            // The watch began after the time of the simulated look.
            let unwatched_us = deadline.unwatched_us;
            let excused_us = deadline.excused_until(&[NotRunning], 0, at(read_ms));
            assert_eq!(excused_us - unwatched_us, excused_ms * 1000, "{read_ms}");
            deadline.wait_begins();
            deadline.wait_ends();
            assert_eq!(deadline.kept_us, 0, "the next line waited for nothing");
        }
    }

    /// The referee runs again sooner than the canary, which has not counted its delay yet.
    #[test]
    fn a_host_that_stood_still_is_judged_when_the_canary_has_woken_up() {
        for stood_still_ms in [0, 1990] {
            let stood_still = Some(Duration::ZERO);
            let reading = CanaryReading { stood_still, ..CanaryReading::default() };
            let host = Reports(Mutex::new(reading));
            let allowance = Allowance::wall(&host, None, ALLOWED_US);
            let since = Instant::now();
            let mut deadline = Deadline::new(&allowance, since);
            let at = |ms| since + Duration::from_millis(ms);
            let late = Duration::from_millis(1990);
            let mut rule = |ms, lasting, stood_still_ms| {
                let stood_still = Some(Duration::from_millis(stood_still_ms));
                *host.0.lock().unwrap() = CanaryReading { late: lasting, stood_still, lasting };
                deadline.rule(&mut [NotRunning], 0, at(ms), false)
            };
            assert!(matches!(rule(20, Duration::ZERO, 0), Ruling::InTime));
            assert!(matches!(rule(2980, late, 0), Ruling::InTime), "it is not known yet");
            let ruling = rule(2989, Duration::ZERO, stood_still_ms);
            assert_eq!(matches!(ruling, Ruling::InTime), stood_still_ms > 0, "{ruling:?}");
        }
    }

    /// The longest wait ends before the canary has counted its delay. The evidence says what lasted.
    #[test]
    fn the_evidence_of_a_void_game_has_the_delay_that_lasts() {
        let stood_still = Some(Duration::ZERO);
        let reading = CanaryReading { stood_still, ..CanaryReading::default() };
        let host = Reports(Mutex::new(reading));
        let allowance = Allowance::wall(&host, None, ALLOWED_US);
        let since = Instant::now();
        let mut deadline = Deadline::new(&allowance, since);
        deadline.rule(&mut [NotRunning], 0, since + Duration::from_millis(20), false);
        let lasting = Duration::from_secs(120);
        *host.0.lock().unwrap() = CanaryReading { late: lasting, stood_still, lasting };
        let at = since + Duration::from_secs(121);
        let ruling = deadline.rule(&mut [NotRunning], 0, at, false);
        let Ruling::CannotTell(evidence) = ruling else { panic!("{ruling:?}") };
        assert_eq!(
            (evidence.canary_us, evidence.excused_us),
            (Some(120_000_000), Some(120_000_000))
        );
    }

    #[test]
    fn a_deadline_that_is_put_off_leaves_as_much_time_as_before() {
        let host = Reports::default();
        let allowance = Allowance::wall(&host, None, ALLOWED_US);
        let (since, pause) = (Instant::now(), Duration::from_millis(300));
        let mut deadline = Deadline::new(&allowance, since);
        deadline.postpone(pause);
        let mut bots = [NotRunning];
        let at = |us: u64| since + pause + Duration::from_micros(us);
        assert!(matches!(deadline.rule(&mut bots, 0, at(ALLOWED_US), true), Ruling::InTime));
        assert_eq!(deadline.excused_us(), 0, "nothing had to be excused for that");
        let late = at(ALLOWED_US + 1);
        assert!(matches!(deadline.rule(&mut bots, 0, late, false), Ruling::TooLate));
    }

    /// A bot with many threads makes a look at them slow, and the next one later. An answer that comes
    /// before that look is late all the same.
    #[test]
    fn a_look_that_is_costly_gives_no_time() {
        let lasting = Duration::from_millis(1500);
        let stood_still = Some(Duration::ZERO);
        let reading = CanaryReading { late: lasting, stood_still, lasting };
        for cost_us in [0, 10_000, 10_000_000] {
            let before = CanaryReading { stood_still, ..CanaryReading::default() };
            let host = Reports(Mutex::new(before));
            let allowance = Allowance::wall(&host, None, ALLOWED_US);
            let since = Instant::now();
            let at = |ms| since + Duration::from_millis(ms);
            let mut deadline = Deadline::new(&allowance, since);
            deadline.rule(&mut [NotRunning], 0, at(20), false);
            *host.0.lock().unwrap() = reading;
            // The referee was late, so this look is not the last one.
            assert!(matches!(deadline.rule(&mut [NotRunning], 0, at(1100), false), Ruling::InTime));
            deadline.cost_us = cost_us;
            deadline.plan();
            let pause_us = deadline.pause_us(at(1100), 0);
            assert!(pause_us <= COSTLY_US, "{pause_us}");
            let ruling = deadline.rule(&mut [NotRunning], 0, at(1101), true);
            assert!(matches!(ruling, Ruling::TooLate), "{cost_us}: {ruling:?}");
        }
    }

    /// Bytes without a newline wake the referee up, and change nothing.
    #[test]
    fn the_next_look_is_put_off_by_nothing_but_a_look() {
        let host = Reports::default();
        let allowance = Allowance::wall(&host, None, ALLOWED_US);
        let since = Instant::now();
        let deadline = Deadline::new(&allowance, since);
        let at = |ms| since + Duration::from_millis(ms);
        let pauses =
            [0, 5, 19, 20, 30].map(|ms| (deadline.pause_us(at(ms), 0), deadline.is_due(at(ms))));
        let expected = [(20_000, false), (15_000, false), (1000, false), (0, true), (0, true)];
        assert_eq!(pauses, expected);
    }
}
