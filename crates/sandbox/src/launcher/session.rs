//! The process attributes of the launcher: descriptors, session, parent-death signal, directory,
//! signal actions.

use super::setup::{Step, Unfit};
use crate::channel::Channel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;

/// Takes the socket of a launcher from its standard input, and closes every descriptor except that and
/// the standard streams: a bot must not inherit other descriptors that the referee was started with.
/// Ends this process with the thread that started it.
#[allow(unsafe_code)]
pub(super) fn take_orders() -> io::Result<OwnedFd> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Apart from signals to the referee's process group, from the terminal for instance.
    let _ = rustix::process::setsid();
    let orders = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let own = orders.as_raw_fd().unsigned_abs();
    for (first, last) in [(3, own.saturating_sub(1)), (own + 1, u32::MAX)] {
        if first > last {
            continue;
        }
        // SAFETY: the process has one thread and has just started; nothing in it owns any of these
        // descriptors.
        let done = unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        if done != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    let null = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    Ok(orders)
}

/// Returns whether a descriptor can be read without waiting.
pub(super) fn is_readable(fd: impl AsFd) -> io::Result<bool> {
    Ok(poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&Timespec::default()))? > 0)
}

/// Starts a new session, without a terminal and apart from signals to the referee's process group.
pub(super) fn begin() -> Result<(), Unfit> {
    // It may be a session leader already.
    let _ = rustix::process::setsid();
    rustix::process::umask(Mode::from_raw_mode(0o022));
    Ok(())
}

/// Makes the kernel kill this process when the thread that started it ends. Changing the UID clears
/// this setting, so call this function after that.
pub(super) fn die_with_parent(channel: &Channel) -> Result<(), Unfit> {
    set_parent_process_death_signal(Some(Signal::KILL)).step("tying its life to the referee's")?;
    // The referee may have ended just before; then the channel has no other end.
    let mut fds = [PollFd::new(channel, PollFlags::IN)];
    poll(&mut fds, Some(&Timespec::default())).step("looking for the referee")?;
    if fds[0].revents().contains(PollFlags::HUP) {
        return Err(Unfit::new("looking for the referee", io::ErrorKind::BrokenPipe));
    }
    Ok(())
}

/// Changes to the program's working directory, or to the root if its user may not enter it. In that
/// case the program cannot read its files there either, and its own error message is the most
/// useful one.
pub(super) fn enter(directory: &Path) -> Result<(), Unfit> {
    std::env::set_current_dir(directory)
        .or_else(|_| std::env::set_current_dir("/"))
        .step("entering its directory")
}

/// Resets every signal to its default action and unblocks all. This program ignores SIGPIPE, as
/// every Rust program does, and may have been started with other signals ignored.
#[allow(unsafe_code)]
pub(super) fn reset_signals() {
    const LAST: libc::c_int = 64;
    // The kernel's structure: handler (null is the default), flags, restorer and mask.
    let default = [0_u64; 4];
    let none: *const libc::c_void = std::ptr::null();
    for signal in 1..=LAST {
        // SAFETY: the call reads a structure of four words, the last of which is a mask of eight
        // bytes. SIGKILL and SIGSTOP cannot be set and need not be. The C library's function
        // rejects two signals that it uses itself, so this calls the kernel.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, default.as_ptr(), none, 8) };
    }
    // SAFETY: an empty set is valid, and the calls only read it.
    unsafe {
        let mut empty = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(empty.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, empty.as_ptr(), std::ptr::null_mut());
    }
}
