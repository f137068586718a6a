//! How long the threads of a program have waited for a core, as the kernel's scheduler counts it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The most threads of a program that are read, so that a program cannot make a reading expensive.
const MOST_THREADS: usize = 64;

/// A reading that takes longer than this, in microseconds, is not repeated before some time has passed.
const EXPENSIVE_US: u64 = 100;

/// Expensive readings take at most one part of this many of the time.
const COST_SHARE: u32 = 8;

/// Readings of the threads of one program. The kernel counts the wait of a thread only when the
/// thread gets a core, so a wait that still lasts is computed from two readings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreWaits {
    /// When they were last read.
    read: Option<Instant>,
    /// How long that took.
    cost: Duration,
    threads: BTreeMap<i32, Thread>,
}

/// What is known of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Thread {
    now: Counters,
    /// How long it had waited when it was first read.
    waited_at_first: Duration,
    /// Time without a core that the kernel has not counted yet.
    pending: Duration,
}

/// The kernel's counters of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counters {
    /// Whether it runs or waits for a core.
    is_runnable: bool,
    /// CPU time.
    ran: Duration,
    /// The waits for a core that are over.
    waited: Duration,
}

impl CoreWaits {
    /// Returns for how long a thread of a program, or of its descendants, has waited for a core since
    /// the first call: the longest wait of any of them. `None` where the kernel does not count the
    /// waits. `id` is the PID of the program's main process.
    ///
    /// A thread that was runnable at two readings in a row is taken to have waited for all of the time
    /// that the kernel has not counted otherwise. Takes some microseconds per thread. If a reading is
    /// expensive, the next calls repeat its result, and take the time since to be a wait.
    pub fn longest(&mut self, id: i32) -> Option<Duration> {
        let begun = Instant::now();
        if let Some(read) = self.read
            && self.cost > Duration::from_micros(EXPENSIVE_US)
            && begun.saturating_duration_since(read) < self.cost * COST_SHARE
        {
            return Some(self.longest_known()? + begun.saturating_duration_since(read));
        }
        self.update(begun, counters(id));
        self.cost = begun.elapsed();
        self.longest_known()
    }

    fn longest_known(&self) -> Option<Duration> {
        self.threads.values().map(Thread::waited).max()
    }

    /// Replaces the readings by those of `now`.
    fn update(&mut self, now: Instant, read: impl IntoIterator<Item = (i32, Counters)>) {
        let passed = self.read.map(|before| now.saturating_duration_since(before));
        self.read = Some(now);
        // A thread that has ended waits no more, and what it waited is forgotten.
        let mut before = std::mem::take(&mut self.threads);
        // If not all threads were read, a thread that is read for the first time may be an old one.
        let are_new = passed.is_some() && before.len() < MOST_THREADS;
        self.threads = read
            .into_iter()
            .map(|(id, now)| match (before.remove(&id), passed) {
                (Some(thread), Some(passed)) => (id, thread.after(passed, now)),
                _ => (id, Thread::first(now, are_new)),
            })
            .collect();
    }
}

impl Thread {
    fn first(now: Counters, is_new: bool) -> Thread {
        let waited_at_first = if is_new { Duration::ZERO } else { now.waited };
        Thread { now, waited_at_first, pending: Duration::ZERO }
    }

    /// Returns what is known after `passed`, when its counters are `now`.
    fn after(self, passed: Duration, now: Counters) -> Thread {
        let ran = now.ran.saturating_sub(self.now.ran);
        let waited = now.waited.saturating_sub(self.now.waited);
        let pending = if !(now.is_runnable && self.now.is_runnable) {
            Duration::ZERO
        } else if ran.is_zero() && waited.is_zero() {
            self.pending + passed
        } else {
            // The kernel counts a wait as a whole when it ends, so what it has counted now may have
            // begun before.
            passed.saturating_sub(ran).saturating_sub(waited.saturating_sub(self.pending))
        };
        Thread { now, pending, ..self }
    }

    fn waited(&self) -> Duration {
        self.now.waited.saturating_sub(self.waited_at_first) + self.pending
    }
}

