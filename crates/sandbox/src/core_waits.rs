//! How long the threads of a program have waited for a core, as the kernel's scheduler counts it.
//!
//! A program could make its threads wait: by a lower priority, on fewer cores, or by waking up for a
//! moment again and again. Such waits do not count, or only in part.

use crate::scheduling::Scheduling;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The most threads of a program that are read, so that a program cannot make a reading expensive.
const MOST_THREADS: usize = 64;

/// A thread may have this many waits, whatever it does.
const FREE_WAITS: u64 = 4;

/// For each further wait that counts, a thread must have run this long. A thread that computes runs
/// for milliseconds at a time, also on a busy host.
const RAN_PER_WAIT: Duration = Duration::from_micros(250);

/// The longest wait for a core of any thread of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreWait {
    /// The part whose length is known: waits that are over, and what two readings show of a wait that
    /// lasts.
    pub known: Duration,
    /// What `known` may be once the kernel has counted a wait that lasts.
    pub possible: Duration,
}

/// Readings of the threads of one program. The kernel counts the wait of a thread only when the
/// thread gets a core, so a wait that still lasts is computed from two readings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreWaits {
    /// How the program was started: a thread that has changed its scheduling waits of its own accord.
    given: Scheduling,
    /// When the threads were last read.
    read: Option<Instant>,
    threads: BTreeMap<i32, Thread>,
}

/// What is known of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Thread {
    first: Counters,
    now: Counters,
    /// Time without a core that the kernel has not counted yet.
    pending: Duration,
    /// Time before that in which it may have waited, and may have slept.
    unknown: Duration,
}

/// The kernel's counters of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counters {
    /// Whether it runs or waits for a core.
    is_runnable: bool,
    /// Whether its priority is lower than that of the program at its start, or its cores are fewer.
    is_lowered: bool,
    /// CPU time.
    ran: Duration,
    /// The waits for a core that are over.
    waited: Duration,
    /// How often it got a core.
    runs: u64,
}

impl CoreWaits {
    /// Returns readings of a program that was started with this scheduling, before the first one.
    pub fn new(given: Scheduling) -> CoreWaits {
        CoreWaits { given, ..CoreWaits::default() }
    }

    /// Reads the threads of a program and of its descendants. Returns for how long one of them has
    /// waited for a core since the first call: the longest wait of any of them. `None` where the
    /// kernel does not count the waits. `id` is the PID of the program's main process.
    ///
    /// Of more than four waits of a thread, as many count as it has run for 250 us. Those of a thread
    /// with a lower priority or fewer cores than the program was given do not count. Takes some
    /// microseconds per thread, of at most 64.
    pub fn longest(&mut self, id: i32) -> Option<CoreWait> {
        self.update(Instant::now(), counters(id, self.given));
        self.longest_known()
    }

    fn longest_known(&self) -> Option<CoreWait> {
        self.threads.values().map(Thread::waited).reduce(|one, other| CoreWait {
            known: one.known.max(other.known),
            possible: one.possible.max(other.possible),
        })
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
        let first = if is_new { Counters::default() } else { now };
        Thread { first, now, pending: Duration::ZERO, unknown: Duration::ZERO }
    }

    /// Returns what is known after `passed`, when its counters are `now`.
    fn after(self, passed: Duration, now: Counters) -> Thread {
        let now = Counters { is_lowered: now.is_lowered || self.now.is_lowered, ..now };
        let ran = now.ran.saturating_sub(self.now.ran);
        let waited = now.waited.saturating_sub(self.now.waited);
        let is_same = ran.is_zero() && waited.is_zero() && now.runs == self.now.runs;
        let (pending, unknown) = if !now.is_runnable {
            (Duration::ZERO, Duration::ZERO)
        } else if self.now.is_runnable && is_same {
            (self.pending + passed, self.unknown)
        } else {
            // The kernel counts a wait as a whole when it ends, so what it has counted now may have
            // begun before.
            let counted = waited.saturating_sub(self.pending);
            (Duration::ZERO, passed.saturating_sub(ran).saturating_sub(counted))
        };
        Thread { now, pending, unknown, ..self }
    }

