//! The processes of a running bot, contained or not, as the rest of the referee sees them.

use crate::failure::Survivors;
use crate::program::out_of_memory::MemoryUse;
use crate::program::process_group::{Ending, Pipes, ProcessGroup};
use botyard_sandbox::{Contained, Exit, Tier};
use std::fs;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::{Duration, Instant};

/// The processes of a running bot. Dropping them ends them all.
#[derive(Debug)]
pub(crate) enum Processes {
    /// A process group like any other.
    Group(ProcessGroup),
    /// Contained by the sandbox.
    Contained(Contained),
}

impl Processes {
    /// The number of the program's own process.
    pub fn id(&self) -> i32 {
        match self {
            Processes::Group(group) => group.id(),
            Processes::Contained(contained) => contained.id(),
        }
    }

    /// Readable as soon as the program has ended.
    pub fn pidfd(&self) -> BorrowedFd<'_> {
        match self {
            Processes::Group(group) => group.pidfd(),
            Processes::Contained(contained) => contained.pidfd(),
        }
    }

    /// How the program ended; `None` while it runs.
    pub fn ending(&self) -> Option<Ending> {
        match self {
            Processes::Group(group) => group.ending(),
            Processes::Contained(contained) => contained.exit().map(Ending::from),
        }
    }

    /// Whether the program's own process is ending, or has ended: what it was given by the system is taken
    /// away one by one, and on a busy machine that may take long.
    pub fn is_ending(&self) -> bool {
        are_ending(Path::new(&format!("/proc/{}/task", self.id())))
    }

    /// Waits for the program to end by itself, at most until `deadline`.
    pub fn wait_until(&self, deadline: Instant) -> Option<Ending> {
        match self {
            Processes::Group(group) => group.wait_until(deadline),
            Processes::Contained(contained) => contained.wait_until(deadline).map(Ending::from),
        }
    }

    /// Ends all of them, and returns when none is left.
    ///
    /// # Errors
    ///
    /// Processes that cannot be ended.
    pub fn tear_down(&mut self) -> Result<(), Survivors> {
        match self {
            Processes::Group(group) => group.tear_down(),
            Processes::Contained(contained) => {
                contained.tear_down().map_err(|survivor| Survivors { group: survivor.pid })
            }
        }
    }

    /// Processor time of all of them up to now, as far as it is counted.
    pub fn cpu_time(&self) -> Option<Duration> {
        match self {
            Processes::Group(group) => botyard_sandbox::cpu_time_of_program(group.id()),
            Processes::Contained(contained) => contained.cpu_time(),
        }
    }

    /// Processor time of the program's own process up to now, which is found out in an instant;
    /// only of a contained one.
    pub fn own_cpu_time(&self) -> Option<Duration> {
        match self {
            Processes::Group(_) => None,
            Processes::Contained(contained) => contained.own_cpu_time(),
        }
    }

    /// Tells all of them to stop, until [`Processes::go_on`].
    pub fn stop(&self) {
        match self {
            Processes::Group(group) => group.stop(),
            Processes::Contained(contained) => contained.stop(),
        }
    }

    /// Whether all of them have stopped since then, or have ended; of a program that is not contained,
    /// its own process.
    pub fn stand_still(&self) -> bool {
        match self {
            Processes::Group(group) => group.stands_still(),
            Processes::Contained(contained) => contained.stands_still(),
        }
    }

    /// Lets them go on.
    pub fn go_on(&self) {
        match self {
            Processes::Group(group) => group.go_on(),
            Processes::Contained(contained) => contained.go_on(),
        }
    }

    /// Whether it is a program that may not start others, because nothing could count what they do.
    pub fn refuses_children(&self) -> bool {
        match self {
            Processes::Group(_) => false,
            Processes::Contained(contained) => {
                contained.tier() != Tier::A && !contained.may_start_processes()
            }
        }
    }

    /// What is known of its memory: when it has ended.
    pub fn memory(&self) -> MemoryUse {
        match self {
            Processes::Group(_) => MemoryUse::default(),
            Processes::Contained(contained) => {
                MemoryUse { peak: contained.peak_memory(), ran_out: contained.ran_out_of_memory() }
            }
        }
    }
}

