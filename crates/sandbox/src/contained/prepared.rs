//! A program that is contained but does not run yet: a launcher that was started and waits, and the
//! rest of its start, until the program runs or whatever was started is gone.

use super::{Contained, Pipes, SpawnError, TEARDOWN_LIMIT, timespec};
use crate::channel::{Channel, Received, Report};
use crate::control_group::ControlGroup;
use crate::cpu_time;
use crate::launch::Launch;
use crate::launcher_program::Launcher;
use crate::limits::ResourceLimits;
use crate::memory_watch::Watched;
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
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Time limit for containing a program, from the moment when it may run; it takes a few
/// milliseconds.
const SETUP_LIMIT: Duration = Duration::from_secs(10);

const RECEIVING: &str = "receiving the launcher's report";

/// A program whose launcher contains itself and then waits: none of the program's code runs before
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
        // The message is in the socket before the launcher starts.
        let sent = channel.send_launch(launch, its_stdin.as_fd(), entrance.as_ref());
        sent.map_err(|error| {
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
        Ok(Prepared {
            start: Some(Start::new(launch.tier, child, channel, group)?),
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

/// A launcher in the process of starting a program.
#[derive(Debug)]
struct Start {
    tier: Tier,
    launcher: Child,
    launcher_pidfd: OwnedFd,
    channel: Channel,
    /// The init process of the namespaces, and its pidfd.
    init: Option<(Pid, OwnedFd)>,
    program: Option<Pid>,
    /// Whether the launcher has reported that it has started.
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
        let deadline = Instant::now() + SETUP_LIMIT;
        loop {
            let received =
                self.channel.receive().map_err(|error| SpawnError::setup(RECEIVING, error))?;
            match received {
                Received::Report { report, sender, descriptor } => match report {
                    Report::Init => {
                        let init = opened(sender);
                        self.init =
                            Some(init.map_err(|errno| SpawnError::setup(RECEIVING, errno))?);
                    }
                    Report::Begun => {
                        self.has_begun = true;
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
                Received::Closed if self.tier == Tier::A && self.has_begun => {
                    self.program = Some(Pid::from_child(&self.launcher));
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
        let (last, pidfd, channel) = match self.init {
            Some((pid, pidfd)) => {
                // The launcher exits once it has started the init process.
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
        let _ = self.launcher.kill();
        let _ = self.launcher.wait();
        self.find_init(Instant::now() + TEARDOWN_LIMIT);
        if let Some((_, pidfd)) = &self.init {
            let _ = pidfd_send_signal(pidfd, Signal::KILL);
            let _ = waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED);
        }
    }

    /// Waits for the report of the init process, which the launcher may have started just before it
    /// was killed. If there is none, no process holds the other end of the channel any more.
    fn find_init(&mut self, deadline: Instant) {
        while self.init.is_none() {
            match self.channel.receive() {
                Ok(Received::Report { report: Report::Init, sender, .. }) => {
                    self.init = opened(sender).ok();
                }
                Ok(Received::Report { .. }) => {}
                Ok(Received::Nothing) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    let mut fds = [PollFd::new(&self.channel, PollFlags::IN)];
                    match poll(&mut fds, Some(&timespec(left))) {
                        Ok(1..) | Err(Errno::INTR) => {}
                        Ok(0) | Err(_) => return,
                    }
                }
                Ok(Received::Closed) | Err(_) => return,
            }
        }
    }
}

/// Opens a child of this process that has sent a report.
fn opened(sender: Option<i32>) -> Result<(Pid, OwnedFd), Errno> {
    let pid = sender.and_then(Pid::from_raw).ok_or(Errno::INVAL)?;
    Ok((pid, pidfd_open(pid, PidfdFlags::empty())?))
}

fn not_waiting(end: &OwnedFd) -> Result<(), Errno> {
    fcntl_setfl(end, fcntl_getfl(end)? | OFlags::NONBLOCK)
}
