//! The file system of tiers B and C: an empty tmpfs. The system's programs and libraries and the
//! files of the launch are mounted in it, read-only, at their usual paths; plus a `/proc` of the
//! bot's own processes, four harmless devices and a `/tmp` of limited size. The rest of the
//! machine's file system is not forbidden but absent.

use super::files::{DEVICES, system_files, walk_own, walk_writable};
use super::setup::{Step, Unfit};
use crate::launch::Launch;
use crate::path_walk::Walked;
use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, mkdirat, openat, symlinkat};
use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags,
    OpenTreeFlags, UnmountFlags, fsconfig_create, fsconfig_set_string, fsmount, fsopen,
    mount_change, move_mount, open_tree, unmount,
};
use rustix::process::{fchdir, pivot_root};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// The most links that a path may contain.
const MOST_LINKS: usize = 40;

/// Where the new root is mounted before it becomes the root; any directory works.
const FOOTHOLDS: [&str; 3] = ["/tmp", "/mnt", "/proc"];

/// An entry of the new root.
#[derive(Debug)]
enum Place {
    /// A link with its original target.
    Link(PathBuf),
    /// A part of the machine's file system, with the attributes of its mount.
    Mount(OwnedFd, Kind, MountAttrFlags),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Directory,
    File,
}

/// Creates the new root and enters it; the old root is unreachable afterwards.
pub(super) fn enter(launch: &Launch) -> Result<(), Unfit> {
    // Mounts made here must not appear outside, nor the reverse.
    let propagation = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", propagation).step("keeping its mounts to itself")?;
    let places = places(launch)?;
    let root = file_system("tmpfs", &[("size", "256k"), ("nr_inodes", "2k"), ("mode", "0755")])
        .step("making its file system")?;
    let attach = |foothold: &&str| {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        openat(CWD, *foothold, flags, Mode::empty()).and_then(|at| mount_at(&root, at)).is_ok()
    };
    if !FOOTHOLDS.iter().any(attach) {
        return Err(Unfit::new("mounting its file system", Errno::ACCESS));
    }
    fill(&root, launch)?;
    // After the bot's own /tmp, because a bot's files may be in the machine's /tmp.
    for (path, place) in &places {
        put(&root, path, place).own_step(&format!("giving it {}", path.display()))?;
    }
    // The program may run in a directory whose contents it cannot see.
    if let Ok(directory) = launch.directory.strip_prefix("/") {
        let _ = directory_in(&root, directory);
    }
    for path in &launch.hidden {
        hide(&root, path).own_step(&format!("hiding {}", path.display()))?;
    }
    fchdir(&root).step("entering its file system")?;
    // The old root is stacked on the new one and then unmounted, so it needs no directory.
    pivot_root(".", ".").step("changing the root")?;
    unmount(".", UnmountFlags::DETACH).step("leaving the old root")?;
    set_attributes(&root, read_only(), false).step("making the root read-only")?;
    std::env::set_current_dir("/").step("entering the root")
}

/// Finds and opens the machine's files that the program may see, before anything is mounted over
/// them.
fn places(launch: &Launch) -> Result<BTreeMap<PathBuf, Place>, Unfit> {
    let mut places = BTreeMap::new();
    for path in system_files() {
        take(&mut places, &path, read_only())?;
    }
    for path in &launch.readable {
        take(&mut places, path, read_only())?;
    }
    for path in &launch.own {
        take_own(&mut places, path, read_only())?;
    }
    for directory in &launch.writable {
        let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        take_found(&mut places, walk_writable(directory)?, attributes)?;
    }
    for device in DEVICES {
        take(
            &mut places,
            Path::new(device),
            MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NOEXEC,
        )?;
    }
    drop_what_comes_with_others(&mut places);
    Ok(places)
}

/// Removes entries inside a directory that is mounted as a whole, whichever of the two was found
/// first. They come with the directory, and a link could not be created a second time. Keeps
/// entries whose attributes differ from the directory's, such as a writable part.
fn drop_what_comes_with_others(places: &mut BTreeMap<PathBuf, Place>) {
    let mounts = places.iter().filter_map(|(path, place)| match place {
        Place::Mount(_, Kind::Directory, attributes) => Some((path.clone(), *attributes)),
        _ => None,
    });
    let mounts: BTreeMap<PathBuf, MountAttrFlags> = mounts.collect();
    places.retain(|path, place| {
        let around = path.ancestors().skip(1).find_map(|ancestor| mounts.get(ancestor));
        match (place, around) {
            (_, None) => true,
            (Place::Link(_), Some(_)) => false,
            (Place::Mount(_, _, attributes), Some(around)) => attributes != around,
        }
    });
}

