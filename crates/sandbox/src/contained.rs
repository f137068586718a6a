//! A contained program as the referee has it: from its start until nothing of it is left.

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
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open,
    pidfd_send_signal, waitid,
};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long it may take to contain a program; it takes a few milliseconds.
const SETUP_LIMIT: Duration = Duration::from_secs(10);

/// How long a killed process may take to be gone. Only one that hangs in the kernel takes longer
/// than a few milliseconds: one that waits for a busy disk may do so for seconds.
const TEARDOWN_LIMIT: Duration = Duration::from_secs(60);

/// By how much a peak of resident memory may be wrong, in bytes: each core counts for itself first.
const UNCERTAIN: u64 = MIB;

/// Why a program does not run.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The program cannot be run, although everything was ready for it.
    #[error("the program cannot be run: {0}")]
    Program(#[source] io::Error),
    /// It could not be given the files or the command line that its launch names, and so was not
    /// started. No other program is affected.
    #[error("{0}")]
    Files(String),
    /// The caller has cancelled the start.
    #[error("interrupted")]
    Cancelled,
    /// It could not be contained, and so was not started. This is the host's doing.
    #[error("the sandbox cannot be set up: {step}: {error}")]
    Setup {
        /// What was being done.
        step: String,
        /// What the system said.
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
    /// What the host is short of, where that is why the program does not run: the same may work a
    /// moment later. `None` where the host lacks something for good, and where the program is at fault.
    pub fn shortage(&self) -> Option<Shortage> {
        match self {
            SpawnError::Program(error) => {
                // The kernel says this of programs as well, where it lacks memory for the new image.
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

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// Our ends of a program's three pipes; reading and writing them never waits.
#[derive(Debug)]
pub struct Pipes {
    /// To its standard input.
    pub stdin: OwnedFd,
    /// From its standard output.
    pub stdout: OwnedFd,
    /// From its standard error.
    pub stderr: OwnedFd,
}

/// Processes that are still there after everything was done to end them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the process {pid} is still alive {} s after it was killed", TEARDOWN_LIMIT.as_secs())]
pub struct Survivor {
    /// Its number.
    pub pid: i32,
}

/// A running contained program and whatever it started. Dropping it ends them all. So does the
/// end of the thread that started it, and that of the whole referee, also by SIGKILL.
#[derive(Debug)]
pub struct Contained {
    tier: Tier,
    /// The process whose end is the end of all: the program in tier A, the first of its namespaces
    /// in tiers B and C.
    last: Pid,
    pidfd: Arc<OwnedFd>,
    /// The program's own process.
    program: Pid,
    /// To the first process of the namespaces.
    channel: Option<Channel>,
    /// The `/proc` of its namespaces.
    processes: Option<Arc<OwnedFd>>,
    /// In tier C, and in tier B wherever groups can be made.
    group: Option<Arc<ControlGroup>>,
    /// Where no control group counts its memory.
    watched: Option<Watched>,
    /// Whether it may start processes.
    children: bool,
    /// The most memory that this process had resident when it started the program, in bytes.
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
}

impl Contained {
    /// Starts the program, contained, in this environment and no other. Returns when it runs or
    /// cannot.
    ///
    /// The thread that calls this must live at least as long as the program is to.
    ///
    /// # Errors
    ///
    /// Why it does not run; nothing of it is left then.
    pub fn spawn(
        launcher: &Launcher,
        launch: &Launch,
        environment: &[(OsString, OsString)],
    ) -> Result<(Contained, Pipes), SpawnError> {
        Contained::start(launcher, launch, environment, None)
    }

    /// The same, but not once `cancel` is readable.
    ///
    /// # Errors
    ///
    /// Why it does not run; nothing of it is left then.
    pub fn spawn_unless(
        launcher: &Launcher,
        launch: &Launch,
        environment: &[(OsString, OsString)],
        cancel: BorrowedFd<'_>,
    ) -> Result<(Contained, Pipes), SpawnError> {
        Contained::start(launcher, launch, environment, Some(cancel))
    }

    fn start(
        launcher: &Launcher,
        launch: &Launch,
        environment: &[(OsString, OsString)],
        cancel: Option<BorrowedFd<'_>>,
    ) -> Result<(Contained, Pipes), SpawnError> {
        const STEP: &str = "starting the launcher";
        let failed = |error: io::Error| SpawnError::setup(STEP, error);
        let (channel, theirs) = Channel::pair().map_err(failed)?;
        let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(|errno| failed(errno.into()));
        let (its_stdin, stdin) = pipe()?;
        let (stdout, its_stdout) = pipe()?;
        let (stderr, its_stderr) = pipe()?;
        for end in [&stdin, &stdout, &stderr] {
            not_waiting(end).map_err(|errno| failed(errno.into()))?;
        }
        let group = match launch.tier {
            Tier::C => Some(ControlGroup::limited(&launch.limits)?),
            Tier::B => ControlGroup::counting(&launch.limits)?,
            _ => None,
        };
        let entrance = group.as_ref().map(ControlGroup::entrance).transpose().map_err(failed)?;
        // It lies ready when the launcher looks for it.
        let entrance_fd = entrance.as_ref().map(AsFd::as_fd);
        channel.send_launch(launch, its_stdin.as_fd(), entrance_fd).map_err(|error| {
            let is_too_long = error.kind() == io::ErrorKind::ArgumentListTooLong
                || Errno::from_io_error(&error) == Some(Errno::MSGSIZE);
            match is_too_long {
                true => SpawnError::Files("its command line and its paths are too long".into()),
                false => failed(error),
            }
        })?;
        drop((its_stdin, entrance));
        let child = Command::new(&launcher.program)
            .args(&launcher.args)
            .env_clear()
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::from(its_stdout))
            .stderr(Stdio::from(its_stderr))
            .spawn()
            .map_err(failed)?;
        let mut contained = Start::new(launch.tier, child, channel, group)?.finish(cancel)?;
        contained.children = launch.children && launch.tier != Tier::A;
        if launch.tier != Tier::C {
            let watched = Watched::new(contained.subject(&launch.limits));
            let failed = |error| SpawnError::setup("watching its memory", error);
            contained.watched = Some(watched.map_err(failed)?);
        }
        Ok((contained, Pipes { stdin, stdout, stderr }))
    }

    fn subject(&self, limits: &ResourceLimits) -> Subject {
        Subject {
            last: Arc::clone(&self.pidfd),
            program: self.program,
            processes: self.processes.clone(),
            group: self.group.clone(),
            limit: limits.memory,
        }
    }

    /// Whether a program in this tier is counted whole, processes included that nobody waits for. A
    /// game against a clock of processor time must not let one start processes where it is not.
    pub fn counts_children(tier: Tier) -> bool {
        match tier {
            Tier::C => true,
            Tier::B => control_group::obstacle_without_controllers().is_none(),
            Tier::None | Tier::A | Tier::D => false,
        }
    }

    /// How many descriptors this process holds for a running program in a tier: three pipes and its
    /// process; in tiers B and C the channel to its first process, its `/proc`, and the directory and
    /// files of its control group.
    pub fn descriptors(tier: Tier) -> u64 {
        const ALONE: u64 = 4;
        match tier {
            Tier::B | Tier::C => ALONE + 6,
            Tier::None | Tier::A | Tier::D => ALONE,
        }
    }

    /// How many more it holds at most while it starts one.
    pub const DESCRIPTORS_TO_START: u64 = 10;

    /// How it is contained.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The number of the program's own process.
    pub fn id(&self) -> i32 {
        self.program.as_raw_pid()
    }

    /// Whether it may start processes.
    pub fn may_start_processes(&self) -> bool {
        self.children
    }

    /// Readable as soon as the program has ended, and in tiers B and C all that it started.
    pub fn pidfd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    /// How the program ended; `None` while it runs.
    pub fn exit(&self) -> Option<Exit> {
        self.ended().map(|ended| ended.exit)
    }

    fn ended(&self) -> Option<Ended> {
        if let Some(ended) = self.ended.get() {
            return Some(*ended);
        }
        // NOWAIT leaves it a zombie, which keeps its number from being given to another process.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::PidFd(self.pidfd.as_fd()), options).ok()??;
        let reported = self.channel.as_ref().and_then(reported_end);
        let (exit, resident) = reported.or_else(|| {
            // In tier A this is the program. In the others its first process was killed, by
            // somebody who is neither the program nor the referee: by the system, for example,
            // when a group had used up its memory.
            let exit = exit_of(status.exit_status(), status.terminating_signal())?;
            // What is not more than it began with says nothing about the program.
            let peak = resident_memory::peak_of_ended(self.last);
            Some((exit, peak.filter(|&peak| peak > self.inherited_peak + UNCERTAIN)))
        })?;
        let group = self.group.as_ref().filter(|group| group.ran_out_of_memory());
        let overrun = self.watched.as_ref().and_then(Watched::overrun);
        Some(*self.ended.get_or_init(|| Ended {
            exit,
            peak_memory: overrun.or_else(|| group?.peak_memory()).or(resident),
            ran_out_of_memory: overrun.is_some() || group.is_some(),
        }))
    }

    /// Waits for the program to end by itself, at most until `deadline`.
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

    /// The most memory that the program, or a child that was waited for, had resident, in bytes;
    /// what all of them had together, where that was too much. Known when it has ended; in tier A
    /// only where it is more than this process had.
    pub fn peak_memory(&self) -> Option<u64> {
        self.ended()?.peak_memory
    }

    /// Whether it was ended because all its processes together had more memory than they may: known
    /// when it has ended. One process that asks for too much is refused it in every tier, and does
    /// then what it likes.
    pub fn ran_out_of_memory(&self) -> bool {
        self.ended().is_some_and(|ended| ended.ran_out_of_memory)
    }

    /// Processor time of the program's own process up to now, all its threads together.
    pub fn own_cpu_time(&self) -> Option<Duration> {
        cpu_time::of_process(self.program)
    }

    /// Processor time of all its processes up to now. A control group counts all of them alike. In
    /// tier B without one, other processes than the program's own are counted in ticks, usually of
    /// 10 ms, and those that have ended only when somebody has waited for them.
    pub fn cpu_time(&self) -> Option<Duration> {
        let own = self.own_cpu_time();
        if let Some(group) = &self.group {
            // Its own clock is not behind while it runs.
            return group.cpu_time().max(own);
        }
        let others = self.processes.as_ref().map(|proc| cpu_time::of_others(proc));
        Some(own? + others.unwrap_or_default())
    }

    /// Tells all its processes to stop, until [`Contained::go_on`]. They cannot prevent it and do not
    /// notice. A thread inside a system call stops when that returns: [`Contained::stands_still`] says
    /// when the last one has.
    pub fn stop(&self) {
        match &self.group {
            Some(group) => group.freeze(true),
            None => drop(kill_process_group(self.program, Signal::STOP)),
        }
    }

    /// Whether all its processes have stopped since [`Contained::stop`], or have ended.
    pub fn stands_still(&self) -> bool {
        match (&self.group, &self.processes) {
            (Some(group), _) => group.is_frozen(),
            (None, Some(processes)) => standstill::of_tree(processes),
            (None, None) => standstill::of_child(self.pidfd.as_fd()),
        }
    }

    /// Lets them go on.
    pub fn go_on(&self) {
        match &self.group {
            Some(group) => group.freeze(false),
            None => drop(kill_process_group(self.program, Signal::CONT)),
        }
    }

    /// Ends the program and all that it started by SIGKILL, and returns when none of them is left.
    /// Doing it again does nothing.
    ///
    /// # Errors
    ///
    /// A process that cannot be ended.
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

/// An end, by what the system says of it.
fn exit_of(code: Option<i32>, signal: Option<i32>) -> Option<Exit> {
    code.map(Exit::Code).or(signal.map(Exit::Signal))
}

/// What the first process of the namespaces has said of the program's end, and how many bytes of
/// memory it had resident at most.
fn reported_end(channel: &Channel) -> Option<(Exit, Option<u64>)> {
    loop {
        match channel.receive() {
            Ok(Received::Report {
                report: Report::Ended { code, signal, peak_memory }, ..
            }) => {
                return Some((exit_of(code, signal)?, Some(peak_memory)));
            }
            Ok(Received::Report { .. }) => {}
            Ok(Received::Nothing | Received::Closed) | Err(_) => return None,
        }
    }
}

/// A launcher at work.
struct Start {
    tier: Tier,
    launcher: Child,
    launcher_pidfd: OwnedFd,
    channel: Channel,
    /// The first process of the namespaces, and its descriptor.
    init: Option<(Pid, OwnedFd)>,
    program: Option<Pid>,
    /// Whether the launcher has said that it is at work.
    has_begun: bool,
    group: Option<ControlGroup>,
}

impl Start {
    fn new(
        tier: Tier,
        mut launcher: Child,
        channel: Channel,
        group: Option<ControlGroup>,
    ) -> Result<Start, SpawnError> {
        match pidfd_open(Pid::from_child(&launcher), PidfdFlags::empty()) {
            Ok(launcher_pidfd) => Ok(Start {
                tier,
                launcher,
                launcher_pidfd,
                channel,
                init: None,
                program: None,
                has_begun: false,
                group,
            }),
            Err(errno) => {
                let _ = launcher.kill();
                let _ = launcher.wait();
                Err(SpawnError::setup("watching the launcher", errno))
            }
        }
    }

    /// Waits until the program runs.
    fn finish(mut self, cancel: Option<BorrowedFd<'_>>) -> Result<Contained, SpawnError> {
        match self.wait_for_program(cancel) {
            Ok(processes) => self.contained(processes),
            Err(error) => {
                self.abandon();
                Err(error)
            }
        }
    }

    /// Hears reports until the program runs; the `/proc` of its namespaces, where it has them.
    fn wait_for_program(
        &mut self,
        cancel: Option<BorrowedFd<'_>>,
    ) -> Result<Option<OwnedFd>, SpawnError> {
        const STEP: &str = "hearing from the launcher";
        let deadline = Instant::now() + SETUP_LIMIT;
        loop {
            let received =
                self.channel.receive().map_err(|error| SpawnError::setup(STEP, error))?;
            match received {
                Received::Report { report, sender, descriptor } => match report {
                    Report::Init { pid } => {
                        let pid = Pid::from_raw(pid);
                        let pid = pid.ok_or_else(|| SpawnError::setup(STEP, Errno::INVAL))?;
                        let pidfd = pidfd_open(pid, PidfdFlags::empty());
                        let pidfd = pidfd.map_err(|errno| SpawnError::setup(STEP, errno))?;
                        self.init = Some((pid, pidfd));
                    }
                    Report::Begun => self.has_begun = true,
                    Report::Here => self.program = sender.and_then(Pid::from_raw),
                    Report::Started => return Ok(descriptor),
                    Report::Setup { step, errno, message } => {
                        let error = match errno {
                            Some(errno) => io::Error::from_raw_os_error(errno),
                            None => io::Error::other(message),
                        };
                        return Err(SpawnError::Setup { step, error });
                    }
                    Report::Files { message } => return Err(SpawnError::Files(message)),
                    Report::Exec { errno } => {
                        return Err(SpawnError::Program(io::Error::from_raw_os_error(errno)));
                    }
                    Report::Ended { .. } => {}
                },
                // In tier A the program has taken over the only process that held it; or that has
                // ended, which is found out when somebody asks.
                Received::Closed if self.tier == Tier::A && self.has_begun => {
                    self.program = Some(Pid::from_child(&self.launcher));
                    return Ok(None);
                }
                Received::Closed => {
                    // Such as one that the system's loader could not even load.
                    let error = io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "it ended before it could do its work",
                    );
                    return Err(SpawnError::setup(STEP, error));
                }
                Received::Nothing => self.wait_for_report(deadline, cancel)?,
            }
        }
    }

    fn wait_for_report(
        &self,
        deadline: Instant,
        cancel: Option<BorrowedFd<'_>>,
    ) -> Result<(), SpawnError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut fds = vec![PollFd::new(&self.channel, PollFlags::IN)];
        fds.extend(cancel.map(|cancel| PollFd::from_borrowed_fd(cancel, PollFlags::IN)));
        match poll(&mut fds, Some(&timespec(left))) {
            Ok(0) => Err(SpawnError::setup("waiting for the launcher", Errno::TIMEDOUT)),
            Ok(_) if fds.get(1).is_some_and(|cancel| !cancel.revents().is_empty()) => {
                Err(SpawnError::Cancelled)
            }
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(SpawnError::setup("waiting for the launcher", errno)),
        }
    }

    fn contained(mut self, processes: Option<OwnedFd>) -> Result<Contained, SpawnError> {
        let Some(program) = self.program else {
            self.abandon();
            let error = io::Error::other("the program's process has not said that it is there");
            return Err(SpawnError::setup("hearing from the launcher", error));
        };
        let (last, pidfd, channel) = match self.init {
            Some((pid, pidfd)) => {
                // Its work was done when it had started the other one.
                let _ = self.launcher.wait();
                (pid, pidfd, Some(self.channel))
            }
            None => (program, self.launcher_pidfd, None),
        };
        Ok(Contained {
            tier: self.tier,
            last,
            pidfd: Arc::new(pidfd),
            program,
            channel,
            processes: processes.map(Arc::new),
            group: self.group.take().map(Arc::new),
            watched: None,
            children: false,
            inherited_peak: resident_memory::own_peak(),
            ended: OnceLock::new(),
            torn_down: false,
        })
    }

    /// Ends whatever was started.
    fn abandon(&mut self) {
        let _ = self.launcher.kill();
        let _ = self.launcher.wait();
        // What it had started may have been told of since.
        while let Ok(Received::Report { report, .. }) = self.channel.receive() {
            if let Report::Init { pid } = report
                && let Some(pid) = Pid::from_raw(pid)
                && let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty())
            {
                self.init = Some((pid, pidfd));
            }
        }
        if let Some((_, pidfd)) = &self.init {
            let _ = pidfd_send_signal(pidfd, Signal::KILL);
            let _ = waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED);
        }
    }
}

/// Waits until the process has ended; false where it has not by `deadline`.
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

fn not_waiting(end: &OwnedFd) -> Result<(), Errno> {
    fcntl_setfl(end, fcntl_getfl(end)? | OFlags::NONBLOCK)
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}
