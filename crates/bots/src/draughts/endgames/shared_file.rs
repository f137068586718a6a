//! A file that threads read at any place.

use std::fs::File;
use std::io;
use std::path::Path;
#[cfg(not(unix))]
use std::sync::{Mutex, PoisonError};

/// An open file.
#[derive(Debug)]
pub(super) struct SharedFile {
    #[cfg(unix)]
    file: File,
    /// Reading moves the place in the file, which all threads share.
    #[cfg(not(unix))]
    file: Mutex<File>,
    length: u64,
}

impl SharedFile {
    /// Opens a file for reading.
    pub(super) fn open(path: &Path) -> io::Result<SharedFile> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        #[cfg(not(unix))]
        let file = Mutex::new(file);
        Ok(SharedFile { file, length })
    }

    /// Returns its length when it was opened.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// Fills `into` with what is at this place.
    #[cfg(unix)]
    pub(super) fn read(&self, into: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, into, at)
    }

    /// Fills `into` with what is at this place.
    #[cfg(not(unix))]
    pub(super) fn read(&self, into: &mut [u8], at: u64) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        // Every read begins with a seek, so what a panic left does not matter.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(into)
    }
}
