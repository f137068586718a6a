//! The check of a submitted directory, before a bot is given it: no link in it may lead out of it,
//! and no file in it may block a program that opens it.
//!
//! A contained bot cannot read anything through a link in its directory, whatever this check finds,
//! because the target of a link is not granted with it. The check exists to name the link, and to
//! find hard links, which cannot be distinguished from other files once they exist.

use crate::command::advice::Advice;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use {
    crate::command::regular_file::kind_in_words,
    rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, fstat, openat, statat},
    rustix::io::Errno,
    std::collections::HashMap,
    std::ffi::{OsStr, OsString},
    std::io,
    std::os::fd::{AsFd, OwnedFd},
    std::os::unix::ffi::OsStrExt,
    std::path::Component,
};

/// The maximum number of files and directories.
const MOST_ENTRIES: u32 = 500_000;

/// The maximum depth of directories. Each level uses a file descriptor during the check.
const DEEPEST: usize = 64;

/// The reason why a directory is not given to a bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmissionError {
    /// A symbolic link leads to a target outside.
    #[error("{} is a link that leads out of the bot's directory, to {}", link.display(), target.display())]
    LeadsOut {
        /// The link.
        link: PathBuf,
        /// The target of the link.
        target: PathBuf,
    },
    /// A file of another user, or one that is not world-readable, also has a name outside.
    #[error(
        "{} is a hard link to a file outside the bot's directory that {}: replace it by a copy",
        .path.display(), if *.is_closed { "is not readable by all users" } else { "belongs to another user" }
    )]
    HardLink {
        /// Its path in the directory.
        path: PathBuf,
        /// Whether the file is not world-readable.
        is_closed: bool,
    },
    /// It is not a file, a directory or a link.
    #[error("{} is {kind}: a bot's directory holds files, directories and links", .path.display())]
    Special {
        /// Its path.
        path: PathBuf,
        /// The kind of file, with an article.
        kind: &'static str,
    },
    /// The directory is too large to be checked.
    #[error("{} has more than {MOST_ENTRIES} files, or directories more than {DEEPEST} deep", .0.display())]
    TooLarge(PathBuf),
    /// An error of the operating system.
    #[error("{} cannot be examined: {message}", .path.display())]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        message: String,
    },
}

impl SubmissionError {
    /// Returns the error with the remedy for it.
    pub fn in_words(&self, advice: &Advice) -> String {
        match self {
            SubmissionError::LeadsOut { .. } => format!(
                "{self}: replace it by a copy, or, to let all bots read the target, pass it to {}",
                advice.read
            ),
            error => error.to_string(),
        }
    }
}

/// Checks everything in a directory, which is given by its path without links. `is_given` returns
/// whether every bot may read a path anyway; it is called with paths without links. Paths in
/// `without` are skipped.
///
/// # Errors
///
/// The first entry, in order of names, that a bot may not be given.
#[cfg(target_os = "linux")]
pub(super) fn check(
    directory: &Path,
    without: &[PathBuf],
    is_given: &mut dyn FnMut(&Path) -> bool,
) -> Result<(), SubmissionError> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let unreadable = |errno: Errno| SubmissionError::Unreadable {
        path: directory.to_path_buf(),
        message: io::Error::from(errno).to_string(),
    };
    let opened = match rustix::fs::open(directory, flags, Mode::empty()) {
        // The bot cannot read it either, and its own error is clearer.
        Err(Errno::ACCESS | Errno::NOENT) => return Ok(()),
        opened => opened.map_err(unreadable)?,
    };
    let owner = fstat(&opened).map_err(unreadable)?.st_uid;
    let mut check = Check { directory, without, is_given, entries: 0, hard_links: HashMap::new() };
    check.look_into(opened, directory, 0)?;
    check.hard_links(owner)
}

/// Checks nothing: on this system no bot is contained, and a link gives it no more than it has.
///
/// # Errors
///
/// None.
#[cfg(not(target_os = "linux"))]
pub fn check(
    _: &Path,
    _: &[PathBuf],
    _: &mut dyn FnMut(&Path) -> bool,
) -> Result<(), SubmissionError> {
    Ok(())
}

