//! A path walk by descriptors that no symbolic link can lead astray: it follows a link only if the
//! target stays in the directory that holds the link.
//!
//! The owner of part of a path, such as the author of a bot, may put links there at any time. This
//! walk therefore resolves the files that a bot is granted twice: when a match is planned, and
//! again, by descriptor, when the launcher grants access. A link that has changed in between is
//! refused.

use crate::walk_error::WalkError;
use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

/// The most links that a path may contain; the kernel has the same limit.
const MOST_LINKS: usize = 40;

/// The greatest depth of a path in directories; each is an open descriptor during the walk.
const DEEPEST: usize = 128;

/// A resolved path.
#[derive(Debug)]
pub struct Walked {
    path: PathBuf,
    descriptor: OwnedFd,
    links: Vec<(PathBuf, PathBuf)>,
}

impl Walked {
    /// Resolves an absolute path.
    ///
    /// # Errors
    ///
    /// Fails if a link leads out of the directory that holds it, or if the system refuses a step.
    pub fn along(path: &Path) -> Result<Walked, WalkError> {
        let failed = |path: &Path, errno: Errno| WalkError::Io {
            path: path.to_path_buf(),
            error: errno.into(),
        };
        let mut rest: Vec<OsString> = Vec::new();
        push(&mut rest, path);
        let root = open(CWD, OsStr::new("/")).map_err(|errno| failed(path, errno))?;
        // The directories from the root to the current one, with their descriptors.
        let mut at: Vec<(OsString, OwnedFd)> = vec![("/".into(), root)];
        let mut links = Vec::new();
        // After following a link, the walk must not leave the directory that holds the link.
        let mut floor = 1;
        while let Some(name) = rest.pop() {
            let here: PathBuf = at.iter().map(|(name, _)| name).collect();
            let there = here.join(&name);
            let depth = at.len();
            let Some((_, directory)) = at.last() else { break };
            if name == ".." {
                match depth {
                    1 => {}
                    _ if depth > floor => drop(at.pop()),
                    _ => return Err(leads_out(links, there)),
                }
                continue;
            }
            if depth > DEEPEST {
                return Err(failed(&there, Errno::NAMETOOLONG));
            }
            let next = open(directory.as_fd(), &name).map_err(|errno| failed(&there, errno))?;
            let kind = fstat(&next).map_err(|errno| failed(&there, errno))?;
            if FileType::from_raw_mode(kind.st_mode) != FileType::Symlink {
                at.push((name, next));
                continue;
            }
            let target =
                readlinkat(&next, "", Vec::new()).map_err(|errno| failed(&there, errno))?;
            let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
            links.push((there.clone(), target.clone()));
            if links.len() > MOST_LINKS {
                return Err(failed(path, Errno::LOOP));
            }
            floor = floor.max(depth);
            let relative = match target.is_absolute() {
                true => target.strip_prefix(&here).map(Path::to_path_buf),
                false => Ok(target.clone()),
            };
            let Ok(relative) = relative else {
                return Err(WalkError::LeadsOut { link: there, target });
            };
            push(&mut rest, &relative);
        }
        let path = at.iter().map(|(name, _)| name).collect();
        match at.pop() {
            Some((_, descriptor)) => Ok(Walked { path, descriptor, links }),
            None => Err(failed(Path::new("/"), Errno::NOENT)),
        }
    }

    /// Returns the path without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the metadata of the resolved file, even if the path leads elsewhere by now.
    ///
    /// # Errors
    ///
    /// Returns the error of `fstat`.
    pub fn stat(&self) -> io::Result<Stat> {
        Ok(fstat(&self.descriptor)?)
    }

    /// Returns the links that were followed: their paths and targets.
    pub fn links(&self) -> &[(PathBuf, PathBuf)] {
        &self.links
    }

    /// Returns whether it is a directory.
    pub fn is_directory(&self) -> bool {
        self.kind() == FileType::Directory
    }

    /// Returns whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind() == FileType::RegularFile
    }

    fn kind(&self) -> FileType {
        fstat(&self.descriptor)
            .map_or(FileType::Unknown, |found| FileType::from_raw_mode(found.st_mode))
    }
}

impl AsFd for Walked {
    /// Borrows the descriptor (`O_PATH`): it can be granted and inspected, not read.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

impl From<Walked> for OwnedFd {
    fn from(walked: Walked) -> OwnedFd {
        walked.descriptor
    }
}

/// Names the last link that was followed: it led to a `..` that leaves its directory.
fn leads_out(links: Vec<(PathBuf, PathBuf)>, there: PathBuf) -> WalkError {
    let (link, target) = links.into_iter().next_back().unwrap_or((there, "..".into()));
    WalkError::LeadsOut { link, target }
}

fn open(directory: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(directory, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// Pushes the components of a path, the first one last.
fn push(rest: &mut Vec<OsString>, path: &Path) {
    let names = path.components().rev().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_os_string()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    rest.extend(names);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_only_within_the_directory_that_holds_them() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        fs::create_dir_all(place.join("ada/src/deep")).unwrap();
        fs::create_dir_all(place.join("ben")).unwrap();
        for file in ["ada/src/bot.py", "ben/bot.py", "key"] {
            fs::write(place.join(file), "").unwrap();
        }
        let absolute = |path: &str| place.join(path).to_str().unwrap().to_string();
        for (link, target) in [
            ("ada/code", "src".to_string()),
            ("ada/chain", "code/bot.py".into()),
            ("ada/absolute", absolute("ada/src")),
            ("ada/here", ".".into()),
            ("ada/-u", "../key".into()),
            ("ada/other", absolute("ben")),
            ("ada/src/up", "../../ben".into()),
            ("ada/round", "src/../../ben".into()),
            ("ada/loop", "loop".into()),
            ("ada/dangling", "nowhere".into()),
            ("top", "ada/src".into()),
        ] {
            symlink(target, place.join(link)).unwrap();
        }
        for (path, expected) in [
            ("ada/src/bot.py", Some("ada/src/bot.py")),
            ("ada/code/bot.py", Some("ada/src/bot.py")),
            ("ada/chain", Some("ada/src/bot.py")),
            ("ada/absolute/deep", Some("ada/src/deep")),
            ("ada/../ben/bot.py", Some("ben/bot.py")),
            ("top/deep/../bot.py", Some("ada/src/bot.py")),
            ("ada/-u", None),
            ("ada/other/bot.py", None),
            ("ada/src/up/bot.py", None),
            ("ada/round", None),
            // A path given by the user may lead up, but not through another user's link.
            ("ada/here/../ben/bot.py", None),
        ] {
            match (Walked::along(&place.join(path)), expected) {
                (Ok(found), Some(expected)) => assert_eq!(found.path(), place.join(expected)),
                (Err(WalkError::LeadsOut { .. }), None) => {}
                (found, _) => panic!("{path}: {found:?}"),
            }
        }
        for path in ["ada/loop", "ada/dangling", "ada/none", "key/x"] {
            let found = Walked::along(&place.join(path));
            assert!(matches!(found, Err(WalkError::Io { .. })), "{path}: {found:?}");
        }
        let found = Walked::along(&place.join("ada/code")).unwrap();
        assert_eq!(found.links(), [(place.join("ada/code"), PathBuf::from("src"))]);
        assert!(found.is_directory() && !found.is_file());
    }
}
