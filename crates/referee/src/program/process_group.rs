//! A program in its own process group, from its start until none of its processes is left. This
//! module handles processes and signals, not what goes through the pipes.
//!
//! The group is killed as a whole while its leader is still a zombie, because until the leader is
//! reaped, no other process can get the ID of the group. A process that leaves the group (`setsid`)
//! escapes: only a sandbox can hold it.

use crate::failure::{Survivors, TEARDOWN_LIMIT};
use crate::program::ending::Ending;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open,
    pidfd_send_signal, test_kill_process_group, waitid,
};
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The referee's ends of a program's three pipes. Reading and writing them never blocks.
#[derive(Debug)]
pub(crate) struct Pipes {
    /// The program's standard input.
    pub stdin: OwnedFd,
    /// The program's standard output.
    pub stdout: OwnedFd,
    /// The program's standard error.
    pub stderr: OwnedFd,
}

/// A running program and all processes that it started, except those that left its process group.
/// Dropping it kills them all.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    leader: Child,
    id: Pid,
    pidfd: OwnedFd,
    /// Whether the program runs others outside its group.
    runs_elsewhere: bool,
    /// The command that ends what the program leaves running outside its group.
    farewell: Option<Command>,
    torn_down: bool,
}

impl ProcessGroup {
    /// Starts the command in a new process group, its standard streams connected to pipes.
    ///
    /// The standard library gives a child the default action for SIGPIPE, which Rust programs
    /// ignore, and an empty signal mask. All file descriptors of this program are closed in the
    /// child, except those that this program itself inherited.
    ///
    /// # Errors
    ///
    /// The system's error. No process is left running then.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<(ProcessGroup, Pipes)> {
        let leader = command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let id = Pid::from_child(&leader);
        let mut leader = leader;
        let ends = (leader.stdin.take(), leader.stdout.take(), leader.stderr.take());
        let pidfd = match pidfd_open(id, PidfdFlags::empty()) {
            Ok(pidfd) => pidfd,
            Err(errno) => {
                let _ = kill_process_group(id, Signal::KILL);
                let _ = leader.wait();
                return Err(errno.into());
            }
        };
        // From here on, a failure drops the group, which kills it.
        let group = ProcessGroup {
            leader,
            id,
            pidfd,
            runs_elsewhere: false,
            farewell: None,
            torn_down: false,
        };
        let (Some(stdin), Some(stdout), Some(stderr)) = ends else {
            return Err(io::Error::other("a child with piped streams came without them"));
        };
        let pipes = Pipes { stdin: stdin.into(), stdout: stdout.into(), stderr: stderr.into() };
        for end in [&pipes.stdin, &pipes.stdout, &pipes.stderr] {
            let flags = rustix::fs::fcntl_getfl(end)?;
            rustix::fs::fcntl_setfl(end, flags | rustix::fs::OFlags::NONBLOCK)?;
        }
        Ok((group, pipes))
    }

    /// Returns the same group for a program that runs others outside its group, with the command to
    /// run at its end, if there is one.
    #[must_use]
    pub(crate) fn with_farewell(self, farewell: Option<Command>) -> ProcessGroup {
        let mut group = self;
        group.runs_elsewhere = true;
        group.farewell = farewell;
        group
    }

    /// Returns whether all processes of the program are its descendants, whose CPU time is known: none
    /// has lost its parent.
    pub(crate) fn is_one_tree(&self) -> bool {
        let tree = botyard_sandbox::tree_of_program(self.id());
        let is_in_tree = |member: Member| member.pid.is_some_and(|pid| tree.contains(&pid));
        !self.runs_elsewhere && members(self.id()).all(is_in_tree)
    }

    /// Returns the ID of the group, which is the PID of the program.
    pub(crate) fn id(&self) -> i32 {
        self.id.as_raw_pid()
    }

    /// Returns a descriptor that is readable once the program has ended.
    pub(crate) fn pidfd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    /// Returns how the program ended; `None` while it runs.
    pub(crate) fn ending(&self) -> Option<Ending> {
        // NOWAIT leaves the program a zombie, which keeps its process group ID reserved.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::PidFd(self.pidfd.as_fd()), options).ok()??;
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(Ending::Exited(code)),
            (None, Some(signal)) => Some(Ending::Killed(signal)),
            (None, None) => None,
        }
    }

    /// Waits for the program to exit, at most until `deadline`.
    pub(crate) fn wait_until(&self, deadline: Instant) -> Option<Ending> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut fds = [PollFd::new(&self.pidfd, PollFlags::IN)];
            match poll(&mut fds, Some(&timespec(left))) {
                Err(Errno::INTR) => {}
                Ok(0) | Err(_) => return None,
                Ok(_) => return self.ending(),
            }
        }
    }

    /// Requests a stop of all processes of the group by SIGSTOP, until [`ProcessGroup::resume`]. The
    /// stop is asynchronous.
    pub(crate) fn stop(&self) {
        let _ = kill_process_group(self.id, Signal::STOP);
    }

    /// Returns whether all threads of the program have stopped since [`ProcessGroup::stop`], or the
    /// program has ended. Other processes of the group are not checked.
    pub(crate) fn is_stopped(&self) -> bool {
        botyard_sandbox::child_stands_still(self.pidfd.as_fd())
    }

    /// Lets the stopped processes continue.
    pub(crate) fn resume(&self) {
        let _ = kill_process_group(self.id, Signal::CONT);
    }

    /// Kills all processes of the group by SIGKILL. Returns once none is left and the program is
    /// reaped. Calling it again does nothing.
    ///
    /// # Errors
    ///
    /// Some processes are still alive [`TEARDOWN_LIMIT`] after they were killed.
    pub(crate) fn tear_down(&mut self) -> Result<(), Survivors> {
        if self.torn_down {
            return Ok(());
        }
        self.torn_down = true;
        if let Some(mut farewell) = self.farewell.take()
            && let Ok((command, _pipes)) = ProcessGroup::spawn(&mut farewell)
        {
            // This runs before the program is killed: it may be waiting for what this command ends.
            command.wait_until(Instant::now() + TEARDOWN_LIMIT);
        }
        let deadline = Instant::now() + TEARDOWN_LIMIT;
        // One signal reaches the whole group: a fork() in progress fails when a fatal signal is
        // pending. The second signal is for a leader that has moved to another group.
        let _ = kill_process_group(self.id, Signal::KILL);
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        if self.wait_until(deadline).is_none() {
            return Err(Survivors { group: self.id() });
        }
        let _ = self.leader.wait();
        // Processes that the leader started are reaped by the process that inherits them, a moment
        // later.
        let mut pause = Duration::from_micros(50);
        while test_kill_process_group(self.id) != Err(Errno::SRCH) {
            if pause > Duration::from_millis(5) && !has_living_member(self.id()) {
                break;
            }
            if Instant::now() > deadline {
                return Err(Survivors { group: self.id() });
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let _ = self.tear_down();
    }
}

/// A process of a group.
struct Member {
    /// Its PID. `None` if the processes of the host cannot be listed, so that there may be any.
    pid: Option<i32>,
    is_zombie: bool,
}

/// Returns the processes of a group.
fn members(group: i32) -> impl Iterator<Item = Member> {
    let unknown = fs::read_dir("/proc").is_err().then_some(Member { pid: None, is_zombie: false });
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let member = move |process: fs::DirEntry| {
        let pid = process.file_name().to_str()?.parse().ok()?;
        // The fields after the name in parentheses: state, parent, group, ...
        let stat = fs::read_to_string(process.path().join("stat")).ok()?;
        let mut fields = stat.rsplit(')').next()?.split_whitespace();
        let state = fields.next()?;
        let is_its = fields.nth(1)?.parse() == Ok(group);
        is_its.then_some(Member { pid: Some(pid), is_zombie: matches!(state, "Z" | "X") })
    };
    unknown.into_iter().chain(processes.filter_map(member))
}

/// Returns whether any process of the group is not a zombie. Zombies remain where the process that
/// inherits orphans does not reap them, as in many containers.
fn has_living_member(group: i32) -> bool {
    members(group).any(|member| !member.is_zombie)
}

/// Converts a duration to the type that `poll` takes.
pub(crate) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}
