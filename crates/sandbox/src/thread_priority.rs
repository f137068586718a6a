//! The priority of a thread that must not wait for what it watches.

/// Gives the calling thread the highest priority among ordinary threads if this process may (root,
/// or `RLIMIT_NICE`), and in any case the shortest time slice (since Linux 6.12), which lets it run
/// soon after it wakes.
#[allow(unsafe_code)]
pub(crate) fn raise() {
    /// The kernel's structure, as of Linux 3.14.
    #[repr(C)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        /// The time slice, in nanoseconds.
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    const SLICE: u64 = 100_000;
    let usual = rustix::process::getpriority_process(None).unwrap_or(0);
    for nice in [-20, usual] {
        let attributes = Attributes {
            size: size_of::<Attributes>() as u32,
            policy: libc::SCHED_OTHER.cast_unsigned(),
            flags: 0,
            nice,
            priority: 0,
            runtime: SLICE,
            deadline: 0,
            period: 0,
        };
        // SAFETY: the call reads a structure of the size that it begins with, of this thread (0).
        let done = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
        if done == 0 {
            return;
        }
    }
}
