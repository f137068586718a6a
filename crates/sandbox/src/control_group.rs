//! A control group (cgroup v2) for one program. It counts the CPU time of the whole process tree,
//! no matter how the processes were started or who reaped them; it freezes the tree and kills it.
//! The init process of the program's namespaces is not in it.
//! Tier B uses these functions, which need no controller. With the memory and pids controllers, the
//! group also limits the memory and the number of processes of the tree: tier C.
//!
//! All operations are reads and writes of files in the group's directory. The kernel's
//! documentation, `cgroup-v2.rst`, defines the names and their meanings.

mod delegation;

use crate::limits::ResourceLimits;
use crate::shortage::Shortage;
use delegation::{Delegation, NewGroup};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time limit for removing a group after its last process has ended.
const REMOVAL_LIMIT: Duration = Duration::from_secs(1);

/// Why there is no control group: the step that failed, and the system's error.
#[derive(Clone, Debug)]
pub(crate) struct Denied {
    pub step: String,
    reason: String,
    errno: Option<i32>,
}

impl Denied {
    fn new(step: impl Into<String>, error: &io::Error) -> Denied {
        Denied { step: step.into(), reason: error.to_string(), errno: error.raw_os_error() }
    }

    /// Returns the system's error.
    pub(crate) fn error(&self) -> io::Error {
        match self.errno {
            Some(errno) => io::Error::from_raw_os_error(errno),
            None => io::Error::other(self.reason.clone()),
        }
    }

    /// Returns what the host is short of, if that is the reason.
    pub(crate) fn shortage(&self) -> Option<Shortage> {
        Shortage::in_error(&self.step, &self.error())
    }
}

/// The ways into a control group.
#[derive(Debug)]
pub(crate) struct Entrance {
    /// The group's directory. A process can be started in the group: the fast way, since Linux 5.7.
    pub directory: OwnedFd,
    /// Its `cgroup.procs`. A process that writes `0` to it moves into the group, and may wait 10 ms
    /// and longer until no CPU reads the tree of groups any more.
    pub processes: OwnedFd,
}

/// A control group. Dropping it removes it; its processes must have ended by then.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    directory: PathBuf,
    /// The directory, locked while this process lives, so that no other process removes it.
    _lock: OwnedFd,
    /// These files are read and written at every turn, so they stay open.
    freeze: File,
    cpu: File,
    events: File,
    threads: File,
}

impl ControlGroup {
    /// Creates a group for tier C with these limits.
    pub(crate) fn limited(limits: &ResourceLimits) -> Result<ControlGroup, Denied> {
        let group = Delegation::with_controllers()?.new_group()?;
        let limits = limits_of(limits);
        ControlGroup::at(group, |directory| {
            limits.iter().try_for_each(|(name, value)| {
                // A kernel without swap has no swap limit.
                if *name == SWAP_LIMIT && !directory.join(name).exists() {
                    return Ok(());
                }
                let written = fs::write(directory.join(name), value);
                written.map_err(|error| Denied::new(format!("setting {name} to {value}"), &error))
            })
        })
    }

    /// Creates a group for tier B, which needs no controller. Returns `None` if this process cannot
    /// create groups at all. Sets the limits of the controllers that happen to be available.
    pub(crate) fn counting(limits: &ResourceLimits) -> Result<Option<ControlGroup>, Denied> {
        let delegation = match Delegation::without_controllers() {
            Ok(delegation) => delegation,
            Err(denied) if denied.shortage().is_some() => return Err(denied),
            Err(_) => return Ok(None),
        };
        let limits = limits_of(limits);
        let set = |directory: &Path| {
            for (name, value) in &limits {
                let path = directory.join(name);
                if path.exists() {
                    let _ = fs::write(path, value);
                }
            }
            Ok(())
        };
        ControlGroup::at(delegation.new_group()?, set).map(Some)
    }

    fn at(
        group: NewGroup,
        set: impl FnOnce(&Path) -> Result<(), Denied>,
    ) -> Result<ControlGroup, Denied> {
        let NewGroup { directory, lock } = group;
        let made = set(&directory).and_then(|()| {
            let open = |name: &str, write: bool| {
                let file = File::options().read(!write).write(write).open(directory.join(name));
                file.map_err(|error| Denied::new(format!("opening {name}"), &error))
            };
            let (freeze, cpu) = (open("cgroup.freeze", true)?, open("cpu.stat", false)?);
            Ok((freeze, cpu, open("cgroup.events", false)?, open("cgroup.threads", false)?))
        });
        match made {
            Ok((freeze, cpu, events, threads)) => {
                Ok(ControlGroup { directory, _lock: lock, freeze, cpu, events, threads })
            }
            Err(denied) => {
                let _ = fs::remove_dir(&directory);
                Err(denied)
            }
        }
    }

