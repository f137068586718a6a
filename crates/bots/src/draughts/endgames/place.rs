//! The paths of endgame table files, and loading them once for all games of a process.

use super::cache;
use super::format::{FormatError, HEADER, Header, decode};
use botyard_engine::draughts::endgame::{Endgames, Material};
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The default name of the file.
pub const FILE_NAME: &str = "draughts.egdb";

/// The memory that tables have by default, in MiB.
pub const DEFAULT_MEBIBYTES: usize = 256;

/// The reason why a file cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file does not exist.
    #[error("there is no file {}; `botyard egdb build --out {}` writes it", .0.display(), .0.display())]
    Missing(PathBuf),
    /// The file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The file is damaged or of another kind.
    #[error("{}: {source}; `botyard egdb build --out {}` rewrites it", .path.display(), .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The error.
        source: FormatError,
    },
}

/// The tables that a bot plays with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// None.
    None,
    /// The tables beside the executable or in the user's data directory, if any.
    Auto,
    /// The tables in this file.
    File(PathBuf),
}

impl Source {
    /// Parses `none`, `auto` or a path.
    pub(crate) fn from_option(text: &str) -> Source {
        match text {
            "none" => Source::None,
            "auto" => Source::Auto,
            path => Source::File(path.into()),
        }
    }

    /// Returns the path of the file, if there is one.
    fn path(&self) -> Option<PathBuf> {
        match self {
            Source::None => None,
            Source::Auto => places().into_iter().find(|path| path.is_file()),
            Source::File(path) => Some(path.clone()),
        }
    }
}

/// Returns the file in the user's data directory: in `$XDG_DATA_HOME/botyard/` if that variable is
/// set, otherwise in `~/.local/share/botyard/`. `None` if there is no home directory either.
pub fn data_file() -> Option<PathBuf> {
    data_files().into_iter().next()
}

fn data_files() -> Vec<PathBuf> {
    let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let default = set("HOME").map(|home| home.join(".local/share"));
    let directories = [set("XDG_DATA_HOME"), default].into_iter().flatten();
    directories.map(|directory| directory.join("botyard").join(FILE_NAME)).collect()
}

/// Returns the places where bots look, in this order.
fn places() -> Vec<PathBuf> {
    let executable = env::current_exe().ok();
    let beside = executable.and_then(|path| Some(path.parent()?.join(FILE_NAME)));
    beside.into_iter().chain(data_files()).collect()
}

/// Loads the tables of a source in this many MiB of memory: if they need more, they stay in their
/// file, and a cache of this size has what was read last. Tables of the earlier forms, which can
/// only be read whole, need what they need. The last tables are kept, so that the next game has them
/// immediately.
///
/// # Errors
///
/// If a named file does not exist, or a file cannot be loaded.
pub fn load(source: &Source, mebibytes: usize) -> Result<Option<Arc<Endgames>>, LoadError> {
    /// A file with the memory for it in MiB, and its tables.
    type Loaded = ((PathBuf, usize), Arc<Endgames>);
    static LAST: Mutex<Option<Loaded>> = Mutex::new(None);
    let Some(path) = source.path() else { return Ok(None) };
    let what = (path, mebibytes);
    // The value is valid even after a panic: it is written in one assignment.
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, endgames)) = last.as_ref().filter(|(loaded, _)| *loaded == what) {
        return Ok(Some(Arc::clone(endgames)));
    }
    let endgames = Arc::new(read_within(&what.0, mebibytes << 20)?);
    *last = Some((what, Arc::clone(&endgames)));
    Ok(Some(endgames))
}

/// Reads the tables of a file, or opens them with a cache if they need more than `most_bytes`.
fn read_within(path: &Path, most_bytes: usize) -> Result<Endgames, LoadError> {
    let mut header = Vec::with_capacity(HEADER);
    let read = File::open(path).and_then(|file| file.take(HEADER as u64).read_to_end(&mut header));
    match read.map(|_| Header::read(&header)) {
        Ok(Ok(header)) if header.has_blocks() && bytes_of(header.pieces) > most_bytes => {
            cache::open(path, most_bytes)
        }
        _ => self::read(path),
    }
}

/// Returns the memory of all tables with at most this many pieces, in bytes.
fn bytes_of(pieces: u8) -> usize {
    Material::up_to(pieces).into_iter().map(Endgames::bytes).sum()
}

/// Reads all tables of a file into memory.
///
/// # Errors
///
/// If the file does not exist, cannot be read or is damaged.
pub fn read(path: &Path) -> Result<Endgames, LoadError> {
    let bytes = fs::read(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => LoadError::Missing(path.into()),
        _ => LoadError::Read { path: path.into(), source },
    })?;
    decode(&bytes).map_err(|source| LoadError::Format { path: path.into(), source })
}
