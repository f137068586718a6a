//! The shares of a memory limit: where no memory controller limits a tree, the data limits
//! (`RLIMIT_DATA`, soft) of all its processes add up to the limit of the tree. A single process has
//! all of it. Every new process gets its share before it exists, or is refused for want of memory;
//! a copy of a process needs as much as the process has. What is left is divided again now and
//! then: half of it evenly, and half in proportion to what each process has.

use super::gate::{self, Call, Request};
use crate::cpu_time::numbered;
use crate::resident_memory::read;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

const KIB: u64 = 1024;

/// A process is refused if not every process could have this much more than it has.
const LEAST: u64 = 256 * KIB;

/// Half of what is left, and this much for each process if possible, is divided evenly: a process
/// that begins has nothing yet, and may start many threads before the next division.
const EVEN: u64 = 16 * 1024 * KIB;

/// The shortest and the longest pause between two divisions.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(50);

/// The longest pause is also this many times the time of a division. Shares hold without another
/// division, so a program gains nothing by making it expensive.
const PAUSES: u32 = 50;

/// The shares of the processes of a tree.
pub(super) struct Shares {
    gate: OwnedFd,
    /// The `/proc` of the tree's namespace.
    processes: OwnedFd,
    /// The limit of the tree, in bytes.
    limit: u64,
    known: Vec<Process>,
    starting: Vec<Starting>,
    pause: Option<Duration>,
    has_started_one: bool,
    /// The most processes at once.
    most: usize,
    /// How many there would have been when one was last refused.
    refused: Option<usize>,
    /// Whether no process is left that could ask.
    is_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    pid: i32,
    /// Its data and stack, in bytes, or what it had of its own while it used another's.
    used: u64,
    /// The limit that was set.
    share: Option<u64>,
    /// The process whose memory it uses, or used until it executed a program.
    lender: Option<i32>,
}

/// A call that was allowed, and may not have been made yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Starting {
    thread: i32,
    process: i32,
    /// The share of the new process; `None` if it uses the memory of the one that starts it.
    share: Option<u64>,
}

/// What a `/proc` says about a process.
struct Seen {
    pid: i32,
    parent: i32,
    used: u64,
}

