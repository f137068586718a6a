//! The gate of a tree of processes: before a process starts another or executes a program, the
//! kernel asks the init process (seccomp user notification), which allows or refuses the call.

use crate::resident_memory::read;
use rustix::fs::CWD;
use seccompiler::sock_filter;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// A call that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    id: u64,
    pub thread: i32,
    pub process: i32,
    pub call: Call,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// A new process with a copy of the memory of this one.
    Fork,
    /// A new process that uses the memory of this one until it executes a program; the calling
    /// thread waits until then.
    Vfork,
    Exec,
}

/// Makes this process and its descendants ask, irrevocably. Returns the descriptor on which they
/// ask; while it is closed, their calls fail.
///
/// # Errors
///
/// Fails on a host that already asks another process about the calls of this one.
#[allow(unsafe_code)]
pub(super) fn install() -> io::Result<OwnedFd> {
    let mut filter = filter();
    let length = u16::try_from(filter.len()).map_err(io::Error::other)?;
    // The layout of the library's instruction is that of the kernel, as of the C library's.
    let program = libc::sock_fprog { len: length, filter: filter.as_mut_ptr().cast() };
    let restartable = libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    let mut error = io::Error::from_raw_os_error(libc::EINVAL);
    // Since Linux 5.19 a signal does not interrupt a call that the other side has seen.
    for more in [restartable, 0] {
        let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | more;
        let mode = libc::SECCOMP_SET_MODE_FILTER;
        // SAFETY: the program and its instructions outlive the calls, which only read them; the
        // descriptor is new and has no other owner.
        unsafe {
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
                return Err(io::Error::last_os_error());
            }
            let fd = libc::syscall(libc::SYS_seccomp, mode, flags, &raw const program);
            match i32::try_from(fd) {
                Ok(fd) if fd >= 0 => return Ok(OwnedFd::from_raw_fd(fd)),
                _ => error = io::Error::last_os_error(),
            }
        }
    }
    Err(error)
}

/// Passes everything but new processes, which are not threads, and the execution of programs.
fn filter() -> Vec<sock_filter> {
    const LOAD_WORD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const JUMP_IF_EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    const JUMP_IF_SET: u16 = 0x45; // BPF_JMP | BPF_JSET | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    /// Offsets in `struct seccomp_data`: the number of the call, and the lower half of its first
    /// argument.
    const NUMBER: u32 = 0;
    const FLAGS: u32 = if cfg!(target_endian = "little") { 16 } else { 20 };
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let pass = instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW);
    let ask = || instruction(RETURN, 0, 0, libc::SECCOMP_RET_USER_NOTIF);
    let mut program = vec![instruction(LOAD_WORD, 0, 0, NUMBER)];
    let others = [
        libc::SYS_execve,
        libc::SYS_execveat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_fork,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_vfork,
    ];
    for call in others.into_iter().filter_map(|call| u32::try_from(call).ok()) {
        program.extend([instruction(JUMP_IF_EQUAL, 0, 1, call), ask()]);
    }
    let clone = u32::try_from(libc::SYS_clone).unwrap_or(u32::MAX);
    program.extend([
        instruction(JUMP_IF_EQUAL, 0, 3, clone),
        instruction(LOAD_WORD, 0, 0, FLAGS),
        instruction(JUMP_IF_SET, 1, 0, libc::CLONE_THREAD.cast_unsigned()),
        ask(),
        pass,
    ]);
    program
}

/// Returns the next call that waits. `None` if there is none: its thread may have been killed.
#[allow(unsafe_code)]
pub(super) fn next(gate: &OwnedFd) -> Option<Request> {
    // SAFETY: a structure of plain numbers, for which zero is valid and which the call demands; it
    // outlives the call.
    let notice = unsafe {
        let mut notice = std::mem::zeroed::<libc::seccomp_notif>();
        if libc::ioctl(gate.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notice) != 0 {
            return None;
        }
        notice
    };
    let thread = i32::try_from(notice.pid).ok()?;
    let call = call(libc::c_long::from(notice.data.nr), notice.data.args[0]);
    let process = process_of(thread).unwrap_or(thread);
    Some(Request { id: notice.id, thread, process, call })
}

fn call(number: libc::c_long, flags: u64) -> Call {
    #[cfg(target_arch = "x86_64")]
    match number {
        libc::SYS_vfork => return Call::Vfork,
        libc::SYS_fork => return Call::Fork,
        _ => {}
    }
    const VFORK: u64 = (libc::CLONE_VM | libc::CLONE_VFORK).cast_unsigned() as u64;
    match number {
        libc::SYS_clone if flags & VFORK == VFORK => Call::Vfork,
        libc::SYS_clone => Call::Fork,
        _ => Call::Exec,
    }
}

fn process_of(thread: i32) -> Option<i32> {
    let status = read(CWD, &format!("/proc/{thread}/status"))?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:"))?.trim().parse().ok()
}

/// Lets the call be made, or fails it for want of memory. The arguments of these calls are numbers,
/// or name files, so it does not matter that another thread may change what they point to.
#[allow(unsafe_code)]
pub(super) fn answer(gate: &OwnedFd, request: &Request, allowed: bool) {
    let (error, flags) = match allowed {
        true => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        false => (-libc::ENOMEM, 0),
    };
    let response = libc::seccomp_notif_resp { id: request.id, val: 0, error, flags };
    // SAFETY: a structure that outlives the call, which only reads it. It fails if the thread has
    // been killed.
    unsafe { libc::ioctl(gate.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const response) };
}
