//! Tier C: a control group (cgroup v2) of a program's own. It counts what the whole process tree
//! uses, however its processes were started, limits it, stops it, and ends it.
//!
//! All of it are files of the group's directory; the kernel's documentation, `cgroup-v2.rst`, has
//! the names and their meanings.

mod delegation;

use crate::limits::ResourceLimits;
use delegation::Delegation;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the kernel may take to let go of a group whose last process has ended.
const REMOVAL_LIMIT: Duration = Duration::from_secs(1);

/// Why there is no control group: what was being done, and what the system said.
#[derive(Clone, Debug)]
pub(crate) struct Denied {
    pub step: String,
    pub kind: io::ErrorKind,
    pub reason: String,
}

impl Denied {
    fn new(step: impl Into<String>, error: &io::Error) -> Denied {
        Denied { step: step.into(), kind: error.kind(), reason: error.to_string() }
    }
}

/// A control group. Dropping it removes it; its processes must be gone by then.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    directory: PathBuf,
    /// Written and read at every turn, so they stay open.
    freeze: File,
    cpu: File,
}

impl ControlGroup {
    /// A new group with these limits, in the one that was delegated to this process.
    pub fn new(limits: &ResourceLimits) -> Result<ControlGroup, Denied> {
        let delegation = Delegation::of_this_process()?;
        let directory = delegation.new_group()?;
        let files = limits_of(limits);
        ControlGroup::at(&directory, &files).inspect_err(|_| {
            let _ = fs::remove_dir(&directory);
        })
    }

    fn at(directory: &Path, limits: &[(&str, String)]) -> Result<ControlGroup, Denied> {
        for (name, value) in limits {
            let path = directory.join(name);
            // A kernel without swap has no limit of it.
            if *name == SWAP_LIMIT && !path.exists() {
                continue;
            }
            let written = fs::write(&path, value);
            written.map_err(|error| Denied::new(format!("setting {name} to {value}"), &error))?;
        }
        let open = |name: &str, write: bool| {
            let file = File::options().read(!write).write(write).open(directory.join(name));
            file.map_err(|error| Denied::new(format!("opening {name}"), &error))
        };
        Ok(ControlGroup {
            freeze: open("cgroup.freeze", true)?,
            cpu: open("cpu.stat", false)?,
            directory: directory.to_path_buf(),
        })
    }

    /// What a process writes `0` to in order to move into the group.
    pub fn entrance(&self) -> io::Result<File> {
        File::options().write(true).open(self.directory.join("cgroup.procs"))
    }

    /// Stops every process of the group, or lets them go on.
    pub fn freeze(&self, stopped: bool) {
        let _ = self.freeze.write_at(if stopped { b"1" } else { b"0" }, 0);
    }

    /// Ends every process of the group, those that are just being started among them.
    pub fn kill(&self) {
        // Linux 5.14; before that whoever ends the namespaces does the same.
        let _ = fs::write(self.directory.join("cgroup.kill"), "1");
    }

    /// Processor time of all processes that are or were in the group. What a running thread has
    /// used since the scheduler last looked at it, some milliseconds, may be missing.
    pub fn cpu_time(&self) -> Option<Duration> {
        let mut text = [0; 512];
        let length = self.cpu.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        value_of("usage_usec", text).map(Duration::from_micros)
    }

    /// The most memory that all of it had at once, in bytes. Linux 5.19 and later.
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
        let deadline = Instant::now() + REMOVAL_LIMIT;
        while let Err(error) = fs::remove_dir(&self.directory) {
            // Its last process is dead but not yet counted out.
            if error.kind() != io::ErrorKind::ResourceBusy || Instant::now() > deadline {
                break;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
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

    /// Also without controllers a group stops, ends and counts what is in it.
    #[test]
    fn a_group_stops_counts_and_ends_its_processes_and_goes() {
        let make = |own: PathBuf| {
            let directory = own.join(format!("botyard-test-{}", std::process::id()));
            let made = fs::create_dir(&directory);
            made.map(|()| directory.clone())
                .map_err(|error| Denied::new(format!("making {}", directory.display()), &error))
        };
        let directory = match delegation::own_group().and_then(make) {
            Ok(directory) => directory,
            Err(Denied { step, reason, .. }) => {
                // Past the capture of test output: nobody should take silence for success.
                let mut stderr = io::stderr();
                let _ =
                    writeln!(stderr, "NOT TESTED on this host: control groups: {step}: {reason}");
                return;
            }
        };
        let group = ControlGroup::at(&directory, &[]).unwrap();
        // Two processes, of which one works; they wait to be let in.
        let mut shell = Command::new("/bin/sh")
            .args(["-c", "read line; (while :; do :; done) & wait"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        fs::write(directory.join("cgroup.procs"), shell.id().to_string()).unwrap();
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
        until("it stands still", &|| event("frozen"));
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

    #[test]
    fn numbers_are_found_by_their_whole_name() {
        let events = "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n";
        assert_eq!(value_of("oom", events), Some(3));
        assert_eq!(value_of("oom_kill", events), Some(2));
        assert_eq!(value_of("kill", events), None);
        assert_eq!(value_of("oom", "oom many\n"), None);
    }
}
