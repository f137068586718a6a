//! The memory watch for programs that no memory controller limits (tiers A and B): a thread for each
//! program measures its whole tree and kills a tree that exceeds its limit.
//!
//! Process limits (`RLIMIT_DATA`) act first and refuse allocations; those of the processes of a game
//! add up to the limit of the tree. The watch catches what they cannot see: page tables, stacks,
//! memory that was written and then made read-only, data in sockets and pipes, and the processes
//! of a build.
//!
//! Counters decide whose cost does not depend on the number of memory maps. They count what
//! processes share more than once, so a tree that exceeds its limit by them is stopped while it is
//! measured exactly. A tree whose counters are slow to read is stopped for that too. Its clock runs
//! meanwhile, so being expensive to measure costs the program its own time, and only that: it is not
//! measured while it is stopped for another bot's turn.
//!
//! The next measurement is due when the program could have filled the remaining memory at
//! [`FILLED_PER_SECOND`]. A program that has used hardly any CPU time since then cannot have filled
//! it, and is not measured.

use crate::brake::{Brake, By};
use crate::control_group::ControlGroup;
use crate::cpu_time;
use crate::limits::MIB;
use crate::resident_memory::{Tree, of_process};
use crate::standstill;
use crate::thread_priority;
use rustix::process::{Pid, Signal, pidfd_send_signal};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
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

/// A program whose counters take more CPU time to read than this is stopped for the next reading.
const EXPENSIVE: Duration = Duration::from_millis(5);

/// The longest wait until a program has stopped. One that has not is measured all the same, and again
/// until it has: a thread inside a system call may fill memory until the call returns.
const STOPPING: Duration = Duration::from_millis(20);

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
    pub brake: Arc<Brake>,
    /// The memory limit, in bytes.
    pub limit: u64,
}

/// A program that is watched until this value is dropped.
#[derive(Debug)]
pub(crate) struct Watched {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Whether the program is no longer to be watched.
    has_ended: Mutex<bool>,
    news: Condvar,
    /// The memory of the program when it was killed for exceeding the limit, in bytes; 0 before.
    overrun: AtomicU64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watched {
    /// Starts watching a program.
    ///
    /// # Errors
    ///
    /// Fails if the thread cannot be started.
    pub(crate) fn new(subject: Subject) -> io::Result<Watched> {
        let shared = Arc::new(Shared::default());
        let with = Arc::clone(&shared);
        let watch = move || {
            thread_priority::raise();
            with.watch(&mut Watch::new(subject));
        };
        let thread = thread::Builder::new().name("memory".into()).spawn(watch)?;
        Ok(Watched { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Returns the memory of the program when it was killed for exceeding its limit, in bytes.
    pub(crate) fn overrun(&self) -> Option<u64> {
        Some(self.shared.overrun.load(Ordering::Acquire)).filter(|&bytes| bytes > 0)
    }

    /// Stops watching. When this returns, nothing of the program is in use.
    pub(crate) fn end(&self) {
        *locked(&self.shared.has_ended) = true;
        self.shared.news.notify_one();
        if let Some(thread) = locked(&self.thread).take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn watch(&self, watch: &mut Watch) {
        let mut pause = SHORTEST;
        loop {
            let ended = locked(&self.has_ended);
            let waited = self.news.wait_timeout_while(ended, pause, |ended| !*ended);
            if *waited.unwrap_or_else(PoisonError::into_inner).0 {
                return;
            }
            match watch.look() {
                Ok(next) => pause = next,
                Err(bytes) => {
                    // Stored before the kill, because callers ask as soon as the program has ended.
                    self.overrun.store(bytes, Ordering::Release);
                    let _ = pidfd_send_signal(&*watch.subject.last, Signal::KILL);
                    return;
                }
            }
        }
    }
}

/// The state of the thread.
struct Watch {
    subject: Subject,
    /// The last measurement: its time, the CPU time used by then, and the remaining bytes.
    measured: Option<(Instant, Duration, u64)>,
    /// Whether the last reading of the counters took long.
    is_expensive: bool,
    /// Whether the program is stopped for a measurement.
    is_held: bool,
}

impl Watch {
    fn new(subject: Subject) -> Watch {
        Watch { subject, measured: None, is_expensive: false, is_held: false }
    }

    /// Measures the program unless it cannot have grown. Returns the pause until the next look, or
    /// the program's memory if it exceeds the limit; then it stays stopped.
    fn look(&mut self) -> Result<Duration, u64> {
        let (now, used) = (Instant::now(), self.subject.used());
        if let Some(left) = self.left_if_unchanged(now, used) {
            return Ok(pause(left));
        }
        let mut has_stopped = false;
        if self.is_expensive || self.is_held {
            has_stopped = self.hold();
        }
        let allowed = tolerated(self.subject.limit);
        let begun = own_cpu_time();
        let mut tree = self.subject.tree();
        let mut bytes = tree.as_ref().map_or_else(|| of_process(self.subject.program), Tree::most);
        self.is_expensive = own_cpu_time().saturating_sub(begun) > EXPENSIVE;
        if bytes > allowed && tree.is_some() {
            drop(tree);
            if !self.is_held {
                has_stopped = self.hold();
            }
            tree = self.subject.tree();
            bytes = tree.as_ref().map_or(bytes, Tree::exactly);
        }
        if bytes > allowed {
            return Err(bytes);
        }
        if self.is_held && !has_stopped {
            return Ok(SHORTEST);
        }
        if std::mem::take(&mut self.is_held) {
            self.subject.release();
        }
        let left = allowed - bytes;
        self.measured = Some((now, used.unwrap_or_default(), left));
        Ok(pause(left))
    }

    /// Returns the remaining bytes of the last measurement if the program cannot have filled them
    /// since.
    fn left_if_unchanged(&self, now: Instant, used: Option<Duration>) -> Option<u64> {
        let (then, before, left) = self.measured.filter(|_| !self.is_held)?;
        let is_recent = now < then + AT_LEAST || self.subject.is_out_of_turn();
        let is_idle = used?.saturating_sub(before) < time_to_fill(left) / 2;
        (is_recent && is_idle).then_some(left)
    }

    /// Stops the program. Returns whether it has stopped.
    fn hold(&mut self) -> bool {
        self.is_held = true;
        self.subject.hold()
    }
}

/// Returns the pause after a measurement that found this many bytes left.
fn pause(left: u64) -> Duration {
    time_to_fill(left).clamp(SHORTEST, LONGEST)
}

/// Returns the CPU time of this thread.
fn own_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
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

    /// Reads the counters of all its processes, where it may have several.
    fn tree(&self) -> Option<Tree<'_>> {
        self.processes.as_ref().map(|processes| Tree::read(processes))
    }

    /// Stops it and waits until it has stopped. Returns whether it has.
    fn hold(&self) -> bool {
        self.brake.set(By::MemoryWatch, true, self.group.as_deref(), self.program);
        let until = Instant::now() + STOPPING;
        loop {
            if self.is_stopped() {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(Duration::from_micros(50));
        }
    }

    /// Returns whether it is stopped because it is not its turn: it can do nothing then.
    fn is_out_of_turn(&self) -> bool {
        self.brake.is_set(By::Referee)
    }

    fn is_stopped(&self) -> bool {
        match (&self.group, &self.processes) {
            (Some(group), _) => group.is_frozen(),
            (None, Some(processes)) => standstill::of_tree(processes),
            (None, None) => standstill::of_child(self.last.as_fd()),
        }
    }

    fn release(&self) {
        self.brake.set(By::MemoryWatch, false, self.group.as_deref(), self.program);
    }
}
