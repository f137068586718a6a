//! A program that is run by the means of the standard library: a child process, and a thread for
//! each of its standard streams.
//!
//! This works on every system, and contains nothing. The program's processes are killed as a group
//! where the system has process groups; a process that leaves the group escapes. On Windows only the
//! program itself is killed: processes that it started keep running until they notice that their
//! pipes are closed. The program cannot be stopped and continued, and its CPU time and memory are
//! not measured.

pub(crate) mod buffer;

use crate::failure::{Survivors, TEARDOWN_LIMIT};
use crate::program::ending::Ending;
use crate::program::portable::buffer::{Buffer, Inlet, Outlet};
use crate::program::streams::{Input, Output, Streams};
use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The shortest and the longest pause between two checks whether a program has ended.
const SHORTEST: Duration = Duration::from_micros(200);
const LONGEST: Duration = Duration::from_millis(5);

/// How long to wait for the threads of a program that was killed. A process that has left the group
/// may hold a pipe open, and its thread ends when that process does.
const THREADS_END: Duration = Duration::from_secs(1);

/// How long to wait for the other processes of a killed group to be reaped.
const GROUP_ENDS: Duration = Duration::from_secs(1);

/// How long after the end of a program its output may still be on its way through a thread.
pub(crate) const ARRIVING: Duration = Duration::from_millis(250);

/// The stack of a thread that moves bytes.
const STACK: usize = 128 * 1024;

/// A running program and, where the system has process groups, all processes that it started but
/// those that left its group. Dropping it kills them all.
#[derive(Debug)]
pub(crate) struct PortableProgram {
    child: Mutex<Leader>,
    id: u32,
    buffers: [Arc<Buffer>; 3],
    threads: Arc<Threads>,
    is_torn_down: bool,
}

#[derive(Debug)]
struct Leader {
    child: Child,
    /// How it ended, and when that was noticed.
    ended: Option<(Ending, Instant)>,
}

/// The number of threads that hold a pipe of the program.
#[derive(Debug, Default)]
struct Threads {
    running: Mutex<usize>,
    ended: Condvar,
}

impl Threads {
    fn running(&self) -> MutexGuard<'_, usize> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` in a thread, which is counted until it has ended.
    fn spawn(self: &Arc<Self>, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let threads = self.clone();
        *self.running() += 1;
        let spawned =
            thread::Builder::new().name("pipe".into()).stack_size(STACK).spawn(move || {
                work();
                *threads.running() -= 1;
                threads.ended.notify_all();
            });
        if spawned.is_err() {
            *self.running() -= 1;
        }
        spawned.map(drop)
    }

    /// Waits until all have ended, at most for `time`.
    fn wait(&self, time: Duration) {
        let waited = self.ended.wait_timeout_while(self.running(), time, |running| *running > 0);
        drop(waited);
    }
}

