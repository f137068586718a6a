//! Signals that would kill this program where the system call also returns an error. SIGPIPE is
//! ignored from the start, as in every Rust program. Also the signals that end a server.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
#[cfg(unix)]
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

/// The signals that end a server.
#[derive(Debug)]
pub struct EndSignals {
    #[cfg(unix)]
    signals: Signals,
    #[cfg(not(unix))]
    is_received: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl EndSignals {
    /// Waits for the first one.
    pub fn wait(&mut self) {
        #[cfg(unix)]
        self.signals.forever().next();
        #[cfg(not(unix))]
        while !self.is_received.load(std::sync::atomic::Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
}

/// The signals that end a server, received from now on.
///
/// # Errors
///
/// Signals cannot be caught.
#[cfg(unix)]
pub fn that_end() -> anyhow::Result<EndSignals> {
    let signals = Signals::new([SIGINT, SIGTERM]).map_err(Failure::host)?;
    Ok(EndSignals { signals })
}

/// The signals that end a server, received from now on.
///
/// # Errors
///
/// Signals cannot be caught.
#[cfg(not(unix))]
pub fn that_end() -> anyhow::Result<EndSignals> {
    let is_received = std::sync::Arc::default();
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, std::sync::Arc::clone(&is_received))
            .map_err(Failure::host)?;
    }
    Ok(EndSignals { is_received })
}
