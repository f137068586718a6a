//! Traces of a bot: what it may have left behind, and how much the referee has grown.
#![allow(dead_code)] // Each test program uses only a part of this module.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, WaitOptions, pidfd_open, waitpid};
use std::collections::BTreeMap;
use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Directories in which a bot might have written.
const WRITABLE: [&str; 5] = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/"];

/// Makes this process the reaper of orphans: every process that loses its parent becomes a child of
/// this program, whatever its process group. So no process that a bot leaves behind is lost.
pub fn adopt_orphans() {
    let this = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(this)).expect("Linux 3.4 or later");
}

/// Returns the adopted processes that are alive, by PID and command line. Call it while this
/// program has no children of its own, because it reaps those that have ended.
pub fn orphans() -> Vec<String> {
    let mut left = Vec::new();
    for id in children_of("self") {
        let process = Pid::from_raw(id).expect("no process has PID 0");
        match waitpid(Some(process), WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(_) => {}
            Ok(None) => left.push(format!("process {id}: {}", command_line(id))),
        }
    }
    left
}

/// Returns a pidfd of each descendant of a process; it becomes readable when that descendant ends.
pub fn started_by(process: u32) -> Vec<OwnedFd> {
    let mut found = Vec::new();
    let mut parents = vec![process.to_string()];
    while let Some(parent) = parents.pop() {
        for id in children_of(&parent) {
            parents.push(id.to_string());
            let process = Pid::from_raw(id).expect("no process has PID 0");
            found.extend(pidfd_open(process, PidfdFlags::empty()));
        }
    }
    found
}

/// Waits until the process has ended. Returns false if it has not by `deadline`.
pub fn has_ended_by(pidfd: &OwnedFd, deadline: Instant) -> bool {
    let left = deadline.saturating_duration_since(Instant::now());
    let timeout = Timespec {
        tv_sec: i64::try_from(left.as_secs()).expect("some minutes"),
        tv_nsec: left.subsec_nanos().into(),
    };
    let mut fds = [PollFd::new(pidfd, PollFlags::IN)];
    poll(&mut fds, Some(&timeout)).is_ok_and(|ready| ready > 0)
}

/// Returns the children of all threads of a process, zombies included.
fn children_of(process: &str) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let ids = |list: String| list.split_whitespace().map(|id| id.parse().unwrap()).collect();
    lists.flat_map(|list| -> Vec<i32> { ids(list) }).collect()
}

fn command_line(id: i32) -> String {
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}

/// Returns the files whose name contains this token.
pub fn files(token: &str) -> Vec<String> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let directories = WRITABLE.iter().map(PathBuf::from).chain(home);
    let entries = directories.filter_map(|path| fs::read_dir(path).ok()).flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().contains(token));
    named.map(|entry| format!("file {}", entry.path().display())).collect()
}

/// Returns the IPC objects and keys whose name contains this token.
pub fn objects(program: &str, token: &str) -> Vec<String> {
    let survey = Command::new(program).args(["survey", token]).output().unwrap();
    assert!(survey.status.success());
    String::from_utf8_lossy(&survey.stdout).lines().map(String::from).collect()
}

/// Returns the control groups of programs that the referee with this PID has started.
pub fn control_groups(referee: u32) -> Vec<String> {
    fn within(directory: &Path, name: &str, found: &mut Vec<String>) {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            if entry.file_name().to_string_lossy().starts_with(name) {
                found.push(format!("control group {}", entry.path().display()));
            }
            within(&entry.path(), name, found);
        }
    }
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let is_ours = |line: &&str| line.contains(" - cgroup2 ");
    let mut found = Vec::new();
    for mount in mounts.lines().filter(is_ours).filter_map(|line| line.split(' ').nth(4)) {
        within(Path::new(mount), &format!("botyard-program-{referee}-"), &mut found);
    }
    found
}

/// Returns the files beneath a directory with their contents.
pub fn contents(directory: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            found.extend(contents(&path));
            found.insert(path, None);
        } else {
            found.insert(path.clone(), fs::read(&path).ok());
        }
    }
    found
}

/// Returns how many descriptors this program has open.
pub fn descriptors() -> usize {
    let links = fs::read_dir("/proc/self/fd").unwrap().flatten();
    // The referee's canary opens a file for a moment, whenever it likes.
    links
        .filter(|entry| {
            let file = fs::read_link(entry.path()).unwrap_or_default();
            !file.to_string_lossy().ends_with("/schedstat")
        })
        .count()
}

/// Returns how many children this program has, zombies included.
pub fn children() -> usize {
    children_of("self").len()
}

/// Resets the peak resident set size of this program.
pub fn forget_peak() {
    // If the kernel cannot, the peak is that of the whole run, which is only stricter.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Returns the peak resident set size since then, in KiB, and the current one.
pub fn memory_kib() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    (field("VmHWM:"), field("VmRSS:"))
}
