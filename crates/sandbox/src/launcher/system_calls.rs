//! Which system calls a bot may not use (seccomp): a list of those by which a program reaches
//! beyond itself although it shares a user with others, or uses up what no other limit counts.
//! What is not on the list is allowed, because runtimes are many and new ones come; files and
//! namespaces are what other means restrict.
//!
//! A refused call fails with EPERM. One for which programs have another way (`clone3`,
//! `memfd_create`, `io_uring_setup`) fails with ENOSYS, as on an older kernel, and they take it.

use super::setup::{Step, Unfit};
use crate::launch::Launch;
use crate::tier::Tier;
use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter, sock_filter,
};
use std::collections::BTreeMap;
use std::io;

/// Calls that look like they do not exist.
const UNKNOWN: &[c_long] = &[
    // Its flags lie in memory, where a filter cannot look; C libraries fall back to `clone`.
    libc::SYS_clone3,
    // Work that is done in the kernel, past this filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Memory that no limit of a process counts.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_userfaultfd,
    // To watch what others do with files.
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// Calls that are refused.
const FORBIDDEN: &[c_long] = &[
    // Into other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setaffinity,
    // Out of the process group, by which a bot is stopped when it is not its turn.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // The network, and sockets of the machine. A pair of connected ones (`socketpair`) is fine.
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // What outlives the process.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_msgget,
    libc::SYS_msgctl,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The machine.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_sync,
    libc::SYS_syncfs,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Calls that are refused in tier A too, where the files are the user's own and Landlock says
/// nothing about their permissions, times, attributes and locks.
const FORBIDDEN_ON_THE_USERS_FILES: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_unlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_flock,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_symlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mknod,
];

// Too new for the library that names the others. These numbers are the same on every machine.
const SYS_FCHMODAT2: c_long = 452;
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_FILE_SETATTR: c_long = 469;

/// The bit that marks a system call of x86-64 as one of the x32 interface, whose numbers no rule
/// names.
const X32: u32 = 0x4000_0000;

/// Forbids what is on the lists; for good, and for whatever the program starts. Comes last.
pub(super) fn forbid(launch: &Launch) -> Result<(), Unfit> {
    const STEP: &str = "forbidding system calls (seccomp)";
    for program in programs(launch).map_err(io::Error::other).step(STEP)? {
        apply_filter(&program).map_err(io::Error::other).step(STEP)?;
    }
    Ok(())
}

fn programs(launch: &Launch) -> Result<[BpfProgram; 3], seccompiler::BackendError> {
    let forbidden = filter(forbidden(launch)?, libc::EPERM)?;
    let unknown = UNKNOWN.iter().map(|&call| (call, Vec::new())).collect();
    Ok([forbidden, filter(unknown, libc::ENOSYS)?, no_x32()])
}

fn filter(
    rules: BTreeMap<c_long, Vec<SeccompRule>>,
    errno: i32,
) -> Result<BpfProgram, seccompiler::BackendError> {
    // The library's programs begin with a check that kills what calls by another architecture's
    // numbers.
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    let action = SeccompAction::Errno(errno.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, action, target)?.try_into()
}

fn forbidden(
    launch: &Launch,
) -> Result<BTreeMap<c_long, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<c_long, Vec<SeccompRule>> =
        FORBIDDEN.iter().map(|&call| (call, Vec::new())).collect();
    let mut forbid_if = |call: c_long, conditions: Vec<Condition>| {
        let rule = SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)?;
        rules.entry(call).or_default().push(rule);
        Ok::<(), seccompiler::BackendError>(())
    };

    // Signals and limits of descriptors are a process's own business, but these commands send
    // signals in the name of the system, which asks nobody, or hold files of others.
    for command in [libc::F_SETOWN, F_SETOWN_EX, F_SETSIG, libc::F_SETLEASE, libc::F_NOTIFY] {
        forbid_if(libc::SYS_fcntl, vec![is(1, command)])?;
    }
    // Pipes beyond the usual size are memory that no limit counts.
    forbid_if(libc::SYS_fcntl, vec![is(1, libc::F_SETPIPE_SZ)])?;
    // The same as F_SETOWN; and typing into a terminal.
    for request in [FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX] {
        forbid_if(libc::SYS_ioctl, vec![is(1, request)])?;
    }
    // Shared memory is not counted as the process's own.
    let shared = (libc::MAP_SHARED | libc::MAP_ANONYMOUS).unsigned_abs();
    forbid_if(libc::SYS_mmap, vec![has(3, shared.into(), shared.into())])?;
    // A pair of sockets, but not of a kind that can also send to any address.
    forbid_if(libc::SYS_socketpair, vec![is_not(0, libc::AF_UNIX)])?;
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        let kind = u64::from(kind.unsigned_abs());
        forbid_if(libc::SYS_socketpair, vec![has(1, 0xf, kind)])?;
    }
    // Limits and scheduling: its own, not another's.
    for call in [
        libc::SYS_prlimit64,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
    ] {
        forbid_if(call, vec![is_not(0, 0)])?;
    }
    // It ends when the referee ends, and shares a core as others do.
    for option in [libc::PR_SET_PDEATHSIG, PR_SCHED_CORE] {
        forbid_if(libc::SYS_prctl, vec![is(0, option)])?;
    }
    // Every personality but the usual and the question which it is.
    forbid_if(libc::SYS_personality, vec![is_not(0, 0), is_not(0, -1)])?;
    for namespace in NAMESPACES {
        forbid_if(libc::SYS_clone, vec![has(0, namespace, namespace)])?;
    }

    // In tier A nothing would hold a second process.
    if launch.tier == Tier::A || !launch.children {
        forbid_if(libc::SYS_clone, vec![has(0, THREAD, 0)])?;
        #[cfg(target_arch = "x86_64")]
        rules.extend([(libc::SYS_fork, Vec::new()), (libc::SYS_vfork, Vec::new())]);
    }
    if launch.tier == Tier::A {
        rules.extend(FORBIDDEN_ON_THE_USERS_FILES.iter().map(|&call| (call, Vec::new())));
        signal_only_itself(&mut rules)?;
    }
    Ok(rules)
}