fn read_only() -> MountAttrFlags {
    MountAttrFlags::MOUNT_ATTR_RDONLY
        | MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
}

/// Adds the file or directory at a path, with the links that lead to it. Skips a path that does not
/// exist or that this user may not access.
fn take(
    places: &mut BTreeMap<PathBuf, Place>,
    path: &Path,
    attributes: MountAttrFlags,
) -> Result<(), Unfit> {
    let mut at = PathBuf::from("/");
    let mut rest: Vec<PathBuf> = pieces(path);
    let mut links = 0;
    while let Some(piece) = rest.pop() {
        if piece.as_os_str() == ".." {
            at.pop();
            continue;
        }
        at.push(piece);
        let Ok(metadata) = at.symlink_metadata() else { return Ok(()) };
        if metadata.is_symlink() {
            links += 1;
            let Ok(target) = fs::read_link(&at) else { return Ok(()) };
            if links > MOST_LINKS {
                return Ok(());
            }
            if !is_within_a_mount(places, &at) {
                places.insert(at.clone(), Place::Link(target.clone()));
            }
            at.pop();
            if target.is_absolute() {
                at = PathBuf::from("/");
            }
            rest.extend(pieces(&target));
        }
    }
    let tree = |flags| open_tree(CWD, &at, flags);
    let kind = if at.is_dir() { Kind::Directory } else { Kind::File };
    mount(places, &at, kind, attributes, tree)
}

/// Adds a file or directory of the bot's author, with the links that lead to it. Skips a path that
/// does not exist. A link that leads elsewhere is an error, and the program is not started.
fn take_own(
    places: &mut BTreeMap<PathBuf, Place>,
    path: &Path,
    attributes: MountAttrFlags,
) -> Result<(), Unfit> {
    match walk_own(path)? {
        Some(walked) => take_found(places, walked, attributes),
        None => Ok(()),
    }
}

fn take_found(
    places: &mut BTreeMap<PathBuf, Place>,
    walked: Walked,
    attributes: MountAttrFlags,
) -> Result<(), Unfit> {
    for (link, target) in walked.links() {
        if !is_within_a_mount(places, link) {
            places.insert(link.clone(), Place::Link(target.clone()));
        }
    }
    let kind = if walked.is_directory() { Kind::Directory } else { Kind::File };
    let tree = |flags| open_tree(&walked, "", flags | OpenTreeFlags::AT_EMPTY_PATH);
    mount(places, walked.path(), kind, attributes, tree)
}

/// Clones a part of the machine's file system as a mount.
fn mount(
    places: &mut BTreeMap<PathBuf, Place>,
    at: &Path,
    kind: Kind,
    attributes: MountAttrFlags,
    tree: impl FnOnce(OpenTreeFlags) -> Result<OwnedFd, Errno>,
) -> Result<(), Unfit> {
    // Never mount the whole old root. A path inside a mounted directory comes with that directory,
    // unless the path must be writable.
    let is_given = attributes == read_only() && is_within_a_mount(places, at);
    if at == Path::new("/") || is_given {
        return Ok(());
    }
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = match tree(flags) {
        Ok(tree) => tree,
        Err(Errno::NOENT | Errno::ACCESS) => return Ok(()),
        Err(errno) => return Err(Unfit::own(format!("opening {}", at.display()), errno)),
    };
    set_attributes(&tree, attributes, true).step(&format!("making {} read-only", at.display()))?;
    places.insert(at.to_path_buf(), Place::Mount(tree, kind, attributes));
    Ok(())
}

/// Returns the components of a path, the first one last.
fn pieces(path: &Path) -> Vec<PathBuf> {
    let named = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("..")),
        _ => None,
    });
    let mut pieces: Vec<PathBuf> = named.collect();
    pieces.reverse();
    pieces
}

fn is_within_a_mount(places: &BTreeMap<PathBuf, Place>, path: &Path) -> bool {
    path.ancestors().any(|ancestor| matches!(places.get(ancestor), Some(Place::Mount(..))))
}

/// Puts an entry at its path in the new root.
fn put(root: &OwnedFd, path: &Path, place: &Place) -> io::Result<()> {
    let relative = path.strip_prefix("/").map_err(io::Error::other)?;
    let parent = directory_in(root, relative.parent().unwrap_or(Path::new("")))?;
    let name = relative.file_name().ok_or(Errno::INVAL)?;
    match place {
        Place::Link(target) => match symlinkat(target, &parent, name) {
            // What exists already, such as the bot's own /tmp, stays.
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(errno.into()),
        },
        Place::Mount(tree, Kind::Directory, _) => mount_at(tree, directory_in(&parent, name)?)?,
        Place::Mount(tree, Kind::File, _) => {
            match new_file(&parent, Path::new(name)) {
                // The file is in a directory that is itself mounted.
                Ok(_) | Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno.into()),
            }
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            mount_at(tree, openat(&parent, name, flags, Mode::empty())?)?;
        }
    }
    Ok(())
}

