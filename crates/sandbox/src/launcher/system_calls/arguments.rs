//! Arguments that are refused to otherwise allowed system calls, because they reach beyond the
//! program or use memory that no limit counts.

use super::numbers::{SYS_FCHMODAT2, SYS_SETRLIMIT};
use crate::launch::Launch;
use crate::tier::Tier;
use libc::c_long;
use seccompiler::{BackendError, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};
use std::collections::BTreeMap;

/// System calls, each with the rules under which it is refused; one matching rule is enough. A call
/// with no rules is always refused.
pub(super) type Refusals = BTreeMap<c_long, Vec<SeccompRule>>;

type Condition = Result<SeccompCondition, BackendError>;

/// Adds the refused arguments for this program.
pub(super) fn refuse(refusals: &mut Refusals, launch: &Launch) -> Result<(), BackendError> {
    let mut refuse_if = |call: c_long, conditions: Vec<Condition>| {
        let rule = SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)?;
        refusals.entry(call).or_default().push(rule);
        Ok::<(), BackendError>(())
    };
    // Not included: commands that make the kernel send signals without a permission check, hold
    // other users' files, type into terminals or enlarge pipes.
    refuse_if(libc::SYS_fcntl, none_of(1, &FCNTL))?;
    refuse_if(libc::SYS_ioctl, none_of(1, &IOCTL))?;
    refuse_if(libc::SYS_prctl, none_of(0, &PRCTL))?;

    // Shared memory does not count as the process's own memory; nor does a mapping that grows like
    // a stack, or one in huge pages from the machine's pool.
    let shared = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
    for flags in [shared, libc::MAP_GROWSDOWN, libc::MAP_HUGETLB] {
        refuse_if(libc::SYS_mmap, vec![has(3, bits(flags), bits(flags))])?;
    }
    // Whether a page of a file is cached is a signal that one process of a bot could leave for the
    // next. So no read or write may depend on whether it would block, and no page may be pushed
    // out. `ineffective` has the rest.
    for call in [libc::SYS_preadv2, libc::SYS_pwritev2] {
        refuse_if(call, vec![is_not(5, 0)])?;
    }
    for advice in [libc::MADV_COLD, libc::MADV_PAGEOUT] {
        refuse_if(libc::SYS_madvise, vec![is(2, advice)])?;
    }
    // A pair of sockets, but not of a kind that can also send to other addresses.
    refuse_if(libc::SYS_socketpair, vec![is_not(0, libc::AF_UNIX)])?;
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        refuse_if(libc::SYS_socketpair, vec![has(1, 0xf, bits(kind))])?;
    }
    refuse_if(libc::SYS_prlimit64, vec![is_not(0, 0)])?;
    // Only the init process, which divides it, changes the data limit of a process.
    if launch.shares_memory() {
        let data = libc::RLIMIT_DATA as i32;
        let length = SeccompCmpArgLen::Qword;
        let sets = SeccompCondition::new(2, length, SeccompCmpOp::Ne, 0);
        refuse_if(libc::SYS_prlimit64, vec![is(1, data), sets])?;
        refuse_if(SYS_SETRLIMIT, vec![is(0, data)])?;
    }
    // Every personality except the default and the query for the current one.
    refuse_if(libc::SYS_personality, vec![is_not(0, 0), is_not(0, -1)])?;
    refuse_set_id_modes(&mut refuse_if)?;

    for flag in NAMESPACES.into_iter().chain([libc::CLONE_PARENT]) {
        refuse_if(libc::SYS_clone, vec![has(0, bits(flag), bits(flag))])?;
    }
    let thread = bits(libc::CLONE_THREAD);
    // Threads with separate descriptor tables would each have the full limit of open files.
    let files = bits(libc::CLONE_FILES);
    refuse_if(libc::SYS_clone, vec![has(0, thread | files, thread)])?;
    // In tier A nothing would contain a second process.
    let one_process = launch.tier == Tier::A || !launch.children;
    if one_process {
        refuse_if(libc::SYS_clone, vec![has(0, thread, 0)])?;
    }
    // The end of a child is signalled by SIGCHLD or not at all: SIGCONT would resume a program that
    // has since been stopped. First every bit that SIGCHLD does not have, then every proper part of
    // its bits.
    const SIGNAL: u64 = 0xff;
    let usual = bits(libc::SIGCHLD);
    for bit in (0..8).map(|bit| 1 << bit) {
        let unusual = if usual & bit == 0 { has(0, bit, bit) } else { has(0, SIGNAL, bit) };
        refuse_if(libc::SYS_clone, vec![unusual])?;
    }

    if launch.tier == Tier::A {
        // The program shares its UID with other programs, including the referee if that is not
        // root. Its PID stays the same when it executes the program; 0 means its own process group,
        // in which it is alone.
        let own = rustix::process::getpid().as_raw_pid();
        for call in [
            libc::SYS_kill,
            libc::SYS_tgkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
        ] {
            refuse_if(call, vec![is_not(0, own), is_not(0, 0)])?;
        }
        // These take a TID or a descriptor, which may belong to any process.
        for call in [libc::SYS_tkill, libc::SYS_pidfd_send_signal] {
            refusals.insert(call, Vec::new());
        }
    }
    if one_process {
        #[cfg(target_arch = "x86_64")]
        refusals.extend([(libc::SYS_fork, Vec::new()), (libc::SYS_vfork, Vec::new())]);
    }
    Ok(())
}

