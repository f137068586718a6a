//! The memory watch for programs that no memory controller limits (tiers A and B): a thread of this
//! process measures each program's whole tree and kills a tree that exceeds its limit.
//!
//! Process limits (`RLIMIT_DATA`) act first and refuse allocations. The watch catches what they
//! cannot see: many processes that each stay within their limit, page tables, stacks, data in
//! sockets and pipes.
//!
//! The next measurement is due when the program could have filled the remaining memory at
//! [`FILLED_PER_SECOND`]. A program that has used hardly any CPU time since then cannot have filled
//! it, and is not measured.

use crate::control_group::ControlGroup;
use crate::cpu_time;
use crate::limits::MIB;
use crate::resident_memory::{of_process, of_tree};
use rustix::process::{Pid, Signal, pidfd_send_signal};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// An upper bound for the memory that a program can fill, in bytes per second, on any number of
/// cores.
const FILLED_PER_SECOND: u64 = 10 * 1024 * MIB;

/// The shortest and the longest pause between two checks of a program.
const SHORTEST: Duration = Duration::from_millis(3);
const LONGEST: Duration = Duration::from_millis(100);

/// The longest time between two measurements, even of an idle program: the kernel may merge its
/// pages into huge pages at any time.
const AT_LEAST: Duration = Duration::from_secs(1);

/// At most one part in `SHARE` of the time is spent on measuring one program.
const SHARE: u32 = 20;

/// Returns the memory at which a program is killed. Above the limit it leaves room for what a
/// correct program has when it uses its whole allowance, such as the main thread's stack and page
/// tables.
fn tolerated(limit: u64) -> u64 {
    limit.saturating_add(limit / 8).saturating_add(4 * MIB)
}

/// A program to watch.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The process to kill: all others end with it.
    pub last: Arc<OwnedFd>,
    /// The program's main process.
    pub program: Pid,
    /// The `/proc` of its namespaces, if it has them.
    pub processes: Option<Arc<OwnedFd>>,
    /// The control group that counts the CPU time of all its processes, if any.
    pub group: Option<Arc<ControlGroup>>,
    /// The memory limit, in bytes.
    pub limit: u64,
}

/// A program that is watched until this value is dropped.
#[derive(Debug)]
pub(crate) struct Watched(Arc<Entry>);

#[derive(Debug)]
struct Entry {
    /// `None` once the program is no longer watched. Locked while the program is measured, so that
    /// none of its descriptors are in use after the watch has ended.
    look: Mutex<Option<Look>>,
    /// The memory of the program when it was killed for exceeding the limit, in bytes; 0 before.
    overrun: AtomicU64,
}

#[derive(Debug)]
struct Look {
    subject: Subject,
    due: Instant,
    /// The last measurement: its time, the CPU time used by then, and the remaining bytes.
    measured: Option<(Instant, Duration, u64)>,
}

/// The state of the watch thread.
struct Watch {
    entries: Mutex<Vec<Arc<Entry>>>,
    news: Condvar,
    /// Whether the thread runs.
    runs: Mutex<bool>,
}

static WATCH: Watch =
    Watch { entries: Mutex::new(Vec::new()), news: Condvar::new(), runs: Mutex::new(false) };

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watched {
    /// Starts watching a program.
    ///
    /// # Errors
    ///
    /// Fails if the watch thread cannot be started.
    pub fn new(subject: Subject) -> io::Result<Watched> {
        let mut runs = locked(&WATCH.runs);
        if !*runs {
            thread::Builder::new().name("memory".into()).spawn(|| WATCH.run())?;
            *runs = true;
        }
        let look = Look { subject, due: Instant::now() + SHORTEST, measured: None };
        let entry = Arc::new(Entry { look: Mutex::new(Some(look)), overrun: AtomicU64::new(0) });
        locked(&WATCH.entries).push(Arc::clone(&entry));
        WATCH.news.notify_one();
        Ok(Watched(entry))
    }

    /// Returns the memory of the program when it was killed for exceeding its limit, in bytes.
    pub fn overrun(&self) -> Option<u64> {
        Some(self.0.overrun.load(Ordering::Acquire)).filter(|&bytes| bytes > 0)
    }

    /// Stops watching. When this returns, nothing of the program is in use.
    pub fn end(&self) {
        locked(&WATCH.entries).retain(|entry| !Arc::ptr_eq(entry, &self.0));
        *locked(&self.0.look) = None;
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.end();
    }
}

impl Watch {
    fn run(&self) {
        let mut next = None::<Instant>;
        loop {
            let entries: Vec<Arc<Entry>> = {
                let entries = locked(&self.entries);
                let entries = match next {
                    Some(next) => {
                        let pause = next.saturating_duration_since(Instant::now());
                        let waited = self.news.wait_timeout(entries, pause);
                        waited.unwrap_or_else(PoisonError::into_inner).0
                    }
                    None => {
                        let waited = self.news.wait_while(entries, |entries| entries.is_empty());
                        waited.unwrap_or_else(PoisonError::into_inner)
                    }
                };
                entries.clone()
            };
            next = entries.iter().filter_map(|entry| entry.look_if_due()).min();
        }
    }
}

impl Entry {
    /// Checks the program if that is due. Returns when the next check is due.
    fn look_if_due(&self) -> Option<Instant> {
        let mut held = locked(&self.look);
        let look = held.as_mut()?;
        if look.due <= Instant::now()
            && let Some(bytes) = look.look()
        {
            // Stored before the kill, because callers ask as soon as the program has ended.
            self.overrun.store(bytes, Ordering::Release);
            let _ = pidfd_send_signal(&*look.subject.last, Signal::KILL);
            *held = None;
            return None;
        }
        Some(look.due)
    }
}

impl Look {
    /// Measures the program unless it cannot have grown. Returns its memory if it exceeds the
    /// limit.
    fn look(&mut self) -> Option<u64> {
        let now = Instant::now();
        let used = self.subject.used();
        if let Some((then, before, left)) = self.measured
            && now < then + AT_LEAST
            && used.is_some_and(|used| used.saturating_sub(before) < time_to_fill(left) / 2)
        {
            self.due = now + time_to_fill(left).clamp(SHORTEST, LONGEST);
            return None;
        }
        let allowed = tolerated(self.subject.limit);
        let bytes = self.subject.measure(allowed);
        if bytes > allowed {
            return Some(bytes);
        }
        let left = allowed - bytes;
        self.measured = Some((now, used.unwrap_or_default(), left));
        let cost = now.elapsed() * SHARE;
        self.due = now + time_to_fill(left).clamp(SHORTEST, LONGEST).max(cost);
        None
    }
}

fn time_to_fill(bytes: u64) -> Duration {
    Duration::from_micros(bytes.saturating_mul(1000) / (FILLED_PER_SECOND / 1000))
}

impl Subject {
    /// Returns the CPU time of all its processes; `None` if it cannot be determined.
    fn used(&self) -> Option<Duration> {
        match (&self.group, &self.processes) {
            (Some(group), _) => group.cpu_time().max(cpu_time::of_process(self.program)),
            // In tier A it has only one process.
            (None, None) => cpu_time::of_process(self.program),
            (None, Some(_)) => None,
        }
    }

    /// Returns the memory of all its processes, in bytes; exact only if it exceeds `allowed`.
    fn measure(&self, allowed: u64) -> u64 {
        match &self.processes {
            Some(processes) => of_tree(processes, allowed),
            None => of_process(self.program),
        }
    }
}
