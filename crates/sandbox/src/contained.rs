//! A running contained program, as the referee sees it, from its start until its last process has
//! ended.

mod launcher_process;
mod prepared;

pub use launcher_process::end_launcher_of_this_thread;
pub use prepared::Prepared;

use crate::brake::{Brake, By};
use crate::channel::{Channel, Received, Report};
use crate::control_group::{self, ControlGroup, Denied};
use crate::cpu_time;
use crate::launch::Launch;
use crate::launcher_program::Launcher;
use crate::limits::{MIB, ResourceLimits};
use crate::memory_watch::{Subject, Watched};
use crate::resident_memory;
use crate::shortage::Shortage;
use crate::standstill;
use crate::tier::Tier;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, pidfd_send_signal, waitid};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Time limit for a killed process to end. Only a process blocked in the kernel takes longer than a
/// few milliseconds: one that waits for a busy disk may take seconds.
const TEARDOWN_LIMIT: Duration = Duration::from_secs(60);

/// Time limit for containing a program, from the moment when it may run; it takes a few
/// milliseconds.
const SETUP_LIMIT: Duration = Duration::from_secs(10);

/// Why a launch that does not fit in a message is refused.
const TOO_LONG: &str = "its command line and its paths are too long";

/// The error of a peak resident set size, in bytes: each core batches its own counts.
const UNCERTAIN: u64 = MIB;

/// Why a program was not started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The program was contained but could not be executed.
    #[error("the program cannot be run: {0}")]
    Program(#[source] io::Error),
    /// The files or the command line of the launch could not be provided, and the program was not
    /// started. No other program is affected.
    #[error("{0}")]
    Files(String),
    /// The caller has cancelled the start.
    #[error("interrupted")]
    Cancelled,
    /// The program could not be contained and was not started. The host is to blame.
    #[error("the sandbox cannot be set up: {step}: {error}")]
    Setup {
        /// The step that failed.
        step: String,
        /// The system's error.
        #[source]
        error: io::Error,
    },
}

impl SpawnError {
    fn setup(step: &str, error: impl Into<io::Error>) -> SpawnError {
        SpawnError::Setup { step: step.to_string(), error: error.into() }
    }
}

impl SpawnError {
    /// Returns what the host is short of, if that is why the program does not run; a retry may work
    /// a moment later. Returns `None` if the host lacks a feature or the program is at fault.
    pub fn shortage(&self) -> Option<Shortage> {
        match self {
            SpawnError::Program(error) => {
                // The kernel also reports these when it lacks memory for the program's new image.
                let is_shortage = matches!(
                    Errno::from_io_error(error),
                    Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE)
                );
                is_shortage.then(|| Shortage::in_error("running the program", error))?
            }
            SpawnError::Files(_) | SpawnError::Cancelled => None,
            SpawnError::Setup { step, error } => Shortage::in_error(step, error),
        }
    }
}

impl From<Denied> for SpawnError {
    fn from(denied: Denied) -> SpawnError {
        SpawnError::setup(&denied.step, denied.error())
    }
}

/// The end of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// It was killed by this signal.
    Signal(i32),
}

/// The referee's ends of a program's three pipes, in non-blocking mode.
#[derive(Debug)]
pub struct Pipes {
    /// Writes to its standard input.
    pub stdin: OwnedFd,
    /// Reads its standard output.
    pub stdout: OwnedFd,
    /// Reads its standard error.
    pub stderr: OwnedFd,
}

/// A process that is still alive after everything was done to kill it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the process {pid} is still alive {} s after it was killed", TEARDOWN_LIMIT.as_secs())]
pub struct Survivor {
    /// Its PID.
    pub pid: i32,
}

