//! The processes started by a `botyard`, each held by a pidfd: it shows whether the process has
//! ended, and is never confused with another process.

use crate::command::{Ran, finish};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use std::fs;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

/// The time to wait for something that is certain to happen.
const PATIENCE: Duration = Duration::from_secs(120);

/// Processes that were alive when they were listed.
#[derive(Debug)]
pub struct Processes(Vec<(i32, OwnedFd)>);

impl Processes {
    /// Lists the descendants of a process.
    pub fn started_by(child: &Child) -> Processes {
        let mut found = Vec::new();
        let mut parents = vec![child.id().to_string()];
        while let Some(parent) = parents.pop() {
            for id in children_of(&parent) {
                parents.push(id.clone());
                let number: i32 = id.parse().expect("a PID");
                let process = Pid::from_raw(number).expect("no process has the number 0");
                // A process that has ended needs no watching.
                if let Ok(pidfd) = pidfd_open(process, PidfdFlags::empty()) {
                    found.push((number, pidfd));
                }
            }
        }
        Processes(found)
    }

    /// Lists the processes of this host whose command lines contain a word, or which work in or below
    /// one of these directories.
    pub fn of(word: &str, directories: &[PathBuf]) -> Processes {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let Ok(number) = entry.file_name().to_string_lossy().parse::<i32>() else { continue };
            let place = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
            if !command_line(number).contains(word)
                && !directories.iter().any(|directory| place.starts_with(directory))
            {
                continue;
            }
            let process = Pid::from_raw(number).expect("no process has the number 0");
            if let Ok(pidfd) = pidfd_open(process, PidfdFlags::empty()) {
                found.push((number, pidfd));
            }
        }
        Processes(found)
    }

    /// Lists the descendants of a process, after waiting until a descendant's command line contains these words.
    pub fn once_running(child: &Child, words: &str, count: usize) -> Processes {
        let begun = Instant::now();
        loop {
            let found = Processes::started_by(child);
            let running = found.0.iter().filter(|(id, _)| command_line(*id).contains(words));
            if running.count() >= count {
                return found;
            }
            assert!(begun.elapsed() < PATIENCE, "waited in vain for {count} times {words}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills those whose command lines contain these words. Returns their number.
    pub fn kill_with(&self, words: &str) -> usize {
        let named =
            self.0.iter().filter(|(id, _)| !is_launcher(*id) && command_line(*id).contains(words));
        named.filter(|(_, pidfd)| pidfd_send_signal(pidfd, Signal::KILL).is_ok()).count()
    }

    /// Leaves out the launchers, each of which lives as long as a thread that starts programs.
    pub fn without_launchers(mut self) -> Processes {
        self.0.retain(|(id, _)| !is_launcher(*id));
        self
    }

    /// Returns the processes that have not ended, with their command lines, but no launchers: the kernel ends
    /// those after the `botyard`.
    pub fn left(&self) -> Vec<String> {
        let lives = |(id, pidfd): &&(i32, OwnedFd)| {
            !has_ended_within(pidfd, Duration::ZERO) && !is_launcher(*id)
        };
        let left = self.0.iter().filter(lives);
        left.map(|(id, _)| format!("{id} {}", command_line(*id))).collect()
    }

    /// Waits until all processes have ended.
    pub fn wait_until_gone(&self) {
        let deadline = Instant::now() + PATIENCE;
        for (id, pidfd) in &self.0 {
            let left = deadline.saturating_duration_since(Instant::now());
            let has_ended = has_ended_within(pidfd, left);
            assert!(has_ended, "{id} {} is left, and {:?}", command_line(*id), self.left());
        }
    }
}

/// Kills a `botyard`, and waits until it and all its descendants have ended.
pub fn kill_with_all(mut child: Child) -> Ran {
    // Stopped first, so that it cannot start a process that is missed here.
    let _ = kill_process(pid_of(&child), Signal::STOP);
    let started = Processes::started_by(&child);
    child.kill().expect("botyard can be killed");
    let ran = finish(child);
    started.wait_until_gone();
    ran
}

/// Returns the PID.
pub fn pid_of(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// Returns the PIDs of the children of all threads of a process.
fn children_of(parent: &str) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(String::from).collect::<Vec<_>>()).collect()
}

fn command_line(id: i32) -> String {
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}

/// Returns whether a process is a launcher, and not the first process of a namespace, which it has
/// started.
fn is_launcher(id: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let ids = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    let is_outside = ids.is_some_and(|ids| ids.split_whitespace().count() == 1);
    is_outside && command_line(id).contains("sandbox-launcher")
}

fn has_ended_within(pidfd: &OwnedFd, time: Duration) -> bool {
    let timeout = Timespec {
        tv_sec: i64::try_from(time.as_secs()).expect("some minutes"),
        tv_nsec: time.subsec_nanos().into(),
    };
    let mut fds = [PollFd::new(pidfd, PollFlags::IN)];
    poll(&mut fds, Some(&timeout)).is_ok_and(|ready| ready > 0)
}
