//! The free space of a file system.

use std::path::Path;

/// Returns the free space of the file system of a directory, in bytes, if it is known.
#[cfg(unix)]
#[allow(clippy::useless_conversion)] // The numbers are narrower on some systems.
pub fn free_space(directory: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(directory).ok()?;
    Some(u64::from(found.f_bavail).saturating_mul(found.f_frsize.into()))
}

/// Returns nothing: the standard library has no function for it.
#[cfg(not(unix))]
pub fn free_space(_: &Path) -> Option<u64> {
    None
}
