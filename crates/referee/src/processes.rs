//! The processes of a running bot, contained or not, as the rest of the referee sees them.

use crate::out_of_memory::MemoryUse;
use crate::process_group::{Ending, Pipes, ProcessGroup, Survivors};
use botyard_sandbox::{Contained, Exit};
use std::os::fd::BorrowedFd;
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

    /// Stops all of them, until [`Processes::go_on`].
    pub fn stop(&self) {
        match self {
            Processes::Group(group) => group.stop(),
            Processes::Contained(contained) => contained.stop(),
        }
    }

    /// Lets them go on.
    pub fn go_on(&self) {
        match self {
            Processes::Group(group) => group.go_on(),
            Processes::Contained(contained) => contained.go_on(),
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
