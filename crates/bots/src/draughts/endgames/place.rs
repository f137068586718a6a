//! The paths of endgame table files, and loading them once for all games of a process.

use super::format::{FormatError, decode};
use botyard_engine::draughts::endgame::Endgames;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The default name of the file.
pub const FILE_NAME: &str = "draughts.egdb";

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

/// Loads the tables of a source. The last tables are kept, so that the next game has them
/// immediately.
///
/// # Errors
///
/// If a named file does not exist, or a file cannot be loaded.
pub fn load(source: &Source) -> Result<Option<Arc<Endgames>>, LoadError> {
    static LAST: Mutex<Option<(PathBuf, Arc<Endgames>)>> = Mutex::new(None);
    let Some(path) = source.path() else { return Ok(None) };
    // The value is valid even after a panic: it is written in one assignment.
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, endgames)) = last.as_ref().filter(|(loaded, _)| *loaded == path) {
        return Ok(Some(Arc::clone(endgames)));
    }
    let endgames = Arc::new(read(&path)?);
    *last = Some((path, Arc::clone(&endgames)));
    Ok(Some(endgames))
}

/// Reads the tables of a file.
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
