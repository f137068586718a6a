//! Backups: a class as one zip file, made while the site runs. The database is copied in one transaction;
//! all other files that it names are written before it names them, and never change.

use crate::files::database;
use crate::files::directory::{BUNDLES, ClassDirectory, STORED};
use botyard_runner::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek};
use std::path::{Component, Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The directory of the pages in an archive, which is a backup with pages.
pub(crate) const PAGES: &str = "pages";

/// The mode of files that only their owner may read.
const PRIVATE: u32 = 0o600;

/// What was backed up or restored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The number of files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Copies the class in a directory to a new file, whether a site serves it or not.
///
/// # Errors
///
/// There is no class in the directory, the file exists, or either cannot be used.
pub fn backup(class: &Path, file: &Path) -> Result<Copied, Error> {
    write(class, file, |_, _| Ok(()))
}

/// Copies a class, and what `more` adds, which gets the copy of the database.
pub(crate) fn write(
    class: &Path,
    file: &Path,
    more: impl FnOnce(&Path, &mut Writer) -> Result<(), Error>,
) -> Result<Copied, Error> {
    let shown = file.display();
    let failed = |error: io::Error| Error::host(format!("{shown} cannot be written: {error}"));
    let database = class.join(database::FILE);
    if !database.is_file() {
        return Err(Error::usage(format!(
            "there is no class in {}: it has no {}",
            class.display(),
            database::FILE
        )));
    }
    if file.exists() {
        return Err(Error::usage(format!("{shown} exists: name a new file")));
    }
    let place = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let place = place.unwrap_or(Path::new("."));
    let part = tempfile::Builder::new().prefix(".backup-").tempdir_in(place).map_err(failed)?;
    let copy = part.path().join(database::FILE);
    database::copy(&database, &copy)?;
    set_mode(&copy, PRIVATE).map_err(failed)?;
    let archive = part.path().join("class.zip");
    let mut writer = Writer {
        zip: ZipWriter::new(BufWriter::new(create_private(&archive).map_err(failed)?)),
        copied: Copied::default(),
    };
    writer.add(&copy, database::FILE).map_err(failed)?;
    for name in STORED {
        let path = class.join(name);
        if path.symlink_metadata().is_ok() {
            writer.add(&path, name).map_err(failed)?;
        }
    }
    more(&copy, &mut writer)?;
    let Writer { zip, copied } = writer;
    let written = zip.finish().map_err(io::Error::other).map_err(failed)?;
    let written = written.into_inner().map_err(|error| failed(error.into_error()))?;
    written.sync_all().map_err(failed)?;
    // Without replacing a file that has come meanwhile.
    fs::hard_link(&archive, file).map_err(failed)?;
    Ok(copied)
}

/// A zip file that is being written.
pub(crate) struct Writer {
    zip: ZipWriter<BufWriter<File>>,
    copied: Copied,
}

impl Writer {
    /// Adds an empty directory.
    pub(crate) fn directory(&mut self, name: &str) -> io::Result<()> {
        Ok(self.zip.add_directory(name, SimpleFileOptions::default())?)
    }

    /// Adds a file with this text.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.zip.start_file(name, SimpleFileOptions::default())?;
        io::Write::write_all(&mut self.zip, text.as_bytes())
    }

    /// Adds a file, link or directory. Unfinished files, whose names begin with a dot, are left out.
    fn add(&mut self, path: &Path, name: &str) -> io::Result<()> {
        let about = match path.symlink_metadata() {
            Ok(about) => about,
            // The file of a game that was being played, which the database does not name.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let options = options(&about, name);
        if about.is_dir() {
            self.zip.add_directory(name, options)?;
            let mut entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let own = entry.file_name();
                let own = own.to_str().ok_or_else(|| io::Error::other("a name is not UTF-8"))?;
                let is_unfinished = own.starts_with('.') && !name.contains('/');
                if !is_unfinished {
                    self.add(&entry.path(), &format!("{name}/{own}"))?;
                }
            }
        } else if about.is_symlink() {
            let target = fs::read_link(path)?;
            self.zip.add_symlink(name, target.to_string_lossy(), options)?;
        } else if about.is_file() {
            self.zip.start_file(name, options)?;
            self.copied.bytes += io::copy(&mut File::open(path)?, &mut self.zip)?;
            self.copied.files += 1;
        }
        Ok(())
    }
}

