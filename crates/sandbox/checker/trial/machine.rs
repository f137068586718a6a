//! The machine and its kernel. If such a call is allowed, its arguments make it fail for another
//! reason than a lack of permission; that counts as working.

use super::{Operation, checked, checked_fd};
use std::io;

pub(super) const OPERATIONS: &[Operation] = &[
    ("mount", |_| {
        let nothing = std::ptr::null();
        // SAFETY: C strings and null pointers; the file system type does not exist.
        allowed(unsafe {
            libc::mount(nothing, c"/nowhere".as_ptr(), c"nofs".as_ptr(), 0, nothing.cast())
        })
    }),
    ("mount by fsopen", |_| {
        // SAFETY: a C string.
        checked_fd(unsafe { libc::syscall(libc::SYS_fsopen, c"tmpfs".as_ptr(), 0) })
    }),
    ("change its root", |_| {
        // SAFETY: a C string.
        allowed(unsafe { libc::chroot(c"/nowhere".as_ptr()) })
    }),
    ("make a user namespace", |_| {
        // SAFETY: a number.
        checked(unsafe { libc::unshare(libc::CLONE_NEWUSER) })
    }),
    ("make a user namespace for a child", |_| {
        let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
        // SAFETY: a `fork`; the child exits immediately.
        let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
        if pid == 0 {
            unsafe { libc::_exit(0) };
        }
        checked(pid)
    }),
    ("call clone3", |_| {
        // SAFETY: a size of zero is rejected before anything is read.
        allowed(unsafe { libc::syscall(libc::SYS_clone3, std::ptr::null::<u8>(), 0) })
    }),
    ("enter another namespace", |_| {
        // SAFETY: numbers; the descriptor is invalid.
        allowed(unsafe { libc::setns(-1, 0) })
    }),
    ("use io_uring", |_| {
        // SAFETY: zero entries are rejected before anything is read.
        allowed(unsafe { libc::syscall(libc::SYS_io_uring_setup, 0, std::ptr::null::<u8>()) })
    }),
    ("use bpf", |_| {
        // SAFETY: the command does not exist.
        allowed(unsafe { libc::syscall(libc::SYS_bpf, 9999, std::ptr::null::<u8>(), 0) })
    }),
    ("count performance events", |_| {
        // SAFETY: the null pointer is rejected.
        allowed(unsafe {
            libc::syscall(libc::SYS_perf_event_open, std::ptr::null::<u8>(), 0, -1, -1, 0)
        })
    }),
    ("handle its page faults by userfaultfd", |_| {
        // SAFETY: a number.
        checked_fd(unsafe { libc::syscall(libc::SYS_userfaultfd, libc::O_CLOEXEC) })
    }),
    ("open a file by handle", |_| {
        // SAFETY: the null pointer is rejected.
        allowed(unsafe {
            libc::syscall(libc::SYS_open_by_handle_at, -1, std::ptr::null::<u8>(), 0)
        })
    }),
    ("set the clock", |_| {
        let never = libc::timespec { tv_sec: -1, tv_nsec: -1 };
        // SAFETY: an invalid time is rejected.
        allowed(unsafe {
            libc::syscall(libc::SYS_clock_settime, libc::CLOCK_REALTIME, &raw const never)
        })
    }),
    ("set the hostname", |_| {
        // SAFETY: a length of -1 is rejected before anything is read.
        allowed(unsafe { libc::syscall(libc::SYS_sethostname, std::ptr::null::<u8>(), -1) })
    }),
    ("read the kernel's log", |_| {
        // SAFETY: the call queries the size.
        checked(unsafe { libc::syscall(libc::SYS_syslog, 10, std::ptr::null::<u8>(), 0) })
    }),
    ("load a module", |_| {
        // SAFETY: the descriptor is invalid.
        allowed(unsafe { libc::syscall(libc::SYS_finit_module, -1, c"".as_ptr(), 0) })
    }),
    ("list mounts by listmount", |_| {
        const LISTMOUNT: i64 = 458;
        // SAFETY: the null pointer is rejected.
        allowed(unsafe { libc::syscall(LISTMOUNT, std::ptr::null::<u8>(), 0, 0, 0) })
    }),
    ("query a mount by statmount", |_| {
        const STATMOUNT: i64 = 457;
        // SAFETY: the null pointer is rejected.
        allowed(unsafe { libc::syscall(STATMOUNT, std::ptr::null::<u8>(), 0, 0, 0) })
    }),
    ("query the page cache by cachestat", |_| {
        const CACHESTAT: i64 = 451;
        // SAFETY: the descriptor is invalid.
        allowed(unsafe { libc::syscall(CACHESTAT, -1, std::ptr::null::<u8>(), 0, 0) })
    }),
    ("install a seccomp filter", |_| {
        // SAFETY: the operation does not exist.
        allowed(unsafe { libc::syscall(libc::SYS_seccomp, 9999, 0, std::ptr::null::<u8>()) })
    }),
    ("create Landlock rules", |_| {
        // SAFETY: with this flag the call returns a version.
        checked(unsafe {
            libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0, 1)
        })
    }),
    ("use asynchronous I/O", |_| {
        // SAFETY: zero events and the null pointer are rejected.
        allowed(unsafe { libc::syscall(libc::SYS_io_setup, 0, std::ptr::null::<u8>()) })
    }),
    ("set a quota", |_| {
        // SAFETY: null pointers are rejected.
        allowed(unsafe {
            libc::syscall(libc::SYS_quotactl, 0, std::ptr::null::<u8>(), 0, std::ptr::null::<u8>())
        })
    }),
    ("flush all file systems", |_| {
        // SAFETY: no arguments.
        checked(unsafe { libc::syscall(libc::SYS_sync) })
    }),
    ("type into a terminal by TIOCSTI", |_| {
        // SAFETY: the call reads one byte.
        match allowed(unsafe { libc::ioctl(1, libc::TIOCSTI, c"x".as_ptr()) }) {
            Err(error) if error.raw_os_error() == Some(libc::ENOTTY) => Ok(()),
            typed => typed,
        }
    }),
    ("reserve a core by core scheduling", |_| {
        const PR_SCHED_CORE: i32 = 62;
        // SAFETY: numbers; the command does not exist.
        allowed(unsafe { libc::prctl(PR_SCHED_CORE, 99, 0, 0, 0) })
    }),
];

/// Succeeds if a call was permitted, even if it failed for another reason.
pub(super) fn allowed(result: impl Into<i64>) -> io::Result<()> {
    match checked(result) {
        Err(error)
            if matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOSYS | libc::EACCES)) =>
        {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Operations that kill the program that tries them.
pub(super) const DEADLY: &[Operation] = &[
    #[cfg(target_arch = "x86_64")]
    ("make an x32 system call", |_| {
        // SAFETY: no arguments. If the filter passes it, the kernel does not know it either.
        checked(unsafe { libc::syscall(0x4000_0000 | libc::SYS_getpid) })
    }),
    #[cfg(target_arch = "x86_64")]
    ("make a 32-bit system call", |_| {
        const GETPID: i64 = 20;
        let result: i64;
        // SAFETY: the legacy system call interrupt, without arguments; it changes no other state.
        unsafe { std::arch::asm!("int 0x80", inlateout("rax") GETPID => result) };
        checked(result)
    }),
];
