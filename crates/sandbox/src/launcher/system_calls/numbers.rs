//! Numbers of system calls that the `libc` crate does not name, on some architectures or on all.

use libc::c_long;

// From 403 on, numbers are the same on every architecture.
pub(super) const SYS_CACHESTAT: c_long = 451;
pub(super) const SYS_FCHMODAT2: c_long = 452;
pub(super) const SYS_MAP_SHADOW_STACK: c_long = 453;
pub(super) const SYS_FUTEX_WAKE: c_long = 454;
pub(super) const SYS_FUTEX_WAIT: c_long = 455;
pub(super) const SYS_FUTEX_REQUEUE: c_long = 456;
pub(super) const SYS_STATMOUNT: c_long = 457;
pub(super) const SYS_LISTMOUNT: c_long = 458;
pub(super) const SYS_LSM_GET_SELF_ATTR: c_long = 459;
pub(super) const SYS_LSM_SET_SELF_ATTR: c_long = 460;
pub(super) const SYS_LSM_LIST_MODULES: c_long = 461;
pub(super) const SYS_SETXATTRAT: c_long = 463;
pub(super) const SYS_GETXATTRAT: c_long = 464;
pub(super) const SYS_LISTXATTRAT: c_long = 465;
pub(super) const SYS_REMOVEXATTRAT: c_long = 466;
pub(super) const SYS_OPEN_TREE_ATTR: c_long = 467;
pub(super) const SYS_FILE_GETATTR: c_long = 468;
pub(super) const SYS_FILE_SETATTR: c_long = 469;
pub(super) const SYS_LISTNS: c_long = 470;

#[cfg(target_arch = "x86_64")]
mod of_the_architecture {
    use libc::c_long;

    pub(crate) const SYS_RENAMEAT: c_long = libc::SYS_renameat;
    pub(crate) const SYS_SYNC_FILE_RANGE: c_long = libc::SYS_sync_file_range;
    pub(crate) const SYS_GETRLIMIT: c_long = libc::SYS_getrlimit;
    pub(crate) const SYS_SETRLIMIT: c_long = libc::SYS_setrlimit;
    pub(crate) const SYS_IO_PGETEVENTS: c_long = 333;
    pub(crate) const SYS_CREATE_MODULE: c_long = 174;
    pub(crate) const SYS_GET_KERNEL_SYMS: c_long = 177;
    pub(crate) const SYS_QUERY_MODULE: c_long = 178;
    pub(crate) const SYS_URETPROBE: c_long = 335;
    pub(crate) const SYS_UPROBE: c_long = 336;
}

// The numbers of <asm-generic/unistd.h>.
#[cfg(not(target_arch = "x86_64"))]
mod of_the_architecture {
    use libc::c_long;

    pub(crate) const SYS_RENAMEAT: c_long = 38;
    pub(crate) const SYS_SYNC_FILE_RANGE: c_long = 84;
    pub(crate) const SYS_GETRLIMIT: c_long = 163;
    pub(crate) const SYS_SETRLIMIT: c_long = 164;
    pub(crate) const SYS_IO_PGETEVENTS: c_long = 292;
}

pub(super) use of_the_architecture::*;