/// A running contained program with all its processes. Dropping it kills them all. They are also
/// killed when the thread that started the program ends, or the whole referee, even by SIGKILL.
#[derive(Debug)]
pub struct Contained {
    tier: Tier,
    /// The process to kill, because all others end with it: the program in tier A, the init process
    /// of its namespaces in tiers B and C.
    last: Pid,
    pidfd: Arc<OwnedFd>,
    /// The program's main process.
    program: Pid,
    /// The channel to the init process.
    channel: Option<Channel>,
    /// The `/proc` of its namespaces.
    processes: Option<Arc<OwnedFd>>,
    /// Its control group, in tier C, and in tier B wherever groups can be created.
    group: Option<Arc<ControlGroup>>,
    /// The threads of its main process.
    tasks: Option<OwnedFd>,
    brake: Arc<Brake>,
    /// The memory watch, if no control group limits its memory.
    watched: Option<Watched>,
    /// Whether it may start processes.
    children: bool,
    /// The peak resident set size of this process when it started the program, in bytes.
    inherited_peak: u64,
    ended: OnceLock<Ended>,
    torn_down: bool,
}

#[derive(Clone, Copy, Debug)]
struct Ended {
    exit: Exit,
    /// In bytes.
    peak_memory: Option<u64>,
    ran_out_of_memory: bool,
    processes: u32,
}

impl Contained {
    /// Starts the program, contained, in exactly this environment. Returns when it runs or cannot.
    ///
    /// The calling thread must live as long as the program is to run.
    ///
    /// # Errors
    ///
    /// Returns why the program does not run; no process is left then.
    pub fn spawn(
        launcher: &Launcher,
        launch: &Launch,
        environment: &[(OsString, OsString)],
    ) -> Result<(Contained, Pipes), SpawnError> {
        Contained::prepare(launcher, launch, environment)?.run()
    }

    /// Does the same, but stops when `cancel` becomes readable.
    ///
    /// # Errors
    ///
    /// Returns why the program does not run; no process is left then.
    pub fn spawn_unless(
        launcher: &Launcher,
        launch: &Launch,
        environment: &[(OsString, OsString)],
        cancel: BorrowedFd<'_>,
    ) -> Result<(Contained, Pipes), SpawnError> {
        Contained::prepare(launcher, launch, environment)?.run_unless(cancel)
    }

    /// Starts a process that contains itself and then waits until the program may run. Does not wait
    /// for it: a program can be contained while another one starts. A thread's first call starts its
    /// launcher, which ends with the thread.
    ///
    /// The calling thread must live as long as the program is to run.
    ///
    /// # Errors
    ///
    /// Returns why the launcher does not run; no process is left then.
    /// [`Prepared::run`] returns why the program could not be contained.
    pub fn prepare(
        launcher: &Launcher,
        launch: &Launch,
        environment: &[(OsString, OsString)],
    ) -> Result<Prepared, SpawnError> {
        Prepared::new(launcher, launch, environment)
    }

    fn subject(&self, limits: &ResourceLimits) -> Subject {
        Subject {
            last: Arc::clone(&self.pidfd),
            program: self.program,
            processes: self.processes.clone(),
            group: self.group.clone(),
            brake: Arc::clone(&self.brake),
            limit: limits.memory,
        }
    }

    /// Returns whether the CPU time of a program in this tier is counted completely, including
    /// processes that no parent reaps. If it is not, a game with a CPU time clock must not let
    /// programs start processes.
    pub fn counts_children(tier: Tier) -> bool {
        match tier {
            Tier::C => true,
            Tier::B => control_group::obstacle_without_controllers().is_none(),
            Tier::None | Tier::A | Tier::D => false,
        }
    }

    /// Returns how many descriptors this process holds for a running program in a tier: three pipes
    /// and a pidfd; in tiers A to C also the directory of its threads; in tiers B and C also the channel
    /// to its init process, its `/proc`, and the directory and files of its control group.
    pub fn descriptors(tier: Tier) -> u64 {
        const ALONE: u64 = 4;
        match tier {
            Tier::B | Tier::C => ALONE + 8,
            Tier::A => ALONE + 1,
            Tier::None | Tier::D => ALONE,
        }
    }

    /// The most additional descriptors that this process holds while it starts a program, with those
    /// of the thread's launcher.
    pub const DESCRIPTORS_TO_START: u64 = 10;

