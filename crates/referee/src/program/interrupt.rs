//! A switch that stops every game of this program: raised by Ctrl-C, by a termination signal, or by
//! a call. It is a pipe that is written to and never read, so every poll that includes it, in any
//! thread, sees it permanently once it is raised.

use crate::program::process_group::timespec;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A switch that stops every game that polls it. Clones share the same switch. It cannot be reset.
///
/// ```
/// use botyard_referee::Interrupt;
///
/// let interrupt = Interrupt::new()?;
/// let same = interrupt.clone();
/// assert!(!interrupt.is_raised());
/// same.raise();
/// assert!(interrupt.is_raised());
/// # std::io::Result::Ok(())
/// ```
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<Pipe>);

#[derive(Debug)]
struct Pipe {
    read: OwnedFd,
    write: OwnedFd,
}

impl Interrupt {
    /// Returns a switch that only [`Interrupt::raise`] raises.
    ///
    /// # Errors
    ///
    /// There are no file descriptors left.
    pub fn new() -> io::Result<Interrupt> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Interrupt(Arc::new(Pipe { read, write })))
    }

    /// Returns a switch that SIGINT (Ctrl-C), SIGTERM and SIGHUP raise instead of ending the
    /// program. To be called once, by the program's `main`: the signals stay redirected until the
    /// program ends.
    ///
    /// # Errors
    ///
    /// There are no file descriptors left, or a signal cannot be caught here.
    pub fn on_signals() -> io::Result<Interrupt> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let interrupt = Interrupt::new()?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            signal_hook::low_level::pipe::register(signal, interrupt.0.write.try_clone()?)?;
        }
        Ok(interrupt)
    }

    /// Raises the switch.
    pub fn raise(&self) {
        // The only possible error is a full pipe, and then the switch was raised before.
        let _ = rustix::io::write(&self.0.write, b"!");
    }

    /// Returns whether the switch was raised.
    pub fn is_raised(&self) -> bool {
        self.is_raised_within(Duration::ZERO)
    }

    /// Waits at most `time` for the switch to be raised. Returns whether it is, as soon as it is.
    pub fn is_raised_within(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut fds = [PollFd::new(&self.0.read, PollFlags::IN)];
        loop {
            let left = timespec(deadline.saturating_duration_since(Instant::now()));
            match poll(&mut fds, Some(&left)) {
                Err(Errno::INTR) => {}
                polled => return polled.is_ok_and(|ready| ready > 0),
            }
        }
    }
}

impl AsFd for Interrupt {
    /// Readable once the switch is raised. Must not be read from.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.read.as_fd()
    }
}
