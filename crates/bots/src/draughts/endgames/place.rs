//! Where files of endgame tables are, and loading them: once for all games of a process.

use super::format::{FormatError, decode};
use botyard_engine::draughts::endgame::Endgames;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the file where no path is given.
pub const FILE_NAME: &str = "draughts.egdb";

/// Why a file cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is none.
    #[error("there is no file {}; `botyard egdb build --out {}` writes it", .0.display(), .0.display())]
    Missing(PathBuf),
    /// It cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is damaged or something else.
    #[error("{}: {source}; `botyard egdb build --out {}` writes it anew", .path.display(), .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: FormatError,
    },
}

/// Which tables a bot plays with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// None.
    None,
    /// Those beside the executable or in the user's data directory, if there are any.
    Auto,
    /// Those in this file.
    File(PathBuf),
}

impl Source {
    /// `none`, `auto` or a path.
    pub fn from_option(text: &str) -> Source {
        match text {
            "none" => Source::None,
            "auto" => Source::Auto,
            path => Source::File(path.into()),
        }
    }

    /// The file, as far as there is one.
    fn path(&self) -> Option<PathBuf> {
        match self {
            Source::None => None,
            Source::Auto => places().into_iter().find(|path| path.is_file()),
            Source::File(path) => Some(path.clone()),
        }
    }
}

/// The file of the user whose home this is: in `$XDG_DATA_HOME/botyard/` where that variable is set,
/// in `~/.local/share/botyard/` otherwise. `None` where there is no home either.
pub fn data_file() -> Option<PathBuf> {
    data_files().into_iter().next()
}

fn data_files() -> Vec<PathBuf> {
    let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let default = set("HOME").map(|home| home.join(".local/share"));
    let directories = [set("XDG_DATA_HOME"), default].into_iter().flatten();
    directories.map(|directory| directory.join("botyard").join(FILE_NAME)).collect()
}

/// Where bots look, the first place first.
fn places() -> Vec<PathBuf> {
    let executable = env::current_exe().ok();
    let beside = executable.and_then(|path| Some(path.parent()?.join(FILE_NAME)));
    beside.into_iter().chain(data_files()).collect()
}

/// The tables of a source. Those that were loaded last are kept, so that the next game has them at
/// once.
///
/// # Errors
///
/// A file that is named and not there, and one that does not load.
pub fn load(source: &Source) -> Result<Option<Arc<Endgames>>, LoadError> {
    static LAST: Mutex<Option<(PathBuf, Arc<Endgames>)>> = Mutex::new(None);
    let Some(path) = source.path() else { return Ok(None) };
    // What a thread that panicked has left is whole: it is written in one assignment.
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, endgames)) = last.as_ref().filter(|(loaded, _)| *loaded == path) {
        return Ok(Some(Arc::clone(endgames)));
    }
    let endgames = Arc::new(read(&path)?);
    *last = Some((path, Arc::clone(&endgames)));
    Ok(Some(endgames))
}

/// The tables of a file.
///
/// # Errors
///
/// A file that is not there, cannot be read or is damaged.
pub fn read(path: &Path) -> Result<Endgames, LoadError> {
    let bytes = fs::read(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => LoadError::Missing(path.into()),
        _ => LoadError::Read { path: path.into(), source },
    })?;
    decode(&bytes).map_err(|source| LoadError::Format { path: path.into(), source })
}