    /// Returns the tier in which it is contained.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Returns the PID of the program's main process.
    pub fn id(&self) -> i32 {
        self.program.as_raw_pid()
    }

    /// Returns whether it may start processes.
    pub fn may_start_processes(&self) -> bool {
        self.children
    }

    /// Returns a descriptor that becomes readable when the program has ended; in tiers B and C,
    /// when all its processes have ended.
    pub fn pidfd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    /// Returns how the program ended; `None` while it runs.
    pub fn exit(&self) -> Option<Exit> {
        self.ended().map(|ended| ended.exit)
    }

    fn ended(&self) -> Option<Ended> {
        if let Some(ended) = self.ended.get() {
            return Some(*ended);
        }
        // NOWAIT leaves a zombie, so the PID cannot be reused.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::PidFd(self.pidfd.as_fd()), options).ok()??;
        let reported = self.channel.as_ref().and_then(reported_end);
        let (exit, resident, processes) = reported.or_else(|| {
            // In tier A this is the program. In tiers B and C the init process was killed, for
            // example by the memory watch.
            let exit = exit_of(status.exit_status(), status.terminating_signal())?;
            // A peak no greater than the inherited one says nothing about the program.
            let peak = resident_memory::peak_of_ended(self.last);
            Some((exit, peak.filter(|&peak| peak > self.inherited_peak + UNCERTAIN), 1))
        })?;
        let group = self.group.as_ref().filter(|group| group.ran_out_of_memory());
        let overrun = self.watched.as_ref().and_then(Watched::overrun);
        Some(*self.ended.get_or_init(|| Ended {
            exit,
            peak_memory: overrun.or_else(|| group?.peak_memory()).or(resident),
            ran_out_of_memory: overrun.is_some() || group.is_some(),
            processes,
        }))
    }

