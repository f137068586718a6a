//! The launcher of a thread: a process that this thread starts with its first contained program, and
//! that forks for each program. It ends with the thread.

use super::{SETUP_LIMIT, SpawnError, TOO_LONG, timespec};
use crate::launcher::STARTING;
use crate::launcher_program::Launcher;
use crate::order;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};
use rustix::thread::{CpuSet, sched_getaffinity};
use std::cell::RefCell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Command, Stdio};
use std::sync::Arc;

thread_local! {
    /// The children of a thread get a signal when it ends, so each thread has a launcher of its own.
    static OF_THIS_THREAD: RefCell<Option<(Launcher, Arc<LauncherProcess>)>> =
        const { RefCell::new(None) };
}

/// Ends the launcher of this thread, if one runs, as the end of the thread does. The programs that it
/// has started stay, and the next start has another launcher.
pub fn end_launcher_of_this_thread() {
    OF_THIS_THREAD.take();
}

/// A running launcher. Dropping it ends it; the programs that it has started stay.
#[derive(Debug)]
pub(super) struct LauncherProcess {
    orders: OwnedFd,
    pidfd: OwnedFd,
    /// The cores of its thread when it was started, which the programs inherit.
    cores: Option<CpuSet>,
}

impl LauncherProcess {
    /// Sends an order to the launcher of this thread, and starts that if there is none.
    ///
    /// # Errors
    ///
    /// Fails if no launcher takes the order.
    pub(super) fn order(
        launcher: &Launcher,
        task: &[u8],
        descriptors: &[BorrowedFd<'_>],
    ) -> Result<Arc<LauncherProcess>, SpawnError> {
        let failed = |error: io::Error| SpawnError::setup(STARTING, error);
        OF_THIS_THREAD.with_borrow_mut(|running| {
            if let Some((of, process)) = running.take_if(|(of, _)| of == launcher)
                && process.cores == cores_of_this_thread()
                && process.send(task, descriptors).is_ok()
            {
                return Ok(Arc::clone(&running.insert((of, process)).1));
            }
            // There was none, it had another program or other cores, or it was killed.
            *running = None;
            let process = Arc::new(LauncherProcess::start(launcher).map_err(failed)?);
            match process.send(task, descriptors) {
                // It has ended already, which the channel of the order will show.
                Ok(()) | Err(Errno::PIPE | Errno::CONNRESET) => {}
                Err(Errno::MSGSIZE) => return Err(SpawnError::Files(TOO_LONG.into())),
                Err(errno) => return Err(failed(errno.into())),
            }
            Ok(Arc::clone(&running.insert((launcher.clone(), process)).1))
        })
    }

    fn start(launcher: &Launcher) -> io::Result<LauncherProcess> {
        let (orders, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let mut child = Command::new(&launcher.program)
            .args(&launcher.args)
            .env_clear()
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        match pidfd_open(Pid::from_child(&child), PidfdFlags::empty()) {
            Ok(pidfd) => Ok(LauncherProcess { orders, pidfd, cores: cores_of_this_thread() }),
            Err(errno) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(errno.into())
            }
        }
    }

    fn send(&self, task: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<(), Errno> {
        loop {
            match order::send(&self.orders, task, descriptors) {
                // It has not taken an earlier order yet.
                Err(Errno::AGAIN) => {
                    let mut fds = [PollFd::new(&self.orders, PollFlags::OUT)];
                    match poll(&mut fds, Some(&timespec(SETUP_LIMIT))) {
                        Ok(0) => return Err(Errno::TIMEDOUT),
                        Ok(_) | Err(Errno::INTR) => {}
                        Err(errno) => return Err(errno),
                    }
                }
                Err(Errno::INTR) => {}
                sent => return sent,
            }
        }
    }

    /// Kills it. The next order of its thread starts another one.
    pub(super) fn kill(&self) {
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
    }
}

fn cores_of_this_thread() -> Option<CpuSet> {
    sched_getaffinity(None).ok()
}

impl Drop for LauncherProcess {
    fn drop(&mut self) {
        self.kill();
        let _ = waitid(WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::EXITED);
    }
}