/// Returns the counters of the threads of a program and of its descendants, by their IDs.
#[cfg(target_os = "linux")]
fn counters(id: i32) -> Vec<(i32, Counters)> {
    let (mut processes, mut found) = (vec![id], Vec::new());
    let (mut at, mut threads) = (0, 0);
    while let Some(process) = processes.get(at).copied() {
        at += 1;
        let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
        for thread in tasks.flatten() {
            if threads == MOST_THREADS {
                return found;
            }
            threads += 1;
            let read = |name: &str| std::fs::read(thread.path().join(name)).unwrap_or_default();
            let name = thread.file_name();
            let name = name.to_str().and_then(|name| name.parse().ok());
            found.extend(name.zip(parse(&read("stat"), &read("schedstat"))));
            let children = read("children");
            let children = std::str::from_utf8(&children).unwrap_or_default();
            let children =
                children.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok());
            processes.extend(children.take(MOST_THREADS));
        }
    }
    found
}

#[cfg(not(target_os = "linux"))]
fn counters(_id: i32) -> Vec<(i32, Counters)> {
    Vec::new()
}

/// Parses the `stat` and `schedstat` files of a thread.
#[cfg(target_os = "linux")]
fn parse(stat: &[u8], schedstat: &[u8]) -> Option<Counters> {
    // The state follows the name, which is in parentheses and may contain any byte.
    let name_end = stat.iter().rposition(|&byte| byte == b')')?;
    let state = stat[name_end + 1..].trim_ascii_start().first()?;
    // Three numbers: nanoseconds on a core, nanoseconds waiting for one, time slices.
    let schedstat = std::str::from_utf8(schedstat).ok()?;
    let mut numbers = schedstat.split_ascii_whitespace().map_while(|number| number.parse().ok());
    let [ran, waited, slices] = [numbers.next()?, numbers.next()?, numbers.next()?];
    // Where nothing is counted, all are 0.
    let counters = Counters {
        is_runnable: *state == b'R',
        ran: Duration::from_nanos(ran),
        waited: Duration::from_nanos(waited),
    };
    (slices > 0).then_some(counters)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn runnable(ran: u64, waited: u64) -> Counters {
        Counters { is_runnable: true, ran: ms(ran), waited: ms(waited) }
    }

    fn asleep(ran: u64, waited: u64) -> Counters {
        Counters { is_runnable: false, ..runnable(ran, waited) }
    }

    /// Each case: readings of one thread, every 10 ms, and how long it has waited at the last.
    #[test]
    fn waits_are_counted_whether_they_are_over_or_not() {
        for (what, readings, waited) in [
            ("it ran all the time", &[runnable(5, 3), runnable(15, 3), runnable(25, 3)][..], 0),
            (
                "it waited twice and ran again",
                &[runnable(5, 3), runnable(8, 10), runnable(10, 18)],
                15,
            ),
            ("it slept", &[asleep(5, 3), asleep(5, 3), asleep(6, 3)], 0),
            ("it went to sleep", &[runnable(5, 3), asleep(6, 5)], 2),
            ("it woke up", &[asleep(5, 3), runnable(6, 3)], 0),
            ("it waits since it ran", &[runnable(5, 3), runnable(9, 3)], 6),
            ("it still waits", &[runnable(5, 3), runnable(9, 3), runnable(9, 3)], 16),
            (
                "the long wait is over",
                &[runnable(5, 3), runnable(9, 3), runnable(9, 3), runnable(9, 21)],
                26,
            ),
            (
                "it ran before it waits again",
                &[runnable(5, 3), runnable(9, 3), runnable(13, 9)],
                12,
            ),
            (
                "it slept between two readings",
                &[runnable(5, 3), runnable(7, 3), runnable(17, 3)],
                0,
            ),
            ("it was read once", &[runnable(5, 3)], 0),
        ] {
            let mut waits = CoreWaits::default();
            let mut now = Instant::now();
            for &counters in readings {
                waits.update(now, [(7, counters)]);
                now += ms(10);
            }
            assert_eq!(waits.longest_known(), Some(ms(waited)), "{what}");
        }
    }

    #[test]
    fn the_longest_wait_of_any_thread_counts() {
        let mut waits = CoreWaits::default();
        assert_eq!(waits.longest_known(), None);
        let now = Instant::now();
        waits.update(now, [(7, asleep(1, 100)), (8, asleep(1, 5))]);
        waits.update(now + ms(90), [(7, asleep(2, 110)), (8, asleep(1, 25)), (9, asleep(1, 40))]);
        assert_eq!(waits.longest_known(), Some(ms(40)), "thread 9 has begun since");
        waits.update(now + ms(99), [(7, asleep(2, 110))]);
        assert_eq!(waits.longest_known(), Some(ms(10)), "the others have ended");
    }

    #[test]
    fn what_an_old_thread_waited_before_does_not_count() {
        let mut waits = CoreWaits::default();
        let now = Instant::now();
        let most = i32::try_from(MOST_THREADS).unwrap();
        waits.update(now, (0..most).map(|id| (id, asleep(1, 5))));
        waits.update(now + ms(90), [(most, asleep(1, 100))]);
        assert_eq!(waits.longest_known(), Some(ms(0)), "it was not among those that were read");
    }

    #[test]
    fn an_expensive_reading_is_not_repeated_at_once() {
        let read = Some(Instant::now());
        let thread = Thread::first(runnable(1, 1), true);
        let mut waits =
            CoreWaits { read, cost: Duration::from_secs(3600), threads: [(7, thread)].into() };
        let waited = waits.longest(-1).unwrap();
        assert!(waited >= ms(1), "{waited:?}: the time since is added");
        assert_eq!(waits.read, read);
        waits.cost = Duration::ZERO;
        assert_eq!(waits.longest(-1), None, "there is no such process");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_files_of_a_thread_are_parsed_for_any_name() {
        let counters = |stat| parse(stat, b"5000000 3000000 12\n");
        assert_eq!(counters(b"7 (a) S) R 1 7 7 0 -1\n"), Some(runnable(5, 3)));
        assert_eq!(counters(b"7 (R) S 1 7 7 0 -1\n"), Some(asleep(5, 3)));
        assert_eq!(counters(b"7 (\xe2\x82) R 1 7 7 0 -1\n"), Some(runnable(5, 3)));
        assert_eq!(parse(b"7 (a) S 1", b"5"), None);
        assert_eq!(parse(b"7 (a) S 1", b"0 0 0"), None, "this kernel does not count");
    }

    /// Kills its process when the test ends, however it ends.
    #[cfg(target_os = "linux")]
    struct Killed(std::process::Child);

    #[cfg(target_os = "linux")]
    impl Drop for Killed {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Two loops on one core wait for each other, however busy the host is.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_waits_while_another_has_its_core() {
        use std::process::{Command, Stdio};
        let own = rustix::thread::sched_getaffinity(None).unwrap();
        let core = (0..rustix::thread::CpuSet::MAX_CPU).find(|&core| own.is_set(core)).unwrap();
        let mut only = rustix::thread::CpuSet::new();
        only.set(core);
        let start = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let child = Killed(command.spawn().unwrap());
            let pid = rustix::process::Pid::from_child(&child.0);
            rustix::thread::sched_setaffinity(Some(pid), &only).unwrap();
            child
        };
        let spin = "while :; do :; done";
        let mut children = [start(spin), start(spin), start("echo ready; read line")];
        let [spins, _, reads] = children.each_ref().map(|child| child.0.id().cast_signed());
        let mut line = String::new();
        let stdout = children[2].0.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).unwrap();
        while counters(reads).iter().any(|(_, counters)| counters.is_runnable) {
            std::thread::sleep(ms(1));
        }
        let [mut waits, mut sleeps] = [CoreWaits::default(), CoreWaits::default()];
        sleeps.update(Instant::now(), counters(reads));
        while waits.longest(spins).is_some_and(|waited| waited < ms(50)) {
            std::thread::sleep(ms(5));
        }
        sleeps.update(Instant::now(), counters(reads));
        assert!(sleeps.longest_known().is_none_or(|waited| waited.is_zero()), "it needs no core");
    }
}
