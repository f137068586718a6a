//! The directory tree of a build: its size, its setuid and setgid files, and its owners. The output
//! of a build is untrusted, so links are never followed: every entry is opened relative to the
//! descriptor of its directory.

use botyard_sandbox::{FileId, Walked, is_unused_user};
use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, Stat, chmod, chownat, fstat, fstatvfs, openat, statat,
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

/// The deepest nesting of directories. Each level holds a descriptor.
const DEEPEST: usize = 200;

/// The smallest size counted for an entry, in bytes: names and inodes take space too.
const LEAST: u64 = 4096;

/// The bits that make a file run as its owner or group.
const SET_ID: u32 = 0o6000;

/// A directory, held by its descriptor.
#[derive(Debug)]
pub(super) struct Tree {
    root: OwnedFd,
    path: PathBuf,
}

/// The directory itself or an entry below it.
struct Entry<'a> {
    directory: BorrowedFd<'a>,
    name: &'a CStr,
    stat: Stat,
    path: &'a Path,
}

/// The device and inode of a file.
type Key = (u64, u64);

impl Entry<'_> {
    fn key(&self) -> Key {
        key(&self.stat)
    }

    fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode)
    }

    /// Opens a descriptor that refers to the entry without read or write access.
    fn handle(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(self.directory, self.name, flags, Mode::empty()).map_err(|errno| self.failed(errno))
    }

    /// Sets the mode, if the entry is still the file that was found.
    fn change_mode(&self, mode: u32) -> io::Result<()> {
        let handle = self.handle()?;
        if fstat(&handle).is_ok_and(|now| key(&now) == self.key() && !self.kind().is_symlink()) {
            // `fchmod` refuses such a descriptor. Its path in /proc can lead to no other file.
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

/// The handling of directories that cannot be listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closed {
    /// Skip them, as while a build runs.
    Pass,
    /// Make them readable: the build closed them to their owner.
    Open,
}

impl Tree {
    /// Opens the directory that was found, whatever is at its path now.
    pub(super) fn open(found: &Walked) -> io::Result<Tree> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = openat(found, ".", flags, Mode::empty())?;
        Ok(Tree { root, path: found.path().to_path_buf() })
    }

    /// Returns the path at which it was found.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the identity of the directory.
    pub(super) fn id(&self) -> io::Result<FileId> {
        Ok(FileId::from(&fstat(&self.root)?))
    }

    /// Returns the UID of its owner.
    pub(super) fn owner(&self) -> io::Result<u32> {
        Ok(fstat(&self.root)?.st_uid)
    }

    /// Returns how much of its file system is used, in bytes, with [`LEAST`] for each file; 0 if that
    /// cannot be read. Takes as long however many files there are.
    pub(super) fn used_around(&self) -> u64 {
        fstatvfs(&self.root).map_or(0, |all| {
            let blocks = all.f_blocks.saturating_sub(all.f_bfree).saturating_mul(all.f_frsize);
            let files = all.f_files.saturating_sub(all.f_ffree).saturating_mul(LEAST);
            blocks.saturating_add(files)
        })
    }

    /// Returns the size in bytes, each file counted once, and as large as a copy of it without holes. May
    /// stop counting above `enough`.
    pub(super) fn size(&self, enough: u64) -> io::Result<u64> {
        let (mut size, mut linked) = (0_u64, HashSet::new());
        // Opens closed directories, which could hide their contents.
        self.walk(Closed::Open, &mut |entry| {
            let is_new =
                entry.stat.st_nlink < 2 || entry.kind().is_dir() || linked.insert(entry.key());
            let blocks = u64::try_from(entry.stat.st_blocks).unwrap_or(0);
            let length = match entry.kind() {
                FileType::RegularFile => u64::try_from(entry.stat.st_size).unwrap_or(0),
                _ => 0,
            };
            let own = blocks.saturating_mul(512).max(length).max(LEAST);
            size = size.saturating_add(if is_new { own } else { LEAST });
            Ok(if size > enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(size)
    }

    /// Removes the setuid and setgid bits of everything but directories, where they grant no user.
    /// Returns the files that had them.
    pub(super) fn strip_set_id(&self) -> io::Result<Vec<PathBuf>> {
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

    /// Gives everything to an unused user.
    ///
    /// # Errors
    ///
    /// A file has a hard link outside the directory: the build would write to that as well.
    pub(super) fn lend(&self, user: u32) -> io::Result<Lent<'_>> {
        let mut owners = HashMap::new();
        let mut links: HashMap<Key, (_, PathBuf)> = HashMap::new();
        self.walk(Closed::Pass, &mut |entry| {
            let (uid, gid) = (entry.stat.st_uid, entry.stat.st_gid);
            // A build that was killed did not restore the owners.
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
                "{} has a hard link outside the directory, which the build would write to as well; \
                 replace the file by a copy",
                path.display()
            )));
        }
        let owner = fstat(&self.root).map(|stat| key(&stat)).map_err(io::Error::from)?;
        let owner = owners.get(&owner).copied().unwrap_or((0, 0));
        let lent = Lent { tree: self, owners, owner, is_back: false };
        // Changes only entries that were checked.
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
            // Skips entries that were removed in the meantime.
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

/// Lists a directory. Returns `None` if it cannot be listed and may be skipped.
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
        // It was removed or replaced.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(Errno::ACCESS) if closed == Closed::Pass => Ok(None),
        Err(errno) => Err(entry.failed(errno)),
    }
}

/// A directory of root's that belongs to the build's user for the time of the build. Dropping the
/// value restores the owners, if [`Lent::give_back`] did not.
#[derive(Debug)]
pub(super) struct Lent<'a> {
    tree: &'a Tree,
    /// The original owners, by device and inode.
    owners: HashMap<Key, (u32, u32)>,
    /// The owner of the directory itself, and of all new files.
    owner: (u32, u32),
    is_back: bool,
}

impl Lent<'_> {
    /// Restores the original owners, and gives new files to the owner of the directory.
    pub(super) fn give_back(mut self) -> io::Result<()> {
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

    /// Drops the capabilities with which root lists closed directories, so that this thread is
    /// refused like any other user.
    fn be_refused_like_any_user() {
        let mut sets = capabilities(None).unwrap();
        sets.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
        set_capabilities(None, sets).unwrap();
    }

    #[test]
    fn a_hole_in_a_file_counts() {
        let directory = tempfile::tempdir().unwrap();
        let file = fs::File::create(directory.path().join("weights")).unwrap();
        file.set_len(1 << 40).unwrap();
        let found = Walked::along(&directory.path().canonicalize().unwrap()).unwrap();
        let size = Tree::open(&found).unwrap().size(u64::MAX).unwrap();
        assert!(size >= 1 << 40, "{size}");
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
