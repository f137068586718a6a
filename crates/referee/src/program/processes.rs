//! The processes of a running bot, contained or not, behind one interface.

use crate::failure::Survivors;
use crate::program::ending::Ending;
use crate::program::out_of_memory::MemoryUse;
use crate::program::portable::PortableProgram;
use std::time::{Duration, Instant};
#[cfg(target_os = "linux")]
use {
    crate::program::process_group::{Pipes, ProcessGroup},
    botyard_sandbox::{Contained, Exit, Tier},
    std::fs,
    std::os::fd::BorrowedFd,
    std::path::Path,
};

/// The processes of a running bot. Dropping them kills them all.
#[derive(Debug)]
pub(crate) enum Processes {
    /// A plain process group.
    #[cfg(target_os = "linux")]
    Group(ProcessGroup),
    /// Processes contained by the sandbox.
    #[cfg(target_os = "linux")]
    Contained(Contained),
    /// A program that is run by the means of the standard library.
    Portable(PortableProgram),
}

impl Processes {
    /// Returns the PID of the program.
    pub(crate) fn id(&self) -> i32 {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => group.id(),
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.id(),
            Processes::Portable(program) => program.id(),
        }
    }

    /// Returns a descriptor that is readable once the program has ended; `None` for the portable
    /// back end.
    #[cfg(target_os = "linux")]
    pub(crate) fn pidfd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Processes::Group(group) => Some(group.pidfd()),
            Processes::Contained(contained) => Some(contained.pidfd()),
            Processes::Portable(_) => None,
        }
    }

    /// Returns the program, if it is run by the portable back end.
    pub(crate) fn portable(&self) -> Option<&PortableProgram> {
        match self {
            Processes::Portable(program) => Some(program),
            #[cfg(target_os = "linux")]
            Processes::Group(_) | Processes::Contained(_) => None,
        }
    }

    /// Returns how the program ended; `None` while it runs.
    pub(crate) fn ending(&self) -> Option<Ending> {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => group.ending(),
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.exit().map(Ending::from),
            Processes::Portable(program) => program.ending(),
        }
    }

    /// Returns whether the program's own process is exiting or has ended. The kernel releases the
    /// resources of an exiting process one by one, which may take long on a busy host. For the
    /// portable back end, a process that has begun to exit looks like one that runs.
    pub(crate) fn is_ending(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(_) | Processes::Contained(_) => {
                are_ending(Path::new(&format!("/proc/{}/task", self.id())))
            }
            Processes::Portable(program) => program.ending().is_some(),
        }
    }

    /// Waits for the program to exit, at most until `deadline`.
    pub(crate) fn wait_until(&self, deadline: Instant) -> Option<Ending> {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => group.wait_until(deadline),
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.wait_until(deadline).map(Ending::from),
            Processes::Portable(program) => program.wait_until(deadline),
        }
    }

    /// Kills all of the processes. Returns once none is left.
    ///
    /// # Errors
    ///
    /// Some processes are still alive after they were killed.
    pub(crate) fn tear_down(&mut self) -> Result<(), Survivors> {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => group.tear_down(),
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => {
                contained.tear_down().map_err(|survivor| Survivors { group: survivor.pid })
            }
            Processes::Portable(program) => program.tear_down(),
        }
    }

    /// Returns the CPU time of all processes up to now, as far as it is counted.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => botyard_sandbox::cpu_time_of_program(group.id()),
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.cpu_time(),
            Processes::Portable(_) => None,
        }
    }

    /// Returns the CPU time of all processes up to now, including those of a program that is not
    /// contained: this takes longer than [`Processes::cpu_time`].
    pub(crate) fn cpu_time_of_all(&self) -> Option<Duration> {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => botyard_sandbox::cpu_time_of_program_tree(group.id()),
            _ => self.cpu_time(),
        }
    }

    /// Returns whether [`Processes::cpu_time_of_all`] counts all processes. It takes as long as
    /// listing the processes of the host, for a program that is not contained.
    pub(crate) fn is_counted_whole(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => group.is_one_tree(),
            #[cfg(target_os = "linux")]
            Processes::Contained(_) => true,
            Processes::Portable(_) => false,
        }
    }

    /// Returns the CPU time of the program's own process up to now, which is fast to read; only for
    /// a contained program.
    pub(crate) fn own_cpu_time(&self) -> Option<Duration> {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(_) => None,
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.own_cpu_time(),
            Processes::Portable(_) => None,
        }
    }

    /// Returns the CPU time of processes other than the program's own, if they are counted without
    /// delay.
    pub(crate) fn cpu_time_of_children(&self) -> Option<Duration> {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.cpu_time_of_children(),
            _ => None,
        }
    }

    /// Returns whether the program is contained and consists of exactly one thread.
    pub(crate) fn are_one_thread(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.has_one_thread(),
            _ => false,
        }
    }

    /// Requests a stop of all processes, until [`Processes::resume`]. The stop is asynchronous.
    /// Returns whether the processes can be stopped.
    pub(crate) fn stop(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => group.stop(),
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.stop(),
            Processes::Portable(_) => return false,
        }
        #[cfg(target_os = "linux")]
        true
    }

    /// Returns whether all processes have stopped since the request, or have ended. For a program
    /// that is not contained, only its own process is checked.
    pub(crate) fn stand_still(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => group.is_stopped(),
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.is_stopped(),
            Processes::Portable(program) => program.ending().is_some(),
        }
    }

    /// Lets the stopped processes continue.
    pub(crate) fn resume(&self) {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Group(group) => group.resume(),
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => contained.resume(),
            Processes::Portable(_) => {}
        }
    }

    /// Returns whether the program may not start child processes, because their CPU time could not
    /// be counted.
    pub(crate) fn refuses_children(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => {
                contained.tier() != Tier::A && !contained.may_start_processes()
            }
            _ => false,
        }
    }

    /// Returns what is known of the memory use of a program that has ended.
    pub(crate) fn memory(&self) -> MemoryUse {
        match self {
            #[cfg(target_os = "linux")]
            Processes::Contained(contained) => MemoryUse {
                peak: contained.peak_memory(),
                ran_out: contained.ran_out_of_memory(),
                processes: contained.sharing_processes().unwrap_or(1),
            },
            _ => MemoryUse::default(),
        }
    }
}

