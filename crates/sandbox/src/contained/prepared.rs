//! A program that is contained but does not run yet: a process of the launcher that waits, and the
//! rest of its start, until the program runs or whatever was started is gone.

use super::launcher_process::LauncherProcess;
use super::{Contained, Pipes, SETUP_LIMIT, SpawnError, TEARDOWN_LIMIT, TOO_LONG, timespec};
use crate::channel::{Channel, Received, Report};
use crate::control_group::{ControlGroup, Entrance};
use crate::cpu_time;
use crate::launch::Launch;
use crate::launcher::{STARTING, variable};
use crate::launcher_program::Launcher;
use crate::limits::ResourceLimits;
use crate::memory_watch::Watched;
use crate::order::{self, Task};
use crate::resident_memory;
use crate::tier::Tier;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long an abandoned start waits for its launcher.
const PATIENCE: Duration = Duration::from_millis(200);

const RECEIVING: &str = "receiving the launcher's report";

/// A program whose process contains itself and then waits: none of the program's code runs before
/// [`Prepared::run`]. Dropping it kills whatever was started. The processes also end when the
/// thread that started them ends, or the whole referee, even by SIGKILL.
#[derive(Debug)]
pub struct Prepared {
    /// `None` only while `self` is being consumed.
    start: Option<Start>,
    pipes: Option<Pipes>,
    children: bool,
    limits: ResourceLimits,
}

impl Prepared {
    pub(super) fn new(
        launcher: &Launcher,
        launch: &Launch,
        environment: &[(OsString, OsString)],
    ) -> Result<Prepared, SpawnError> {
        let failed = |error: io::Error| SpawnError::setup(STARTING, error);
        let variables = environment.iter().map(|(name, value)| variable(name, value)).collect();
        let task = Task { launch: launch.clone(), environment: variables };
        let task = order::encoded(&task).map_err(|error| match error.kind() {
            io::ErrorKind::ArgumentListTooLong => SpawnError::Files(TOO_LONG.into()),
            _ => failed(error),
        })?;
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
        let mut descriptors =
            vec![theirs.as_fd(), its_stdin.as_fd(), its_stdout.as_fd(), its_stderr.as_fd()];
        if let Some(Entrance { directory, processes }) = &entrance {
            descriptors.extend([directory.as_fd(), processes.as_fd()]);
        }
        let launcher = LauncherProcess::order(launcher, &task, &descriptors)?;
        Ok(Prepared {
            start: Some(Start {
                tier: launch.tier,
                launcher,
                channel,
                first: None,
                init: None,
                program: None,
                group,
            }),
            pipes: Some(Pipes { stdin, stdout, stderr }),
            children: launch.children && launch.tier != Tier::A,
            limits: launch.limits,
        })
    }

    /// Runs the program, which has waited for this. Returns when it runs or cannot.
    ///
    /// # Errors
    ///
    /// Returns why the program does not run; no process is left then.
    pub fn run(self) -> Result<(Contained, Pipes), SpawnError> {
        self.finish(None)
    }

    /// Does the same, but stops when `cancel` becomes readable.
    ///
    /// # Errors
    ///
    /// Returns why the program does not run; no process is left then.
    pub fn run_unless(self, cancel: BorrowedFd<'_>) -> Result<(Contained, Pipes), SpawnError> {
        self.finish(Some(cancel))
    }

    fn finish(mut self, cancel: Option<BorrowedFd<'_>>) -> Result<(Contained, Pipes), SpawnError> {
        let (Some(start), Some(pipes)) = (self.start.take(), self.pipes.take()) else {
            return Err(SpawnError::Cancelled);
        };
        let tier = start.tier;
        let mut contained = start.finish(cancel)?;
        contained.children = self.children;
        if tier != Tier::C {
            let watched = Watched::new(contained.subject(&self.limits));
            let failed = |error| SpawnError::setup("watching its memory", error);
            contained.watched = Some(watched.map_err(failed)?);
        }
        Ok((contained, pipes))
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if let Some(start) = &mut self.start {
            start.abandon();
        }
    }
}

/// A start in progress.
#[derive(Debug)]
struct Start {
    tier: Tier,
    launcher: Arc<LauncherProcess>,
    channel: Channel,
    /// The first process of the start, and its pidfd, once it has reported that it exists.
    first: Option<(Pid, Arc<OwnedFd>)>,
    /// The init process of the namespaces, and its pidfd. It may be the first process.
    init: Option<(Pid, Arc<OwnedFd>)>,
    program: Option<Pid>,
    group: Option<ControlGroup>,
}

impl Start {
    /// Lets the program run, and waits until it does.
    fn finish(mut self, cancel: Option<BorrowedFd<'_>>) -> Result<Contained, SpawnError> {
        match self.wait_for_program(cancel) {
            Ok(processes) => self.contained(processes),
            Err(error) => {
                self.abandon();
                Err(error)
            }
        }
    }