    /// Opens what a process needs to enter the group.
    pub(crate) fn entrance(&self) -> io::Result<Entrance> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::open(&self.directory, flags, Mode::empty())?;
        let processes = File::options().write(true).open(self.directory.join("cgroup.procs"))?;
        Ok(Entrance { directory, processes: processes.into() })
    }

    /// Freezes every process of the group, or thaws them. A thread inside a system call stops when
    /// the call returns: see [`ControlGroup::is_frozen`].
    pub(crate) fn freeze(&self, stopped: bool) {
        let _ = self.freeze.write_at(if stopped { b"1" } else { b"0" }, 0);
    }

    /// Returns whether every thread of the group has stopped.
    pub(crate) fn is_frozen(&self) -> bool {
        let mut text = [0; 256];
        let Ok(length) = self.events.read_at(&mut text, 0) else { return false };
        let text = std::str::from_utf8(&text[..length]);
        text.is_ok_and(|text| value_of("frozen", text) == Some(1))
    }

    /// Returns whether the group has exactly one thread.
    pub(crate) fn has_one_thread(&self) -> bool {
        // A line for each. Two lines do not fit if the first one fills this.
        let mut text = [0; 32];
        let length = self.threads.read_at(&mut text, 0).unwrap_or(0);
        let newlines = text[..length].iter().filter(|&&byte| byte == b'\n').count();
        newlines == 1 && text[length - 1] == b'\n'
    }

    /// Kills every process of the group, including processes that are being forked.
    pub(crate) fn kill(&self) {
        kill(&self.directory);
    }

    /// Returns the CPU time of all processes that are or were in the group. It may lack what a
    /// running thread has used since the scheduler last updated it, some milliseconds.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let mut text = [0; 512];
        let length = self.cpu.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        value_of("usage_usec", text).map(Duration::from_micros)
    }

    /// Returns the peak memory of the whole group, in bytes. Needs Linux 5.19 and the memory
    /// controller.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        fs::read_to_string(self.directory.join("memory.peak")).ok()?.trim().parse().ok()
    }

    /// Returns whether the OOM killer has killed processes of the group.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.directory.join("memory.events"));
        value_of("oom_kill", &events.unwrap_or_default()).is_some_and(|killed| killed > 0)
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        remove(&self.directory, REMOVAL_LIMIT);
    }
}

/// Returns why a program in tier B cannot have its own control group here; `None` if it can.
pub(crate) fn obstacle_without_controllers() -> Option<Denied> {
    Delegation::without_controllers().err()
}

/// Returns the mount point of the cgroup tree and the directory of this process's group, if the
/// tree is mounted.
pub(crate) fn own_mount_and_group() -> Option<(PathBuf, PathBuf)> {
    delegation::own_mount_and_group()
}

fn kill(directory: &Path) {
    // Needs Linux 5.14. On older kernels, killing the init process of the PID namespace kills all.
    let _ = fs::write(directory.join("cgroup.kill"), "1");
}