/// Adds the calls that succeed without being made: file locks and page cache advice, unless the
/// program may write files that it shares with others. Two processes of a bot, in different games,
/// could communicate by a lock on a file that both can read, or by which pages one of them has
/// dropped from the cache. Libraries lock files that only they use (SQLite does so to read) and
/// give advice about what they read, so a refusal would break them.
pub(super) fn ineffective(calls: &mut Refusals, launch: &Launch) -> Result<(), BackendError> {
    if !launch.writable.is_empty() {
        return Ok(());
    }
    for call in [libc::SYS_flock, libc::SYS_fadvise64, libc::SYS_readahead] {
        calls.insert(call, Vec::new());
    }
    let sets = |command: i32| SeccompRule::new(vec![is(1, command)?]);
    let rules = SET_LOCK.into_iter().map(sets).collect::<Result<_, _>>()?;
    calls.insert(libc::SYS_fcntl, rules);
    Ok(())
}

/// Refuses the setuid and setgid bits in every call that takes a mode: a file left by a build would
/// run with the rights of the user who started the build.
fn refuse_set_id_modes(
    refuse_if: &mut impl FnMut(c_long, Vec<Condition>) -> Result<(), BackendError>,
) -> Result<(), BackendError> {
    for bit in [libc::S_ISUID, libc::S_ISGID] {
        let bit = u64::from(bit);
        for (call, mode) in MODES {
            refuse_if(*call, vec![has(*mode, bit, bit)])?;
        }
        // The mode of an open has an effect only if the call creates a file.
        for (call, flags) in OPENS {
            for makes in [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY] {
                let makes = has(*flags, bits(makes), bits(makes));
                refuse_if(*call, vec![makes, has(flags + 1, bit, bit)])?;
            }
        }
    }
    Ok(())
}

