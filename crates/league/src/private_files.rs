//! Files and directories that only their owner can read, whatever the umask: stores, replays, bundles.
//! Those of an earlier version are tightened when they are opened, and a line says so.
//!
//! If Botyard is root, bots run under other UIDs and pass through the directories of their copies. These are of a
//! group that only bots are in.
//!
//! Outside Unix nothing here changes a permission.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Who uses a directory besides its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// No other user.
    OwnerAlone,
    /// Members of the group with this GID pass through it. They cannot list it.
    Passage(u32),
}

/// What prints a line.
static REPORT: OnceLock<fn(&str)> = OnceLock::new();

/// Sets the function that prints what was tightened. Without it, nothing is printed.
pub fn report_with(report: fn(&str)) {
    let _ = REPORT.set(report);
}

/// Creates a directory and missing ones above it. Existing ones stay as they are.
///
/// # Errors
///
/// It cannot be created.
pub fn create_directory(path: &Path, by: Use) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(around) = path.parent().filter(|around| !around.as_os_str().is_empty()) {
        create_directory(around, by)?;
    }
    match DirBuilder::new().create(path) {
        Ok(()) => restrict(path, by).map(drop),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Creates an empty file, if there is none. SQLite gives the files beside a database the same permissions.
///
/// An existing one is not opened: closing it would end this process's locks of it.
///
/// # Errors
///
/// It cannot be created.
pub fn create_file(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        opened => opened.map(drop),
    }
}

/// Takes the permissions of all others from a database and the files that SQLite makes beside it.
pub fn tighten_database(path: &Path) {
    let with = |suffix: &str| {
        let mut name = path.as_os_str().to_os_string();
        name.push(suffix);
        (PathBuf::from(name), Use::OwnerAlone)
    };
    tighten(path, ["", "-wal", "-shm", "-journal"].map(with));
}

/// Takes the permissions of all others from a directory and everything directly in it. Only the directory itself
/// and `passages` in it may be used by others.
pub fn tighten_directory(path: &Path, passages: &[&str], by: Use) {
    let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| {
        let is_passage = passages.iter().any(|name| entry.file_name() == *name);
        (entry.path(), if is_passage { by } else { Use::OwnerAlone })
    });
    tighten(path, entries.chain([(path.to_path_buf(), by)]));
}

/// Tightens files and directories, of `path` or in it, and prints one line if others could read some.
fn tighten(path: &Path, all: impl IntoIterator<Item = (PathBuf, Use)>) {
    let (mut readable, mut failure) = (0_usize, None);
    for (path, by) in all {
        match restrict(&path, by) {
            Ok(was_readable) => readable += usize::from(was_readable),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => failure = Some(error),
        }
    }
    let Some(report) = REPORT.get() else { return };
    let path = path.display();
    if let Some(error) = failure {
        report(&format!("warning: {path}: other users can read files of it: {error}"));
    } else if readable > 0 {
        report(&format!("{path}: other users could read files of it; now only its owner can"));
    }
}

/// Lets only a group pass through a directory through which an earlier version let all users pass.
///
/// # Errors
///
/// The permissions cannot be changed.
#[cfg(unix)]
pub fn narrow(path: &Path, by: Use) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let is_open = path.metadata()?.permissions().mode() & 0o001 != 0;
    match by {
        Use::Passage(_) if is_open => restrict(path, by).map(drop),
        _ => Ok(()),
    }
}

/// Does nothing.
///
/// # Errors
///
/// None.
#[cfg(not(unix))]
pub fn narrow(_: &Path, _: Use) -> io::Result<()> {
    Ok(())
}

/// Takes the permissions of others away, and lets a group pass through a directory. Returns whether others could
/// read or write it.
#[cfg(unix)]
fn restrict(path: &Path, by: Use) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let about = path.symlink_metadata()?;
    if about.is_symlink() {
        return Ok(false);
    }
    let mode = about.permissions().mode() & 0o7777;
    let mut wanted = mode & 0o7700;
    if let (Use::Passage(group), true) = (by, about.is_dir()) {
        if about.gid() != group {
            chown(path, None, Some(group))?;
        }
        wanted |= 0o010;
    }
    if mode != wanted {
        fs::set_permissions(path, fs::Permissions::from_mode(wanted))?;
    }
    Ok(mode & 0o066 != 0)
}

#[cfg(not(unix))]
fn restrict(_: &Path, _: Use) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().permissions().mode() & 0o7777
    }

    /// Returns the use by a group that this process may give files to, and the mode of a directory then.
    fn passage() -> (Use, u32) {
        (Use::Passage(rustix::process::getegid().as_raw()), 0o710)
    }

    fn open(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn new_directories_are_for_their_owner_and_at_most_passed_through() {
        let place = tempfile::tempdir().unwrap();
        let (by_group, passed) = passage();
        for (name, by, expected) in [("a/b", Use::OwnerAlone, 0o700), ("c/d", by_group, passed)] {
            let path = place.path().join(name);
            create_directory(&path, by).unwrap();
            create_directory(&path, by).unwrap();
            assert_eq!((mode(&path), mode(path.parent().unwrap())), (expected, expected), "{name}");
        }
        let file = place.path().join("a/b/file");
        create_file(&file).unwrap();
        create_file(&file).unwrap();
        assert_eq!(mode(&file), 0o600);
        assert!(create_directory(&file.join("below"), Use::OwnerAlone).is_err());
    }

    #[test]
    fn what_others_could_read_is_tightened_without_following_links() {
        let place = tempfile::tempdir().unwrap();
        let (cup, outside) = (place.path().join("cup"), place.path().join("outside"));
        fs::create_dir_all(cup.join("replays")).unwrap();
        fs::create_dir_all(cup.join("bundles")).unwrap();
        for file in [&outside, &cup.join("cup.db"), &cup.join("replays/game")] {
            fs::write(file, "").unwrap();
            open(file, 0o644);
        }
        std::os::unix::fs::symlink(&outside, cup.join("link")).unwrap();
        let all = [cup.clone(), cup.join("replays"), cup.join("bundles")];
        all.iter().for_each(|path| open(path, 0o755));
        let (by_group, passed) = passage();
        tighten_directory(&cup, &["bundles"], by_group);
        assert_eq!(all.each_ref().map(|path| mode(path)), [passed, 0o700, passed]);
        assert_eq!((mode(&cup.join("cup.db")), mode(&outside)), (0o600, 0o644));
        open(&cup.join("cup.db"), 0o666);
        tighten_database(&cup.join("cup.db"));
        assert_eq!(mode(&cup.join("cup.db")), 0o600);
        // A group that passed before does not any more.
        tighten_directory(&cup, &[], Use::OwnerAlone);
        assert_eq!(all.map(|path| mode(&path)), [0o700; 3]);
        tighten_directory(&place.path().join("missing"), &[], Use::OwnerAlone);
    }
}