/// Opens a directory of the new root, creating it if it is missing. Never follows a link: until the
/// new root is entered, an absolute link leads to the machine's file system.
fn directory_in(root: impl AsFd, path: impl AsRef<Path>) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = openat(root, ".", flags, Mode::empty())?;
    for piece in path.as_ref().components() {
        match mkdirat(&at, piece.as_os_str(), Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(errno),
        }
        at = openat(&at, piece.as_os_str(), flags, Mode::empty())?;
    }
    Ok(at)
}

/// Opens a path of the new root without following links; `None` if it does not exist.
fn existing_in(root: &OwnedFd, path: &Path) -> Option<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = openat(root, ".", flags, Mode::empty()).ok()?;
    for piece in path.components() {
        at = openat(&at, piece.as_os_str(), flags, Mode::empty()).ok()?;
    }
    Some(at)
}

/// Mounts an empty file or directory over a hidden one, if that exists.
fn hide(root: &OwnedFd, path: &Path) -> io::Result<()> {
    let Ok(path) = path.strip_prefix("/") else { return Ok(()) };
    let Some(there) = existing_in(root, path) else { return Ok(()) };
    let kind = FileType::from_raw_mode(fstat(&there)?.st_mode);
    let empty = file_system("tmpfs", &[("size", "4k"), ("nr_inodes", "2"), ("mode", "0755")])?;
    if kind.is_dir() {
        set_attributes(&empty, read_only(), false)?;
        return Ok(mount_at(&empty, there)?);
    }
    // An empty file from a file system that is mounted nowhere else.
    new_file(&empty, Path::new("empty"))?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let file = open_tree(&empty, "empty", flags)?;
    set_attributes(&file, read_only(), false)?;
    Ok(mount_at(&file, there)?)
}

fn new_file(root: &OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    openat(root, path, flags, Mode::from_raw_mode(0o644))
}

/// Creates the parts that do not come from the machine: `/proc`, `/tmp`, and the name of the only
/// user.
fn fill(root: &OwnedFd, launch: &Launch) -> Result<(), Unfit> {
    for directory in ["proc", "tmp", "etc"] {
        directory_in(root, directory).step("making its directories")?;
    }
    let proc = file_system("proc", &[]).step("making its /proc")?;
    let place = directory_in(root, "proc").step("mounting its /proc")?;
    mount_at(&proc, place).step("mounting its /proc")?;
    let size = launch.limits.scratch.to_string();
    let options = [("size", size.as_str()), ("nr_inodes", "4k"), ("mode", "1777")];
    let scratch = file_system("tmpfs", &options).step("making its /tmp")?;
    let place = directory_in(root, "tmp").step("mounting its /tmp")?;
    mount_at(&scratch, place).step("mounting its /tmp")?;
    // Runtimes look up the user's name.
    let passwd = new_file(root, Path::new("etc/passwd")).step("naming its user")?;
    let line = format!("bot:x:{0}:{0}::/tmp:/bin/sh\n", crate::NAMESPACE_UID);
    rustix::io::write(&passwd, line.as_bytes()).step("naming its user")?;
    Ok(())
}

fn file_system(kind: &str, options: &[(&str, &str)]) -> Result<OwnedFd, Errno> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        fsconfig_set_string(&context, *key, *value)?;
    }
    fsconfig_create(&context)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, attributes)
}

/// Attaches a mount to an open file or directory.
fn mount_at(tree: &OwnedFd, place: OwnedFd) -> Result<(), Errno> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    move_mount(tree, "", place, "", flags)
}

/// Sets attributes of a mount and, if `recursively`, of all mounts within it.
#[allow(unsafe_code)]
fn set_attributes(
    mount: impl AsFd,
    attributes: MountAttrFlags,
    recursively: bool,
) -> io::Result<()> {
    let fd: BorrowedFd<'_> = mount.as_fd();
    let change = libc::mount_attr {
        attr_set: attributes.bits().into(),
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let flags = libc::AT_EMPTY_PATH | if recursively { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is a C string and `change` a structure of the size that is passed; both
    // outlive the call, which only reads them.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            fd.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const change,
            size_of::<libc::mount_attr>(),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
