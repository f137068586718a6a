//! The memory of programs that no control group counts (tiers A and B), watched: a thread of this
//! process looks at each program's whole tree, and ends the tree that has more than its limit.
//!
//! Limits of a process (`RLIMIT_DATA`) come first and refuse what is asked for. This finds what they
//! do not see: many processes that each stay within their own limit, page tables, stacks.
//!
//! How soon a program is looked at again follows from how soon it could have filled what is left, at
//! [`FILLED_PER_SECOND`]; and a program that has hardly used a core since cannot have filled anything.

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

/// More bytes than a program can fill in a second, whether it has one core or many.
const FILLED_PER_SECOND: u64 = 10 * 1024 * MIB;

/// The shortest and the longest pause between two looks at the same program.
const SHORTEST: Duration = Duration::from_millis(3);
const LONGEST: Duration = Duration::from_millis(100);

/// A program is measured at least this often, even if it does nothing: the kernel may join its pages
/// to large ones on its own time.
const AT_LEAST: Duration = Duration::from_secs(1);

/// Of each time, the most that is spent on measuring one program: one part in so many.
const SHARE: u32 = 20;

/// What a program may have beyond its limit before it is ended: what an honest one has that has asked
/// for all it may, such as the stack of its first thread and page tables.
fn tolerated(limit: u64) -> u64 {
    limit.saturating_add(limit / 8).saturating_add(4 * MIB)
}

/// A program to be watched.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The process whose end is the end of all.
    pub last: Arc<OwnedFd>,
    /// The program's own process.
    pub program: Pid,
    /// The `/proc` of its namespaces, where it has them.
    pub processes: Option<Arc<OwnedFd>>,
    /// What counts the processor time of all its processes.
    pub group: Option<Arc<ControlGroup>>,
    /// The most memory that it may have, in bytes.
    pub limit: u64,
}

/// A program that is watched until this is dropped.
#[derive(Debug)]
pub(crate) struct Watched(Arc<Entry>);

#[derive(Debug)]
struct Entry {
    /// `None` once it is no longer watched. Held while the program is looked at, so that nothing of
    /// it is in use when watching has ended.
    look: Mutex<Option<Look>>,
    /// What the program had when it was ended for that, in bytes; 0 before.
    overrun: AtomicU64,
}

#[derive(Debug)]
struct Look {
    subject: Subject,
    due: Instant,
    /// When it was last measured, what it had used of the processor by then, and how many bytes were
    /// left.
    measured: Option<(Instant, Duration, u64)>,
}

/// What the thread that watches works on.
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
    /// Watches a program from now on.
    ///
    /// # Errors
    ///
    /// The thread that watches cannot be started.
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

    /// What the program had when it was ended because that was too much, in bytes.
    pub fn overrun(&self) -> Option<u64> {
        Some(self.0.overrun.load(Ordering::Acquire)).filter(|&bytes| bytes > 0)
    }

    /// Stops watching. Nothing of the program is looked at when this returns.
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
    /// Looks at the program if it is time to; when it is to be looked at next.
    fn look_if_due(&self) -> Option<Instant> {
        let mut held = locked(&self.look);
        let look = held.as_mut()?;
        if look.due <= Instant::now()
            && let Some(bytes) = look.look()
        {
            // Told before it ends, which is when somebody asks.
            self.overrun.store(bytes, Ordering::Release);
            let _ = pidfd_send_signal(&*look.subject.last, Signal::KILL);
            *held = None;
            return None;
        }
        Some(look.due)
    }
}

impl Look {
    /// Measures the program, unless it cannot have grown; how much it has, where that is too much.
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
    /// What all its processes have used of the processor; `None` where that cannot be told.
    fn used(&self) -> Option<Duration> {
        match (&self.group, &self.processes) {
            (Some(group), _) => group.cpu_time().max(cpu_time::of_process(self.program)),
            // In tier A it is alone.
            (None, None) => cpu_time::of_process(self.program),
            (None, Some(_)) => None,
        }
    }

    /// What they have of memory, in bytes; exactly only where it is more than `allowed`.
    fn measure(&self, allowed: u64) -> u64 {
        match &self.processes {
            Some(processes) => of_tree(processes, allowed),
            None => of_process(self.program),
        }
    }
}
