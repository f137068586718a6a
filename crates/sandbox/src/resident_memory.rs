//! How much memory processes have resident, or had at most, in bytes, as the system keeps it.

use crate::cpu_time::numbered;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::process::Pid;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// What is a process's own, in kibibytes, of its `status`: not the pages of files, which the system
/// takes back when it needs them, but page tables, which no limit of a process counts.
const OWN: [&str; 4] = ["RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"];

/// The same in its `smaps_rollup`, where each page counts for the part that is this process's: what
/// processes share since a `fork` counts once. Page tables are not in there.
const PROPORTIONAL: [&str; 3] = ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"];

/// Whether this kernel tells what [`of_process`] needs: since Linux 4.5.
pub(crate) fn is_told() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    OWN.iter().all(|name| kibibytes(&status, name).is_some())
}

/// What a process has, page tables included.
pub(crate) fn of_process(pid: Pid) -> u64 {
    status(CWD, &format!("/proc/{}", pid.as_raw_pid())).map_or(0, |(status, _)| sum(&status, &OWN))
}

/// What all processes of these namespaces have, without the first one, which is none of the
/// program's. What several of them share is counted once where the sum is more than `allowed`; less
/// than that is not looked at so closely.
pub(crate) fn of_tree(processes: &OwnedFd, allowed: u64) -> u64 {
    let statuses: Vec<(String, String)> = numbered(processes)
        .into_iter()
        .filter(|name| name != "1")
        .filter_map(|name| status(processes.as_fd(), &name))
        .collect();
    let total = statuses.iter().map(|(status, _)| sum(status, &OWN)).sum();
    if total <= allowed || statuses.len() < 2 {
        return total;
    }
    let own_part = |(status, place): &(String, String)| {
        let shared = read(processes, &format!("{place}/smaps_rollup"));
        // A program can close this file to others; then all that it has is its own.
        match shared.filter(|text| kibibytes(text, PROPORTIONAL[0]).is_some()) {
            Some(text) => sum(&text, &PROPORTIONAL) + sum(status, &["VmPTE:"]),
            None => sum(status, &OWN),
        }
    };
    statuses.iter().map(own_part).sum()
}

/// The `status` of a process that says what it has, and the directory in which it was found. The
/// first thread of a process can end before the others; then only theirs say it. None if the whole
/// process has ended.
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

fn read(directory: impl AsFd, path: &str) -> Option<String> {
    let file = openat(directory, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    std::io::read_to_string(std::fs::File::from(file)).ok()
}

/// The sum of these lines, in bytes.
fn sum(text: &str, names: &[&str]) -> u64 {
    names.iter().filter_map(|name| kibibytes(text, name)).sum::<u64>() * 1024
}

fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The most that a process had which has ended and is not waited for yet. A process begins with the
/// peak of the one that started it, by `vfork` as the standard library does, and keeps that through
/// every `exec`.
#[allow(unsafe_code)]
pub(crate) fn peak_of_ended(pid: Pid) -> Option<u64> {
    let id = pid.as_raw_pid().unsigned_abs();
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: structures of plain numbers, for which zero is a value; the call, which the C library
    // only has without the second one, fills them.
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

/// The most that this process has had since its program began, which is what a process that it
/// starts begins with.
pub(crate) fn own_peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    sum(&status, &["VmHWM:"])
}

/// The most that any of this process's children had which were waited for.
#[allow(unsafe_code)]
pub(crate) fn peak_of_children() -> u64 {
    // SAFETY: the structure is plain numbers, for which zero is a value, and the call fills it.
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
    fn what_is_a_processs_own_is_added_up() {
        let status = "Name:\tbot\nVmPTE:\t      52 kB\nVmSwap:\t       1 kB\n\
                      VmRSS:\t    9000 kB\nRssAnon:\t     500 kB\nRssFile:\t    8000 kB\n\
                      RssShmem:\t       4 kB\nThreads:\t1\n";
        assert_eq!(sum(status, &OWN), 557 * 1024);
        assert_eq!(kibibytes(status, "Threads:"), None);
        assert_eq!(kibibytes("", "RssAnon:"), None);
        assert!(is_told(), "any kernel on which this is tested");
    }
}
