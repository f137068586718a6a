//! How long the threads of a program have waited for a core, as the kernel's scheduler counts it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The most threads of a program that are read. A program with more has a core more often than it
/// waits for one.
#[cfg(target_os = "linux")]
const MOST_THREADS: usize = 64;

/// Readings of the threads of one program. The kernel counts the wait of a thread only when the
/// thread gets a core, so a wait that still lasts is computed from two readings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreWaits {
    /// When they were last read.
    read: Option<Instant>,
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
    /// Reads the threads of a program and of its descendants, for the first time or again. `id` is
    /// the PID of its main process. Takes some microseconds per thread. Where the kernel does not
    /// count the waits, no thread is known.
    pub fn read(&mut self, id: i32) {
        // The time is read first: time between the two readings is attributed to the next interval.
        let now = Instant::now();
        self.update(now, counters(id));
    }

    /// Returns for how long a thread has waited for a core since the first reading: the longest wait
    /// of any of them. `None` if no thread is known. A thread that was runnable at two readings in a
    /// row, and did not have a core in between, is assumed to have waited.
    pub fn longest(&self) -> Option<Duration> {
        self.threads.values().map(Thread::waited).max()
    }

    fn update(&mut self, now: Instant, read: impl IntoIterator<Item = (i32, Counters)>) {
        let passed =
            self.read.map_or(Duration::ZERO, |before| now.saturating_duration_since(before));
        self.read = Some(now);
        // A thread that has ended waits no more; what it waited is forgotten.
        let mut before = std::mem::take(&mut self.threads);
        self.threads = read
            .into_iter()
            .map(|(id, now)| match before.remove(&id) {
                Some(thread) => (id, thread.after(passed, now)),
                None => (id, Thread::first(now)),
            })
            .collect();
    }
}

impl Thread {
    fn first(now: Counters) -> Thread {
        Thread { now, waited_at_first: now.waited, pending: Duration::ZERO }
    }

    /// Returns what is known after `passed`, when its counters are `now`.
    fn after(self, passed: Duration, now: Counters) -> Thread {
        let ran = now.ran.saturating_sub(self.now.ran);
        let waited = now.waited.saturating_sub(self.now.waited);
        let pending = if now.is_runnable && self.now.is_runnable {
            // The kernel counts a wait as a whole when it ends, so only a wait that has lasted since
            // the reading before continues an earlier one.
            let earlier =
                if waited.is_zero() && ran.is_zero() { self.pending } else { Duration::ZERO };
            earlier + passed.saturating_sub(ran).saturating_sub(waited)
        } else {
            Duration::ZERO
        };
        Thread { now, pending, ..self }
    }

    fn waited(&self) -> Duration {
        self.now.waited.saturating_sub(self.waited_at_first) + self.pending
    }
}

/// Returns the counters of the threads of a program, by their IDs.
#[cfg(target_os = "linux")]
fn counters(id: i32) -> impl Iterator<Item = (i32, Counters)> {
    let processes = crate::cpu_time::tree_of_program(id).into_iter();
    let threads = processes.flat_map(|process| {
        std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten()
    });
    threads.take(MOST_THREADS).filter_map(|thread| {
        let read = |name: &str| std::fs::read_to_string(thread.path().join(name)).ok();
        let counters = parse(&read("stat")?, &read("schedstat")?)?;
        Some((thread.file_name().to_str()?.parse().ok()?, counters))
    })
}

#[cfg(not(target_os = "linux"))]
fn counters(_id: i32) -> impl Iterator<Item = (i32, Counters)> {
    std::iter::empty()
}

/// Parses the `stat` and `schedstat` files of a thread.
#[cfg(target_os = "linux")]
fn parse(stat: &str, schedstat: &str) -> Option<Counters> {
    // The state follows the name, which is in parentheses and may contain any character.
    let state = stat.rsplit(')').next()?.split_ascii_whitespace().next()?;
    // Three numbers: nanoseconds on a core, nanoseconds waiting for one, time slices.
    let mut times = schedstat.split_ascii_whitespace().map_while(|number| number.parse().ok());
    let mut next = || times.next().map(Duration::from_nanos);
    Some(Counters { is_runnable: state == "R", ran: next()?, waited: next()? })
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
                18,
            ),
            ("it ran before it waits again", &[runnable(5, 3), runnable(9, 3), runnable(13, 9)], 6),
            ("it was read once", &[runnable(5, 3)], 0),
        ] {
            let mut waits = CoreWaits::default();
            let mut now = Instant::now();
            for &counters in readings {
                waits.update(now, [(7, counters)]);
                now += ms(10);
            }
            assert_eq!(waits.longest(), Some(ms(waited)), "{what}");
        }
    }

    #[test]
    fn the_longest_wait_of_any_thread_counts() {
        let mut waits = CoreWaits::default();
        assert_eq!(waits.longest(), None);
        let now = Instant::now();
        waits.update(now, [(7, asleep(1, 100)), (8, asleep(1, 5))]);
        waits.update(now + ms(90), [(7, asleep(2, 110)), (8, asleep(1, 25)), (9, asleep(1, 40))]);
        assert_eq!(waits.longest(), Some(ms(20)), "thread 9 is new, and may have waited before");
        waits.update(now + ms(99), [(7, asleep(2, 110))]);
        assert_eq!(waits.longest(), Some(ms(10)), "the others have ended");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_files_of_a_thread_are_parsed_for_any_name() {
        let counters = |stat| parse(stat, "5000000 3000000 12\n");
        assert_eq!(counters("7 (a) S) R 1 7 7 0 -1\n"), Some(runnable(5, 3)));
        assert_eq!(counters("7 (R) S 1 7 7 0 -1\n"), Some(asleep(5, 3)));
        assert_eq!(parse("7 (a) S 1", "5"), None);
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
            let child = command.spawn().unwrap();
            let pid = rustix::process::Pid::from_child(&child);
            rustix::thread::sched_setaffinity(Some(pid), &only).unwrap();
            child
        };
        let spin = "while :; do :; done";
        let mut children = [start(spin), start(spin), start("echo ready; read line")];
        let [spins, _, reads] = children.each_ref().map(|child| child.id().cast_signed());
        let mut line = String::new();
        let stdout = children[2].stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).unwrap();
        while counters(reads).any(|(_, counters)| counters.is_runnable) {
            std::thread::sleep(ms(1));
        }
        let [mut waits, mut sleeps] = [CoreWaits::default(), CoreWaits::default()];
        waits.read(spins);
        sleeps.read(reads);
        while waits.longest().is_some_and(|waited| waited < ms(50)) {
            std::thread::sleep(ms(5));
            waits.read(spins);
        }
        sleeps.read(reads);
        assert!(sleeps.longest().is_none_or(|waited| waited.is_zero()), "it asks for no core");
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
