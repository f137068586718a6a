//! The system calls that a program may make, in groups, each group with its reason. A call in no
//! group fails with `ENOSYS`, as on an older kernel; this includes calls newer than this table.

use super::numbers::*;
use Verdict::{Absent, Allowed, Refused, Trees};
use libc::*;

/// The treatment of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Allowed, unless its arguments are refused.
    Allowed,
    /// Allowed in tiers B and C, where all writable files are the program's own. Fails with `EPERM`
    /// in tier A, where it would affect the user's files.
    Trees,
    /// Fails with `EPERM`.
    Refused,
    /// Fails with `ENOSYS`: programs fall back to another call. Calls that the table does not name
    /// fail in the same way; the absent ones are listed to show that they were considered.
    Absent,
}

/// Calls that share a verdict for one reason.
pub(super) type Group = (Verdict, &'static [c_long]);

/// Calls that exist on every architecture.
#[rustfmt::skip]
pub(super) const EVERYWHERE: &[Group] = &[
    // Memory of the process, which RLIMIT_DATA counts (flags: see `arguments`).
    (Allowed, &[
        SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise,
        SYS_msync, SYS_mlock, SYS_mlock2, SYS_mlockall, SYS_munlock, SYS_munlockall, SYS_membarrier,
        SYS_pkey_alloc, SYS_pkey_free, SYS_pkey_mprotect, SYS_mseal, SYS_get_mempolicy,
    ]),
    // Threads; also processes, where the arguments of `clone` permit them.
    (Allowed, &[
        SYS_clone, SYS_execve, SYS_execveat, SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid,
        SYS_futex, SYS_futex_waitv, SYS_FUTEX_WAKE, SYS_FUTEX_WAIT, SYS_FUTEX_REQUEUE,
        SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_rseq, SYS_sched_yield,
        SYS_prctl, SYS_personality, SYS_restart_syscall,
    ]),
    // Signals among the program's own processes; tier A allows only signals to itself.
    (Allowed, &[
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend,
        SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
        SYS_sigaltstack, SYS_kill, SYS_tkill, SYS_tgkill, SYS_pidfd_open, SYS_pidfd_send_signal,
        SYS_signalfd4,
    ]),
    // Identity and usage; changing the identity fails without capabilities.
    (Allowed, &[
        SYS_getpid, SYS_gettid, SYS_getppid, SYS_getpgid, SYS_getsid, SYS_getuid, SYS_geteuid,
        SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_capget,
        SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
        SYS_setgroups, SYS_setfsuid, SYS_setfsgid, SYS_capset, SYS_umask, SYS_getpriority,
        SYS_ioprio_get, SYS_sched_getaffinity, SYS_sched_getattr, SYS_sched_getparam,
        SYS_sched_getscheduler, SYS_sched_get_priority_max, SYS_sched_get_priority_min,
        SYS_sched_rr_get_interval, SYS_getrusage, SYS_prlimit64, SYS_GETRLIMIT, SYS_SETRLIMIT,
        SYS_times, SYS_getcpu, SYS_sysinfo, SYS_uname, SYS_getrandom,
    ]),
    // Time, and timers whose signals are fixed: none of them resumes a stopped process.
    (Allowed, &[
        SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
        SYS_getitimer, SYS_setitimer, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime,
    ]),
    // Descriptors: pipes, events, and polling.
    (Allowed, &[
        SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2, SYS_write, SYS_writev,
        SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_lseek, SYS_sendfile, SYS_copy_file_range,
        SYS_close, SYS_close_range, SYS_dup, SYS_dup3, SYS_fcntl, SYS_ioctl, SYS_pipe2,
        SYS_eventfd2, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_epoll_pwait2,
        SYS_ppoll, SYS_pselect6,
    ]),
    // Files that Landlock and the mount namespace permit.
    (Allowed, &[
        SYS_openat, SYS_newfstatat, SYS_fstat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat,
        SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fchdir,
        SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr, SYS_llistxattr, SYS_flistxattr,
        SYS_fadvise64, SYS_readahead, SYS_fsync, SYS_fdatasync, SYS_SYNC_FILE_RANGE,
    ]),
    // Pairs of connected sockets, which Node and Python's asyncio use internally. No descriptor can
    // be sent over them and their buffers have the default size, so RLIMIT_NOFILE bounds them.
    (Allowed, &[
        SYS_socketpair, SYS_sendto, SYS_recvfrom, SYS_recvmsg, SYS_shutdown, SYS_getsockname,
        SYS_getpeername, SYS_getsockopt,
    ]),
    // Modes, owners, times, attributes, sizes and names of files: Landlock alone does not protect
    // the modes, times and attributes of the user's files.
    (Trees, &[
        SYS_fchmod, SYS_fchmodat, SYS_FCHMODAT2, SYS_fchown, SYS_fchownat, SYS_utimensat,
        SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
        SYS_fremovexattr, SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_linkat, SYS_symlinkat,
        SYS_RENAMEAT, SYS_renameat2, SYS_unlinkat, SYS_mkdirat, SYS_mknodat, SYS_flock,
    ]),
    // Page cache residency, which another process of the same bot can influence.
    (Refused, &[SYS_mincore]),
    // Access to other processes.
    (Refused, &[
        SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise,
        SYS_process_mrelease, SYS_pidfd_getfd, SYS_kcmp, SYS_migrate_pages, SYS_move_pages,
        SYS_mbind, SYS_set_mempolicy, SYS_set_mempolicy_home_node,
    ]),
    // Priorities and cores, including its own: a program that starves itself must not look like one
    // that the host has starved.
    (Refused, &[
        SYS_setpriority, SYS_ioprio_set, SYS_sched_setaffinity, SYS_sched_setscheduler,
        SYS_sched_setparam, SYS_sched_setattr,
    ]),
    // Leaving the process group, which the referee stops when it is not the bot's turn.
    (Refused, &[SYS_setsid, SYS_setpgid]),
    // The network, and the machine's sockets.
    (Refused, &[SYS_socket, SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4]),
    // Sockets that hold more than their default buffer: descriptors in flight (SCM_RIGHTS) can hold
    // further sockets that no limit counts.
    (Refused, &[SYS_setsockopt, SYS_sendmsg, SYS_sendmmsg]),
    // Objects that outlive the process.
    (Refused, &[
        SYS_shmget, SYS_shmat, SYS_shmdt, SYS_shmctl, SYS_semget, SYS_semctl, SYS_semop,
        SYS_semtimedop, SYS_msgget, SYS_msgctl, SYS_msgsnd, SYS_msgrcv, SYS_mq_open, SYS_mq_unlink,
        SYS_mq_getsetattr, SYS_mq_notify, SYS_mq_timedreceive, SYS_mq_timedsend, SYS_add_key,
        SYS_request_key, SYS_keyctl,
    ]),
    // Further seccomp filters: they use kernel memory that no limit counts, and programs do not
    // need them.
    (Refused, &[SYS_seccomp]),
    // The machine: mounts, namespaces, modules, clock, swap, quotas and log.
    (Refused, &[
        SYS_bpf, SYS_perf_event_open, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
        SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
        SYS_mount_setattr, SYS_unshare, SYS_setns, SYS_open_by_handle_at, SYS_name_to_handle_at,
        SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load, SYS_kexec_file_load, SYS_init_module,
        SYS_finit_module, SYS_delete_module, SYS_sethostname, SYS_setdomainname, SYS_settimeofday,
        SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_acct, SYS_quotactl, SYS_quotactl_fd,
        SYS_syslog, SYS_vhangup, SYS_sync, SYS_syncfs,
    ]),
    // Their arguments are in memory, which a filter cannot inspect; C libraries fall back to
    // `clone` and `openat`.
    (Absent, &[SYS_clone3, SYS_openat2]),
    // Work that the kernel does past this filter, in rings shared by the whole machine.
    (Absent, &[
        SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_setup, SYS_io_destroy,
        SYS_io_submit, SYS_io_cancel, SYS_io_getevents, SYS_IO_PGETEVENTS,
    ]),
    // Timers that can send any signal: SIGCONT resumes a program that was stopped because it was
    // not its turn.
    (Absent, &[
        SYS_timer_create, SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun,
        SYS_timer_delete,
    ]),
    // Memory that no process limit counts: memory files, pages held only by a pipe, shadow stacks.
    (Absent, &[
        SYS_memfd_create, SYS_memfd_secret, SYS_vmsplice, SYS_splice, SYS_tee, SYS_MAP_SHADOW_STACK,
        SYS_remap_file_pages, SYS_userfaultfd,
    ]),
    // Observing other programs' file accesses.
    (Absent, &[
        SYS_fanotify_init, SYS_fanotify_mark, SYS_inotify_init1, SYS_inotify_add_watch,
        SYS_inotify_rm_watch, SYS_CACHESTAT,
    ]),
    // Mounts and security modules of the machine, as new kernels list them.
    (Absent, &[
        SYS_STATMOUNT, SYS_LISTMOUNT, SYS_LISTNS, SYS_OPEN_TREE_ATTR, SYS_LSM_GET_SELF_ATTR,
        SYS_LSM_SET_SELF_ATTR, SYS_LSM_LIST_MODULES,
    ]),
    // New variants of old calls; programs fall back to the old ones.
    (Absent, &[
        SYS_SETXATTRAT, SYS_GETXATTRAT, SYS_LISTXATTRAT, SYS_REMOVEXATTRAT, SYS_FILE_GETATTR,
        SYS_FILE_SETATTR, SYS_recvmmsg,
    ]),
    // Further Landlock rules: they use kernel memory that no limit counts.
    (Absent, &[SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self]),
    // Calls that no current kernel has.
    (Absent, &[SYS_lookup_dcookie, SYS_nfsservctl]),
];

/// The older calls of x86-64, which newer architectures never had.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub(super) const OLDER: &[Group] = &[
    // Older variants of calls that are allowed above.
    (Allowed, &[
        SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_pipe,
        SYS_dup2, SYS_eventfd, SYS_signalfd, SYS_epoll_create, SYS_epoll_wait, SYS_poll, SYS_select,
        SYS_pause, SYS_alarm, SYS_time, SYS_getpgrp, SYS_arch_prctl,
    ]),
    // Processes, if the program may start any (see `arguments`).
    (Allowed, &[SYS_fork, SYS_vfork]),
    // Older variants of the calls that are allowed for trees above.
    (Trees, &[
        SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_link,
        SYS_symlink, SYS_rename, SYS_unlink, SYS_mkdir, SYS_rmdir, SYS_mknod,
    ]),
    // The machine.
    (Refused, &[SYS_iopl, SYS_ioperm, SYS_modify_ldt]),
    // Calls that predate this architecture, or serve the kernel's own probes.
    (Absent, &[
        SYS_inotify_init, SYS_epoll_ctl_old, SYS_epoll_wait_old, SYS_uselib, SYS_ustat, SYS_sysfs,
        SYS__sysctl, SYS_set_thread_area, SYS_get_thread_area, SYS_getpmsg, SYS_putpmsg,
        SYS_afs_syscall, SYS_tuxcall, SYS_security, SYS_vserver, SYS_CREATE_MODULE,
        SYS_GET_KERNEL_SYMS, SYS_QUERY_MODULE, SYS_URETPROBE, SYS_UPROBE,
    ]),
];

/// Other architectures have no older calls.
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLDER: &[Group] = &[];

/// Returns all groups.
pub(super) fn groups() -> impl Iterator<Item = &'static Group> {
    EVERYWHERE.iter().chain(OLDER)
}
