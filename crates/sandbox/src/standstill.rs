//! Whether a program that was sent SIGSTOP stands still, all its threads. Each thread stops when it
//! leaves the kernel, so one inside a long system call goes on until that returns.

use crate::cpu_time::numbered;
use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{WaitId, WaitIdOptions, waitid};
use std::os::fd::{BorrowedFd, OwnedFd};

/// Returns whether a child of this process has stopped with all its threads, or has ended. Its own
/// children are not looked at.
pub fn of_child(pidfd: BorrowedFd<'_>) -> bool {
    // The kernel reports a stop when the last thread takes part in it. NOWAIT keeps the report for
    // the next look, until the child is sent SIGCONT.
    let options = WaitIdOptions::STOPPED
        | WaitIdOptions::EXITED
        | WaitIdOptions::NOHANG
        | WaitIdOptions::NOWAIT;
    waitid(WaitId::PidFd(pidfd), options).is_ok_and(|status| status.is_some())
}

/// Returns whether every thread in the `/proc` of a pid namespace has stopped or has ended, except
/// for the first process, which is none of the program's.
///
/// A thread that has called `vfork` waits, and cannot be interrupted, until its child executes a program: where
/// the child was stopped before that, both stand still.
pub(crate) fn of_tree(processes: &OwnedFd) -> bool {
    let mut stopped_children_of = Vec::new();
    let mut waiting = Vec::new();
    for process in numbered(processes).into_iter().filter(|process| process != "1") {
        // It may have ended meanwhile.
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

/// What the threads of one process do: the least still of them.
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
    /// It is stopped, a zombie or dead.
    Stopped,
    /// It waits for something and cannot be interrupted.
    Waits,
    /// It goes on.
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

/// The fields of a `stat` behind the name, which stands in parentheses and may hold anything.
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

/// The PID of the parent process.
fn parent(stat: &str) -> Option<String> {
    fields(stat).nth(1).map(str::to_string)
}

/// How many threads a process has: the 20th field of all, the 18th behind the name.
fn threads(stat: &str) -> Option<u32> {
    fields(stat).nth(17)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::CWD;

    #[test]
    fn the_state_and_the_number_of_threads_are_read_whatever_the_name() {
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

    /// This process has a running thread, whatever the others do.
    #[test]
    fn a_tree_with_a_running_thread_does_not_stand_still() {
        let proc =
            openat(CWD, "/proc", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        assert_eq!(of_threads(&proc, "self"), Standing::Runs);
        assert!(!of_tree(&proc));
    }
}