/// Whether all threads in a process's `/proc/PID/task` are ending. The first one may be a zombie for as
/// long as another one runs.
fn are_ending(tasks: &Path) -> bool {
    fs::read_dir(tasks).into_iter().flatten().flatten().all(|thread| {
        let read = |name: &str| fs::read_to_string(thread.path().join(name));
        read("stat").map_or(true, |stat| is_exiting(&stat))
            || read("status").map_or(true, |status| is_killed(&status))
    })
}

/// Whether a thread is on its way out, by its `stat`.
fn is_exiting(stat: &str) -> bool {
    /// `PF_EXITING` of the kernel's `sched.h`.
    const EXITING: u64 = 4;
    // Behind the name, which stands in parentheses: state, parent, group, session, terminal and its
    // group, flags.
    let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let state = fields.next();
    let flags: u64 = fields.nth(5).and_then(|flags| flags.parse().ok()).unwrap_or(0);
    matches!(state, Some("Z" | "X")) || flags & EXITING != 0
}

/// Whether a thread has been sent SIGKILL and has not acted on it yet, by its `status`: so it is with
/// all threads of a process of which one has ended it.
fn is_killed(status: &str) -> bool {
    const KILL: u64 = 1 << 8;
    let pending = status.lines().find_map(|line| line.strip_prefix("SigPnd:"));
    let pending = pending.and_then(|pending| u64::from_str_radix(pending.trim(), 16).ok());
    pending.is_some_and(|pending| pending & KILL != 0)
}

impl From<Exit> for Ending {
    fn from(exit: Exit) -> Ending {
        match exit {
            Exit::Code(code) => Ending::Exited(code),
            Exit::Signal(signal) => Ending::Killed(signal),
        }
    }
}

impl From<botyard_sandbox::Pipes> for Pipes {
    fn from(pipes: botyard_sandbox::Pipes) -> Pipes {
        Pipes { stdin: pipes.stdin, stdout: pipes.stdout, stderr: pipes.stderr }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_on_its_way_out_is_told_by_its_state_or_its_flags() {
        for (stat, expected) in [
            ("7 (a) S) S 1 7 7 0 -1 4194304 99", false),
            ("7 (a) R 1 7 7 0 -1 4194308 99", true),
            ("7 (a) Z 1 7 7 0 -1 4227084 99", true),
            ("7 (Z 4) D 1 7 7 0 -1 1077936128 99", false),
        ] {
            assert_eq!(is_exiting(stat), expected, "{stat}");
        }
        let own = fs::read_to_string("/proc/self/stat").unwrap();
        assert!(!is_exiting(&own), "{own}");
        let own = fs::read_to_string("/proc/self/status").unwrap();
        assert!(!is_killed(&own), "{own}");
        assert!(is_killed("Threads:\t2\nSigPnd:\t0000000000000100\nShdPnd:\t0000000000000000\n"));
    }

    #[test]
    fn a_process_is_ending_when_each_of_its_threads_is() {
        const RUNS: (&str, &str) = ("S 1 7 7 0 -1 4194304 99", "0000000000000000");
        const ZOMBIE: (&str, &str) = ("Z 1 7 7 0 -1 4227084 99", "0000000000000000");
        const KILLED: (&str, &str) = ("D 1 7 7 0 -1 4194304 99", "0000000000000100");
        for (what, threads, expected) in [
            ("it runs", &[RUNS][..], false),
            ("only its first thread has ended", &[ZOMBIE, RUNS], false),
            ("only a later thread has ended", &[RUNS, ZOMBIE], false),
            ("a thread has yet to act on the SIGKILL of all", &[ZOMBIE, KILLED], true),
            ("its first thread has yet to act on it", &[KILLED], true),
            ("all threads have ended", &[ZOMBIE, ZOMBIE], true),
        ] {
            let tasks = tempfile::tempdir().unwrap();
            for (number, (stat, pending)) in threads.iter().enumerate() {
                let thread = tasks.path().join((700 + number).to_string());
                fs::create_dir(&thread).unwrap();
                fs::write(thread.join("stat"), format!("{number} (a b) {stat}\n")).unwrap();
                fs::write(thread.join("status"), format!("Name:\ta\nSigPnd:\t{pending}\n"))
                    .unwrap();
            }
            assert_eq!(are_ending(tasks.path()), expected, "{what}");
        }
    }
}
