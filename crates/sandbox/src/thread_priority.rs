//! The priority of a thread that must not wait for what it watches.

use std::cell::Cell;

/// The shortest time slice that the kernel gives, in nanoseconds. A thread with a short slice runs soon
/// after it wakes up (since Linux 6.12), and gets as much of a core as before.
const SLICE: u64 = 100_000;

/// Gives the calling thread the highest priority among ordinary threads if this process may (root,
/// or `RLIMIT_NICE`), and in any case the shortest time slice.
pub(crate) fn raise() {
    let usual = rustix::process::getpriority_process(None).unwrap_or(0);
    let _ = [-20, usual].into_iter().any(|nice| is_set(nice, 0));
}

/// Gives the calling thread the shortest time slice, so that it does not wait for the programs that it
/// judges. Programs and threads that it starts have the usual one.
pub fn run_soon() {
    thread_local! {
        static WAS_TRIED: Cell<bool> = const { Cell::new(false) };
    }
    /// Children get the usual scheduling, which is not a priority above the usual.
    const RESET_ON_FORK: u64 = 1;
    if !WAS_TRIED.replace(true) && has_usual_policy() {
        let nice = rustix::process::getpriority_process(None).unwrap_or(0);
        let _ = nice >= 0 && is_set(nice, RESET_ON_FORK);
    }
}

#[allow(unsafe_code)]
fn has_usual_policy() -> bool {
    // SAFETY: the call only returns a number, for this thread (0).
    unsafe { libc::sched_getscheduler(0) == libc::SCHED_OTHER }
}

/// Returns whether the calling thread has got this scheduling.
#[allow(unsafe_code)]
fn is_set(nice: i32, flags: u64) -> bool {
    /// The kernel's structure, as of Linux 3.14.
    #[repr(C)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        /// The time slice, in nanoseconds.
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    let attributes = Attributes {
        size: size_of::<Attributes>() as u32,
        policy: libc::SCHED_OTHER.cast_unsigned(),
        flags,
        nice,
        priority: 0,
        runtime: SLICE,
        deadline: 0,
        period: 0,
    };
    // SAFETY: the call reads a structure of the size that it begins with, of this thread (0).
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scheduling;

    /// The waits of a program with another priority than it was started with would not count.
    #[test]
    fn programs_of_a_thread_that_runs_soon_have_the_usual_scheduling() {
        let before = Scheduling::of_this_thread();
        run_soon();
        assert_eq!(Scheduling::of_this_thread(), before);
        let child = std::process::Command::new("cat").arg("/proc/self/stat").output().unwrap();
        let id = rustix::thread::gettid().as_raw_pid();
        assert_eq!(Scheduling::of(id, &child.stdout), Some(before));
    }
}
