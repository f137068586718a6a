//! The control group in which this process creates groups for the programs that it starts.
//!
//! For tier B this is the process's own group, if it may create directories there. Where no cgroup
//! tree is mounted, root mounts a private one. For tier C, the group must have been delegated to
//! this process together with its controllers. A group that enables controllers for its children
//! may have no processes of its own ("no internal processes"), so this process moves into a child
//! group, [`OWN`], beside the groups of the programs, with its children: launchers, for instance. All
//! this happens once per process, before the first program starts in tier C.
//!
//! The process that creates a program's group locks it. The kernel releases the lock when that
//! process ends, however it ends, so the next process can tell which groups are abandoned.

use super::{Denied, kill, remove};
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;
use rustix::mount::{FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsmount, fsopen};
use rustix::process::geteuid;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The name of the group that processes like this one move into.
const OWN: &str = "botyard";

/// The prefix of the name of a program's group. This process's PID and a serial number follow.
const PROGRAM: &str = "botyard-program-";

/// The controllers that tier C needs. Without them it offers nothing beyond tier B.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// The controller that divides the cores among groups, if available: each bot gets the same share,
/// however many processes it has.
const SHARING: &str = "cpu";

/// The CPU weight of this process's group; a bot's group has 100. The referee's work is charged to
/// no bot but delays the clocks of all.
const OWN_WEIGHT: &str = "1000";

/// Time limit for emptying an abandoned group.
const ABANDONED_LIMIT: Duration = Duration::from_millis(100);

/// A group in which this process may create groups.
#[derive(Debug)]
pub(super) struct Delegation {
    directory: PathBuf,
    /// The mount that the directory is reached through, if it is private.
    _mount: Option<OwnedFd>,
}

/// A newly created group.
#[derive(Debug)]
pub(super) struct NewGroup {
    /// Its directory.
    pub directory: PathBuf,
    /// The same, open and locked.
    pub lock: OwnedFd,
}

impl Delegation {
    /// Returns the delegation for tier C. The first call finds and prepares it.
    pub(super) fn with_controllers() -> Result<&'static Delegation, Denied> {
        static FOUND: OnceLock<Result<Delegation, Denied>> = OnceLock::new();
        once(&FOUND, || {
            let directory = of_own_group()?;
            prepare(&directory)?;
            Ok(Delegation { directory, _mount: None })
        })
    }

    /// Returns the delegation for tier B.
    pub(super) fn without_controllers() -> Result<&'static Delegation, Denied> {
        static FOUND: OnceLock<Result<Delegation, Denied>> = OnceLock::new();
        once(&FOUND, || {
            mounted().or_else(|denied| match geteuid().is_root() {
                // The first error says more about this host than the failure to mount.
                true => on_a_mount_of_its_own().map_err(|_| denied),
                false => Err(denied),
            })
        })
    }

    /// Creates a group without limits.
    pub(super) fn new_group(&self) -> Result<NewGroup, Denied> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{PROGRAM}{}-{number}", std::process::id());
            let directory = self.directory.join(name);
            let failed = |error: &io::Error| {
                Denied::new(format!("making the control group {}", directory.display()), error)
            };
            match fs::create_dir(&directory) {
                Ok(()) => {}
                // It belongs to a process with the same PID: an earlier one, or one in another
                // container.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed(&error)),
            }
            match lock(&directory) {
                // It still exists: no process removed it as abandoned before it was locked.
                Ok(lock) if directory.join("cgroup.procs").exists() => {
                    return Ok(NewGroup { directory, lock });
                }
                Ok(_) | Err(Errno::NOENT | Errno::WOULDBLOCK) => {}
                Err(errno) => {
                    let _ = fs::remove_dir(&directory);
                    return Err(failed(&errno.into()));
                }
            }
        }
    }

    /// Removes the groups of referees that were killed, and kills the processes left in them.
    pub(super) fn remove_abandoned(&self) {
        for entry in fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PROGRAM));
            if is_ours && let Ok(_lock) = lock(&entry.path()) {
                kill(&entry.path());
                remove(&entry.path(), ABANDONED_LIMIT);
            }
        }
    }
}

/// Returns a result that is computed once and remembered, unless only a shortage prevented it.
fn once(
    found: &'static OnceLock<Result<Delegation, Denied>>,
    find: impl FnOnce() -> Result<Delegation, Denied>,
) -> Result<&'static Delegation, Denied> {
    static FINDING: Mutex<()> = Mutex::new(());
    if found.get().is_none() {
        let _finding = FINDING.lock().unwrap_or_else(PoisonError::into_inner);
        if found.get().is_none() {
            let result = find();
            if let Err(denied) = &result
                && denied.shortage().is_some()
            {
                return Err(denied.clone());
            }
            if let Ok(delegation) = &result {
                delegation.remove_abandoned();
            }
            let _ = found.set(result);
        }
    }
    let found = found.get().ok_or_else(|| Denied::new(FINDING_OWN, &Errno::NOENT.into()))?;
    found.as_ref().map_err(Denied::clone)
}