#[cfg(target_os = "linux")]
struct Check<'a> {
    directory: &'a Path,
    without: &'a [PathBuf],
    is_given: &'a mut dyn FnMut(&Path) -> bool,
    entries: u32,
    /// Files with several names, by device and inode number: the first name found in the directory,
    /// the file, and how many of its names were found.
    hard_links: HashMap<(u64, u64), (PathBuf, Stat, u64)>,
}

#[cfg(target_os = "linux")]
impl Check<'_> {
    fn look_into(
        &mut self,
        directory: OwnedFd,
        path: &Path,
        depth: usize,
    ) -> Result<(), SubmissionError> {
        if depth > DEEPEST {
            return Err(SubmissionError::TooLarge(self.directory.to_path_buf()));
        }
        for name in self.names(&directory, path)? {
            let path = path.join(&name);
            if self.without.contains(&path) {
                continue;
            }
            // A file that was deleted meanwhile is skipped.
            let Ok(found) = statat(&directory, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            match FileType::from_raw_mode(found.st_mode) {
                FileType::Directory => {
                    let flags =
                        OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
                    match openat(&directory, &name, flags, Mode::empty()) {
                        Ok(inner) => self.look_into(inner, &path, depth + 1)?,
                        // The bot cannot read it either.
                        Err(Errno::ACCESS | Errno::NOENT) => {}
                        Err(errno) => return Err(unreadable(&path, errno)),
                    }
                }
                FileType::Symlink => self.symbolic_link(path)?,
                FileType::RegularFile if found.st_nlink > 1 => {
                    let file = (found.st_dev, found.st_ino);
                    self.hard_links.entry(file).or_insert((path, found, 0)).2 += 1;
                }
                FileType::RegularFile => {}
                kind => return Err(SubmissionError::Special { path, kind: kind_in_words(kind) }),
            }
        }
        Ok(())
    }

    /// Returns the names in a directory, sorted, so that the error always names the same entry.
    fn names(
        &mut self,
        directory: impl AsFd,
        path: &Path,
    ) -> Result<Vec<OsString>, SubmissionError> {
        let mut names = Vec::new();
        for entry in Dir::read_from(directory).map_err(|errno| unreadable(path, errno))? {
            let entry = entry.map_err(|errno| unreadable(path, errno))?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return Err(SubmissionError::TooLarge(self.directory.to_path_buf()));
            }
            names.push(name.to_os_string());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn symbolic_link(&mut self, link: PathBuf) -> Result<(), SubmissionError> {
        let target = match link.canonicalize() {
            Ok(target) => target,
            // A cycle of links has no target and never will.
            Err(error) if Errno::from_io_error(&error) == Some(Errno::LOOP) => return Ok(()),
            // The target does not exist yet.
            Err(_) => {
                let target = std::fs::read_link(&link).unwrap_or_default();
                without_dots(&link.parent().unwrap_or(Path::new("/")).join(target))
            }
        };
        if target.starts_with(self.directory) || (self.is_given)(&target) {
            return Ok(());
        }
        Err(SubmissionError::LeadsOut { link, target })
    }

    /// Refuses files that also have a name outside. Package managers make such files from the cache
    /// of the user who runs them, and those are world-readable. Any other such file may be one that
    /// its owner keeps private.
    fn hard_links(self, owner: u32) -> Result<(), SubmissionError> {
        let own = rustix::process::geteuid().as_raw();
        let mut refused: Vec<(PathBuf, bool)> = Vec::new();
        for (path, file, found) in self.hard_links.into_values() {
            let is_closed = file.st_mode & 0o004 == 0;
            let is_foreign = file.st_uid != owner && file.st_uid != own;
            #[allow(clippy::useless_conversion)] // The count is narrower on some architectures.
            if found < u64::from(file.st_nlink) && (is_closed || is_foreign) {
                refused.push((path, is_closed));
            }
        }
        match refused.into_iter().min() {
            None => Ok(()),
            Some((path, is_closed)) => Err(SubmissionError::HardLink { path, is_closed }),
        }
    }
}

#[cfg(target_os = "linux")]
fn unreadable(path: &Path, errno: Errno) -> SubmissionError {
    let message = io::Error::from(errno).to_string();
    SubmissionError::Unreadable { path: path.to_path_buf(), message }
}

/// Resolves `..` in a path that does not exist, by its text alone.
#[cfg(target_os = "linux")]
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            component => plain.push(component),
        }
    }
    plain
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use rustix::fs::{CWD, mknodat};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// Makes a bot's directory, and beside it a private key and a world-readable file.
    fn place() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().canonicalize().unwrap();
        for file in ["ada/bot.py", "ada/lib/module.py", "ben/bot.py", "key"] {
            fs::create_dir_all(path.join(file).parent().unwrap()).unwrap();
            fs::write(path.join(file), "").unwrap();
        }
        fs::set_permissions(path.join("key"), fs::Permissions::from_mode(0o600)).unwrap();
        (place, path.join("ada"))
    }

    fn refused(directory: &Path) -> Option<String> {
        let mut is_given = |path: &Path| path.starts_with("/usr");
        check(directory, &[], &mut is_given).err().map(|error| error.to_string())
    }

    #[test]
    fn links_that_stay_or_lead_to_the_system_are_fine_and_others_are_named() {
        let (_place, ada) = place();
        for (link, target) in [
            ("lib64", "lib"),
            ("self", "."),
            ("lib/up", "../bot.py"),
            ("env", "/usr/bin/env"),
            ("roundabout", "../ada/bot.py"),
            ("round", "round"),
            (".#bot.py", "ada@host.1234"),
        ] {
            symlink(target, ada.join(link)).unwrap();
        }
        assert_eq!(refused(&ada), None);
        for (link, target, leads) in [
            ("-u", "../key", "key"),
            ("lib/other", "../../ben", "ben"),
            ("lib/bot", "../lib64/../../ben/bot.py", "ben/bot.py"),
            ("up", "..", ""),
            ("later", "../ben/nowhere", "ben/nowhere"),
            ("proc", "/proc/self/environ", "/proc/"),
        ] {
            symlink(target, ada.join(link)).unwrap();
            let error = refused(&ada).expect(link);
            let link = ada.join(link);
            assert!(error.starts_with(&format!("{} is a link", link.display())), "{error}");
            let leads = ada.parent().unwrap().join(leads);
            let shown = leads.to_str().unwrap().trim_end_matches('/');
            assert!(error.contains(shown), "{error}");
            fs::remove_file(link).unwrap();
        }
    }

    #[test]
    fn hard_links_within_are_fine_and_those_to_what_is_closed_are_named() {
        let (_place, ada) = place();
        let beside = |name: &str| ada.parent().unwrap().join(name);
        fs::hard_link(ada.join("bot.py"), ada.join("lib/same")).unwrap();
        fs::set_permissions(ada.join("bot.py"), fs::Permissions::from_mode(0o600)).unwrap();
        // As a package manager links files from its cache.
        fs::hard_link(beside("ben/bot.py"), ada.join("lib/cached")).unwrap();
        assert_eq!(refused(&ada), None);
        fs::hard_link(beside("key"), ada.join("weights")).unwrap();
        let error = refused(&ada).unwrap();
        assert!(error.contains("ada/weights is a hard link"), "{error}");
        assert!(error.contains("is not readable by all users"), "{error}");
        fs::remove_file(ada.join("weights")).unwrap();
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(beside("ben/bot.py"), Some(4711), Some(4711)).unwrap();
            let error = refused(&ada).unwrap();
            assert!(error.contains("ada/lib/cached is a hard link"), "{error}");
            assert!(error.contains("belongs to another user"), "{error}");
        }
    }

    #[test]
    fn what_blocks_or_never_ends_is_named() {
        let (_place, ada) = place();
        mknodat(CWD, ada.join("lib/pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert!(refused(&ada).unwrap().contains("ada/lib/pipe is a FIFO"));
        fs::remove_file(ada.join("lib/pipe")).unwrap();
        let deep: PathBuf = std::iter::repeat_n("d", DEEPEST + 2).collect();
        fs::create_dir_all(ada.join(deep)).unwrap();
        assert!(refused(&ada).unwrap().contains("deep"));
    }
}
