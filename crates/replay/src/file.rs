//! The file of a replay: named after its game, never overwritten.

use crate::event::Header;
use crate::writer::ReplayWriter;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximum length of the part of a file name that comes from the game's ID, in bytes.
const NAME_BYTES: usize = 120;

/// The reason why a replay could not be begun.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The file exists; it may be the only copy of another replay.
    #[error("{} already exists: choose another directory, or move it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be created or written.
    #[error("cannot write the replay {}: {source}", path.display())]
    Host {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// Returns the file name of a game's replay: its ID, in which everything but letters, digits, `-`,
/// `_` and `.` is replaced so that the file is neither outside its directory nor hidden in it, and
/// `.ndjson`.
///
/// ```
/// use botyard_replay::replay_file_name;
///
/// assert_eq!(replay_file_name("pig-7-0001"), "pig-7-0001.ndjson");
/// assert_eq!(replay_file_name("../../etc/x"), "_.-..-etc-x.ndjson");
/// ```
pub fn replay_file_name(game_id: &str) -> String {
    let kept = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' => character,
        _ => '-',
    };
    let mut name: String = game_id.chars().map(kept).take(NAME_BYTES).collect();
    if name.is_empty() || name.starts_with('.') {
        name.replace_range(..name.len().min(1), "_");
    }
    name.push_str(".ndjson");
    name
}

impl ReplayWriter<File> {
    /// Begins a replay in a new file of `directory`. Returns its path too.
    ///
    /// # Errors
    ///
    /// The file exists, or the host cannot write it.
    pub fn create(
        directory: &Path,
        header: &Header,
    ) -> Result<(ReplayWriter<File>, PathBuf), CreateError> {
        let path = directory.join(replay_file_name(&header.game_id));
        let writer = ReplayWriter::create_through(&path, header, |file| file)?;
        Ok((writer, path))
    }
}

impl<W: Write> ReplayWriter<W> {
    /// Begins a replay in a new file, written through the output that `output` makes of the file.
    ///
    /// # Errors
    ///
    /// The file exists, or the host cannot write it.
    pub fn create_through(
        path: &Path,
        header: &Header,
        output: impl FnOnce(File) -> W,
    ) -> Result<ReplayWriter<W>, CreateError> {
        let begun = File::create_new(path).and_then(|file| ReplayWriter::new(output(file), header));
        begun.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => CreateError::Exists { path: path.into() },
            _ => CreateError::Host { path: path.into(), source },
        })
    }
}
