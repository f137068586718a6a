//! The compression of a replay in place. At any time, the plain file or the compressed one is
//! complete.

use botyard_league::atomic_file;
use botyard_replay::{ReadError, ReplayReader, compress, compressed_path, is_compressed_path};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a replay was not compressed. It is unchanged.
#[derive(Debug)]
pub enum NotCompressed {
    /// It cannot be read, is incomplete, or has a changed line.
    Unsound(ReadError),
    /// The compressed file cannot be written.
    Host(io::Error),
}

/// Replaces a plain replay by a compressed one, if its lines are complete and unchanged. A replay
/// that is compressed already is left as it is.
///
/// # Errors
///
/// The replay is not sound, or the host fails.
pub fn compress_replay(plain: &Path) -> Result<(), NotCompressed> {
    if is_compressed_path(plain) || !plain.exists() && compressed_path(plain).exists() {
        return Ok(());
    }
    ReplayReader::open(plain)
        .and_then(|mut lines| lines.try_for_each(|line| line.map(drop)))
        .map_err(NotCompressed::Unsound)?;
    replace(plain, atomic_file::create).map(drop).map_err(NotCompressed::Host)
}

/// Replaces a plain replay that this program has just written by a compressed one, without waiting
/// for the disk, and returns the path of the new file.
pub(crate) fn compress_new_replay(plain: &Path) -> io::Result<PathBuf> {
    replace(plain, atomic_file::replace_unsynced)
}

fn replace(plain: &Path, write: fn(&Path, &[u8]) -> io::Result<()>) -> io::Result<PathBuf> {
    let compressed = compressed_path(plain);
    let archive = compress(&fs::read(plain)?).map_err(io::Error::other)?;
    write(&compressed, &archive)?;
    fs::remove_file(plain)?;
    Ok(compressed)
}