    fn waited(&self) -> CoreWait {
        if self.now.is_lowered {
            return CoreWait::default();
        }
        let waited = self.now.waited.saturating_sub(self.first.waited);
        let runs = self.now.runs.saturating_sub(self.first.runs);
        let ran = self.now.ran.saturating_sub(self.first.ran);
        let allowed = FREE_WAITS + (ran.as_nanos() / RAN_PER_WAIT.as_nanos()) as u64;
        let known = waited + self.pending;
        let possible = known + self.unknown;
        if runs <= allowed {
            return CoreWait { known, possible };
        }
        let share = allowed as f64 / runs as f64;
        CoreWait { known: known.mul_f64(share), possible: possible.mul_f64(share) }
    }
}

/// Returns the counters of the threads of a program and of its descendants, by their IDs.
#[cfg(target_os = "linux")]
fn counters(id: i32, given: Scheduling) -> Vec<(i32, Counters)> {
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
            if let Some(name) = name
                && let Some(counters) = parse(&read("stat"), &read("schedstat"), name, given)
            {
                found.push((name, counters));
            }
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
fn counters(_id: i32, _given: Scheduling) -> Vec<(i32, Counters)> {
    Vec::new()
}

/// Parses the `stat` and `schedstat` files of a thread.
#[cfg(target_os = "linux")]
fn parse(stat: &[u8], schedstat: &[u8], thread: i32, given: Scheduling) -> Option<Counters> {
    // The state follows the name, which is in parentheses and may contain any byte.
    let name_end = stat.iter().rposition(|&byte| byte == b')')?;
    let state = stat[name_end + 1..].trim_ascii_start().first()?;
    // Three numbers: nanoseconds on a core, nanoseconds waiting for one, time slices.
    let schedstat = std::str::from_utf8(schedstat).ok()?;
    let mut numbers = schedstat.split_ascii_whitespace().map_while(|number| number.parse().ok());
    let [ran, waited, runs] = [numbers.next()?, numbers.next()?, numbers.next()?];
    // Where nothing is counted, all are 0.
    let counters = Counters {
        is_runnable: *state == b'R',
        is_lowered: Scheduling::of(thread, stat).is_some_and(|now| now.is_lower_than(given)),
        ran: Duration::from_nanos(ran),
        waited: Duration::from_nanos(waited),
        runs,
    };
    (runs > 0).then_some(counters)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// A thread that gets a core for one millisecond at a time.
    fn runnable(ran: u64, waited: u64) -> Counters {
        let runs = ran + 1;
        Counters { is_runnable: true, is_lowered: false, ran: ms(ran), waited: ms(waited), runs }
    }

    fn asleep(ran: u64, waited: u64) -> Counters {
        Counters { is_runnable: false, ..runnable(ran, waited) }
    }

    fn known(waits: &CoreWaits) -> Option<Duration> {
        waits.longest_known().map(|wait| wait.known)
    }

    /// Each case: readings of one thread, every 10 ms, and how long it has waited at the last: what is
    /// known, and what is possible.
    #[test]
    fn waits_are_counted_whether_they_are_over_or_not() {
        for (what, readings, waited) in [
            (
                "it ran all the time",
                &[runnable(5, 3), runnable(15, 3), runnable(25, 3)][..],
                (0, 0),
            ),
            (
                "it waited twice and ran again",
                &[runnable(5, 3), runnable(8, 10), runnable(10, 18)],
                (15, 15),
            ),
            ("it slept", &[asleep(5, 3), asleep(5, 3), asleep(6, 3)], (0, 0)),
            ("it went to sleep", &[runnable(5, 3), asleep(6, 5)], (2, 2)),
            ("it woke up, which may be long ago", &[asleep(5, 3), runnable(6, 3)], (0, 9)),
            ("it woke up and waits", &[asleep(5, 3), runnable(5, 3), runnable(5, 3)], (10, 20)),
            ("it waits since it ran", &[runnable(5, 3), runnable(9, 3)], (0, 6)),
            ("it still waits", &[runnable(5, 3), runnable(9, 3), runnable(9, 3)], (10, 16)),
            (
                "the long wait is over",
                &[runnable(5, 3), runnable(9, 3), runnable(9, 3), runnable(9, 21)],
                (18, 20),
            ),
            (
                "it slept between two readings",
                &[runnable(5, 3), runnable(7, 3), runnable(17, 3)],
                (0, 0),
            ),
            ("it was read once", &[runnable(5, 3)], (0, 0)),
        ] {
            let mut waits = CoreWaits::default();
            let mut now = Instant::now();
            for &counters in readings {
                waits.update(now, [(7, counters)]);
                now += ms(10);
            }
            let wait = waits.longest_known().unwrap();
            assert_eq!((wait.known, wait.possible), (ms(waited.0), ms(waited.1)), "{what}");
        }
    }

    #[test]
    fn the_longest_wait_of_any_thread_counts() {
        let mut waits = CoreWaits::default();
        assert_eq!(known(&waits), None);
        let now = Instant::now();
        let few = |ran, waited, runs| Counters { runs, ..asleep(ran, waited) };
        waits.update(now, [(7, few(1, 100, 1)), (8, few(1, 5, 1))]);
        let later = [(7, few(2, 110, 2)), (8, few(1, 25, 2)), (9, few(1, 40, 2))];
        waits.update(now + ms(90), later);
        assert_eq!(known(&waits), Some(ms(40)), "thread 9 has begun since");
        waits.update(now + ms(99), [(7, few(2, 110, 2))]);
        assert_eq!(known(&waits), Some(ms(10)), "the others have ended");
    }

    #[test]
    fn what_an_old_thread_waited_before_does_not_count() {
        let mut waits = CoreWaits::default();
        let now = Instant::now();
        let most = i32::try_from(MOST_THREADS).unwrap();
        waits.update(now, (0..most).map(|id| (id, asleep(1, 5))));
        waits.update(now + ms(90), [(most, asleep(1, 100))]);
        assert_eq!(known(&waits), Some(ms(0)), "it was not among those that were read");
    }

    /// Each case: what a thread has run, waited and how often it got a core in 1 s, and what counts.
    #[test]
    fn waits_that_a_thread_makes_do_not_count() {
        let of = |ran, waited, runs| Counters { runs, ..asleep(ran, waited) };
        let lowered = Counters { is_lowered: true, ..of(50, 900, 20) };
        for (what, thread, counted) in [
            ("it computes and is preempted", of(50, 900, 20), 900),
            ("it waits four times for a moment's work", of(0, 400, 4), 400),
            ("it wakes up 400 times for a moment", of(0, 800, 400), 8),
            ("it wakes up 400 times for 50 us", of(20, 800, 400), 168),
            ("its priority is lower than it was given", lowered, 0),
        ] {
            let mut waits = CoreWaits::default();
            let now = Instant::now();
            waits.update(now, [(7, Counters { runs: 1, ..asleep(0, 0) })]);
            let thread = Counters { runs: thread.runs + 1, ..thread };
            waits.update(now + ms(1000), [(7, thread)]);
            assert_eq!(known(&waits), Some(ms(counted)), "{what}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_files_of_a_thread_are_parsed_for_any_name() {
        let parse = |stat, schedstat| parse(stat, schedstat, -1, Scheduling::default());
        let counters = |stat| parse(stat, b"5000000 3000000 6\n");
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
        // The children have this core only, as they were given.
        let given = Scheduling { cores: 1, ..Scheduling::of_this_thread() };
        let spin = "while :; do :; done";
        let mut children = [start(spin), start(spin), start("echo ready; read line")];
        let [spins, _, reads] = children.each_ref().map(|child| child.0.id().cast_signed());
        let mut line = String::new();
        let stdout = children[2].0.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).unwrap();
        while counters(reads, given).iter().any(|(_, counters)| counters.is_runnable) {
            std::thread::sleep(ms(1));
        }
        let [mut waits, mut sleeps] = [CoreWaits::new(given), CoreWaits::new(given)];
        sleeps.update(Instant::now(), counters(reads, given));
        while waits.longest(spins).is_some_and(|waited| waited.known < ms(50)) {
            std::thread::sleep(ms(5));
        }
        sleeps.update(Instant::now(), counters(reads, given));
        assert!(
            sleeps.longest_known().is_none_or(|waited| waited.known.is_zero()),
            "it needs no core"
        );
    }
}
