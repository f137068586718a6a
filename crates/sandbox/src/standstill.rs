//! Checks whether all threads of a program have stopped after SIGSTOP. A thread stops when it
//! leaves the kernel, so one inside a long system call keeps running until the call returns.

use crate::cpu_time::numbered;
use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{WaitId, WaitIdOptions, waitid};
use std::os::fd::{BorrowedFd, OwnedFd};

/// Returns whether a child of this process has stopped with all its threads, or has ended. Does not
/// check the child's own children.
pub fn of_child(pidfd: BorrowedFd<'_>) -> bool {
    // The kernel reports a stop when the last thread has stopped. NOWAIT keeps the report available
    // for the next check, until the child gets SIGCONT.
    let options = WaitIdOptions::STOPPED
        | WaitIdOptions::EXITED
        | WaitIdOptions::NOHANG
        | WaitIdOptions::NOWAIT;
    waitid(WaitId::PidFd(pidfd), options).is_ok_and(|status| status.is_some())
}

/// Returns whether every thread in the `/proc` of a PID namespace has stopped or has ended. Ignores
/// the init process, which is not part of the program.
///
/// A thread that has called `vfork` waits, uninterruptibly, until its child executes a program. If
/// the child was stopped before that, both count as stopped.
pub(crate) fn of_tree(processes: &OwnedFd) -> bool {
    let mut stopped_children_of = Vec::new();
    let mut waiting = Vec::new();
    for process in numbered(processes).into_iter().filter(|process| process != "1") {
        // It may have ended since.
        let Some(stat) = stat_of(processes, &process) else { continue };
        let standing = match threads(&stat) {
            Some(1) => standing(&stat),
            _ => of_threads(processes, &process),
        };
        match standing {
            Standing::Runs => return false,
            Standing::Stopped => stopped_children_of.extend(parent(&stat)),
            Standing::Waits => waiting.push(process),
        }
    }
    waiting.iter().all(|process| stopped_children_of.contains(process))
}

/// Returns the state of the threads of one process: that of the most active thread.
fn of_threads(processes: &OwnedFd, process: &str) -> Standing {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    let path = format!("{process}/task");
    let Ok(tasks) = openat(processes, path.as_str(), flags, Mode::empty()) else {
        return Standing::Stopped;
    };
    let stats = numbered(&tasks).into_iter().filter_map(|thread| stat_of(&tasks, &thread));
    stats.map(|stat| standing(&stat)).max().unwrap_or(Standing::Stopped)
}

/// The state of a thread after its stop signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// Stopped, a zombie, or dead.
    Stopped,
    /// In an uninterruptible wait.
    Waits,
    /// Running, or in an interruptible wait.
    Runs,
}

fn stat_of(directory: &OwnedFd, name: &str) -> Option<String> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let path = format!("{name}/stat");
    let file = openat(directory, path.as_str(), flags, Mode::empty()).ok()?;
    let mut text = [0; 1024];
    let length = rustix::io::read(&file, &mut text).ok()?;
    Some(String::from_utf8_lossy(&text[..length]).into_owned())
}

/// Returns the fields of a `stat` file after the name, which is in parentheses and may contain any
/// character.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace()
}

fn standing(stat: &str) -> Standing {
    match fields(stat).next() {
        Some("T" | "t" | "Z" | "X") => Standing::Stopped,
        Some("D") => Standing::Waits,
        _ => Standing::Runs,
    }
}

/// Returns the PID of the parent process.
fn parent(stat: &str) -> Option<String> {
    fields(stat).nth(1).map(str::to_string)
}

/// Returns the number of threads of a process: field 20 of `stat`, the 18th after the name.
fn threads(stat: &str) -> Option<u32> {
    fields(stat).nth(17)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::CWD;

    #[test]
    fn the_state_and_the_thread_count_are_parsed_for_any_process_name() {
        let stat = |state: &str| {
            format!("7 (a) T (b)) {state} 1 7 7 0 -1 4194304 90 0 0 0 12 3 40 5 20 0 4 0 100 0 0")
        };
        for (state, expected) in [
            ("T", Standing::Stopped),
            ("t", Standing::Stopped),
            ("Z", Standing::Stopped),
            ("D", Standing::Waits),
            ("R", Standing::Runs),
            ("S", Standing::Runs),
        ] {
            assert_eq!(standing(&stat(state)), expected, "{state}");
        }
        assert_eq!(parent(&stat("D")), Some("1".to_string()));
        assert_eq!(threads(&stat("R")), Some(4));
    }

    /// The calling thread is running, whatever the other threads do.
    #[test]
    fn a_tree_with_a_running_thread_is_not_stopped() {
        let proc =
            openat(CWD, "/proc", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        assert_eq!(of_threads(&proc, "self"), Standing::Runs);
        assert!(!of_tree(&proc));
    }
}
