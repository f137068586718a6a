//! Processes: the program's own and those of other users.

use super::machine::allowed;
use super::{Operation, checked, checked_fd, refuse_unless};
use std::fs;
use std::io;
use std::process::Command;

pub(super) const OPERATIONS: &[Operation] = &[
    ("start a thread", |_| {
        let thread = std::thread::Builder::new().spawn(|| ())?;
        thread.join().map_err(|_| io::Error::other("it panicked"))
    }),
    ("signal itself", |_| {
        // SAFETY: numbers; signal 0 only checks permission.
        checked(unsafe { libc::kill(libc::getpid(), 0) })
    }),
    ("start a process", |_| Command::new("/usr/bin/env").arg("true").status().map(drop)),
    ("leave an orphan", |_| {
        // SAFETY: the child calls only functions that are allowed between `fork` and `_exit`.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            unsafe { libc::_exit(0) };
        }
        checked(pid)
    }),
    ("start a thread with its own descriptor table", |_| {
        // Threads must share memory and signal handlers; without these flags the kernel rejects the
        // call.
        let flags = libc::CLONE_THREAD;
        // SAFETY: the call starts nothing.
        allowed(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })
    }),
    ("signal the end of a child by SIGCONT", |_| {
        // SAFETY: a `fork`; the child exits immediately.
        let pid = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCONT, 0, 0, 0, 0) };
        if pid == 0 {
            unsafe { libc::_exit(0) };
        }
        checked(pid)
    }),
    ("start a sibling", |_| {
        let flags = libc::CLONE_PARENT | libc::SIGCHLD;
        // SAFETY: a `fork`; the child exits immediately.
        let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
        if pid == 0 {
            unsafe { libc::_exit(0) };
        }
        checked(pid)
    }),
    ("set a timer that sends SIGCONT", |_| {
        // SAFETY: structures of the right types, zeroed except for the fields set here.
        unsafe {
            let mut event = std::mem::zeroed::<libc::sigevent>();
            event.sigev_notify = libc::SIGEV_SIGNAL;
            event.sigev_signo = libc::SIGCONT;
            let mut timer = std::mem::zeroed::<libc::timer_t>();
            checked(libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer))
        }
    }),
    ("start a session", |_| {
        // SAFETY: no arguments.
        checked(unsafe { libc::setsid() }.max(-1))
    }),
    ("change its process group", |_| {
        // SAFETY: numbers.
        checked(unsafe { libc::setpgid(0, 0) })
    }),
    ("outlive its parent", |_| {
        // SAFETY: numbers.
        checked(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, 0) })
    }),
    ("be root", |_| {
        // SAFETY: no arguments.
        refuse_unless(unsafe { libc::geteuid() == 0 || libc::getuid() == 0 }, "it is not")
    }),
    ("become root", |_| {
        // SAFETY: a number.
        checked(unsafe { libc::setuid(0) })
    }),
    ("have a capability", |_| {
        let status = fs::read_to_string("/proc/self/status")?;
        let has = |name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("0");
            u64::from_str_radix(line.trim(), 16).is_ok_and(|set| set != 0)
        };
        refuse_unless(has("CapEff:") || has("CapPrm:") || has("CapInh:") || has("CapAmb:"), "none")
    }),
    ("gain privileges by exec", |_| {
        // SAFETY: numbers.
        let given_up = unsafe { libc::prctl(libc::PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) } == 1;
        refuse_unless(!given_up, "no new privileges are possible")
    }),
    ("signal the referee", |on| {
        // SAFETY: numbers.
        checked(unsafe { libc::kill(on.referee, 0) })
    }),
    ("signal the referee by pidfd", |on| {
        // SAFETY: numbers, and a null pointer where one is allowed.
        let pidfd = unsafe { libc::syscall(libc::SYS_pidfd_open, on.referee, 0) };
        checked(pidfd)?;
        let none = std::ptr::null::<libc::siginfo_t>();
        checked(unsafe { libc::syscall(libc::SYS_pidfd_send_signal, pidfd, 0, none, 0) })
    }),
    ("queue a signal to the referee", |on| {
        // SAFETY: a zeroed structure of the size that the call reads.
        let info = unsafe { std::mem::zeroed::<libc::siginfo_t>() };
        checked(unsafe {
            libc::syscall(libc::SYS_rt_sigqueueinfo, on.referee, libc::SIGCONT, &raw const info)
        })
    }),
    ("signal a thread of the referee", |on| {
        // SAFETY: numbers.
        checked(unsafe { libc::syscall(libc::SYS_tkill, on.referee, 0) })
    }),
    ("signal all processes", |_| {
        // SAFETY: numbers; SIGCONT does no harm to running processes.
        match checked(unsafe { libc::kill(-1, libc::SIGCONT) }) {
            // The call is allowed, but there is no other process.
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(()),
            signalled => signalled,
        }
    }),
    ("make the kernel signal the referee", |on| {
        // SAFETY: numbers.
        checked(unsafe { libc::fcntl(1, libc::F_SETOWN, on.referee) })
    }),
    ("make the kernel signal the referee, by ioctl", |on| {
        const FIOSETOWN: libc::c_ulong = 0x8901;
        // SAFETY: the call reads the number behind the pointer.
        checked(unsafe { libc::ioctl(1, FIOSETOWN as _, &raw const on.referee) })
    }),
    ("trace the referee", |on| {
        // SAFETY: numbers. The call stops nothing.
        checked(unsafe { libc::ptrace(libc::PTRACE_SEIZE, on.referee, 0, 0) })?;
        checked(unsafe { libc::ptrace(libc::PTRACE_DETACH, on.referee, 0, 0) })
    }),
    ("let its parent trace it", |_| {
        // SAFETY: numbers.
        checked(unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) })
    }),
    ("read the referee's memory", |on| {
        let mut byte = 0_u8;
        let ours = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        let theirs = libc::iovec { iov_base: 0x40_0000 as *mut _, iov_len: 1 };
        // SAFETY: one byte into a variable of one byte.
        match checked(unsafe {
            libc::process_vm_readv(on.referee, &raw const ours, 1, &raw const theirs, 1, 0) as i64
        }) {
            // The address is not mapped, but the call is allowed.
            Err(error) if error.raw_os_error() == Some(libc::EFAULT) => Ok(()),
            read => read,
        }
    }),
    ("read the referee's environment", |on| {
        fs::read(format!("/proc/{}/environ", on.referee)).map(drop)
    }),
    ("read the referee's command line", |on| {
        fs::read(format!("/proc/{}/cmdline", on.referee)).map(drop)
    }),
    ("list all processes", |_| fs::read_dir("/proc").map(drop)),
    ("change the referee's limits", |on| {
        let none = std::ptr::null();
        let mut old = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call only reads the limit, into a structure of the right type.
        checked(unsafe { libc::prlimit(on.referee, libc::RLIMIT_NOFILE, none, &raw mut old) })
    }),
    ("change the referee's priority", |on| {
        let id = on.referee.unsigned_abs();
        // SAFETY: numbers.
        let now = unsafe { libc::getpriority(libc::PRIO_PROCESS, id) };
        checked(unsafe { libc::setpriority(libc::PRIO_PROCESS, id, now) })
    }),
    ("change the priority of its user's processes", |_| {
        // SAFETY: numbers.
        checked(unsafe { libc::setpriority(libc::PRIO_USER, 0, 0) })
    }),
    ("change the referee's scheduling", |on| {
        let parameters = libc::sched_param { sched_priority: 0 };
        // SAFETY: a structure of the right type.
        checked(unsafe {
            libc::sched_setscheduler(on.referee, libc::SCHED_OTHER, &raw const parameters)
        })
    }),
    ("lower its own priority", |_| {
        // SAFETY: numbers: the priority stays the same.
        checked(unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, 0) })
    }),
    ("become a batch process", |_| {
        let parameters = libc::sched_param { sched_priority: 0 };
        // SAFETY: a structure of the right type.
        checked(unsafe { libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const parameters) })
    }),
    ("change its own scheduling", |_| {
        // SAFETY: the null pointer is rejected.
        allowed(unsafe { libc::syscall(libc::SYS_sched_setattr, 0, std::ptr::null::<u8>(), 0) })
    }),
    ("lower its I/O priority", |_| {
        const OF_A_PROCESS: i32 = 1;
        const IDLE: i32 = 3 << 13;
        // SAFETY: numbers.
        checked(unsafe { libc::syscall(libc::SYS_ioprio_set, OF_A_PROCESS, 0, IDLE) })
    }),
    ("change the referee's cores", |on| cores(on.referee)),
    ("change its own cores", |_| cores(0)),
    ("compare the referee's descriptors", |on| {
        // SAFETY: numbers. KCMP_FILES is 2.
        checked(unsafe { libc::syscall(libc::SYS_kcmp, libc::getpid(), on.referee, 2, 0, 0) })
    }),
    ("take a descriptor of the referee", |on| {
        // SAFETY: numbers.
        let pidfd = unsafe { libc::syscall(libc::SYS_pidfd_open, on.referee, 0) };
        checked(pidfd)?;
        checked_fd(unsafe { libc::syscall(libc::SYS_pidfd_getfd, pidfd, 0, 0) })
    }),
];

fn cores(process: i32) -> io::Result<()> {
    // SAFETY: a zeroed set is empty; the kernel fills it, and gets it back unchanged.
    unsafe {
        let mut set = std::mem::zeroed::<libc::cpu_set_t>();
        checked(libc::sched_getaffinity(process, size_of_val(&set), &raw mut set))?;
        checked(libc::sched_setaffinity(process, size_of_val(&set), &raw const set))
    }
}