    /// Waits for the program to end, at most until `deadline`.
    pub fn wait_until(&self, deadline: Instant) -> Option<Exit> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut fds = [PollFd::new(&self.pidfd, PollFlags::IN)];
            match poll(&mut fds, Some(&timespec(left))) {
                Err(Errno::INTR) => {}
                Ok(0) | Err(_) => return None,
                Ok(_) => return self.exit(),
            }
        }
    }

    /// Returns the peak resident set size of the program or of a child that was reaped, in bytes.
    /// If the program exceeded its memory limit, returns the memory of all its processes together.
    /// Known once the program has ended; in tier A only if it is greater than the peak of this
    /// process.
    pub fn peak_memory(&self) -> Option<u64> {
        self.ended()?.peak_memory
    }

    /// Returns whether the program was killed because all its processes together exceeded the
    /// memory limit. Known once it has ended. A single process that allocates too much gets an
    /// error from the allocation, in every tier, and decides itself what to do.
    pub fn ran_out_of_memory(&self) -> bool {
        self.ended().is_some_and(|ended| ended.ran_out_of_memory)
    }

    /// Returns among how many processes its memory limit was divided, when one was last refused or at
    /// most: 1 where it has one process, or where they have no shares. Known once it has ended.
    pub fn sharing_processes(&self) -> Option<u32> {
        Some(self.ended()?.processes)
    }

    /// Returns the CPU time of the program's main process so far, with all its threads.
    pub fn own_cpu_time(&self) -> Option<Duration> {
        cpu_time::of_process(self.program)
    }

    /// Returns the CPU time of all its processes so far. A control group counts all of them
    /// equally. In tier B without one, processes other than the main process are counted in ticks,
    /// usually of 10 ms, and processes that have ended only once they are reaped.
    pub fn cpu_time(&self) -> Option<Duration> {
        let own = self.own_cpu_time();
        if let Some(group) = &self.group {
            // The group's counter lags behind while the program runs; the process clock does not.
            return group.cpu_time().max(own);
        }
        let others = self.processes.as_ref().map(|proc| cpu_time::of_others(proc));
        Some(own? + others.unwrap_or_default())
    }

    /// Returns the CPU time of its processes other than the main process so far; `None` if there can
    /// be none, or none that is counted.
    pub fn cpu_time_of_children(&self) -> Option<Duration> {
        let group = self.group.as_ref().filter(|_| self.children)?;
        Some(group.cpu_time()?.saturating_sub(self.own_cpu_time()?))
    }

    /// Returns whether it has exactly one process with one thread, as far as that can be read
    /// without delay.
    pub fn has_one_thread(&self) -> bool {
        // Its init process reports before it lets the program start another process. The end of the
        // program is reported too.
        let is_one_process =
            !self.children || self.channel.as_ref().is_some_and(|init| !init.has_message());
        match (&self.group, &self.tasks) {
            (_, Some(tasks)) if is_one_process => cpu_time::has_one_thread(tasks),
            // This takes several times as long.
            (Some(group), _) => group.has_one_thread(),
            (None, _) => false,
        }
    }

    /// Stops all its processes until [`Contained::resume`]. They cannot prevent it and do not
    /// notice. A thread inside a system call stops when the call returns:
    /// [`Contained::is_stopped`] reports when the last thread has stopped.
    pub fn stop(&self) {
        self.brake.set(By::Referee, true, self.group.as_deref(), self.program);
    }

    /// Returns whether all its processes have stopped since [`Contained::stop`], or have ended.
    pub fn is_stopped(&self) -> bool {
        match (&self.group, &self.processes) {
            (Some(group), _) => group.is_frozen(),
            (None, Some(processes)) => standstill::of_tree(processes),
            (None, None) => standstill::of_child(self.pidfd.as_fd()),
        }
    }

    /// Resumes all its processes.
    pub fn resume(&self) {
        self.brake.set(By::Referee, false, self.group.as_deref(), self.program);
    }

    /// Kills the program and all its processes by SIGKILL, and returns when the last one has ended.
    /// Calling it again does nothing.
    ///
    /// # Errors
    ///
    /// Returns a process that cannot be killed.
    pub fn tear_down(&mut self) -> Result<(), Survivor> {
        if self.torn_down {
            return Ok(());
        }
        self.torn_down = true;
        let _ = self.ended();
        if let Some(watched) = &self.watched {
            watched.end();
        }
        if let Some(group) = &self.group {
            group.kill();
        }
        let _ = pidfd_send_signal(&*self.pidfd, Signal::KILL);
        if !wait_for(&self.pidfd, Instant::now() + TEARDOWN_LIMIT) {
            return Err(Survivor { pid: self.last.as_raw_pid() });
        }
        let _ = self.ended();
        let _ = waitid(WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::EXITED);
        self.group = None;
        Ok(())
    }
}

impl Drop for Contained {
    fn drop(&mut self) {
        let _ = self.tear_down();
    }
}

/// Converts an exit status.
fn exit_of(code: Option<i32>, signal: Option<i32>) -> Option<Exit> {
    code.map(Exit::Code).or(signal.map(Exit::Signal))
}

/// Receives how the program ended, its peak resident set size in bytes, and the most processes among
/// which its limit was divided, as reported by the init process.
fn reported_end(channel: &Channel) -> Option<(Exit, Option<u64>, u32)> {
    loop {
        match channel.receive() {
            Ok(Received::Report {
                report: Report::Ended { code, signal, peak_memory, processes },
                ..
            }) => {
                return Some((exit_of(code, signal)?, Some(peak_memory), processes));
            }
            Ok(Received::Report { .. }) => {}
            Ok(Received::Nothing | Received::Closed) | Err(_) => return None,
        }
    }
}

/// Waits until the process has ended. Returns false if it has not by `deadline`.
fn wait_for(pidfd: &OwnedFd, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut fds = [PollFd::new(pidfd, PollFlags::IN)];
        match poll(&mut fds, Some(&timespec(left))) {
            Err(Errno::INTR) => {}
            Ok(0) | Err(_) => return false,
            Ok(_) => return true,
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}
