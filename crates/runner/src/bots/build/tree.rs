//! The directory of a build and everything below it: how much it holds, files that would run as
//! somebody else, and to whom it belongs. What a build leaves is hostile, so nothing here follows a
//! link: every entry is reached by the descriptor of its directory.

use botyard_sandbox::{FileId, Walked, is_unused_user};
use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, Stat, chmod, chownat, fstat, openat, statat,
};
use rustix::io::Errno;
use rustix::process::{Gid, Uid};
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, OsStr};
use std::io;
use std::ops::ControlFlow;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How deep directories may be nested. Each level on the way down holds a descriptor.
const DEEPEST: usize = 200;

/// What an entry counts for at least, in bytes: names and inodes take space too.
const LEAST: u64 = 4096;

/// The bits with which a file runs as its owner or group.
const SET_ID: u32 = 0o6000;

/// A directory, by its descriptor.
#[derive(Debug)]
pub struct Tree {
    root: OwnedFd,
    path: PathBuf,
}

/// Something below a directory, or the directory itself.
struct Entry<'a> {
    directory: BorrowedFd<'a>,
    name: &'a CStr,
    stat: Stat,
    path: &'a Path,
}

/// A file by device and inode.
type Key = (u64, u64);

impl Entry<'_> {
    fn key(&self) -> Key {
        key(&self.stat)
    }

    fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode)
    }

    /// A descriptor that stands for it and neither reads nor writes.
    fn handle(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(self.directory, self.name, flags, Mode::empty()).map_err(|errno| self.failed(errno))
    }

    /// Sets its mode, if it is still what it was when it was found.
    fn change_mode(&self, mode: u32) -> io::Result<()> {
        let handle = self.handle()?;
        if fstat(&handle).is_ok_and(|now| key(&now) == self.key() && !self.kind().is_symlink()) {
            // `fchmod` does not take such a descriptor; its name in /proc leads to nothing else.
            let path = format!("/proc/self/fd/{}", handle.as_raw_fd());
            chmod(path, Mode::from_raw_mode(mode)).map_err(|errno| self.failed(errno))?;
        }
        Ok(())
    }

    fn failed(&self, errno: Errno) -> io::Error {
        let error = io::Error::from(errno);
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

fn key(stat: &Stat) -> Key {
    (stat.st_dev, stat.st_ino)
}

/// What to do with directories that cannot be listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closed {
    /// Pass them over, as while a build runs.
    Pass,
    /// Open them: whoever made them closed them to their own owner.
    Open,
}

