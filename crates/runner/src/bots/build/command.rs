//! A running command of a build. Its output is shown with control characters replaced. It and all
//! processes that it started are killed when it ends or exceeds its limits.

use super::written::Written;
use super::{Built, Deadline, Show};
use crate::error::Error;
use crate::message;
use crate::settings::OUTPUT;
use botyard_protocol::printable;
use botyard_referee::Interrupt;
use botyard_sandbox::{Contained, Exit, Launch, Launcher, SpawnError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// How much of its output is shown, in bytes.
const SHOWN: usize = 256 * 1024;

/// The longest line shown in full, in characters.
const LONGEST_LINE: usize = 1000;

/// A command of a build.
pub(super) struct ContainedCommand<'a> {
    /// How it is started.
    pub launch: Launch,
    /// What starts it.
    pub launcher: &'a Launcher,
    /// The limit of CPU time; the limit of wall-clock time is twice that.
    pub cpu_time: Duration,
    /// The end of the time of the build.
    pub deadline: Deadline,
}

impl ContainedCommand<'_> {
    /// Runs the command until it ends, exceeds its time or writes too much.
    ///
    /// # Errors
    ///
    /// An interrupt, or a failure of the host.
    pub(super) fn run(
        &self,
        written: &mut Written<'_>,
        interrupt: &Interrupt,
        show: Show<'_>,
    ) -> Result<Built, Error> {
        run_contained(self, written, interrupt, show)
    }
}

fn run_contained(
    command: &ContainedCommand<'_>,
    written: &mut Written<'_>,
    interrupt: &Interrupt,
    show: Show<'_>,
) -> Result<Built, Error> {
    let ContainedCommand { launch, launcher, cpu_time, deadline } = command;
    let cpu_time = *cpu_time;
    let inherited = ["LANG", "PATH"];
    let variable = |name: &str| Some((OsString::from(name), std::env::var_os(name)?));
    let mut environment: Vec<_> = inherited.into_iter().filter_map(variable).collect();
    // Files that tools cache in these directories are removed with the build's `/tmp`.
    environment.extend(["HOME", "TMPDIR"].map(|name| (name.into(), "/tmp".into())));
    let (mut program, pipes) =
        match Contained::spawn_unless(launcher, launch, &environment, interrupt.as_fd()) {
            Ok(started) => started,
            Err(SpawnError::Program(error)) => {
                let program = launch.program.display();
                return Ok(Built::failed(format!("{program} cannot be run: {error}")));
            }
            Err(SpawnError::Files(message)) => return Ok(Built::failed(message)),
            Err(SpawnError::Cancelled) => return Err(Error::Interrupted),
            Err(error) => return Err(Error::host(error)),
        };
    drop(pipes.stdin);
    let streams = vec![pipes.stdout, pipes.stderr];
    let mut output = Output { streams, line: Vec::new(), shown: 0, show };
    let begun = Instant::now();
    let end = loop {
        output.wait(&program, interrupt)?;
        if let Some(exit) = program.exit() {
            break End::Exited(exit);
        }
        if interrupt.is_raised() {
            break End::Interrupted;
        }
        let used = program.cpu_time().unwrap_or_default();
        if used > cpu_time || begun.elapsed() > cpu_time * 2 {
            break End::Late(used);
        }
        if let Some(failed) = deadline.exceeded() {
            break End::Failed(failed);
        }
        if written.is_too_much_by_now(&program) {
            break End::Wrote;
        }
    };
    program.tear_down().map_err(Error::host)?;
    output.rest()?;
    if let Some(too_much) = written.too_much() {
        return Ok(Built::Failed(too_much));
    }
    Ok(match end {
        End::Exited(Exit::Code(0)) => Built::Done,
        End::Exited(Exit::Code(code)) => Built::failed(format!("it exited with code {code}")),
        End::Exited(Exit::Signal(signal)) => {
            Built::failed(format!("it was killed by signal {signal}"))
        }
        End::Interrupted => return Err(Error::Interrupted),
        End::Failed(failed) => failed,
        End::Late(used) => Built::failed(format!(
            "it was still running after {:.0} s and {:.0} s of CPU time; its limit is {:.0} s of CPU time",
            begun.elapsed().as_secs_f64(),
            used.as_secs_f64(),
            cpu_time.as_secs_f64()
        )),
        End::Wrote => Built::failed(message![
            "it temporarily wrote more to its directory than ",
            OUTPUT,
            " allows"
        ]),
    })
}

/// Why a command ended.
enum End {
    Exited(Exit),
    Interrupted,
    /// It exceeded its time, with this CPU time.
    Late(Duration),
    /// It wrote too much.
    Wrote,
    /// The build exceeded its time.
    Failed(Built),
}

/// The output of a command, line by line, from both streams.
struct Output<'a> {
    streams: Vec<OwnedFd>,
    line: Vec<u8>,
    shown: usize,
    show: Show<'a>,
}

impl Output<'_> {
    /// Waits for output, for the end, or for a moment.
    fn wait(&mut self, program: &Contained, interrupt: &Interrupt) -> Result<(), Error> {
        let mut fds: Vec<_> =
            self.streams.iter().map(|stream| PollFd::new(stream, PollFlags::IN)).collect();
        fds.push(PollFd::from_borrowed_fd(program.pidfd(), PollFlags::IN));
        fds.push(PollFd::new(interrupt, PollFlags::IN));
        let moment = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        match poll(&mut fds, Some(&moment)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(Error::host(format!("cannot wait for the build: {errno}"))),
        }
        self.read()?;
        Ok(())
    }

    /// Shows the output read so far. Returns whether there was any.
    fn read(&mut self) -> Result<bool, Error> {
        let mut streams = std::mem::take(&mut self.streams);
        let mut any = false;
        let mut bytes = [0; 8192];
        let mut failed = Ok(());
        streams.retain(|stream| match rustix::io::read(stream, &mut bytes) {
            Ok(0) => false,
            Ok(count) => {
                any = true;
                failed = std::mem::replace(&mut failed, Ok(())).and(self.add(&bytes[..count]));
                true
            }
            Err(Errno::AGAIN | Errno::INTR) => true,
            Err(_) => false,
        });
        self.streams = streams;
        failed.map(|()| any)
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), Error> {
        for &byte in bytes {
            if byte != b'\n' {
                // Keeps no more of an endless line than can be shown.
                if self.line.len() < 4 * LONGEST_LINE {
                    self.line.push(byte);
                }
                continue;
            }
            self.end_line()?;
        }
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), Error> {
        let line = std::mem::take(&mut self.line);
        let was_all = self.shown < SHOWN;
        self.shown += line.len() + 1;
        if self.shown < SHOWN {
            let text = String::from_utf8_lossy(&line).replace('\t', "    ");
            let text = printable(text.trim_end_matches('\r'), LONGEST_LINE);
            (self.show)(&format!("{text}\n")).map_err(Error::Output)?;
        } else if was_all {
            (self.show)("[the rest is not shown]\n").map_err(Error::Output)?;
        }
        Ok(())
    }

    /// Shows the remaining output after all writers have closed the streams.
    fn rest(&mut self) -> Result<(), Error> {
        while self.shown < SHOWN && self.read()? {}
        if !self.line.is_empty() {
            self.end_line()?;
        }
        Ok(())
    }
}
