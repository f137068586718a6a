//! Atomic file replacement: a file is always complete, old or new, even after a crash.
//!
//! The bytes go to a temporary file in the same directory, which is synced and then renamed.
//! Finally the directory is synced, so that the new name survives a power failure. A process that
//! is killed before the rename leaves the old file, and at most a temporary one beside it,
//! `.NAME.*.part`.

use std::ffi::{OsStr, OsString};
#[cfg(unix)]
use std::fs::Permissions;
use std::fs::{self, File};
use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes a file, replacing an existing one.
///
/// # Errors
///
/// If the directory is missing or not writable, or the disk is full. The old file then still
/// exists, unless only the sync of the directory failed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written(path, bytes)?.persist(path)?;
    sync(directory(path))
}

/// Like [`replace`], but without any sync: for a file whose loss by a power failure is acceptable,
/// as for one written just now. A process killed at any moment leaves the old file or the new one,
/// complete.
///
/// # Errors
///
/// Those of [`replace`].
pub fn replace_unsynced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    temporary(path, bytes)?.persist(path)?;
    Ok(())
}

/// Writes a new file.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`] if the path is taken; otherwise those of [`replace`].
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written(path, bytes)?.persist_noclobber(path)?;
    sync(directory(path))
}

/// Checks that [`replace`] can write a file, and writes nothing: its directory exists and is writable,
/// and no directory is in its place.
///
/// # Errors
///
/// Those that [`replace`] would give.
pub fn check(path: &Path) -> io::Result<()> {
    match path.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => temporary(path, b"").map(drop),
    }
}

/// Renames a finished file within its file system, replacing an existing one: for files written by
/// something else, such as SQLite.
///
/// # Errors
///
/// If the file is missing, or the rename fails.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    // Windows syncs only what is open for writing.
    File::options().read(true).write(cfg!(windows)).open(from)?.sync_all()?;
    fs::rename(from, to)?;
    sync(directory(to))
}

/// Makes a temporary file beside `path` with all bytes synced to the disk.
fn written(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let file = temporary(path, bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Makes a temporary file beside `path` with these bytes. Like any new file it has the permissions
/// that the umask allows.
fn temporary(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or(OsStr::new("file")));
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    builder.permissions(Permissions::from_mode(0o666));
    let mut file = builder.tempfile_in(directory(path))?;
    file.write_all(bytes)?;
    Ok(file)
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Does nothing: outside Unix a directory cannot be synced.
#[cfg(not(unix))]
fn sync(_directory: &Path) -> io::Result<()> {
    Ok(())
}

/// Syncs a directory, if its file system supports that.
#[cfg(unix)]
fn sync(directory: &Path) -> io::Result<()> {
    match File::open(directory)?.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<OsString> {
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.txt");
        for bytes in [&b"long before"[..], b"new", b""] {
            for replace in [replace, replace_unsynced] {
                replace(&path, bytes).unwrap();
                assert_eq!(fs::read(&path).unwrap(), bytes);
                assert_eq!(names(place.path()), ["a.txt"]);
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_permissions_of_any_other() {
        let place = tempfile::tempdir().unwrap();
        let (ours, theirs) = (place.path().join("ours"), place.path().join("theirs"));
        replace(&ours, b"1").unwrap();
        fs::write(&theirs, b"1").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&theirs));
    }

    #[test]
    fn create_never_replaces() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        create(&path, b"first").unwrap();
        let error = create(&path, b"second").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(place.path()), ["a"]);
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old_file_and_no_temporary_one() {
        let place = tempfile::tempdir().unwrap();
        // A directory that is not empty cannot be replaced by a file.
        let taken = place.path().join("taken");
        fs::create_dir(&taken).unwrap();
        fs::write(taken.join("old"), b"old").unwrap();
        assert!(replace(&taken, b"new").is_err());
        assert_eq!(fs::read(taken.join("old")).unwrap(), b"old");
        assert_eq!(names(place.path()), ["taken"]);
        let missing = place.path().join("missing/a");
        assert_eq!(replace(&missing, b"new").unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(rename(&missing, &taken).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(check(&missing).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(check(&taken).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        check(&place.path().join("free")).unwrap();
        assert_eq!(names(place.path()), ["taken"]);
    }

    #[test]
    fn rename_puts_a_finished_file_in_the_place_of_another() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        fs::write(&from, b"new").unwrap();
        fs::write(&to, b"old").unwrap();
        rename(&from, &to).unwrap();
        assert_eq!(fs::read(&to).unwrap(), b"new");
        assert_eq!(names(place.path()), ["to"]);
    }
}
