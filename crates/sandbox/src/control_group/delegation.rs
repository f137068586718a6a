//! The control group that this process may divide up among the programs it starts: its own, where
//! whoever started it has handed that over ("delegated" it).
//!
//! A group whose controllers are handed on to groups within it may have no processes itself
//! ("no internal processes"). So this process moves into a group [`OWN`] beside those of the
//! programs. It is done once for a process, before the first program is started.

use super::Denied;
use rustix::process::geteuid;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The group in which processes like this one are.
const OWN: &str = "botyard";

/// What the name of a program's group begins with; the number of this process and a running number
/// follow.
const PROGRAM: &str = "botyard-program-";

/// Without these there is nothing that tier B does not have.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// A group that may be divided up.
#[derive(Debug)]
pub(super) struct Delegation {
    directory: PathBuf,
}

impl Delegation {
    /// That of this process, found and prepared when it is first asked for.
    pub fn of_this_process() -> Result<&'static Delegation, Denied> {
        static FOUND: OnceLock<Result<Delegation, Denied>> = OnceLock::new();
        FOUND.get_or_init(find).as_ref().map_err(Denied::clone)
    }

    /// A new group without limits: its directory.
    pub fn new_group(&self) -> Result<PathBuf, Denied> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{PROGRAM}{}-{number}", std::process::id());
            let directory = self.directory.join(name);
            match fs::create_dir(&directory) {
                Ok(()) => return Ok(directory),
                // Of an earlier process with this number; somebody is still in it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let step = format!("making the control group {}", directory.display());
                    return Err(Denied::new(step, &error));
                }
            }
        }
    }
}

fn find() -> Result<Delegation, Denied> {
    let own = own_group()?;
    // Started by a process that has moved there, it is there too.
    let directory = match own.parent() {
        Some(parent) if own.ends_with(OWN) => parent.to_path_buf(),
        _ => own,
    };
    prepare(&directory)?;
    remove_abandoned(&directory);
    Ok(Delegation { directory })
}

/// The directory of the group in which this process is.
pub(super) fn own_group() -> Result<PathBuf, Denied> {
    const STEP: &str = "finding its control group";
    let read = |path: &str| fs::read_to_string(path).map_err(|error| Denied::new(STEP, &error));
    let own = own_directory(&read("/proc/self/mountinfo")?, &read("/proc/self/cgroup")?);
    own.ok_or_else(|| {
        Denied::new(STEP, &io::Error::other("no control groups of version 2 are mounted"))
    })
}

/// The directory of the group of a process, by its `mountinfo` and its `cgroup`.
fn own_directory(mountinfo: &str, cgroup: &str) -> Option<PathBuf> {
    let group = cgroup.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mount = mountinfo.lines().find_map(|line| {
        // Some fields, optional ones, a hyphen, and the type of the file system.
        let (place, file_system) = line.split_once(" - ")?;
        let mut fields = place.split(' ').skip(3);
        let is_ours = file_system.starts_with("cgroup2 ");
        is_ours.then_some((fields.next()?, fields.next()?))
    });
    let (root, mount_point) = mount?;
    // In a container only a part of the tree may be mounted.
    let within = Path::new(group).strip_prefix(root).ok()?;
    Some(Path::new(mount_point).join(within))
}

/// Sees to it that groups in this one have the controllers.
fn prepare(directory: &Path) -> Result<(), Denied> {
    let name = directory.display();
    let offered = names(directory, "cgroup.controllers")?;
    let missing = CONTROLLERS.iter().find(|name| !offered.iter().any(|offered| offered == *name));
    if let Some(missing) = missing {
        let reason = format!("the control group {name} has no controller {missing:?}");
        return Err(Denied::new("dividing up its control group", &io::Error::other(reason)));
    }
    let handed_on = names(directory, "cgroup.subtree_control")?;
    if CONTROLLERS.iter().all(|name| handed_on.iter().any(|handed_on| handed_on == name)) {
        return Ok(());
    }
    if is_another_managers(directory) {
        let reason = format!("systemd manages the control group {name} and has not delegated it");
        return Err(Denied::new("dividing up its control group", &io::Error::other(reason)));
    }
    // Only the root of the tree may have processes and groups with controllers.
    let is_root = !directory.join("cgroup.type").exists();
    if !is_root {
        move_into(&directory.join(OWN))?;
    }
    let controllers = CONTROLLERS.map(|name| format!("+{name}")).join(" ");
    fs::write(directory.join("cgroup.subtree_control"), controllers).map_err(|error| {
        if !is_root {
            let _ = fs::write(directory.join("cgroup.procs"), "0");
            let _ = fs::remove_dir(directory.join(OWN));
        }
        let others = match error.kind() {
            io::ErrorKind::ResourceBusy => " (others than this process are in it)",
            _ => "",
        };
        Denied::new(format!("dividing up the control group {name}{others}"), &error)
    })
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

fn names(directory: &Path, file: &str) -> Result<Vec<String>, Denied> {
    let text = fs::read_to_string(directory.join(file)).map_err(|error| {
        Denied::new(format!("reading {file} of the control group {}", directory.display()), &error)
    })?;
    Ok(text.split_whitespace().map(String::from).collect())
}

/// Whether the group is one that systemd goes on managing. To anybody but root it is closed then,
/// so only root has to ask.
fn is_another_managers(directory: &Path) -> bool {
    let is_delegated = ["trusted.delegate", "user.delegate"].iter().any(|name| {
        let mut value = [0; 8];
        rustix::fs::getxattr(directory, *name, &mut value).is_ok_and(|length| length > 0)
    });
    geteuid().is_root() && Path::new("/run/systemd/system").exists() && !is_delegated
}

/// Removes groups of programs whose referee was killed before it could. Those that have processes
/// stay: the kernel removes none of these.
fn remove_abandoned(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let referee = name.to_str().and_then(|name| name.strip_prefix(PROGRAM)?.split('-').next());
        if referee.is_some_and(|number| !Path::new("/proc").join(number).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
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
    fn its_group_is_found_where_the_tree_is_mounted() {
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