/// Removes a group once the kernel has dropped its last process.
fn remove(directory: &Path, limit: Duration) {
    let deadline = Instant::now() + limit;
    while let Err(error) = fs::remove_dir(directory) {
        if Errno::from_io_error(&error) != Some(Errno::BUSY) || Instant::now() > deadline {
            break;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

const SWAP_LIMIT: &str = "memory.swap.max";

/// Returns the names of the group's limit files and the values to write.
fn limits_of(limits: &ResourceLimits) -> [(&'static str, String); 4] {
    [
        ("memory.max", limits.memory.to_string()),
        // `memory.max` does not count swapped-out pages.
        (SWAP_LIMIT, "0".to_string()),
        // Kill the whole group or nothing: a program that has lost some processes is useless.
        ("memory.oom.group", "1".to_string()),
        ("pids.max", limits.processes.to_string()),
    ]
}

/// Returns the number after `name`, in a file with a name and a number on each line.
fn value_of(name: &str, text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// Returns a delegation to test with. Without one, prints a note to the real standard error.
    fn place(what: &str, found: Result<Delegation, Denied>) -> Option<Delegation> {
        match found {
            Ok(delegation) => Some(delegation),
            Err(denied) => {
                let (step, reason) = (&denied.step, denied.error());
                let mut stderr = io::stderr();
                let _ = writeln!(stderr, "NOT TESTED on this host: {what}: {step}: {reason}");
                None
            }
        }
    }

    /// A group without controllers can also freeze, kill and count its processes. Holds on the
    /// host's mount and on a private mount.
    #[test]
    fn a_group_freezes_counts_and_kills_its_processes_and_is_removed() {
        for (what, found) in [
            ("control groups", delegation::mounted()),
            ("control groups on a private mount", delegation::on_a_mount_of_its_own()),
        ] {
            if let Some(delegation) = place(what, found) {
                stops_counts_and_ends(&delegation);
            }
        }
    }

    fn stops_counts_and_ends(delegation: &Delegation) {
        let group = ControlGroup::at(delegation.new_group().unwrap(), |_| Ok(())).unwrap();
        let directory = group.directory.clone();
        // Two processes, one of which is busy; they wait until they are in the group.
        let mut shell = Command::new("/bin/sh")
            .args(["-c", "read line; (while :; do :; done) & wait"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut entrance = File::from(group.entrance().unwrap().processes);
        write!(entrance, "{}", shell.id()).unwrap();
        shell.stdin.take().unwrap().write_all(b"go\n").unwrap();

        let until = |what: &str, holds: &dyn Fn() -> bool| {
            let deadline = Instant::now() + Duration::from_secs(60);
            while !holds() {
                assert!(Instant::now() < deadline, "{what}");
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let worked = |time: Duration| group.cpu_time().is_some_and(|used| used >= time);
        let event = |name: &str| {
            let events = fs::read_to_string(directory.join("cgroup.events")).unwrap();
            value_of(name, &events).unwrap() == 1
        };
        until("it uses CPU time", &|| worked(Duration::from_millis(20)));
        group.freeze(true);
        until("it is frozen", &|| group.is_frozen());
        assert!(event("frozen"));
        std::thread::sleep(Duration::from_millis(20));
        let used = group.cpu_time().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(group.cpu_time(), Some(used), "it is frozen");
        group.freeze(false);
        until("it runs after the thaw", &|| worked(used + Duration::from_millis(20)));
        // Killing also works on a frozen group.
        group.freeze(true);
        group.kill();
        until("all processes have ended", &|| !event("populated"));
        shell.wait().unwrap();
        drop(group);
        assert!(!directory.exists(), "the group is removed");
    }

    #[test]
    fn children_move_with_their_parent() {
        let Some(delegation) = place("moves between control groups", delegation::mounted()) else {
            return;
        };
        let (from, to) = (delegation.new_group().unwrap(), delegation.new_group().unwrap());
        let mut sleeper = Command::new("/bin/sleep").arg("600").spawn().unwrap();
        let pid = sleeper.id().to_string();
        fs::write(from.directory.join("cgroup.procs"), &pid).unwrap();
        delegation::move_children(&from.directory, &to.directory);
        let inside = |group: &NewGroup| {
            fs::read_to_string(group.directory.join("cgroup.procs")).unwrap().trim().to_string()
        };
        assert_eq!((inside(&from), inside(&to)), (String::new(), pid));
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
        for group in [from, to] {
            remove(&group.directory, Duration::from_secs(60));
            assert!(!group.directory.exists());
        }
    }

    /// The lock on a group shows that its owner lives: the kernel releases it with the owner. A PID
    /// does not: it means nothing in another container.
    #[test]
    fn only_abandoned_groups_are_removed() {
        let Some(delegation) = place("abandoned control groups", delegation::mounted()) else {
            return;
        };
        let held = delegation.new_group().unwrap();
        let NewGroup { directory: abandoned, lock } = delegation.new_group().unwrap();
        let mut sleeper = Command::new("/bin/sleep").arg("600").spawn().unwrap();
        fs::write(abandoned.join("cgroup.procs"), sleeper.id().to_string()).unwrap();
        drop(lock);
        // Retries, because a child that another test is forking holds a copy of the lock until it
        // executes its program, and because processes take time to end on a busy machine.
        let deadline = Instant::now() + Duration::from_secs(60);
        while abandoned.exists() {
            assert!(Instant::now() < deadline, "no process holds its lock");
            delegation.remove_abandoned();
        }
        assert!(held.directory.exists(), "its owner lives");
        assert!(!sleeper.wait().unwrap().success(), "the process left in it was killed");
        fs::remove_dir(&held.directory).unwrap();
    }

    #[test]
    fn values_are_found_by_their_whole_name() {
        let events = "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n";
        assert_eq!(value_of("oom", events), Some(3));
        assert_eq!(value_of("oom_kill", events), Some(2));
        assert_eq!(value_of("kill", events), None);
        assert_eq!(value_of("oom", "oom many\n"), None);
    }
}