    /// Receives reports until the program runs. Returns the `/proc` of its namespaces, if it has
    /// them.
    fn wait_for_program(
        &mut self,
        cancel: Option<BorrowedFd<'_>>,
    ) -> Result<Option<OwnedFd>, SpawnError> {
        let receiving = |error: io::Error| SpawnError::setup(RECEIVING, error);
        let deadline = Instant::now() + SETUP_LIMIT;
        loop {
            let received = self.channel.receive().map_err(receiving)?;
            match received {
                Received::Report { report, sender, descriptor } => match report {
                    Report::Init => self.init = Some(self.opened(sender).map_err(receiving)?),
                    Report::Begun => {
                        self.first = Some(self.opened(sender).map_err(receiving)?);
                        // The launcher has received its launch, so this message does not have to
                        // wait for space. If the launcher has failed since, its report says why.
                        let _ = self.channel.send_go();
                    }
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
                    Report::Children | Report::Ended { .. } => {}
                },
                // In tier A the only process that held the channel has executed the program. Or
                // that process has ended, which `exit` will show.
                Received::Closed if self.tier == Tier::A && self.first.is_some() => {
                    self.program = self.first.as_ref().map(|(pid, _)| *pid);
                    return Ok(None);
                }
                Received::Closed => {
                    // For example, the system's loader could not load the launcher.
                    let error = io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "the launcher ended before it could do its work",
                    );
                    return Err(SpawnError::setup(RECEIVING, error));
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
            let error = io::Error::other("the program's process has not reported its start");
            return Err(SpawnError::setup(RECEIVING, error));
        };
        let (first, init) = (self.first.take(), self.init.take());
        let has_namespaces = init.is_some();
        if let (Some((first, pidfd)), Some((init, _))) = (&first, &init)
            && first != init
        {
            // It exits once it has started the init process.
            let _ = waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED);
        }
        let Some((last, pidfd)) = init.or(first) else {
            let error = io::Error::other("the launcher has not reported its process");
            return Err(SpawnError::setup(RECEIVING, error));
        };
        let channel = has_namespaces.then_some(self.channel);
        Ok(Contained {
            tier: self.tier,
            last,
            pidfd,
            program,
            channel,
            processes: processes.map(Arc::new),
            group: self.group.take().map(Arc::new),
            tasks: cpu_time::threads_of(program),
            brake: Arc::default(),
            watched: None,
            children: false,
            inherited_peak: resident_memory::own_peak(),
            ended: OnceLock::new(),
            torn_down: false,
        })
    }

    /// Kills whatever was started.
    fn abandon(&mut self) {
        // A launcher that does not take the order may be stopped, and would start the program later.
        if !self.find(Instant::now() + PATIENCE, |start| start.first.is_some()) {
            self.launcher.kill();
        }
        let deadline = Instant::now() + TEARDOWN_LIMIT;
        self.find(deadline, |start| start.first.is_some());
        if let Some((_, pidfd)) = &self.first {
            kill(pidfd);
        }
        // It may have started the init process just before it was killed. If there is none, no process
        // holds the other end of the channel any more.
        self.find(deadline, |start| start.init.is_some());
        if let Some((_, pidfd)) = &self.init {
            kill(pidfd);
        }
    }

    /// Receives reports until a condition holds or no more can come. Returns false if it does not hold
    /// by the deadline although more may come.
    fn find(&mut self, deadline: Instant, holds: impl Fn(&Start) -> bool) -> bool {
        while !holds(self) {
            match self.channel.receive() {
                Ok(Received::Report { report: Report::Begun, sender, .. }) => {
                    self.first = self.opened(sender).ok();
                }
                Ok(Received::Report { report: Report::Init, sender, .. }) => {
                    self.init = self.opened(sender).ok();
                }
                Ok(Received::Report { .. }) => {}
                Ok(Received::Nothing) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    let mut fds = [PollFd::new(&self.channel, PollFlags::IN)];
                    match poll(&mut fds, Some(&timespec(left))) {
                        Ok(1..) | Err(Errno::INTR) => {}
                        Ok(0) | Err(_) => return false,
                    }
                }
                Ok(Received::Closed) | Err(_) => return true,
            }
        }
        true
    }

    /// Opens a child of this process that has sent a report.
    fn opened(&self, sender: Option<i32>) -> io::Result<(Pid, Arc<OwnedFd>)> {
        let pid = sender.and_then(Pid::from_raw).ok_or(Errno::INVAL)?;
        match &self.first {
            Some((first, pidfd)) if *first == pid => Ok((pid, Arc::clone(pidfd))),
            _ => Ok((pid, Arc::new(pidfd_open(pid, PidfdFlags::empty())?))),
        }
    }
}

/// Kills a child of this process, and waits until it has ended.
fn kill(pidfd: &OwnedFd) {
    let _ = pidfd_send_signal(pidfd, Signal::KILL);
    let _ = waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED);
}

fn not_waiting(end: &OwnedFd) -> Result<(), Errno> {
    fcntl_setfl(end, fcntl_getfl(end)? | OFlags::NONBLOCK)
}
