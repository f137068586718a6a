//! Pointers of Git LFS: small text files that stand in a repository for large ones. Nothing fetches the
//! large ones for a submission, so a bot with a pointer would fail later, without a reason.
//!
//! <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a pointer begins with.
const BEGINNING: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// A pointer has fewer bytes than this.
const SIZE: u64 = 1024;

/// Returns the first file below a directory that is a pointer, by its path in the directory. Follows no
/// links.
///
/// # Errors
///
/// The directory cannot be read.
pub(super) fn pointer(directory: &Path) -> io::Result<Option<PathBuf>> {
    let mut entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type()?;
        let name = PathBuf::from(entry.file_name());
        if kind.is_dir() {
            if let Some(found) = pointer(&entry.path())? {
                return Ok(Some(name.join(found)));
            }
        } else if kind.is_file() && entry.metadata()?.len() < SIZE {
            let mut beginning = Vec::new();
            File::open(entry.path())?.take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
            if beginning == BEGINNING {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}