/// Opens a group's directory and locks it; fails with `WOULDBLOCK` if another process holds the
/// lock.
fn lock(directory: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = rustix::fs::open(directory, flags, Mode::empty())?;
    flock(&directory, FlockOperation::NonBlockingLockExclusive)?;
    Ok(directory)
}

/// Returns the group of this process on the mounted cgroup tree, if it may create groups there.
pub(super) fn mounted() -> Result<Delegation, Denied> {
    usable(Delegation { directory: of_own_group()?, _mount: None })
}

/// Returns the same on a private mount, attached to no directory, which lasts as long as its
/// descriptor. Only root may mount.
pub(super) fn on_a_mount_of_its_own() -> Result<Delegation, Denied> {
    const STEP: &str = "mounting control groups";
    let failed = |errno: Errno| Denied::new(STEP, &errno.into());
    let context = fsopen("cgroup2", FsOpenFlags::FSOPEN_CLOEXEC).map_err(failed)?;
    fsconfig_create(&context).map_err(failed)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let mount = fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, attributes).map_err(failed)?;
    // Read only now: a kernel without any cgroup mount does not report groups.
    let cgroup = read("/proc/self/cgroup")?;
    let own = own_path(&cgroup).ok_or_else(|| failed(Errno::NOENT))?;
    let root = PathBuf::from(format!("/proc/self/fd/{}", mount.as_raw_fd()));
    let directory = divided(root.join(own.trim_start_matches('/')));
    usable(Delegation { directory, _mount: Some(mount) })
}

/// Returns the delegation, if groups created in it can be frozen and count CPU time.
fn usable(delegation: Delegation) -> Result<Delegation, Denied> {
    let NewGroup { directory, lock: _lock } = delegation.new_group()?;
    let names = ["cgroup.freeze", "cpu.stat"];
    let missing = names.iter().find(|name| !directory.join(name).exists());
    let _ = fs::remove_dir(&directory);
    match missing {
        None => Ok(delegation),
        Some(name) => {
            let reason = format!("its groups have no {name}: that needs Linux 5.2 or later");
            Err(Denied::new("looking at a control group", &io::Error::other(reason)))
        }
    }
}

/// Returns the group in which to create groups of programs, given the group of this process.
fn divided(own: PathBuf) -> PathBuf {
    // A process that has moved into `OWN` starts its children there.
    match own.parent() {
        Some(parent) if own.ends_with(OWN) => parent.to_path_buf(),
        _ => own,
    }
}

const FINDING_OWN: &str = "finding its control group";

fn read(path: &str) -> Result<String, Denied> {
    fs::read_to_string(path).map_err(|error| Denied::new(FINDING_OWN, &error))
}

fn of_own_group() -> Result<PathBuf, Denied> {
    let own = own_directory(&read("/proc/self/mountinfo")?, &read("/proc/self/cgroup")?);
    own.map(|(_, own)| divided(own)).ok_or_else(|| {
        let reason = "no control groups of version 2 are mounted";
        Denied::new(FINDING_OWN, &io::Error::other(reason))
    })
}

/// Returns the mount point of the cgroup tree and the directory of this process's group.
pub(super) fn own_mount_and_group() -> Option<(PathBuf, PathBuf)> {
    let (mountinfo, cgroup) = (read("/proc/self/mountinfo").ok()?, read("/proc/self/cgroup").ok()?);
    own_directory(&mountinfo, &cgroup)
}

/// Returns the path of a process's group, from its `/proc/PID/cgroup`.
fn own_path(cgroup: &str) -> Option<&str> {
    cgroup.lines().find_map(|line| line.strip_prefix("0::"))
}

/// Returns the mount point of the cgroup tree and the directory of a process's group, from its
/// `/proc/PID/mountinfo` and `/proc/PID/cgroup`.
fn own_directory(mountinfo: &str, cgroup: &str) -> Option<(PathBuf, PathBuf)> {
    let group = own_path(cgroup)?;
    let mount = mountinfo.lines().find_map(|line| {
        // Some fields, optional fields, a hyphen, and the file system type.
        let (place, file_system) = line.split_once(" - ")?;
        let mut fields = place.split(' ').skip(3);
        let is_ours = file_system.starts_with("cgroup2 ");
        is_ours.then_some((fields.next()?, fields.next()?))
    });
    let (root, mount_point) = mount?;
    // A container may see only a part of the tree.
    let within = Path::new(group).strip_prefix(root).ok()?;
    let mount_point = Path::new(mount_point);
    Some((mount_point.to_path_buf(), mount_point.join(within)))
}