impl PortableProgram {
    /// Starts the command, its standard streams connected to pipes, and the threads that read and
    /// write them.
    ///
    /// # Errors
    ///
    /// The system's error. The program is not left running then.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<(PortableProgram, Streams)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        {
            /// Ctrl-C in the console of the referee is not for its bots.
            const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
            std::os::windows::process::CommandExt::creation_flags(
                command,
                CREATE_NEW_PROCESS_GROUP,
            );
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let id = child.id();
        let ends = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let buffers = [(); 3].map(|()| Arc::new(Buffer::default()));
        let threads = Arc::new(Threads::default());
        let [stdin, stdout, stderr] = buffers.clone();
        // From here on, a failure drops the program, which kills it.
        let program = PortableProgram {
            child: Mutex::new(Leader { child, ended: None }),
            id,
            buffers,
            threads,
            is_torn_down: false,
        };
        let streams = Streams {
            stdin: Input::Thread(Inlet(stdin.clone())),
            stdout: Output::Thread(Outlet(stdout.clone())),
            stderr: Output::Thread(Outlet(stderr.clone())),
        };
        let (Some(to), Some(from), Some(errors)) = ends else {
            return Err(io::Error::other("a child with piped streams came without them"));
        };
        program.threads.spawn(move || stdin.empty(to))?;
        program.threads.spawn(move || stdout.fill(from))?;
        program.threads.spawn(move || stderr.fill(errors))?;
        Ok((program, streams))
    }

    fn leader(&self) -> MutexGuard<'_, Leader> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the PID of the program.
    pub(crate) fn id(&self) -> i32 {
        self.id.cast_signed()
    }

    /// Returns how the program ended; `None` while it runs.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.ended().map(|(ending, _)| ending)
    }

    fn ended(&self) -> Option<(Ending, Instant)> {
        let mut leader = self.leader();
        if leader.ended.is_none()
            && let Ok(Some(status)) = leader.child.try_wait()
        {
            // Once the program is reaped, its ID is reserved only as long as its group has members.
            kill_group(self.id);
            leader.ended = Some((Ending::from(status), Instant::now()));
        }
        leader.ended
    }

    /// Returns whether the program has ended and all of its output has arrived.
    pub(crate) fn has_ended_and_said_all(&self) -> bool {
        let [_, stdout, _] = &self.buffers;
        self.ended().is_some_and(|(_, at)| stdout.is_complete() || at.elapsed() >= ARRIVING)
    }

    /// Waits until the rest of the standard error of a program that has ended has arrived.
    pub(crate) fn await_last_words(&self) {
        let [_, _, stderr] = &self.buffers;
        stderr.wake_this_thread();
        while let Some((_, at)) = self.ended()
            && !stderr.is_readable()
            && let left = ARRIVING.saturating_sub(at.elapsed())
            && !left.is_zero()
        {
            thread::park_timeout(left);
        }
    }

    /// Waits for the program to exit, at most until `deadline`.
    pub(crate) fn wait_until(&self, deadline: Instant) -> Option<Ending> {
        let mut pause = SHORTEST;
        loop {
            let ending = self.ending();
            let left = deadline.saturating_duration_since(Instant::now());
            if ending.is_some() || left.is_zero() {
                return ending;
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(LONGEST);
        }
    }

    /// Makes everything that happens in the program's streams wake the calling thread.
    pub(crate) fn wake_this_thread(&self) {
        self.buffers.iter().for_each(|buffer| buffer.wake_this_thread());
    }

    /// Returns whether all input was written, or cannot be written.
    pub(crate) fn has_room_for_input(&self) -> bool {
        self.buffers[0].is_written()
    }

    /// Returns whether standard output has arrived, or has ended.
    pub(crate) fn has_output(&self) -> bool {
        self.buffers[1].is_readable()
    }

    /// Kills the program and its group. Returns once it is reaped and its group is gone. Calling it
    /// again does nothing.
    ///
    /// # Errors
    ///
    /// The program is still alive [`TEARDOWN_LIMIT`] after it was killed.
    pub(crate) fn tear_down(&mut self) -> Result<(), Survivors> {
        if self.is_torn_down {
            return Ok(());
        }
        self.is_torn_down = true;
        if self.ending().is_none() {
            kill_group(self.id);
            let _ = self.leader().child.kill();
        }
        let ended = self.wait_until(Instant::now() + TEARDOWN_LIMIT);
        self.buffers.iter().for_each(|buffer| buffer.close());
        if ended.is_none() {
            return Err(Survivors { group: self.id() });
        }
        let begun = Instant::now();
        while group_is_left(self.id) && begun.elapsed() < GROUP_ENDS {
            thread::sleep(SHORTEST);
        }
        self.threads.wait(THREADS_END);
        Ok(())
    }
}

impl Drop for PortableProgram {
    fn drop(&mut self) {
        let _ = self.tear_down();
    }
}

/// Kills all processes of the group that this program leads.
#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = Pid::from_raw(leader.cast_signed()) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Returns whether the group has any process, which may be a zombie.
#[cfg(unix)]
fn group_is_left(leader: u32) -> bool {
    use rustix::process::{Pid, test_kill_process_group};
    Pid::from_raw(leader.cast_signed()).is_some_and(|id| test_kill_process_group(id).is_ok())
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

#[cfg(not(unix))]
fn group_is_left(_: u32) -> bool {
    false
}
