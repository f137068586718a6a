//! A path walk for systems on which programs are not contained. It follows every link: where nothing
//! keeps a program from a file, a link to the file gives nothing away.

use crate::walk_error::WalkError;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

/// A resolved path.
#[derive(Debug)]
pub struct Walked {
    path: PathBuf,
    found: Metadata,
}

impl Walked {
    /// Resolves an absolute path.
    ///
    /// # Errors
    ///
    /// Fails if the system refuses it.
    pub fn along(path: &Path) -> Result<Walked, WalkError> {
        let failed = |error| WalkError::Io { path: path.to_path_buf(), error };
        // Programs on Windows do not take the form of a path that `canonicalize` returns there.
        let real = if cfg!(windows) { std::path::absolute(path) } else { path.canonicalize() };
        let real = real.map_err(failed)?;
        let found = real.metadata().map_err(failed)?;
        Ok(Walked { path: real, found })
    }

    /// Returns the path without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the metadata of the resolved file.
    ///
    /// # Errors
    ///
    /// None on this system.
    pub fn stat(&self) -> io::Result<Metadata> {
        Ok(self.found.clone())
    }

    /// Returns the links that were followed: none are named on this system.
    pub fn links(&self) -> &[(PathBuf, PathBuf)] {
        &[]
    }

    /// Returns whether it is a directory.
    pub fn is_directory(&self) -> bool {
        self.found.is_dir()
    }

    /// Returns whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.found.is_file()
    }
}
