//! The files of training: read whole, or written so that nobody ever sees half of one.

use crate::failure::Failure;
use std::io::Write;
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
    let write = || -> anyhow::Result<()> {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(directory.unwrap_or(Path::new(".")))?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| Failure::host(format!("cannot write {}: {error:#}", path.display())))
}
