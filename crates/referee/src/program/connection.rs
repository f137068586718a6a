//! A running bot as the poll loop sees it: its process group, what is to be written to it, what
//! was read from it, and its quotas. Nothing here waits; nothing here knows what the lines mean.

use crate::failure::{BotFailure, Failure, HostFailure, Survivors};
use crate::program::interrupt::Interrupt;
use crate::program::out_of_memory;
use crate::program::process_group::{Ending, Pipes};
use crate::program::processes::Processes;
use crate::program::standstill::{self, Standstill};
use crate::program::stderr_log::StderrLog;
use botyard_protocol::{FaultKind, FrameError, Limits, LineBuffer, RefereeMessage, write_line};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// How long a bot that has closed a pipe may take to end, before it counts as alive.
const DYING: Duration = Duration::from_millis(250);

/// How long it may take where it has begun to end, which closes its pipes first.
const ENDING: Duration = Duration::from_secs(60);

/// How often in a row a bot's output is read without a look at the interrupt and at what any bot writes to
/// standard error: a game between bots that answer at once would never see either, nor would one that
/// writes without end be held to its limits.
const MOST_EARLY_READS: u32 = 32;

/// What one look at a bot's standard output found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// At least one newline.
    Newline,
    /// Bytes, but no newline among them.
    Bytes,
    /// Nothing yet.
    Nothing,
    /// Nothing, and there will be no more.
    Closed,
}

/// A running bot.
#[derive(Debug)]
pub(crate) struct Connection {
    /// Its processes.
    pub processes: Processes,
    /// To its standard input; `None` once it was closed from this side.
    pub stdin: Option<OwnedFd>,
    /// From its standard output.
    pub stdout: OwnedFd,
    /// From its standard error; `None` once the bot has closed it.
    pub stderr: Option<OwnedFd>,
    /// What it said on its standard error in this game.
    pub stderr_log: StderrLog,
    /// Lines to be written.
    pub outbox: Vec<u8>,
    /// How many bytes of the outbox are written.
    sent: usize,
    lines: LineBuffer,
    stdout_bytes: u64,
    limits: Limits,
    /// The memory it may use, in bytes, where that is limited.
    memory: Option<u64>,
    is_stopped: bool,
    /// Whether they are known to stand still since they were stopped.
    is_still: bool,
    has_played: bool,
    /// How often its output was read since the last wait.
    early_reads: u32,
}

/// A bot, as far as its program is concerned.
pub(crate) trait Connected {
    /// Its program; `None` while it does not run.
    fn connection(&self) -> Option<&Connection>;

    /// The same, to talk to.
    fn connection_mut(&mut self) -> Option<&mut Connection>;

    /// Stops it because another bot of its game is owed a core, until something is expected of it.
    fn yield_cores(&mut self);
}

impl Connection {
    /// The connection to a program that was just started, and may use so much memory.
    pub fn new(
        (processes, pipes): (Processes, Pipes),
        limits: &Limits,
        memory: Option<u64>,
    ) -> Connection {
        Connection {
            processes,
            stdin: Some(pipes.stdin),
            stdout: pipes.stdout,
            stderr: Some(pipes.stderr),
            stderr_log: StderrLog::default(),
            outbox: Vec::new(),
            sent: 0,
            lines: LineBuffer::new(limits.line_bytes as usize),
            stdout_bytes: 0,
            limits: *limits,
            memory,
            is_stopped: false,
            is_still: false,
            has_played: false,
            early_reads: 0,
        }
    }

    /// Stops its processes until it is asked again or told to quit. They stand still a moment later: see
    /// [`Connection::await_standstill`].
    pub fn rest(&mut self) {
        if !self.is_stopped {
            self.processes.stop();
            self.is_stopped = true;
            self.is_still = false;
        }
    }

    /// Lets them go on.
    pub fn wake(&mut self) {
        if self.is_stopped {
            self.processes.go_on();
            self.is_stopped = false;
        }
    }

