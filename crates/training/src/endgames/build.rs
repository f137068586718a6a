//! An unfinished file of endgame tables: `FILE.part`, to which the classes are appended one by one,
//! so that a stopped build can be resumed. When complete, it becomes `FILE`.

use botyard_bots::draughts::endgames::format::{checksum, decode_beginning, header, read_header};
use botyard_engine::draughts::endgame::{Endgames, Material};
use flate2::Compression;
use flate2::read::DeflateEncoder;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The reason why a file cannot be built.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} {}: {source}", .path.display())]
pub struct BuildError {
    /// The failed operation.
    pub what: &'static str,
    /// The file or directory.
    pub path: PathBuf,
    /// The error.
    pub source: io::Error,
}

/// A build in progress.
#[derive(Debug)]
pub struct Build {
    file: File,
    part: PathBuf,
    path: PathBuf,
}

impl Build {
    /// Begins a file, or resumes a stopped build and returns the classes that are done. The rest of
    /// a build with other `pieces` is discarded. Makes directories as needed.
    ///
    /// # Errors
    ///
    /// If an operation on the file fails.
    pub fn begin(path: &Path, pieces: u8) -> Result<(Build, Endgames), BuildError> {
        let error = |what, path: &Path| {
            let path = path.to_path_buf();
            move |source| BuildError { what, path, source }
        };
        if let Some(directory) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(directory).map_err(error("make the directory", directory))?;
        }
        let mut part = OsString::from(path);
        part.push(".part");
        let part = PathBuf::from(part);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        let mut file = options.open(&part).map_err(error("write", &part))?;
        let bytes = fs::read(&part).map_err(error("read", &part))?;
        let begun = read_header(&bytes)
            .ok()
            .filter(|&begun| begun == pieces)
            .and_then(|_| decode_beginning(&bytes).ok());
        let (endgames, kept) = match begun {
            Some((endgames, length, _)) => (endgames, length),
            None => (Endgames::default(), 0),
        };
        let trim = |file: &mut File| {
            file.set_len(kept as u64)?;
            io::Seek::seek(file, io::SeekFrom::End(0))?;
            if kept == 0 { file.write_all(&header(pieces)) } else { Ok(()) }
        };
        trim(&mut file).map_err(error("write", &part))?;
        Ok((Build { file, part, path: path.to_path_buf() }, endgames))
    }

    /// Adds a class: the next one in the order of [`Material::up_to`].
    ///
    /// # Errors
    ///
    /// If an operation on the file fails.
    pub fn add(&mut self, material: Material, values: &[u8]) -> Result<(), BuildError> {
        let written = self.file.write_all(&block(material, values));
        written.map_err(|source| self.error("write", source))
    }

    /// Returns the unfinished file.
    pub fn part(&self) -> &Path {
        &self.part
    }

    /// Completes the build: renames the part to the file, atomically. Returns its size in bytes.
    ///
    /// # Errors
    ///
    /// If an operation on the file fails.
    pub fn finish(self) -> Result<u64, BuildError> {
        let size = self.file.sync_all().and_then(|()| self.file.metadata());
        let size = size.map_err(|source| self.error("write", source))?.len();
        fs::rename(&self.part, &self.path).map_err(|source| self.error("rename", source))?;
        Ok(size)
    }

    fn error(&self, what: &'static str, source: io::Error) -> BuildError {
        BuildError { what, path: self.part.clone(), source }
    }
}

/// Returns the bytes of a class with this table.
fn block(material: Material, values: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    DeflateEncoder::new(values, Compression::best())
        .read_to_end(&mut packed)
        .expect("reading from memory does not fail");
    let length = u32::try_from(packed.len()).expect("a class has fewer than 2^28 positions");
    let mut block = [material.men(), material.kings()].concat();
    block.extend(Endgames::positions(material).to_le_bytes());
    block.extend(length.to_le_bytes());
    block.extend(checksum(&packed));
    block.extend(checksum(&block));
    block.extend(packed);
    block
}
