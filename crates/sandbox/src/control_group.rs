//! A control group (cgroup v2) of a program's own. It counts the processor time of the whole process
//! tree, however its processes were started and whoever waited for them, stops it, and ends it. That
//! is what tier B uses, and it needs no controller. With the controllers of memory and processes it
//! limits these for the tree as well: tier C.
//!
//! All of it are files of the group's directory; the kernel's documentation, `cgroup-v2.rst`, has
//! the names and their meanings.

mod delegation;

use crate::limits::ResourceLimits;
use crate::shortage::Shortage;
use delegation::{Delegation, NewGroup};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the kernel may take to let go of a group whose last process has ended.
const REMOVAL_LIMIT: Duration = Duration::from_secs(1);

/// Why there is no control group: what was being done, and what the system said.
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

    /// What the system said.
    pub fn error(&self) -> io::Error {
        match self.errno {
            Some(errno) => io::Error::from_raw_os_error(errno),
            None => io::Error::other(self.reason.clone()),
        }
    }

    /// What the host is short of, where that is the reason.
    pub fn shortage(&self) -> Option<Shortage> {
        Shortage::in_error(&self.step, &self.error())
    }
}

/// A control group. Dropping it removes it; its processes must be gone by then.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    directory: PathBuf,
    /// The directory, locked for as long as this process lives: nobody else removes it.
    _lock: OwnedFd,
    /// Written and read at every turn, so they stay open.
    freeze: File,
    cpu: File,
    events: File,
}

impl ControlGroup {
    /// A new group of tier C, which has these limits.
    pub fn limited(limits: &ResourceLimits) -> Result<ControlGroup, Denied> {
        let group = Delegation::with_controllers()?.new_group()?;
        let limits = limits_of(limits);
        ControlGroup::at(group, |directory| {
            limits.iter().try_for_each(|(name, value)| {
                // A kernel without swap has no limit of it.
                if *name == SWAP_LIMIT && !directory.join(name).exists() {
                    return Ok(());
                }
                let written = fs::write(directory.join(name), value);
                written.map_err(|error| Denied::new(format!("setting {name} to {value}"), &error))
            })
        })
    }

    /// A new group of tier B, which needs no controller; `None` where this process cannot make groups
    /// at all. Those controllers that it has all the same get their limits.
    pub fn counting(limits: &ResourceLimits) -> Result<Option<ControlGroup>, Denied> {
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
            Ok((freeze, cpu, open("cgroup.events", false)?))
        });
        match made {
            Ok((freeze, cpu, events)) => {
                Ok(ControlGroup { directory, _lock: lock, freeze, cpu, events })
            }
            Err(denied) => {
                let _ = fs::remove_dir(&directory);
                Err(denied)
            }
        }
    }

    /// What a process writes `0` to in order to move into the group.
    pub fn entrance(&self) -> io::Result<File> {
        File::options().write(true).open(self.directory.join("cgroup.procs"))
    }

    /// Stops every process of the group, or lets them go on. A thread inside a system call stops when
    /// that returns: see [`ControlGroup::is_frozen`].
    pub fn freeze(&self, stopped: bool) {
        let _ = self.freeze.write_at(if stopped { b"1" } else { b"0" }, 0);
    }

    /// Whether every thread of the group has stopped.
    pub fn is_frozen(&self) -> bool {
        let mut text = [0; 256];
        let Ok(length) = self.events.read_at(&mut text, 0) else { return false };
        let text = std::str::from_utf8(&text[..length]);
        text.is_ok_and(|text| value_of("frozen", text) == Some(1))
    }

    /// Ends every process of the group, those that are just being started among them.
    pub fn kill(&self) {
        kill(&self.directory);
    }

    /// Processor time of all processes that are or were in the group. What a running thread has
    /// used since the scheduler last looked at it, some milliseconds, may be missing.
    pub fn cpu_time(&self) -> Option<Duration> {
        let mut text = [0; 512];
        let length = self.cpu.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        value_of("usage_usec", text).map(Duration::from_micros)
    }

    /// The most memory that all of it had at once, in bytes. Linux 5.19 and later, where memory is
    /// counted.
    pub fn peak_memory(&self) -> Option<u64> {
        fs::read_to_string(self.directory.join("memory.peak")).ok()?.trim().parse().ok()
    }

    /// Whether the system has ended processes of the group because it had no more memory for them.
    pub fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.directory.join("memory.events"));
        value_of("oom_kill", &events.unwrap_or_default()).is_some_and(|killed| killed > 0)
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        remove(&self.directory, REMOVAL_LIMIT);
    }
}