/// Enables the controllers for child groups of this one.
fn prepare(directory: &Path) -> Result<(), Denied> {
    let name = directory.display();
    let offered = names(directory, "cgroup.controllers")?;
    let missing = CONTROLLERS.iter().find(|name| !offered.iter().any(|offered| offered == *name));
    if let Some(missing) = missing {
        let reason = format!("the control group {name} has no controller {missing:?}");
        return Err(Denied::new("enabling cgroup controllers", &io::Error::other(reason)));
    }
    let handed_on = names(directory, "cgroup.subtree_control")?;
    if CONTROLLERS.iter().all(|name| handed_on.iter().any(|handed_on| handed_on == name)) {
        return Ok(());
    }
    if is_another_managers(directory) {
        let reason = format!("systemd manages the control group {name} and has not delegated it");
        return Err(Denied::new("enabling cgroup controllers", &io::Error::other(reason)));
    }
    // Only the root of the tree may have processes and also enable controllers for its children.
    let is_root = !directory.join("cgroup.type").exists();
    let own = directory.join(OWN);
    if !is_root {
        move_into(&own)?;
        move_children(directory, &own);
    }
    let handed_on = directory.join("cgroup.subtree_control");
    let controllers = CONTROLLERS.map(|name| format!("+{name}")).join(" ");
    fs::write(&handed_on, controllers).map_err(|error| {
        if !is_root {
            let _ = fs::write(directory.join("cgroup.procs"), "0");
            move_children(&own, directory);
            let _ = fs::remove_dir(&own);
        }
        let others = match error.kind() {
            io::ErrorKind::ResourceBusy => " (other processes are in it)",
            _ => "",
        };
        Denied::new(format!("enabling controllers in the control group {name}{others}"), &error)
    })?;
    // Not every host offers this controller, and nothing depends on it.
    if fs::write(&handed_on, format!("+{SHARING}")).is_ok() && !is_root {
        let _ = fs::write(own.join("cpu.weight"), OWN_WEIGHT);
    }
    Ok(())
}

fn move_into(directory: &Path) -> Result<(), Denied> {
    let moved = match fs::create_dir(directory) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => fs::write(directory.join("cgroup.procs"), "0"),
    };
    moved.map_err(|error| {
        Denied::new(format!("moving into the control group {}", directory.display()), &error)
    })
}

/// Moves the children of this process from one group to another.
pub(super) fn move_children(from: &Path, to: &Path) {
    let own = std::process::id().to_string();
    let is_child = |pid: &&str| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The state and the parent follow the name in parentheses.
        stat.rsplit(')').next().and_then(|fields| fields.split_whitespace().nth(1)) == Some(&own)
    };
    let processes = fs::read_to_string(from.join("cgroup.procs")).unwrap_or_default();
    for pid in processes.lines().filter(is_child) {
        // It fails if the process has ended.
        let _ = fs::write(to.join("cgroup.procs"), pid);
    }
}

fn names(directory: &Path, file: &str) -> Result<Vec<String>, Denied> {
    let text = fs::read_to_string(directory.join(file)).map_err(|error| {
        Denied::new(format!("reading {file} of the control group {}", directory.display()), &error)
    })?;
    Ok(text.split_whitespace().map(String::from).collect())
}

/// Returns whether systemd manages the group and has not delegated it. Other users than root cannot
/// write to such a group, so only root needs to check.
fn is_another_managers(directory: &Path) -> bool {
    let is_delegated = ["trusted.delegate", "user.delegate"].iter().any(|name| {
        let mut value = [0; 8];
        rustix::fs::getxattr(directory, *name, &mut value).is_ok_and(|length| length > 0)
    });
    geteuid().is_root() && Path::new("/run/systemd/system").exists() && !is_delegated
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 0:20 / /proc rw - proc proc rw
30 23 0:26 / /sys/fs/cgroup/pids rw,nosuid - cgroup cgroup rw,pids
31 23 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
";

    #[test]
    fn the_own_group_is_found_where_the_tree_is_mounted() {
        for (mounts, cgroup, expected) in [
            (MOUNTS, "8:pids:/\n0::/user.slice/x.scope\n", "/sys/fs/cgroup/user.slice/x.scope"),
            (MOUNTS, "0::/\n", "/sys/fs/cgroup/"),
            (
                "31 23 0:27 /docker/7 /sys/fs/cgroup ro - cgroup2 cgroup rw",
                "0::/docker/7/inner",
                "/sys/fs/cgroup/inner",
            ),
        ] {
            let found = own_directory(mounts, cgroup);
            let found = found.map(|(_, group)| group);
            assert_eq!(found.as_deref(), Some(Path::new(expected)), "{cgroup}");
        }
        for (mounts, cgroup) in [
            (MOUNTS, "8:pids:/\n"),
            ("22 1 0:20 / /proc rw - proc proc rw", "0::/\n"),
            ("31 23 0:27 /docker/7 /sys/fs/cgroup ro - cgroup2 cgroup rw", "0::/docker/8"),
            ("31 23 0:27", "0::/"),
        ] {
            assert_eq!(own_directory(mounts, cgroup), None, "{mounts} {cgroup}");
        }
    }
}