/// Returns how an entry is stored: with its permissions, and compressed unless it is already.
fn options(about: &fs::Metadata, name: &str) -> SimpleFileOptions {
    let method = match name.ends_with(".gz") {
        true => CompressionMethod::Stored,
        false => CompressionMethod::Deflated,
    };
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .large_file(about.len() >= u64::from(u32::MAX));
    #[cfg(unix)]
    let options = options.unix_permissions(std::os::unix::fs::MetadataExt::mode(about) & 0o777);
    options
}

/// Makes a class of a backup in a directory that does not exist or is empty.
///
/// # Errors
///
/// The file is no backup of a class, or the directory has files or cannot be written.
pub fn restore(file: &Path, class: &Path) -> Result<Copied, Error> {
    let shown = file.display();
    let opened = File::open(file).map_err(|error| Error::usage(format!("{shown}: {error}")))?;
    restore_from(opened, &shown.to_string(), class)
}

/// Makes a class of a backup, as [`restore`] does. Messages call it `shown`.
pub(crate) fn restore_from(
    backup: impl Read + Seek,
    shown: &str,
    class: &Path,
) -> Result<Copied, Error> {
    let unusable = |error: io::Error| Error::host(format!("{shown} cannot be restored: {error}"));
    let foreign = |why: String| Error::usage(format!("{shown} is no backup of a class: {why}"));
    let mut archive = ZipArchive::new(backup).map_err(|error| foreign(error.to_string()))?;
    if archive.by_name(database::FILE).is_err() {
        return Err(foreign(format!("it has no {}", database::FILE)));
    }
    if fs::read_dir(class).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Error::usage(format!(
            "{} has files: name a new or empty directory",
            class.display()
        )));
    }
    // The directories of a class, with their permissions.
    let directory = ClassDirectory::open(class)?;
    let mut copied = Copied::default();
    let mut modes: Vec<(PathBuf, u32)> = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| foreign(error.to_string()))?;
        let name = entry.name().map_err(|error| foreign(error.to_string()))?.into_owned();
        let shown_name = format!("{name:?}");
        let name = PathBuf::from(name);
        let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        let first = name.components().next().and_then(|part| part.as_os_str().to_str());
        if is_plain && first == Some(PAGES) {
            // Those of an archive, which are made again.
            continue;
        }
        let is_known = first.is_some_and(|it| it == database::FILE || STORED.contains(&it));
        if !is_plain || !is_known {
            return Err(foreign(format!("it has the entry {shown_name}")));
        }
        let path = directory.path().join(&name);
        // Whatever the archive says: earlier versions made files readable. Bots read their copies.
        let mode = match first == Some(BUNDLES) {
            true => entry.unix_mode().unwrap_or(PRIVATE),
            false if entry.is_dir() => 0o700,
            false => PRIVATE,
        };
        if entry.is_dir() {
            fs::create_dir_all(&path).map_err(unusable)?;
            modes.push((path, mode));
        } else if entry.is_symlink() {
            let mut target = String::new();
            entry.read_to_string(&mut target).map_err(unusable)?;
            link(&target, &path).map_err(unusable)?;
        } else {
            let mut to = File::create(&path).map_err(unusable)?;
            copied.bytes += io::copy(&mut entry, &mut to).map_err(unusable)?;
            copied.files += 1;
            to.sync_all().map_err(unusable)?;
            modes.push((path, mode));
        }
    }
    // Those of directories last: some may not be written.
    for (path, mode) in modes.into_iter().rev() {
        set_mode(&path, mode).map_err(unusable)?;
    }
    // Replays are for the owner alone, whatever the archive says.
    ClassDirectory::open(class)?;
    Ok(copied)
}

/// Creates a file that only its owner can read.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, PRIVATE);
    options.open(path)
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> io::Result<()> {
    Err(io::Error::other("it has a link, which this system does not have"))
}

#[cfg_attr(not(unix), allow(unused_variables))]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode & 0o777))?;
    Ok(())
}
