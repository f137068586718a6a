//! A lock file that one process at a time holds. The system releases it however the process ends.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Opens the file of the lock, if this process gets the lock within this time. The lock is held while
/// the file is open.
///
/// The lock belongs to the process (`fcntl`) and not to the open file (`flock`). Programs being
/// started hold all open files until they are executed, even if this program has been killed, and
/// would keep a tournament from being resumed.
///
/// # Errors
///
/// The file cannot be opened.
#[cfg(unix)]
pub fn locked_within(path: &Path, time: Duration) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, fcntl_lock};
    let lock = File::options().create(true).truncate(false).write(true).open(path)?;
    let deadline = Instant::now() + time;
    loop {
        if fcntl_lock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return Ok(Some(lock));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Opens the file of the lock, if no other process has opened it, within this time. The file is
/// opened for this process alone.
///
/// # Errors
///
/// The file cannot be opened.
#[cfg(windows)]
pub fn locked_within(path: &Path, time: Duration) -> io::Result<Option<File>> {
    /// `ERROR_SHARING_VIOLATION`.
    const IN_USE: i32 = 32;
    let deadline = Instant::now() + time;
    loop {
        let mut options = File::options();
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        match options.create(true).truncate(false).write(true).open(path) {
            Err(error) if error.raw_os_error() == Some(IN_USE) => {}
            opened => return opened.map(Some),
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        std::thread::sleep(PAUSE);
    }
}
