//! The directory of a class: its database and files. Only its owner can list it and read the database;
//! bots with another UID read their own copies.

use crate::files::{database, site_file};
use botyard_league::private_files::{self, Use};
use botyard_runner::game_manifest::GAME_FILE;
use botyard_runner::{Error, passed_by_bots};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The file with the conditions of the games.
pub(crate) const EVENT: &str = "event.toml";

/// What a backup has besides the database: files that are written once.
pub(crate) const STORED: [&str; 5] = [EVENT, EVENTS, "sources", BUNDLES, "replays"];

/// The directory with the files of the other competitions.
pub(crate) const EVENTS: &str = "events";

/// The directory with the built bots.
pub(crate) const BUNDLES: &str = "bundles";

/// The directory for builds.
const BUILDS: &str = "builds";

/// The directory of a class.
#[derive(Clone, Debug)]
pub(crate) struct ClassDirectory {
    path: PathBuf,
}

impl ClassDirectory {
    /// Opens the directory of a class, or makes one of a new or empty directory.
    ///
    /// # Errors
    ///
    /// A file is in the place, the directory has other files, or it cannot be written.
    pub(crate) fn open(path: &Path) -> Result<ClassDirectory, Error> {
        let shown = path.display();
        let failed = |error: io::Error| Error::host(format!("{shown} cannot be used: {error}"));
        if path.exists() && !path.is_dir() {
            return Err(Error::usage(format!("{shown} is not a directory")));
        }
        let is_class = path.join(database::FILE).is_file();
        if path.is_dir() && !is_class {
            let mut entries = fs::read_dir(path).map_err(failed)?;
            let is_foreign = |entry: io::Result<fs::DirEntry>| {
                entry.is_ok_and(|entry| {
                    // A game that the file of the event names may lie beside it.
                    let is_game = entry.path().join(GAME_FILE).is_file();
                    !is_begun(&entry.file_name().to_string_lossy()) && !is_game
                })
            };
            if entries.any(is_foreign) {
                return Err(Error::usage(format!(
                    "the directory {shown} has other files: name a new or empty directory, or that of a class"
                )));
            }
        }
        private_files::create_directory(path, passed_by_bots()).map_err(failed)?;
        // Paths of bots must not lead through links.
        let path = path.canonicalize().map_err(failed)?;
        let directory = ClassDirectory { path };
        for (made, by) in [
            (directory.uploads(), Use::OwnerAlone),
            (directory.sources(), Use::OwnerAlone),
            (directory.builds(), passed_by_bots()),
            (directory.bundles(), passed_by_bots()),
            // Games are hidden until they are published.
            (directory.replays(), Use::OwnerAlone),
        ] {
            private_files::create_directory(&made, by).map_err(failed)?;
        }
        // What a killed process was receiving or building.
        for leftover in [directory.uploads(), directory.builds()] {
            for entry in fs::read_dir(leftover).map_err(failed)?.flatten() {
                remove(&entry.path()).map_err(failed)?;
            }
        }
        private_files::create_file(&directory.database()).map_err(failed)?;
        // Those of an earlier version or of a copy may be readable.
        private_files::tighten_directory(&directory.path, &[BUILDS, BUNDLES], passed_by_bots());
        Ok(directory)
    }

    /// Returns the name of the directory.
    pub(crate) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the file of the database.
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join(database::FILE)
    }

    /// Returns the path, without links.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file with the conditions of the games.
    pub(crate) fn event(&self) -> PathBuf {
        self.path.join(EVENT)
    }

    /// Returns the directory with the sources of submissions.
    pub(crate) fn sources(&self) -> PathBuf {
        self.path.join("sources")
    }

    /// Returns the directory with the built bots.
    pub(crate) fn bundles(&self) -> PathBuf {
        self.path.join(BUNDLES)
    }

    /// Returns the directory with the replays of games.
    fn replays(&self) -> PathBuf {
        self.path.join("replays")
    }

    /// Returns the directory for builds.
    fn builds(&self) -> PathBuf {
        self.path.join(BUILDS)
    }

    /// Returns a new directory for an archive that is being unpacked or sent. It is removed when it is dropped.
    ///
    /// # Errors
    ///
    /// It cannot be made.
    pub(crate) fn new_upload(&self) -> io::Result<TempDir> {
        tempfile::Builder::new().prefix(".archive-").tempdir_in(self.uploads())
    }

    /// Returns a new directory for a build. It is removed when it is dropped.
    ///
    /// # Errors
    ///
    /// It cannot be made.
    pub(crate) fn new_build(&self) -> io::Result<TempDir> {
        let place = tempfile::Builder::new().prefix("build-").tempdir_in(self.builds())?;
        // A build with another UID goes through it, whatever the umask.
        #[cfg(unix)]
        fs::set_permissions(place.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711))?;
        Ok(place)
    }

    /// Returns the directory for files that are being received.
    pub(crate) fn uploads(&self) -> PathBuf {
        self.path.join("uploads")
    }
}

/// Returns whether a class that was not finished may have a file of this name.
fn is_begun(name: &str) -> bool {
    ["uploads", BUILDS, site_file::FILE].contains(&name)
        || STORED.contains(&name)
        || name.starts_with(database::FILE)
}

/// Removes a file or directory, whatever the permissions that a build has left.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    if !path.symlink_metadata()?.is_dir() {
        return fs::remove_file(path);
    }
    open_all(path);
    fs::remove_dir_all(path)
}

/// Lets the owner change a directory and those in it.
fn open_all(directory: &Path) {
    #[cfg(unix)]
    let _ = fs::set_permissions(directory, std::os::unix::fs::PermissionsExt::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_all(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_a_database_that_others_could_read() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().expect("a directory");
        for name in ["site.db", "site.db-wal"] {
            fs::write(place.path().join(name), "").expect("it is ours");
            let mode = fs::Permissions::from_mode(0o644);
            fs::set_permissions(place.path().join(name), mode).expect("it is ours");
        }
        ClassDirectory::open(place.path()).expect("a class");
        for name in ["site.db", "site.db-wal"] {
            let mode = fs::metadata(place.path().join(name)).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
        assert!(!place.path().join("site.db-shm").exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_replays() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().expect("a directory");
        let replays = place.path().join("class/replays");
        let mode = || fs::metadata(&replays).expect("a directory").permissions().mode() & 0o777;
        ClassDirectory::open(&place.path().join("class")).expect("a class");
        assert_eq!(mode(), 0o700);
        fs::set_permissions(&replays, fs::Permissions::from_mode(0o755)).expect("it is ours");
        ClassDirectory::open(&place.path().join("class")).expect("a class");
        assert_eq!(mode(), 0o700);
    }

    #[test]
    fn a_directory_with_other_files_is_refused() {
        let place = tempfile::tempdir().expect("a directory");
        fs::write(place.path().join("thesis.tex"), "").expect("it is ours");
        let error = ClassDirectory::open(place.path()).expect_err("refused").to_string();
        assert!(error.contains("has other files"), "{error}");
        let new = place.path().join("class/2026");
        let class = ClassDirectory::open(&new).expect("a new one");
        assert_eq!(class.name(), "2026");
        fs::write(class.uploads().join(".upload-1"), "half").expect("it is ours");
        ClassDirectory::open(&new).expect("it was begun");
        assert!(!class.uploads().join(".upload-1").exists());
        let file = ClassDirectory::open(&place.path().join("thesis.tex")).expect_err("a file");
        assert!(file.to_string().contains("is not a directory"));
    }
}
