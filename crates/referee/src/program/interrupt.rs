//! A switch that stops every game of this program: raised by Ctrl-C, by a termination signal, or by
//! a call. On Linux it is a pipe that is written to and never read, so every poll that includes it,
//! in any thread, sees it permanently once it is raised. Elsewhere it is a flag, which waiting
//! threads look at many times a second.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
#[cfg(target_os = "linux")]
use {
    crate::program::process_group::timespec,
    rustix::event::{PollFd, PollFlags, poll},
    rustix::io::Errno,
    rustix::pipe::{PipeFlags, pipe_with},
    std::os::fd::{AsFd, BorrowedFd, OwnedFd},
};

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
pub struct Interrupt(Arc<Switch>);

#[cfg(target_os = "linux")]
#[derive(Debug)]
struct Switch {
    read: OwnedFd,
    write: OwnedFd,
}

#[cfg(not(target_os = "linux"))]
type Switch = std::sync::atomic::AtomicBool;

#[cfg(target_os = "linux")]
impl Interrupt {
    /// Returns a switch that only [`Interrupt::raise`] raises.
    ///
    /// # Errors
    ///
    /// There are no file descriptors left.
    pub fn new() -> io::Result<Interrupt> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Interrupt(Arc::new(Switch { read, write })))
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

#[cfg(not(target_os = "linux"))]
impl Interrupt {
    /// Returns a switch that only [`Interrupt::raise`] raises.
    ///
    /// # Errors
    ///
    /// None on this system.
    pub fn new() -> io::Result<Interrupt> {
        Ok(Interrupt(Arc::default()))
    }

    /// Returns a switch that Ctrl-C and SIGTERM, and SIGHUP where it exists, raise instead of ending
    /// the program. To be called once, by the program's `main`: the signals stay redirected until
    /// the program ends.
    ///
    /// # Errors
    ///
    /// A signal cannot be caught here.
    pub fn on_signals() -> io::Result<Interrupt> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        let interrupt = Interrupt::new()?;
        signal_hook::flag::register(SIGINT, interrupt.0.clone())?;
        signal_hook::flag::register(SIGTERM, interrupt.0.clone())?;
        #[cfg(unix)]
        signal_hook::flag::register(signal_hook::consts::SIGHUP, interrupt.0.clone())?;
        Ok(interrupt)
    }

    /// Raises the switch.
    pub fn raise(&self) {
        self.0.store(true, std::sync::atomic::Ordering::SeqCst);
    }

    /// Waits at most `time` for the switch to be raised. Returns whether it is, soon after it is.
    pub fn is_raised_within(&self, time: Duration) -> bool {
        /// The pause between two looks at the flag.
        const PAUSE: Duration = Duration::from_millis(20);
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if self.0.load(std::sync::atomic::Ordering::SeqCst) || left.is_zero() {
                return self.0.load(std::sync::atomic::Ordering::SeqCst);
            }
            std::thread::sleep(left.min(PAUSE));
        }
    }
}

impl Interrupt {
    /// Returns whether the switch was raised.
    pub fn is_raised(&self) -> bool {
        self.is_raised_within(Duration::ZERO)
    }
}

#[cfg(target_os = "linux")]
impl AsFd for Interrupt {
    /// Readable once the switch is raised. Must not be read from.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.read.as_fd()
    }
}
