//! How much memory processes had resident at most, in bytes, as the system keeps it.

use rustix::process::Pid;

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
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
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
