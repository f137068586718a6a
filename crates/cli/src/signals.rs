//! The signals that would end this program in the middle of its work, where an error of the system call
//! says the same. SIGPIPE is ignored from the start, as in every Rust program.

use signal_hook::consts::SIGXFSZ;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Has a write beyond the largest size of a file (`ulimit -f`) fail with EFBIG, as one to a full disk
/// fails with ENOSPC, instead of ending the program by SIGXFSZ.
///
/// This is a handler that does nothing of use, and not `SIG_IGN`: what is ignored stays ignored in
/// programs that this one starts, and bots are to find every signal as it was at birth.
///
/// # Errors
///
/// A signal that cannot be caught.
pub fn outlive_full_files() -> io::Result<()> {
    let seen = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGXFSZ, seen).map(drop)
}
