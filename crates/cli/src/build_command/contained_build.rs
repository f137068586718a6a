//! A command of a build while it runs: what it says is shown, harmlessly, and it is ended with all
//! that it has started when it is done or takes too long.

use super::written::Written;
use crate::failure::Failure;
use crate::sandbox_command::launcher;
use crate::text::out;
use botyard_protocol::printable;
use botyard_referee::Interrupt;
use botyard_sandbox::{Contained, Exit, Launch, SpawnError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// How much of what it says is shown, in bytes.
const SHOWN: usize = 256 * 1024;

/// The longest line that is shown whole, in characters.
const LONGEST_LINE: usize = 1000;

/// Why a command failed that the user did not wait for.
const INTERRUPTED: &str = "it was interrupted";

/// What became of a command.
pub enum Built {
    /// It was done.
    Done,
    /// It failed, for this reason.
    Failed(String),
}

/// Runs a command to its end, or until it has used this much processor time, or twice as much time
/// of wall-clock time, or has written more than it may, or is interrupted.
pub fn run_contained(
    launch: &Launch,
    cpu_time: Duration,
    written: &mut Written,
    interrupt: &Interrupt,
) -> anyhow::Result<Built> {
    let inherited = ["LANG", "PATH"];
    let variable = |name: &str| Some((OsString::from(name), std::env::var_os(name)?));
    let mut environment: Vec<_> = inherited.into_iter().filter_map(variable).collect();
    // What tools keep beside the build goes with it.
    environment.extend(["HOME", "TMPDIR"].map(|name| (name.into(), "/tmp".into())));
    let (mut program, pipes) =
        match Contained::spawn_unless(&launcher(), launch, &environment, interrupt.as_fd()) {
            Ok(started) => started,
            Err(SpawnError::Program(error)) => {
                let program = launch.program.display();
                return Ok(Built::Failed(format!("{program} cannot be run: {error}")));
            }
            Err(SpawnError::Files(message)) => return Ok(Built::Failed(message)),
            Err(SpawnError::Cancelled) => return Ok(Built::Failed(INTERRUPTED.into())),
            Err(error) => return Err(Failure::host(error)),
        };
    drop(pipes.stdin);
    let mut output = Output { streams: vec![pipes.stdout, pipes.stderr], ..Output::default() };
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
        if written.is_too_much_by_now() {
            break End::Wrote;
        }
    };
    program.tear_down().map_err(Failure::host)?;
    output.rest()?;
    if let Some(too_much) = written.too_much() {
        return Ok(Built::Failed(too_much));
    }
    Ok(match end {
        End::Exited(Exit::Code(0)) => Built::Done,
        End::Exited(Exit::Code(code)) => Built::Failed(format!("it exited with code {code}")),
        End::Exited(Exit::Signal(signal)) => {
            Built::Failed(format!("it was ended by signal {signal}"))
        }
        End::Interrupted => Built::Failed(INTERRUPTED.to_string()),
        End::Late(used) => Built::Failed(format!(
            "it has not ended after {:.0} s, with {:.0} s of processor time; it may use {:.0} s",
            begun.elapsed().as_secs_f64(),
            used.as_secs_f64(),
            cpu_time.as_secs_f64()
        )),
        End::Wrote => Built::Failed(
            "for a moment it had written more in its directory than --output allows".to_string(),
        ),
    })
}

/// Why a command no longer runs.
enum End {
    Exited(Exit),
    Interrupted,
    /// It takes too long, with this much processor time.
    Late(Duration),
    /// It has written too much.
    Wrote,
}

/// What a command says, line by line, on either stream.
#[derive(Default)]
struct Output {
    streams: Vec<OwnedFd>,
    line: Vec<u8>,
    shown: usize,
}

impl Output {
    /// Waits for something to be said, for the end, or for a moment.
    fn wait(&mut self, program: &Contained, interrupt: &Interrupt) -> anyhow::Result<()> {
        let mut fds: Vec<_> =
            self.streams.iter().map(|stream| PollFd::new(stream, PollFlags::IN)).collect();
        fds.push(PollFd::from_borrowed_fd(program.pidfd(), PollFlags::IN));
        fds.push(PollFd::new(interrupt, PollFlags::IN));
        let moment = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        match poll(&mut fds, Some(&moment)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(Failure::host(format!("waiting for the build: {errno}"))),
        }
        self.read()?;
        Ok(())
    }

    /// Shows what is there; whether anything was.
    fn read(&mut self) -> anyhow::Result<bool> {
        let mut streams = std::mem::take(&mut self.streams);
        let mut any = false;
        let mut bytes = [0; 8192];
        let mut failed = Ok(());
        streams.retain(|stream| match rustix::io::read(stream, &mut bytes) {
            Ok(0) => false,
            Ok(count) => {
                any = true;
                failed = std::mem::replace(&mut failed, Ok(())).and(self.show(&bytes[..count]));
                true
            }
            Err(Errno::AGAIN | Errno::INTR) => true,
            Err(_) => false,
        });
        self.streams = streams;
        failed.map(|()| any)
    }

    fn show(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        for &byte in bytes {
            if byte != b'\n' {
                // Of an endless line no more is kept than can be shown.
                if self.line.len() < 4 * LONGEST_LINE {
                    self.line.push(byte);
                }
                continue;
            }
            self.end_line()?;
        }
        Ok(())
    }

    fn end_line(&mut self) -> anyhow::Result<()> {
        let line = std::mem::take(&mut self.line);
        let was_all = self.shown < SHOWN;
        self.shown += line.len() + 1;
        if self.shown < SHOWN {
            let text = String::from_utf8_lossy(&line).replace('\t', "    ");
            out(&format!("{}\n", printable(text.trim_end_matches('\r'), LONGEST_LINE)))?;
        } else if was_all {
            out("[the rest is not shown]\n")?;
        }
        Ok(())
    }

    /// Shows what is left when nobody writes any more.
    fn rest(&mut self) -> anyhow::Result<()> {
        while self.shown < SHOWN && self.read()? {}
        if !self.line.is_empty() {
            self.end_line()?;
        }
        Ok(())
    }
}
