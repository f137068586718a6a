//! The files of training: read whole, or written so that nobody ever sees half of one.

use crate::failure::Failure;
use botyard_league::atomic_file;
use std::path::Path;

/// All bytes of a file.
///
/// # Errors
///
/// A file that cannot be read.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))
}

/// Puts a file in the place of what was there.
///
/// # Errors
///
/// A place that cannot be written to.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    atomic_file::replace(path, bytes)
        .map_err(|error| Failure::host(format!("cannot write {}: {error}", path.display())))
}
