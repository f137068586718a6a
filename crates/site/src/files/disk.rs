//! The room that files take on the disk.

use std::fs;
use std::path::Path;

/// Returns the size of a directory or file, in bytes. What cannot be read does not count.
pub(crate) fn size(path: &Path) -> u64 {
    /// The smallest size counted for an entry: names and inodes take space too.
    const LEAST: u64 = 4096;
    let Ok(about) = path.symlink_metadata() else { return 0 };
    match about.is_dir() {
        true => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            LEAST + entries.map(|entry| size(&entry.path())).sum::<u64>()
        }
        false => about.len().max(LEAST),
    }
}
