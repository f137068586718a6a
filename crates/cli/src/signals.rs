//! Signals that would kill this program where the system call also returns an error. SIGPIPE is
//! ignored from the start, as in every Rust program. Also the signals that end a server.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;

/// Makes a write beyond the file size limit (`ulimit -f`) fail with EFBIG, as a write to a full
/// disk fails with ENOSPC, instead of killing the program with SIGXFSZ.
///
/// Installs a handler with no effect rather than `SIG_IGN`: child processes inherit ignored
/// signals, and bots must start with the default disposition of every signal.
///
/// # Errors
///
/// A signal that cannot be caught.
pub(crate) fn outlive_full_files() -> io::Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default())?;
    Ok(())
}

/// The signals that end a server, received from now on.
///
/// # Errors
///
/// Signals cannot be caught.
pub fn that_end() -> anyhow::Result<Signals> {
    Signals::new([SIGINT, SIGTERM]).map_err(Failure::host)
}
