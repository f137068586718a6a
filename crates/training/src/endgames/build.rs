//! An unfinished file of endgame tables: `FILE.part`, to which the classes are appended one by one,
//! so that a stopped build can be resumed. When complete, it becomes `FILE`.

use botyard_bots::draughts::endgames::format::{Header, class_bytes, decode, decode_beginning};
use botyard_engine::draughts::endgame::{Endgames, Material};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
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
    header: Header,
    file: File,
    part: PathBuf,
    path: PathBuf,
}

impl Build {
    /// Begins a file, or resumes a stopped build and returns the classes that are done. The rest of
    /// a build with other `pieces` is discarded. If the file is there in an earlier form, those of its
    /// classes that are not done are written in today's, until `is_stopped`. A stopped build in an earlier
    /// form is always written whole, because its file is overwritten. Makes directories as needed.
    ///
    /// # Errors
    ///
    /// If an operation on the file fails.
    pub fn begin(
        path: &Path,
        pieces: u8,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(Build, Endgames), BuildError> {
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
        let header = Header::new(pieces);
        let begun = Header::read(&bytes).ok().filter(|begun| begun.pieces == pieces);
        let begun = begun.and_then(|begun| Some((begun, decode_beginning(&bytes).ok()?)));
        let (mut endgames, kept, left) = match begun {
            Some((begun, (endgames, length, _))) if begun == header => (endgames, length, None),
            Some((_, (left, ..))) => (Endgames::default(), 0, Some(left)),
            None => (Endgames::default(), 0, None),
        };
        drop(bytes);
        let trim = |file: &mut File| {
            file.set_len(kept as u64)?;
            io::Seek::seek(file, io::SeekFrom::End(0))?;
            if kept == 0 { file.write_all(&header.bytes()) } else { Ok(()) }
        };
        trim(&mut file).map_err(error("write", &part))?;
        let mut build = Build { header, file, part, path: path.to_path_buf() };
        let all = Material::up_to(pieces);
        let missing = all.get(endgames.classes().len()..).unwrap_or_default();
        let whole = (!missing.is_empty()).then(|| earlier_form(path, header)).flatten();
        let is_whole = whole.is_some();
        let Some(earlier) = whole.or(left) else { return Ok((build, endgames)) };
        for &class in missing {
            let values = earlier.values(class).filter(|_| !(is_whole && is_stopped()));
            let Some(values) = values else { break };
            build.add(class, values)?;
            let inserted = endgames.insert(class, values.to_vec());
            inserted.map_err(|bad| build.error("convert", io::Error::other(bad.to_string())))?;
        }
        Ok((build, endgames))
    }

    /// Adds a class: the next one in the order of [`Material::up_to`].
    ///
    /// # Errors
    ///
    /// If an operation on the file fails.
    pub fn add(&mut self, material: Material, values: &[u8]) -> Result<(), BuildError> {
        let written = self.file.write_all(&class_bytes(self.header, material, values));
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

/// Returns the tables of a whole file with as many pieces, if it has an earlier form.
fn earlier_form(path: &Path, header: Header) -> Option<Endgames> {
    let bytes = fs::read(path).ok()?;
    let found = Header::read(&bytes).ok()?;
    if found == header || found.pieces != header.pieces {
        return None;
    }
    decode(&bytes).ok()
}
