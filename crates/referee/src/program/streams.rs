//! The referee's ends of a program's standard streams: pipes that are polled, or buffers between the
//! referee and threads that read and write pipes. Reading and writing them never blocks.

use crate::program::portable::buffer::{Inlet, Outlet};
use std::io;
use std::time::Duration;
#[cfg(target_os = "linux")]
use {
    crate::program::process_group::{Pipes, timespec},
    rustix::event::{PollFd, PollFlags, poll},
    rustix::fd::OwnedFd,
};

/// The referee's ends of a program's three standard streams.
#[derive(Debug)]
pub(crate) struct Streams {
    /// The program's standard input.
    pub stdin: Input,
    /// The program's standard output.
    pub stdout: Output,
    /// The program's standard error.
    pub stderr: Output,
}

/// A program's standard input. Dropping it closes the input, after what it took was written.
#[derive(Debug)]
pub(crate) enum Input {
    /// A pipe.
    #[cfg(target_os = "linux")]
    Pipe(OwnedFd),
    /// A buffer, from which a thread writes.
    Thread(Inlet),
}

impl Input {
    /// Takes the first of these bytes, and returns how many.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WouldBlock`] if there is no room, [`io::ErrorKind::BrokenPipe`] if the
    /// program reads no more, or an error of the operating system.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Input::Pipe(pipe) => Ok(rustix::io::write(pipe, bytes)?),
            Input::Thread(inlet) => inlet.write(bytes),
        }
    }

    /// Returns whether a thread writes what was taken, later.
    pub(crate) fn is_buffered(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Input::Pipe(_) => false,
            Input::Thread(_) => true,
        }
    }

    /// Returns how many of the bytes that were taken have not reached the program's pipe yet.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::BrokenPipe`] if the program reads no more.
    pub(crate) fn on_the_way(&self) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Input::Pipe(_) => Ok(0),
            Input::Thread(inlet) => inlet.on_the_way(),
        }
    }

    /// Returns whether the program has not read all that was written yet, as far as that is known.
    pub(crate) fn has_unread(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Input::Pipe(pipe) => rustix::io::ioctl_fionread(pipe).is_ok_and(|unread| unread > 0),
            Input::Thread(inlet) => inlet.on_the_way().is_ok_and(|bytes| bytes > 0),
        }
    }
}

/// A program's standard output or standard error.
#[derive(Debug)]
pub(crate) enum Output {
    /// A pipe.
    #[cfg(target_os = "linux")]
    Pipe(OwnedFd),
    /// A buffer, which a thread fills.
    Thread(Outlet),
}

impl Output {
    /// Moves bytes that have arrived into `space`, and returns how many; 0 at the end of the
    /// stream.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WouldBlock`] if none have arrived, or an error of the operating system.
    pub(crate) fn read(&self, space: &mut [u8]) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Output::Pipe(pipe) => Ok(rustix::io::read(pipe, space)?),
            Output::Thread(outlet) => outlet.read(space),
        }
    }

    /// Waits until bytes have arrived or the stream has ended, for a short time in which nothing else is looked at.
    /// Returns whether they have, as far as that can be waited for here.
    pub(crate) fn await_bytes(&self, limit: Duration) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Output::Pipe(pipe) => {
                let mut fds = [PollFd::new(pipe, PollFlags::IN)];
                poll(&mut fds, Some(&timespec(limit))).is_ok_and(|ready| ready > 0)
            }
            Output::Thread(_) => false,
        }
    }

    /// Returns for how long at most the bytes that were written last have been in the pipe. A kernel
    /// that does not record writes to pipes (since Linux 6.15) says when the pipe was made. A bot
    /// can make this time shorter, but not longer.
    pub(crate) fn longest_in_pipe(&self) -> Option<Duration> {
        match self {
            #[cfg(target_os = "linux")]
            Output::Pipe(pipe) => {
                // Not the time of the last modification, which the owner of a pipe can set.
                let stat = rustix::fs::fstat(pipe).ok()?;
                let seconds = u64::try_from(stat.st_ctime).ok()?;
                let written = Duration::new(seconds, u32::try_from(stat.st_ctime_nsec).ok()?);
                let now = std::time::SystemTime::now();
                now.duration_since(std::time::UNIX_EPOCH).ok()?.checked_sub(written)
            }
            Output::Thread(_) => None,
        }
    }
}

#[cfg(target_os = "linux")]
impl From<Pipes> for Streams {
    fn from(pipes: Pipes) -> Streams {
        Streams {
            stdin: Input::Pipe(pipes.stdin),
            stdout: Output::Pipe(pipes.stdout),
            stderr: Output::Pipe(pipes.stderr),
        }
    }
}