impl Shares {
    pub(super) fn new(gate: OwnedFd, memory: u64) -> io::Result<Shares> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let processes = rustix::fs::open("/proc", flags, Mode::empty())?;
        let limit = getrlimit(Resource::Data).maximum.map_or(memory, |most| most.min(memory));
        let (known, starting) = (Vec::new(), Vec::new());
        Ok(Shares {
            gate,
            processes,
            limit,
            known,
            starting,
            pause: None,
            most: 1,
            refused: None,
            is_over: false,
            has_started_one: false,
        })
    }

    /// Returns the time until the next division; `None` while there is only one process.
    pub(super) fn pause(&self) -> Option<Duration> {
        self.pause
    }

    /// Returns whether a process has ever been allowed to start another.
    pub(super) fn has_started_one(&self) -> bool {
        self.has_started_one
    }

    /// Returns how many processes had to share the limit: when one was last refused, or the most at
    /// once.
    pub(super) fn sharing(&self) -> u32 {
        u32::try_from(self.refused.unwrap_or(self.most)).unwrap_or(u32::MAX)
    }

    /// Returns whether [`Shares::end`] was called.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Ends the division: no process is left that could ask.
    pub(super) fn end(&mut self) {
        (self.pause, self.is_over) = (None, true);
    }

    /// Answers the next call. Calls `first` before the first process starts another.
    pub(super) fn answer(&mut self, first: impl FnOnce()) {
        let Some(request) = gate::next(&self.gate) else { return };
        let allowed = self.decide(&request);
        if allowed && request.call != Call::Exec && !self.has_started_one {
            self.has_started_one = true;
            first();
        }
        gate::answer(&self.gate, &request, allowed);
        if !allowed {
            self.refused = Some(self.known.len() + usize::from(request.call != Call::Exec));
        }
        self.pause = Some(SHORTEST);
    }

    fn decide(&mut self, request: &Request) -> bool {
        let Request { thread, process, call, .. } = *request;
        // A thread makes one call at a time.
        self.starting.retain(|starting| starting.thread != thread);
        self.look();
        let of_process = |starting: &&mut Starting| starting.process == process;
        match call {
            Call::Exec => {
                let mut is_lender = false;
                for other in self.known.iter_mut().filter(|one| one.lender == Some(process)) {
                    // From now on that memory is its own alone.
                    other.lender = None;
                    is_lender = true;
                }
                let is_borrower =
                    self.known.iter().any(|one| one.pid == process && one.lender.is_some());
                if is_lender {
                    self.look();
                }
                !(is_lender || is_borrower) || self.divide(None)
            }
            Call::Vfork if !self.starting.iter_mut().any(|one| of_process(&&mut *one)) => {
                self.starting.push(Starting { thread, process, share: None });
                true
            }
            Call::Fork | Call::Vfork => {
                // Which of several new processes is which would not be known.
                let Some(used) = self.known.iter().find(|one| one.pid == process) else {
                    return false;
                };
                let used = used.used;
                for other in self.starting.iter_mut().filter(of_process) {
                    other.share = other.share.or(Some(used));
                }
                self.divide(Some((thread, process, used)))
            }
        }
    }

    /// Divides what is left again.
    pub(super) fn divide_again(&mut self) {
        let begun = Instant::now();
        let before: u64 = self.known.iter().map(|one| one.used / (64 * KIB)).sum();
        self.look();
        self.divide(None);
        let after: u64 = self.known.iter().map(|one| one.used / (64 * KIB)).sum();
        let longest = LONGEST.max(begun.elapsed() * PAUSES);
        let pause = self.pause.unwrap_or(SHORTEST);
        self.pause = match self.known.len() + self.starting.len() {
            0 | 1 => None,
            _ if before != after => Some(SHORTEST),
            _ => Some((pause * 2).min(longest)),
        };
    }

    /// Updates what is known about the processes.
    fn look(&mut self) {
        // First: a process is listed if the call that started it was over before.
        let processes = self.processes.as_fd();
        self.starting.retain(|starting| is_running(processes, starting.thread));
        let seen: Vec<Seen> = numbered(&self.processes)
            .iter()
            .filter(|name| *name != "1")
            .filter_map(|name| seen(processes, name))
            .collect();
        let is_there = |pid: &i32| seen.iter().any(|one| one.pid == *pid);
        let mut known = Vec::with_capacity(seen.len() + 1);
        for one in &seen {
            let before = self.known.iter().find(|process| process.pid == one.pid);
            let (share, lender) = match before {
                Some(process) => (process.share, process.lender.filter(is_there)),
                None => (None, self.lender_of_new(one.parent)),
            };
            let used = match lender {
                Some(_) => one.used.min(share.unwrap_or(0)),
                None => one.used,
            };
            known.push(Process { pid: one.pid, used, share, lender });
        }
        self.known = known;
        self.most = self.most.max(self.known.len());
    }

    /// Returns whose memory a new child of this process uses: none if it is a copy.
    fn lender_of_new(&mut self, parent: i32) -> Option<i32> {
        let position = |of: fn(&Starting) -> bool| {
            self.starting.iter().position(|one| one.process == parent && of(one))
        };
        let at = position(|one| one.share.is_some()).or_else(|| position(|_| true))?;
        self.starting.remove(at).share.is_none().then_some(parent)
    }

    /// Sets all limits; with `copy`, also that of a new process (its parent's thread, its parent,
    /// and what that has), which inherits it. Returns false, and raises no limit, if there is not
    /// enough left.
    fn divide(&mut self, copy: Option<(i32, i32, u64)>) -> bool {
        for _ in 0..3 {
            let reserved: u64 = self.starting.iter().filter_map(|one| one.share).sum();
            let used: Vec<u64> =
                self.known.iter().map(|one| one.used).chain(copy.map(|copy| copy.2)).collect();
            let Some(mut shares) = divided(self.limit.saturating_sub(reserved), &used) else {
                return false;
            };
            for (one, share) in self.known.iter().zip(&mut shares) {
                // What a copy inherits that does not exist yet may not grow.
                let copies = self.starting.iter().filter(|other| other.process == one.pid);
                *share = copies.filter_map(|copy| copy.share).fold(*share, u64::min);
            }
            let parent = copy.and_then(|(thread, process, _)| {
                let at = self.known.iter().position(|one| one.pid == process)?;
                Some(Starting { thread, process, share: Some(shares[at]) })
            });
            if self.lower(&shares) {
                self.raise(&shares);
                self.starting.extend(parent);
                return copy.is_none() || parent.is_some();
            }
            // One has grown meanwhile.
            self.look();
        }
        false
    }

    /// Sets the limits that become lower. Returns whether no process has more than its new limit.
    fn lower(&mut self, shares: &[u64]) -> bool {
        let mut is_enough = true;
        for (process, &share) in self.known.iter_mut().zip(shares) {
            if process.share.is_none_or(|before| share < before) {
                set(process.pid, share, self.limit);
                process.share = Some(share);
                let own = process.lender.is_none();
                let now = seen(self.processes.as_fd(), &process.pid.to_string());
                is_enough &= !own || now.is_none_or(|now| now.used <= share);
            }
        }
        is_enough
    }

    fn raise(&mut self, shares: &[u64]) {
        for (process, &share) in self.known.iter_mut().zip(shares) {
            if process.share != Some(share) {
                set(process.pid, share, self.limit);
                process.share = Some(share);
            }
        }
    }
}