/// Tier A shares a user with other programs, the referee where that is not root: it may signal
/// itself only. Its number stays the same when it becomes the program.
fn signal_only_itself(
    rules: &mut BTreeMap<c_long, Vec<SeccompRule>>,
) -> Result<(), seccompiler::BackendError> {
    let own = rustix::process::getpid().as_raw_pid();
    for call in
        [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
    {
        // 0 means its own group, in which it is alone.
        let conditions = vec![is_not(0, own)?, is_not(0, 0)?];
        rules.entry(call).or_default().push(SeccompRule::new(conditions)?);
    }
    // These name a thread or a descriptor, and so may be anybody.
    rules.extend([(libc::SYS_tkill, Vec::new()), (libc::SYS_pidfd_send_signal, Vec::new())]);
    Ok(())
}

type Condition = Result<SeccompCondition, seccompiler::BackendError>;

// The kernel takes these arguments as 32-bit numbers, whatever stands in the upper half.
fn is(argument: u8, value: impl Into<i64>) -> Condition {
    compare(argument, SeccompCmpOp::Eq, value.into())
}

fn is_not(argument: u8, value: i32) -> Condition {
    compare(argument, SeccompCmpOp::Ne, value.into())
}

fn compare(argument: u8, operator: SeccompCmpOp, value: i64) -> Condition {
    let low = u64::from((value & 0xffff_ffff) as u32);
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, low)
}

/// Whether the bits of `mask` in an argument are those of `value`.
fn has(argument: u8, mask: u64, value: u64) -> Condition {
    let operator = SeccompCmpOp::MaskedEq(mask);
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operator, value)
}

const THREAD: u64 = libc::CLONE_THREAD as u64;

/// The flags of `clone` that make namespaces.
const NAMESPACES: [u64; 7] = [
    libc::CLONE_NEWUSER as u64,
    libc::CLONE_NEWNS as u64,
    libc::CLONE_NEWPID as u64,
    libc::CLONE_NEWNET as u64,
    libc::CLONE_NEWIPC as u64,
    libc::CLONE_NEWUTS as u64,
    libc::CLONE_NEWCGROUP as u64,
];

// From <linux/fcntl.h>, <linux/sockios.h>, <asm-generic/ioctls.h> and <linux/prctl.h>.
const F_SETSIG: i32 = 10;
const F_SETOWN_EX: i32 = 15;
const FIOSETOWN: i32 = 0x8901;
const SIOCSPGRP: i32 = 0x8902;
const TIOCSTI: i32 = 0x5412;
const TIOCLINUX: i32 = 0x541c;
const PR_SCHED_CORE: i32 = 62;

/// A program that kills whatever calls by a number of the x32 interface.
fn no_x32() -> BpfProgram {
    const LOAD_WORD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const JUMP_IF_AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let number = 0; // where `struct seccomp_data` has it
    let instruction = |code, jt, k| sock_filter { code, jt, jf: 0, k };
    vec![
        instruction(LOAD_WORD, 0, number),
        instruction(JUMP_IF_AT_LEAST, 1, X32),
        instruction(RETURN, 0, u32::from(SeccompAction::Allow)),
        instruction(RETURN, 0, u32::from(SeccompAction::KillProcess)),
    ]
}