impl Tree {
    /// The directory that was found, whatever is at its path by now.
    pub fn open(found: &Walked) -> io::Result<Tree> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = openat(found, ".", flags, Mode::empty())?;
        Ok(Tree { root, path: found.path().to_path_buf() })
    }

    /// Where it was found.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which directory it is.
    pub fn id(&self) -> io::Result<FileId> {
        Ok(FileId::from(&fstat(&self.root)?))
    }

    /// The UID of its owner.
    pub fn owner(&self) -> io::Result<u32> {
        Ok(fstat(&self.root)?.st_uid)
    }

    /// How many bytes it takes, each file once, at least until that is more than `enough`.
    pub fn size(&self, enough: u64) -> io::Result<u64> {
        let (mut size, mut linked) = (0_u64, HashSet::new());
        // A directory that was closed would hide what is in it.
        self.walk(Closed::Open, &mut |entry| {
            let is_new =
                entry.stat.st_nlink < 2 || entry.kind().is_dir() || linked.insert(entry.key());
            let blocks = u64::try_from(entry.stat.st_blocks).unwrap_or(0);
            size += if is_new { blocks.saturating_mul(512).max(LEAST) } else { LEAST };
            Ok(if size > enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(size)
    }

    /// Takes the bits setuid and setgid from everything but directories, where they let nobody be
    /// somebody else; which files had them.
    pub fn strip_set_id(&self) -> io::Result<Vec<PathBuf>> {
        let mut stripped = Vec::new();
        self.walk(Closed::Open, &mut |entry| {
            let mode = entry.stat.st_mode;
            let is_file = !entry.kind().is_dir() && !entry.kind().is_symlink();
            if is_file && mode & SET_ID != 0 {
                entry.change_mode(mode & 0o7777 & !SET_ID)?;
                stripped.push(entry.path.to_path_buf());
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(stripped)
    }

    /// Gives everything to a user that nobody else is.
    ///
    /// # Errors
    ///
    /// A file that also has a name elsewhere: the build would write to that as well.
    pub fn lend(&self, user: u32) -> io::Result<Lent<'_>> {
        let mut owners = HashMap::new();
        let mut links: HashMap<Key, (_, PathBuf)> = HashMap::new();
        self.walk(Closed::Pass, &mut |entry| {
            let (uid, gid) = (entry.stat.st_uid, entry.stat.st_gid);
            // A build that was killed has not given back what it was lent.
            let owner = if is_unused_user(uid) { (0, 0) } else { (uid, gid) };
            owners.insert(entry.key(), owner);
            if entry.stat.st_nlink > 1 && !entry.kind().is_dir() {
                let names = (entry.stat.st_nlink, entry.path.to_path_buf());
                let (left, _) = links.entry(entry.key()).or_insert(names);
                *left = left.saturating_sub(1);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if let Some((_, path)) = links.into_values().find(|(left, _)| *left > 0) {
            return Err(io::Error::other(format!(
                "{} has another name outside the directory (a hard link), which a build would write \
                 to as well; replace it by a copy",
                path.display()
            )));
        }
        let owner = fstat(&self.root).map(|stat| key(&stat)).map_err(io::Error::from)?;
        let owner = owners.get(&owner).copied().unwrap_or((0, 0));
        let lent = Lent { tree: self, owners, owner, is_back: false };
        // Only what was looked at.
        lent.give(|key| lent.owners.contains_key(&key).then_some((user, user)))?;
        Ok(lent)
    }

    /// Visits the directory and everything below it, parents first.
    fn walk(
        &self,
        closed: Closed,
        visit: &mut dyn FnMut(&Entry) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<()> {
        let stat = fstat(&self.root)?;
        let root = Entry { directory: self.root.as_fd(), name: c".", stat, path: &self.path };
        let mut path = self.path.clone();
        if visit(&root)?.is_break() {
            return Ok(());
        }
        let Some(directory) = list(&root, closed)? else { return Ok(()) };
        let mut open = vec![directory];
        while let Some(directory) = open.last_mut() {
            let Some(next) = directory.read() else {
                open.pop();
                path.pop();
                continue;
            };
            let next = next?;
            let name = next.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let fd = directory.fd()?;
            // What has gone meanwhile is no concern.
            let Ok(stat) = statat(fd, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            path.push(OsStr::from_bytes(name.to_bytes()));
            let entry = Entry { directory: fd, name, stat, path: &path };
            if visit(&entry)?.is_break() {
                return Ok(());
            }
            let below = if entry.kind().is_dir() { list(&entry, closed)? } else { None };
            match below {
                Some(_) if open.len() >= DEEPEST => {
                    return Err(io::Error::other(format!(
                        "directories are nested more than {DEEPEST} deep at {}",
                        path.display()
                    )));
                }
                Some(below) => open.push(below),
                None => drop(path.pop()),
            }
        }
        Ok(())
    }
}

/// The entries of a directory; `None` where it cannot be listed and need not be.
fn list(entry: &Entry, closed: Closed) -> io::Result<Option<Dir>> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = || openat(entry.directory, entry.name, flags, Mode::empty());
    let opened = match open() {
        Err(Errno::ACCESS) if closed == Closed::Open => {
            entry.change_mode(entry.stat.st_mode & 0o7777 | 0o700)?;
            open()
        }
        opened => opened,
    };
    match opened {
        Ok(directory) => Ok(Some(Dir::new(directory)?)),
        // It has gone, or is something else now.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(Errno::ACCESS) if closed == Closed::Pass => Ok(None),
        Err(errno) => Err(entry.failed(errno)),
    }
}

/// A directory of root's that belongs to the user of a build for the time being. It is given back
/// when this is dropped, if it was not before.
#[derive(Debug)]
pub struct Lent<'a> {
    tree: &'a Tree,
    /// To whom everything belonged, by device and inode.
    owners: HashMap<Key, (u32, u32)>,
    /// To whom the directory itself belonged, and what is new is to belong.
    owner: (u32, u32),
    is_back: bool,
}

impl Lent<'_> {
    /// Gives everything back to those who had it, and what is new to the owner of the directory.
    pub fn give_back(mut self) -> io::Result<()> {
        self.return_all()
    }

    fn return_all(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_back, true) {
            return Ok(());
        }
        self.give(|key| Some(self.owners.get(&key).copied().unwrap_or(self.owner)))
    }

    /// Changes owners, without following links.
    fn give(&self, to: impl Fn(Key) -> Option<(u32, u32)>) -> io::Result<()> {
        self.tree.walk(Closed::Pass, &mut |entry| {
            let handle = match entry.handle() {
                Ok(handle) => handle,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(ControlFlow::Continue(()));
                }
                Err(error) => return Err(error),
            };
            let now = fstat(&handle)?;
            if let Some((uid, gid)) = to(key(&now)) {
                let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
                chownat(&handle, c"", Some(uid), Some(gid), AtFlags::EMPTY_PATH)
                    .map_err(|errno| entry.failed(errno))?;
            }
            Ok(ControlFlow::Continue(()))
        })
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let _ = self.return_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
    use std::fs;

    /// Root lists closed directories by capabilities. Without them this thread is refused like any other
    /// user.
    fn be_refused_like_any_user() {
        let mut sets = capabilities(None).unwrap();
        sets.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
        set_capabilities(None, sets).unwrap();
    }

    #[test]
    fn what_lies_in_a_closed_directory_counts() {
        let directory = tempfile::tempdir().unwrap();
        let closed = directory.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::write(closed.join("large"), vec![1; 1 << 20]).unwrap();
        let found = Walked::along(&directory.path().canonicalize().unwrap()).unwrap();
        let tree = Tree::open(&found).unwrap();
        let size = || {
            std::thread::scope(|scope| {
                let counting = scope.spawn(|| {
                    be_refused_like_any_user();
                    tree.size(u64::MAX).unwrap()
                });
                counting.join().unwrap()
            })
        };
        let before = size();
        assert!(before >= 1 << 20, "{before}");
        chmod(&closed, Mode::empty()).unwrap();
        assert_eq!(size(), before);
    }
}