impl AsFd for Shares {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.gate.as_fd()
    }
}

/// Returns the share of each process by what it has; `None` if there is not enough.
fn divided(limit: u64, used: &[u64]) -> Option<Vec<u64>> {
    let count = u64::try_from(used.len()).ok().filter(|&count| count > 0)?;
    let all: u64 = used.iter().sum();
    let left = limit.checked_sub(all)?;
    let even = (left / count).min(EVEN).max(left / count / 2);
    if even < LEAST {
        return None;
    }
    let rest = left - even * count;
    let part = |used: u64| match all {
        0 => rest / count,
        _ => u64::try_from(u128::from(rest) * u128::from(used) / u128::from(all)).unwrap_or(0),
    };
    Some(used.iter().map(|&used| used + even + part(used)).collect())
}

fn set(process: i32, share: u64, limit: u64) {
    // It fails if the process has ended.
    let Some(pid) = Pid::from_raw(process) else { return };
    let limit = Rlimit { current: Some(share.min(limit)), maximum: Some(limit) };
    let _ = prlimit(Some(pid), Resource::Data, limit);
}

/// Returns what is known about a process; `None` if it has ended.
fn seen(processes: BorrowedFd<'_>, name: &str) -> Option<Seen> {
    let stat = read(processes, &format!("{name}/stat"))?;
    let parent = fields(&stat).nth(1)?.parse().ok()?;
    let used = match data(processes, &format!("{name}/statm"))? {
        // The first thread may have ended before the others.
        0 => {
            let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
            let path = format!("{name}/task");
            let threads = rustix::fs::openat(processes, &path, flags, Mode::empty()).ok()?;
            let used = |thread: String| data(threads.as_fd(), &format!("{thread}/statm"));
            numbered(&threads).into_iter().filter_map(used).find(|&used| used > 0)?
        }
        used => used,
    };
    Some(Seen { pid: name.parse().ok()?, parent, used })
}

/// Returns the data and stack of a process, in bytes, from its `statm`.
fn data(directory: BorrowedFd<'_>, path: &str) -> Option<u64> {
    let statm = read(directory, path)?;
    let pages: u64 = statm.split_ascii_whitespace().nth(5)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Returns whether a thread may still be inside a call: a thread that is asleep is not.
fn is_running(processes: BorrowedFd<'_>, thread: i32) -> bool {
    let stat = read(processes, &format!("{thread}/stat"));
    stat.is_some_and(|stat| matches!(fields(&stat).next(), Some("R" | "D")))
}

/// Returns the fields of a `stat` file after the name, which is in parentheses and may contain any
/// character.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1024 * KIB;

    #[test]
    fn shares_add_up_to_the_limit_and_hold_what_each_process_has() {
        for (limit, used, shares) in [
            (64, &[0][..], Some(&[64][..])),
            (64, &[60], Some(&[64])),
            (64, &[20, 20], Some(&[32, 32])),
            // A shell that waits, and the program that it has started.
            (256, &[1, 191], Some(&[17, 238])),
            (256, &[100, 0], Some(&[217, 39])),
            // A copy of a process that has more than half of the limit.
            (64, &[40, 40], None),
            (64, &[64], None),
            (64, &[], None),
        ] {
            let used: Vec<u64> = used.iter().map(|&used| used * MIB).collect();
            let found = divided(limit * MIB, &used);
            let whole = found.as_ref().map(|found| found.iter().map(|share| share / MIB).collect());
            assert_eq!(whole, shares.map(Vec::from), "{limit} {used:?}");
            if let Some(found) = found {
                assert!(found.iter().sum::<u64>() <= limit * MIB, "{found:?}");
                assert!(found.iter().zip(&used).all(|(share, used)| share >= &(used + LEAST)));
            }
        }
        assert!(divided(64 * MIB, &[MIB; 51]).is_some());
        assert_eq!(divided(64 * MIB, &[MIB; 52]), None, "less than 256 KiB more for each");
    }

    #[test]
    fn a_process_is_seen_with_its_parent_and_its_data() {
        let processes = rustix::fs::open("/proc", OFlags::DIRECTORY, Mode::empty()).unwrap();
        let held = std::hint::black_box(vec![1_u8; 64 << 20]);
        let own = seen(processes.as_fd(), &std::process::id().to_string()).unwrap();
        assert_eq!(own.parent.cast_unsigned(), std::os::unix::process::parent_id());
        assert!(own.used > held.len() as u64, "{}", own.used);
        let own = rustix::thread::gettid().as_raw_nonzero().get();
        assert!(is_running(processes.as_fd(), own));
    }
}