/// Why a process tree in tier B has no group of its own here; `None` where it has.
pub(crate) fn obstacle_without_controllers() -> Option<Denied> {
    Delegation::without_controllers().err()
}

/// The mount point and the directory of the group in which this process is, where groups are
/// mounted.
pub(crate) fn own_mount_and_group() -> Option<(PathBuf, PathBuf)> {
    delegation::own_mount_and_group()
}

fn kill(directory: &Path) {
    // Linux 5.14; before that whoever ends the namespaces does the same.
    let _ = fs::write(directory.join("cgroup.kill"), "1");
}

/// Removes a group, once its last process is counted out.
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

/// Files of a group and what is written to them.
fn limits_of(limits: &ResourceLimits) -> [(&'static str, String); 4] {
    // The first process of the namespaces counts too.
    let tasks = u64::from(limits.processes) + 1;
    [
        ("memory.max", limits.memory.to_string()),
        // What is swapped out would not count.
        (SWAP_LIMIT, "0".to_string()),
        // All of it or nothing: half a program is of no use to anybody.
        ("memory.oom.group", "1".to_string()),
        ("pids.max", tasks.to_string()),
    ]
}

/// The number behind a name, in a file with a name and a number on each line.
fn value_of(name: &str, text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// A place to make groups in; said past the capture of test output where there is none.
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

    /// Also without controllers a group stops, ends and counts what is in it; on the mount of the
    /// host's as well as on one that nobody else sees.
    #[test]
    fn a_group_stops_counts_and_ends_its_processes_and_goes() {
        for (what, found) in [
            ("control groups", delegation::mounted()),
            ("control groups on a mount of one's own", delegation::on_a_mount_of_its_own()),
        ] {
            if let Some(delegation) = place(what, found) {
                stops_counts_and_ends(&delegation);
            }
        }
    }

    fn stops_counts_and_ends(delegation: &Delegation) {
        let group = ControlGroup::at(delegation.new_group().unwrap(), |_| Ok(())).unwrap();
        let directory = group.directory.clone();
        // Two processes, of which one works; they wait to be let in.
        let mut shell = Command::new("/bin/sh")
            .args(["-c", "read line; (while :; do :; done) & wait"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        write!(group.entrance().unwrap(), "{}", shell.id()).unwrap();
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
        until("it works", &|| worked(Duration::from_millis(20)));
        group.freeze(true);
        until("it stands still", &|| group.is_frozen());
        assert!(event("frozen"));
        std::thread::sleep(Duration::from_millis(20));
        let used = group.cpu_time().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(group.cpu_time(), Some(used), "it is stopped");
        group.freeze(false);
        until("it goes on", &|| worked(used + Duration::from_millis(20)));
        // Also when it is stopped.
        group.freeze(true);
        group.kill();
        until("all are gone", &|| !event("populated"));
        shell.wait().unwrap();
        drop(group);
        assert!(!directory.exists(), "the group is gone");
    }

    /// A group goes by the lock on it, which goes with the process that held it, and not by any
    /// process number, which means nothing in another container.
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
        // More than once, because a process that another test is starting has a copy of the lock until
        // it executes its program, and because processes take their time to end on a busy machine.
        let deadline = Instant::now() + Duration::from_secs(60);
        while abandoned.exists() {
            assert!(Instant::now() < deadline, "nobody holds it");
            delegation.remove_abandoned();
        }
        assert!(held.directory.exists(), "its owner lives");
        assert!(!sleeper.wait().unwrap().success(), "what was left in it was ended");
        fs::remove_dir(&held.directory).unwrap();
    }

    #[test]
    fn numbers_are_found_by_their_whole_name() {
        let events = "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n";
        assert_eq!(value_of("oom", events), Some(3));
        assert_eq!(value_of("oom_kill", events), Some(2));
        assert_eq!(value_of("kill", events), None);
        assert_eq!(value_of("oom", "oom many\n"), None);
    }
}