/// Returns whether all threads in a process's `/proc/PID/task` are exiting. The first thread may
/// stay a zombie while another one runs.
#[cfg(target_os = "linux")]
fn are_ending(tasks: &Path) -> bool {
    fs::read_dir(tasks).into_iter().flatten().flatten().all(|thread| {
        let read = |name: &str| fs::read_to_string(thread.path().join(name));
        read("stat").map_or(true, |stat| is_exiting(&stat))
            || read("status").map_or(true, |status| is_killed(&status))
    })
}

/// Returns whether a thread is exiting, by its `stat` file.
#[cfg(target_os = "linux")]
fn is_exiting(stat: &str) -> bool {
    /// `PF_EXITING` of the kernel's `sched.h`.
    const EXITING: u64 = 4;
    // The fields after the name in parentheses: state, parent, group, session, terminal, the
    // terminal's group, flags.
    let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let state = fields.next();
    let flags: u64 = fields.nth(5).and_then(|flags| flags.parse().ok()).unwrap_or(0);
    matches!(state, Some("Z" | "X")) || flags & EXITING != 0
}

/// Returns whether SIGKILL is pending for a thread, by its `status` file. When one thread ends the
/// process, the kernel makes SIGKILL pending for all others.
#[cfg(target_os = "linux")]
fn is_killed(status: &str) -> bool {
    const KILL: u64 = 1 << 8;
    let pending = status.lines().find_map(|line| line.strip_prefix("SigPnd:"));
    let pending = pending.and_then(|pending| u64::from_str_radix(pending.trim(), 16).ok());
    pending.is_some_and(|pending| pending & KILL != 0)
}

#[cfg(target_os = "linux")]
impl From<Exit> for Ending {
    fn from(exit: Exit) -> Ending {
        match exit {
            Exit::Code(code) => Ending::Exited(code),
            Exit::Signal(signal) => Ending::Killed(signal),
        }
    }
}

#[cfg(target_os = "linux")]
impl From<botyard_sandbox::Pipes> for Pipes {
    fn from(pipes: botyard_sandbox::Pipes) -> Pipes {
        Pipes { stdin: pipes.stdin, stdout: pipes.stdout, stderr: pipes.stderr }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
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