/// Calls that take a mode, with the index of that argument.
const MODES: &[(c_long, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (SYS_FCHMODAT2, 2),
    (libc::SYS_mkdirat, 2),
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mkdir, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
];

/// Calls that open a file, with the index of the flags argument; the mode follows it.
const OPENS: &[(c_long, u8)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];

/// Allowed commands of `fcntl`: descriptors, status flags, and locks. On a read-only file only read
/// locks are possible.
const FCNTL: [u32; 16] = [
    libc::F_DUPFD as u32,
    libc::F_DUPFD_CLOEXEC as u32,
    libc::F_GETFD as u32,
    libc::F_SETFD as u32,
    libc::F_GETFL as u32,
    libc::F_SETFL as u32,
    libc::F_GETOWN as u32,
    libc::F_GETPIPE_SZ as u32,
    libc::F_GET_SEALS as u32,
    libc::F_GETLK as u32,
    libc::F_SETLK as u32,
    libc::F_SETLKW as u32,
    libc::F_OFD_GETLK as u32,
    libc::F_OFD_SETLK as u32,
    libc::F_OFD_SETLKW as u32,
    F_DUPFD_QUERY,
];

/// The commands of `fcntl` that set or remove locks.
const SET_LOCK: [i32; 4] = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

/// Allowed requests of `ioctl`: terminal detection and size, number of readable bytes, descriptor
/// flags, and file clones that share their blocks.
const IOCTL: [u32; 14] = [
    libc::TCGETS as u32,
    TCGETS2,
    libc::TCSETS as u32,
    libc::TCSETSW as u32,
    libc::TCSETSF as u32,
    libc::TIOCGWINSZ as u32,
    libc::TIOCGPGRP as u32,
    libc::FIONREAD as u32,
    libc::FIONBIO as u32,
    libc::FIOCLEX as u32,
    libc::FIONCLEX as u32,
    FICLONE,
    FICLONERANGE,
    FS_IOC_FIEMAP,
];

/// Allowed options of `prctl`: names, queries, and settings that affect only the process itself.
const PRCTL: [u32; 25] = [
    libc::PR_SET_NAME as u32,
    libc::PR_GET_NAME as u32,
    libc::PR_GET_PDEATHSIG as u32,
    libc::PR_GET_DUMPABLE as u32,
    libc::PR_GET_KEEPCAPS as u32,
    libc::PR_GET_TIMING as u32,
    libc::PR_GET_TIMERSLACK as u32,
    libc::PR_CAPBSET_READ as u32,
    libc::PR_GET_SECUREBITS as u32,
    libc::PR_GET_SECCOMP as u32,
    libc::PR_SET_NO_NEW_PRIVS as u32,
    libc::PR_GET_NO_NEW_PRIVS as u32,
    libc::PR_SET_THP_DISABLE as u32,
    libc::PR_GET_THP_DISABLE as u32,
    libc::PR_GET_TID_ADDRESS as u32,
    libc::PR_GET_CHILD_SUBREAPER as u32,
    PR_SET_VMA,
    PR_GET_AUXV,
    // Floating point, vectors, pointer keys and tags of other architectures.
    PR_SVE_SET_VL,
    PR_SVE_GET_VL,
    PR_PAC_RESET_KEYS,
    PR_SET_TAGGED_ADDR_CTRL,
    PR_GET_TAGGED_ADDR_CTRL,
    PR_SME_SET_VL,
    PR_SME_GET_VL,
];

/// The flags of `clone` that create namespaces.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

// From <linux/fcntl.h>, <linux/fs.h>, <linux/fiemap.h>, <asm-generic/ioctls.h>, <linux/prctl.h>.
const F_DUPFD_QUERY: u32 = 1027;
const TCGETS2: u32 = 0x802c_542a;
const FICLONE: u32 = 0x4004_9409;
const FICLONERANGE: u32 = 0x4020_940d;
const FS_IOC_FIEMAP: u32 = 0xc020_660b;
const PR_SVE_SET_VL: u32 = 50;
const PR_SVE_GET_VL: u32 = 51;
const PR_PAC_RESET_KEYS: u32 = 54;
const PR_SET_TAGGED_ADDR_CTRL: u32 = 55;
const PR_GET_TAGGED_ADDR_CTRL: u32 = 56;
const PR_SME_SET_VL: u32 = 63;
const PR_SME_GET_VL: u32 = 64;
const PR_SET_VMA: u32 = 0x5356_4d41;
const PR_GET_AUXV: u32 = 0x4155_5856;

// The kernel reads these arguments as 32-bit numbers and ignores the upper half.
fn is_not(argument: u8, value: i32) -> Condition {
    compare(argument, SeccompCmpOp::Ne, u64::from(value.cast_unsigned()))
}

fn is(argument: u8, value: i32) -> Condition {
    compare(argument, SeccompCmpOp::Eq, u64::from(value.cast_unsigned()))
}

/// Returns conditions that all hold if an argument is none of these values.
fn none_of(argument: u8, values: &[u32]) -> Vec<Condition> {
    let differs = |&value: &u32| compare(argument, SeccompCmpOp::Ne, u64::from(value));
    values.iter().map(differs).collect()
}

fn compare(argument: u8, operator: SeccompCmpOp, value: u64) -> Condition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

/// Returns the condition that the bits of `mask` in an argument equal those of `value`.
fn has(argument: u8, mask: u64, value: u64) -> Condition {
    let operator = SeccompCmpOp::MaskedEq(mask);
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operator, value)
}

fn bits(flags: i32) -> u64 {
    u64::from(flags.cast_unsigned())
}
