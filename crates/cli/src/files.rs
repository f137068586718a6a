//! Files that verbs read and write, with the messages about those that they cannot.

use crate::failure::Failure;
use crate::text::eprint_line;
use botyard_league::{atomic_file, private_files};
use botyard_replay::text_file;
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// Reads all bytes of a file.
///
/// # Errors
///
/// The file cannot be read.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))
}

/// Reads a text file in any form of Unicode: see [`text_file`].
///
/// # Errors
///
/// Those of the system, or the first byte that belongs to no character.
pub fn read_text(path: &Path) -> io::Result<String> {
    text_file::read(path)
}

/// Writes a file whole or not at all, and replaces an existing one.
///
/// # Errors
///
/// The path is not writable.
pub fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    atomic_file::replace(path, bytes).map_err(|error| not_written(path, &error))
}

/// Writes a new file, whole or not at all.
///
/// # Errors
///
/// The file exists, or the path is not writable.
pub fn create(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    atomic_file::create(path, bytes).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => already_there(path),
        _ => not_written(path, &error),
    })
}

/// Returns the error of a new file whose path is taken.
pub fn already_there(path: &Path) -> anyhow::Error {
    let path = path.display();
    Failure::usage(format!("{path} already exists: choose another file name, or move it"))
}

/// Keeps the files that this process creates from now on for their owner alone, and prints a line where
/// others could read a store.
pub(crate) fn keep_private() {
    #[cfg(target_os = "linux")]
    botyard_sandbox::keep_new_files_private();
    #[cfg(all(unix, not(target_os = "linux")))]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    private_files::report_with(eprint_line);
}

/// Makes a temporary directory that bots of other users can pass through: bots of a referee that is
/// root run as another user.
///
/// # Errors
///
/// It cannot be made.
pub fn directory_open_to_bots(prefix: &str) -> anyhow::Result<TempDir> {
    let made = || -> io::Result<TempDir> {
        let place = tempfile::Builder::new().prefix(prefix).tempdir()?;
        #[cfg(unix)]
        std::fs::set_permissions(
            place.path(),
            std::os::unix::fs::PermissionsExt::from_mode(0o711),
        )?;
        Ok(place)
    };
    made().map_err(|error| Failure::host(format!("a temporary directory cannot be made: {error}")))
}

fn not_written(path: &Path, error: &io::Error) -> anyhow::Error {
    Failure::host(format!("cannot write {}: {error}", path.display()))
}