    /// Waits until its processes stand still, where they were stopped. Returns the failure of a bot that
    /// uses the cores all the same.
    pub fn await_standstill(
        &mut self,
        interrupt: &Interrupt,
    ) -> Result<Option<BotFailure>, Failure> {
        if self.is_stopped && !self.is_still {
            match standstill::of(&self.processes, interrupt)? {
                Standstill::Reached => self.is_still = true,
                Standstill::Waits => {}
                Standstill::RunsOn(failure) => return Ok(Some(failure)),
            }
        }
        Ok(None)
    }

    /// A new game: the quotas begin anew.
    pub fn begin_game(&mut self, limits: &Limits) {
        self.has_played = true;
        self.stdout_bytes = 0;
        self.stderr_log.clear();
        self.limits = *limits;
    }

    /// Whether a game was begun with this program.
    pub fn has_played(&self) -> bool {
        self.has_played
    }

    /// Whether its processes are stopped.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Bytes of standard output in this game.
    pub fn stdout_bytes(&self) -> u64 {
        self.stdout_bytes
    }

    /// Whether it has written more to its standard error than it may. Then no more is read.
    pub fn stderr_is_over(&self) -> bool {
        self.stderr_log.total() > self.limits.stderr_bytes
    }

    /// Writes what the pipe takes of the outbox; true when nothing is left of it.
    pub fn write(&mut self) -> Result<bool, Failure> {
        self.write_now().map_err(|errno| match errno {
            Errno::PIPE => self.closed("closed its standard input").into(),
            errno => Failure::Host(HostFailure::new("writing to a bot", errno)),
        })
    }

    /// The same for those who do not care why a bot cannot be told something.
    pub fn write_now(&mut self) -> Result<bool, Errno> {
        let Some(stdin) = &self.stdin else { return Ok(true) };
        while self.sent < self.outbox.len() {
            match rustix::io::write(stdin, &self.outbox[self.sent..]) {
                Ok(written) => self.sent += written,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(false),
                Err(errno) => return Err(errno),
            }
        }
        self.outbox.clear();
        self.sent = 0;
        Ok(true)
    }

    /// How many bytes are still to be written.
    pub fn unwritten(&self) -> usize {
        self.outbox.len() - self.sent
    }

    /// The same as [`Connection::read`] for what has come before anybody waited for it. `None` where that is
    /// nothing, and where it is time to wait all the same, because a wait looks at more than this output.
    pub fn read_early(&mut self) -> Result<Option<Heard>, Failure> {
        if self.early_reads >= MOST_EARLY_READS {
            return Ok(None);
        }
        self.early_reads += 1;
        Ok(Some(self.read()?).filter(|heard| *heard != Heard::Nothing))
    }

    /// There is a wait, which looks at everything.
    pub fn watched(&mut self) {
        self.early_reads = 0;
    }

    /// Reads once what is there on its standard output.
    pub fn read(&mut self) -> Result<Heard, Failure> {
        let space = self.lines.space();
        let count = loop {
            match rustix::io::read(&self.stdout, &mut *space) {
                Ok(0) => return Ok(Heard::Closed),
                Ok(count) => break count,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(Heard::Nothing),
                Err(errno) => {
                    return Err(Failure::Host(HostFailure::new("reading from a bot", errno)));
                }
            }
        };
        // From the end: of a line that comes in pieces, the newline is the last byte.
        let newline = space[..count].iter().rev().any(|&byte| byte == b'\n');
        self.lines.filled(count);
        self.stdout_bytes += count as u64;
        if self.stdout_bytes > self.limits.stdout_bytes {
            let message = format!(
                "expected at most {} bytes of standard output in a game, got more",
                self.limits.stdout_bytes
            );
            return Err(BotFailure::new(FaultKind::OutputLimit, message).into());
        }
        if newline {
            return Ok(Heard::Newline);
        }
        if let Err(error) = self.lines.next_line() {
            return Err(self.too_long(error).into());
        }
        Ok(Heard::Bytes)
    }

