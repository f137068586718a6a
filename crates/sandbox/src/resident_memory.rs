//! Resident set sizes and peaks of processes, in bytes, as the kernel reports them.

use crate::cpu_time::numbered;
use crate::in_flight::InFlight;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::process::Pid;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The fields of `status`, in KiB, that make up a process's own memory. Excludes file pages, which
/// the kernel reclaims under pressure. Includes page tables, which no process limit counts.
const OWN: [&str; 4] = ["RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"];

/// The corresponding fields of `smaps_rollup`, in which each page counts with the process's share:
/// pages shared since a `fork` count once in total. Page tables are not included.
const PROPORTIONAL: [&str; 3] = ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"];

/// Returns whether this kernel reports what [`of_process`] needs: since Linux 4.5.
pub(crate) fn is_reported() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    OWN.iter().all(|name| kibibytes(&status, name).is_some())
}

/// Returns the memory of a process: page tables and the capacity of its sockets and pipes included.
pub(crate) fn of_process(pid: Pid) -> u64 {
    let status = status(CWD, &format!("/proc/{}", pid.as_raw_pid()));
    let Some((text, _)) = &status else { return 0 };
    sum(text, &OWN) + in_flight(CWD, status.as_slice())
}

/// Returns the most that the sockets and pipes of these processes can hold.
fn in_flight(processes: BorrowedFd<'_>, statuses: &[(String, String)]) -> u64 {
    let mut all = InFlight::default();
    for (status, place) in statuses {
        all.add(processes, place, number(status, "FDSize:").unwrap_or_default());
    }
    all.most()
}

/// The counters of all processes in a PID namespace, except the init process, which is not part of
/// the program. Page tables and the capacity of their sockets and pipes are included.
pub(crate) struct Tree<'a> {
    processes: &'a OwnedFd,
    /// The `status` of each, and the directory in which it was found.
    statuses: Vec<(String, String)>,
    in_flight: u64,
}

impl Tree<'_> {
    pub(crate) fn read(processes: &OwnedFd) -> Tree<'_> {
        let statuses: Vec<(String, String)> = numbered(processes)
            .into_iter()
            .filter(|name| name != "1")
            .filter_map(|name| status(processes.as_fd(), &name))
            .collect();
        let in_flight = in_flight(processes.as_fd(), &statuses);
        Tree { processes, statuses, in_flight }
    }

    /// Returns their memory, in bytes, in which pages that processes share count for each of them.
    pub(crate) fn most(&self) -> u64 {
        let own: u64 = self.statuses.iter().map(|(status, _)| sum(status, &OWN)).sum();
        own + self.in_flight
    }

    /// Returns their memory, in bytes; shared pages count once. The processes must have stopped, and
    /// it takes long if they have many memory maps.
    pub(crate) fn exactly(&self) -> u64 {
        if self.statuses.len() < 2 {
            return self.most();
        }
        let lent = self.lent();
        let of_process = |(status, place): &(String, String)| {
            if number(status, "Pid:").is_some_and(|pid| lent.contains(&pid)) {
                return 0;
            }
            let shared = read(self.processes, &format!("{place}/smaps_rollup"));
            // A program can make this file unreadable; then all its memory counts as its own.
            match shared.filter(|text| kibibytes(text, PROPORTIONAL[0]).is_some()) {
                Some(text) => sum(&text, &PROPORTIONAL) + sum(status, &["VmPTE:"]),
                None => sum(status, &OWN),
            }
        };
        self.statuses.iter().map(of_process).sum::<u64>() + self.in_flight
    }

    /// Returns the PIDs of the processes that use the memory of their parent. A thread of the parent
    /// has called `vfork` and waits, uninterruptibly, until its child executes a program.
    fn lent(&self) -> Vec<u64> {
        let mut lent = Vec::new();
        for (status, place) in &self.statuses {
            let is_the_same = |child: &&(String, String)| {
                number(&child.0, "PPid:") == number(status, "Pid:")
                    && memory_lines(&child.0).eq(memory_lines(status))
            };
            let children: Vec<_> = self.statuses.iter().filter(is_the_same).collect();
            if !children.is_empty() {
                let waiting = waiting_threads(self.processes, place);
                let children = children.iter().filter_map(|child| number(&child.0, "Pid:"));
                lent.extend(children.take(waiting));
            }
        }
        lent
    }
}

