//! Trying operations, by name.

mod cache;
mod files;
mod ipc;
mod limits;
mod machine;
mod processes;

use std::io;
use std::path::PathBuf;

/// What operations are tried on.
#[derive(Debug)]
pub struct Target {
    /// The directory that the test has prepared.
    pub place: PathBuf,
    /// The process that started the launcher.
    pub referee: i32,
}

/// An operation, by name; an error where it was refused.
pub type Operation = (&'static str, fn(&Target) -> io::Result<()>);

/// Those that leave the program able to go on.
pub fn operations() -> impl Iterator<Item = &'static Operation> {
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

/// Those that end it where they are refused.
pub fn deadly() -> impl Iterator<Item = &'static Operation> {
    machine::DEADLY.iter()
}

/// The result of a system call that returns -1 and sets `errno` where it fails.
pub(crate) fn checked(result: impl Into<i64>) -> io::Result<()> {
    if result.into() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// The same for calls that return a descriptor, which is closed again.
pub(crate) fn checked_fd(result: impl Into<i64>) -> io::Result<()> {
    let fd = result.into();
    checked(fd)?;
    // SAFETY: it was just made, for nobody else.
    unsafe { libc::close(i32::try_from(fd).expect("a descriptor")) };
    Ok(())
}

/// An operation that must not have its way, where it had.
pub(crate) fn refuse_unless(condition: bool, what: &str) -> io::Result<()> {
    if condition { Ok(()) } else { Err(io::Error::other(what.to_string())) }
}