    /// Moves the next complete line into `line`, without its end; false where there is none.
    pub fn take_line(&mut self, line: &mut Vec<u8>) -> Result<bool, BotFailure> {
        line.clear();
        match self.lines.next_line() {
            Ok(Some(taken)) => {
                line.extend_from_slice(taken);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => Err(self.too_long(error)),
        }
    }

    /// Whether another complete line has been read.
    pub fn has_line(&self) -> bool {
        self.lines.has_line()
    }

    /// What is there of a line that is not complete.
    pub fn unfinished(&self) -> &[u8] {
        self.lines.pending()
    }

    fn too_long(&self, error: FrameError) -> BotFailure {
        BotFailure::new(FaultKind::OutputLimit, error.to_string()).with_line(self.lines.pending())
    }

    /// Reads once what is there on its standard error. What is wrong with that pipe is nobody's
    /// fault and stops nothing: then no more is read.
    pub fn read_stderr(&mut self) {
        let Some(stderr) = &self.stderr else { return };
        let mut scratch = [0; 16 * 1024];
        match rustix::io::read(stderr, &mut scratch) {
            Ok(0) => self.stderr = None,
            Ok(count) => self.stderr_log.push(&scratch[..count]),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => self.stderr = None,
        }
    }

    /// Reads what is left on its standard error, as far as it may write.
    pub fn drain_stderr(&mut self) {
        let mut before = None;
        while before != Some(self.stderr_log.total()) && !self.stderr_is_over() {
            before = Some(self.stderr_log.total());
            self.read_stderr();
        }
    }

    /// Says `quit` and closes its input. What cannot be delivered at once need not be: the end of
    /// its input says the same.
    pub fn say_quit(&mut self) {
        self.wake();
        if self.stdin.is_some() {
            write_line(&mut self.outbox, &RefereeMessage::Quit);
            let _ = self.write_now();
            self.stdin = None;
        }
    }

    /// Gives the program until `deadline` to end by itself, and then ends what is left of its
    /// group. Its last words on standard error are heard.
    pub fn part(&mut self, deadline: Instant) -> Result<(), Survivors> {
        while self.processes.ending().is_none() && Instant::now() < deadline {
            // It may want to write and must not have to wait for a reader.
            self.drain_stderr();
            let pause = Instant::now() + Duration::from_millis(5);
            if self.processes.wait_until(pause.min(deadline)).is_some() {
                break;
            }
        }
        let survivors = self.processes.tear_down();
        self.drain_stderr();
        survivors
    }

    /// The failure of having written too much to standard error.
    pub fn stderr_failure(&self) -> BotFailure {
        let message = format!(
            "expected at most {} bytes of standard error in a game, got more",
            self.limits.stderr_bytes
        );
        BotFailure::new(FaultKind::OutputLimit, message)
    }

    /// The failure of a bot that has closed a pipe: a crash if it has ended or is about to.
    pub fn closed(&mut self, what: &str) -> BotFailure {
        let ended = self.processes.wait_until(Instant::now() + DYING);
        let ended = ended.or_else(|| {
            let is_ending = self.processes.is_ending();
            is_ending.then(|| self.processes.wait_until(Instant::now() + ENDING)).flatten()
        });
        match ended {
            Some(ending) => self.ended(ending),
            None => {
                let message =
                    format!("expected an answer, but the program {what} and keeps running");
                BotFailure::new(FaultKind::Closed, message).with_line(self.unfinished())
            }
        }
    }

    /// Why a program could not start others, where it says that it could not.
    fn no_children(&self) -> &'static str {
        const WORDS: [&str; 3] = ["fork", "Operation not permitted", "EPERM"];
        let said = self.stderr_log.text();
        match self.processes.refuses_children() && WORDS.iter().any(|word| said.contains(word)) {
            true => {
                "; child processes are refused because their CPU time could not be counted here: \
                 `botyard sandbox` says how to change that"
            }
            false => "",
        }
    }

    /// The failure of a bot that has ended.
    pub fn ended(&mut self, ending: Ending) -> BotFailure {
        // Its last words may say why.
        self.drain_stderr();
        let half = if self.unfinished().is_empty() { "" } else { " in the middle of a line" };
        let message = format!("expected an answer, but the program {ending}{half}");
        let used = self.processes.memory();
        let failure = match out_of_memory::evidence(self.memory, used, &self.stderr_log.text()) {
            Some(evidence) => BotFailure::new(FaultKind::Memory, format!("{message}; {evidence}")),
            None => BotFailure::new(FaultKind::Crash, format!("{message}{}", self.no_children())),
        };
        failure.with_line(self.unfinished())
    }
}