fn memory_lines(status: &str) -> impl Iterator<Item = &str> {
    status.lines().filter(|line| line.starts_with("Vm") || line.starts_with("Rss"))
}

/// Returns how many threads of a process wait uninterruptibly.
fn waiting_threads(processes: &OwnedFd, place: &str) -> usize {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(threads) = openat(processes, format!("{place}/task"), flags, Mode::empty()) else {
        return 0;
    };
    let status = |thread: &String| read(&threads, &format!("{thread}/status"));
    let is_waiting =
        |status: &String| field(status, "State:").is_some_and(|state| state.starts_with('D'));
    numbered(&threads).iter().filter_map(status).filter(is_waiting).count()
}

/// Returns a `status` of the process that has the memory fields, and the directory in which it was
/// found. The main thread can end before the others; then only theirs have the fields. Returns
/// `None` if the whole process has ended.
fn status(processes: BorrowedFd<'_>, process: &str) -> Option<(String, String)> {
    let complete = |place: String| {
        let status = read(processes, &format!("{place}/status"))?;
        kibibytes(&status, OWN[0]).is_some().then_some((status, place))
    };
    complete(process.to_string()).or_else(|| {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let path = format!("{process}/task");
        let threads = openat(processes, &path, flags, Mode::empty()).ok()?;
        numbered(&threads).into_iter().find_map(|thread| complete(format!("{path}/{thread}")))
    })
}

pub(crate) fn read(directory: impl AsFd, path: &str) -> Option<String> {
    let file = openat(directory, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    std::io::read_to_string(std::fs::File::from(file)).ok()
}

/// Returns the sum of these fields, in bytes.
fn sum(text: &str, names: &[&str]) -> u64 {
    names.iter().filter_map(|name| kibibytes(text, name)).sum::<u64>() * 1024
}

fn kibibytes(text: &str, name: &str) -> Option<u64> {
    field(text, name)?.strip_suffix(" kB")?.parse().ok()
}

fn number(text: &str, name: &str) -> Option<u64> {
    field(text, name)?.parse().ok()
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// Returns the peak of a process that has ended and has not been reaped. A process starts with the
/// peak of its parent if it was started by `vfork`, as the standard library does, and keeps it
/// through every `exec`.
#[allow(unsafe_code)]
pub(crate) fn peak_of_ended(pid: Pid) -> Option<u64> {
    let id = pid.as_raw_pid().unsigned_abs();
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: structures of plain numbers, for which zero is valid; the call fills them. The C
    // library's wrapper lacks the last parameter.
    unsafe {
        let mut info = std::mem::zeroed::<libc::siginfo_t>();
        let mut usage = std::mem::zeroed::<libc::rusage>();
        let done = libc::syscall(
            libc::SYS_waitid,
            libc::P_PID,
            id,
            &raw mut info,
            options,
            &raw mut usage,
        );
        (done == 0).then(|| in_bytes(&usage))
    }
}

/// Returns the peak of this process since its program began. A process that it starts begins with
/// this value.
pub(crate) fn own_peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    sum(&status, &["VmHWM:"])
}

/// Returns the greatest peak of all children that this process has reaped.
#[allow(unsafe_code)]
pub(crate) fn peak_of_children() -> u64 {
    // SAFETY: the structure is plain numbers, for which zero is valid, and the call fills it.
    unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        in_bytes(&usage)
    }
}

fn in_bytes(usage: &libc::rusage) -> u64 {
    u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_processs_own_memory_are_summed() {
        let status = "Name:\tbot\nVmPTE:\t      52 kB\nVmSwap:\t       1 kB\n\
                      VmRSS:\t    9000 kB\nRssAnon:\t     500 kB\nRssFile:\t    8000 kB\n\
                      RssShmem:\t       4 kB\nThreads:\t1\n";
        assert_eq!(sum(status, &OWN), 557 * 1024);
        assert_eq!(kibibytes(status, "Threads:"), None);
        assert_eq!(number(status, "Threads:"), Some(1));
        assert_eq!(kibibytes("", "RssAnon:"), None);
        assert!(is_reported(), "Linux 4.5 or later");
    }
}
