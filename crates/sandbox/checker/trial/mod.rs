//! Operations to try, by name.

mod cache;
mod files;
mod ipc;
mod limits;
mod machine;
mod processes;

use std::io;
use std::path::PathBuf;

/// The target of the operations.
#[derive(Debug)]
pub(crate) struct Target {
    /// The directory that the test has prepared.
    pub place: PathBuf,
    /// The PID of the process that started the launcher.
    pub referee: i32,
}

/// An operation: its name and its function, which returns an error if it is refused.
pub(crate) type Operation = (&'static str, fn(&Target) -> io::Result<()>);

/// Returns the operations after which the program can continue.
pub(crate) fn operations() -> impl Iterator<Item = &'static Operation> {
    [
        files::OPERATIONS,
        cache::OPERATIONS,
        processes::OPERATIONS,
        ipc::OPERATIONS,
        machine::OPERATIONS,
        limits::OPERATIONS,
    ]
    .into_iter()
    .flatten()
}

/// Returns the operations that kill the program if they are refused.
pub(crate) fn deadly() -> impl Iterator<Item = &'static Operation> {
    machine::DEADLY.iter()
}

/// Checks the result of a system call that returns -1 and sets `errno` on failure.
pub(crate) fn checked(result: impl Into<i64>) -> io::Result<()> {
    if result.into() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Checks the result of a call that returns a descriptor, and closes the descriptor.
pub(crate) fn checked_fd(result: impl Into<i64>) -> io::Result<()> {
    let fd = result.into();
    checked(fd)?;
    // SAFETY: the descriptor is new and has no other owner.
    unsafe { libc::close(i32::try_from(fd).expect("a descriptor")) };
    Ok(())
}

/// Returns an error with this message unless `condition` holds.
pub(crate) fn refuse_unless(condition: bool, what: &str) -> io::Result<()> {
    if condition { Ok(()) } else { Err(io::Error::other(what.to_string())) }
}
