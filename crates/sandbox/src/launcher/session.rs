//! What the launcher's process is to others: its descriptors, session, parent and directory.

use super::setup::{Step, Unfit};
use crate::channel::Channel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;

/// Closes every descriptor but the standard streams and the channel: whatever else the referee
/// was started with is no business of a bot's.
#[allow(unsafe_code)]
pub(super) fn close_others(channel: &Channel) -> io::Result<()> {
    let own = channel.as_fd().as_raw_fd().unsigned_abs();
    for (first, last) in [(3, own.saturating_sub(1)), (own + 1, u32::MAX)] {
        if first > last {
            continue;
        }
        // SAFETY: the process has one thread and has just begun; nothing in it holds any of these
        // descriptors, so none is closed under an owner.
        let done = unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        if done != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// A session of its own: no terminal, and no signal that is meant for the referee's group.
pub(super) fn begin() -> Result<(), Unfit> {
    // It may lead a session already.
    let _ = rustix::process::setsid();
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    Ok(())
}

/// Has the system kill this process when the thread that started it is gone. Changing the uid
/// undoes this, so that comes before.
pub(super) fn die_with_parent(channel: &Channel) -> Result<(), Unfit> {
    set_parent_process_death_signal(Some(Signal::KILL)).step("tying its life to the referee's")?;
    // The referee may have gone just before: then the channel has no other end.
    let mut fds = [PollFd::new(channel, PollFlags::IN)];
    poll(&mut fds, Some(&Timespec::default())).step("looking for the referee")?;
    if fds[0].revents().contains(PollFlags::HUP) {
        return Err(Unfit::new("looking for the referee", io::ErrorKind::BrokenPipe));
    }
    Ok(())
}

/// Enters the directory in which the program runs; the root where that is none for its user. What
/// it needs there is not for it either then, and it will say so better than anything here could.
pub(super) fn enter(directory: &Path) -> Result<(), Unfit> {
    std::env::set_current_dir(directory)
        .or_else(|_| std::env::set_current_dir("/"))
        .step("entering its directory")
}

/// Every signal has its default action again and none is blocked: this program ignores SIGPIPE,
/// as every Rust program does, and may have been started with others ignored.
#[allow(unsafe_code)]
pub(super) fn reset_signals() {
    const LAST: libc::c_int = 64;
    // What the kernel takes: handler (null is the default), flags, restorer and mask.
    let default = [0_u64; 4];
    let none: *const libc::c_void = std::ptr::null();
    for signal in 1..=LAST {
        // SAFETY: it reads a structure of four words, the last of which is a mask of eight bytes.
        // SIGKILL and SIGSTOP cannot be set and need not be. The C library's own function refuses
        // two signals that it uses itself.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, default.as_ptr(), none, 8) };
    }
    // SAFETY: an empty set is a valid one, and is only read.
    unsafe {
        let mut empty = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(empty.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, empty.as_ptr(), std::ptr::null_mut());
    }
}
