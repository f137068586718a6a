//! The connection to a running bot, for the poll loop: its process group, the output queued for it,
//! the input read from it, and its quotas. Nothing here blocks, except the wait for processes to
//! stop or to end; nothing here interprets the lines.

use crate::failure::{BotFailure, Failure, HostFailure, Survivors};
use crate::program::cause::{ANY_LANGUAGE, ContainedBy, unflushed};
use crate::program::disturbance::Disturbance;
use crate::program::ending::Ending;
use crate::program::interrupt::Interrupt;
use crate::program::out_of_memory;
use crate::program::processes::Processes;
use crate::program::quietness::{GRACE, Quietness};
use crate::program::standstill::{self, RanOn, Standstill};
use crate::program::stderr_log::StderrLog;
#[cfg(target_os = "linux")]
use crate::program::stop_timer::StopTimer;
use crate::program::streams::{Input, Output, Streams};
use crate::program::wiretap::BotTap;
use botyard_protocol::{FaultKind, FrameError, Limits, LineBuffer, RefereeMessage, write_line};
use botyard_sandbox::Scheduling;
use std::fmt;
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

/// How long a bot that has closed a pipe may take to end before it counts as still running.
const DYING: Duration = Duration::from_millis(250);

/// The same for the portable back end, which cannot tell that a process has begun to exit.
const DYING_PORTABLE: Duration = Duration::from_secs(2);

/// The same for a bot that has begun to exit: an exiting process closes its pipes before it ends.
const ENDING: Duration = Duration::from_secs(60);

/// How often in a row a bot's output is read without polling the interrupt and the standard error
/// of all bots. Without this limit, a game between bots that answer immediately would never poll,
/// and a bot that writes without end would not be held to its limits.
const MOST_EARLY_READS: u32 = 32;

/// The kernel may not have counted yet what a bot used for its answer. If the answer took no longer
/// than this, that is not worth a second look.
const QUICK: Duration = Duration::from_micros(50);

/// Receives a sentence about a bot that is silent, without a full stop.
pub type Notice = fn(&str);

/// The result of one read of a bot's standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadResult {
    /// At least one newline.
    Newline,
    /// Bytes, but no newline among them.
    Bytes,
    /// No bytes yet.
    Nothing,
    /// End of file.
    Closed,
}

/// The last message that the bot has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Hello,
    Start,
    /// The `turn` of this number.
    Turn(u32),
    /// A line of a [`LineProgram`](crate::LineProgram).
    Request,
}

impl fmt::Display for Asked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asked::Hello => formatter.write_str("\"hello\""),
            Asked::Start => formatter.write_str("\"start\""),
            Asked::Turn(turn) => write!(formatter, "\"turn\" {turn}"),
            Asked::Request => formatter.write_str("the request"),
        }
    }
}

/// Whether a bot's processes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// They run.
    Runs,
    /// They run, and are to be stopped at this time unless the bot is asked before.
    RunsUntil(Instant),
    /// A stop was requested. `is_still`: they are known to have stopped since.
    Stopped { is_still: bool },
}

/// A running bot.
#[derive(Debug)]
pub(crate) struct Connection {
    /// Its processes.
    pub processes: Processes,
    /// The bot's standard input; `None` after this side has closed it.
    pub stdin: Option<Input>,
    /// The bot's standard output.
    pub stdout: Output,
    /// The bot's standard error; `None` after the bot has closed it.
    pub stderr: Option<Output>,
    /// What the bot wrote to its standard error in this game.
    pub stderr_log: StderrLog,
    /// Lines to be written to the bot.
    pub outbox: Vec<u8>,
    /// How many bytes of the outbox have been written.
    sent: usize,
    /// The changes to the lines for the bot.
    pub disturbance: Disturbance,
    /// How many bytes of the outbox have been changed.
    disturbed: usize,
    lines: LineBuffer,
    stdout_bytes: u64,
    limits: Limits,
    /// How it is contained, if it is.
    contained: Option<ContainedBy>,
    /// What it has to answer, for messages.
    pub asked: Asked,
    /// What its lines are passed to, if it is tapped.
    pub tap: Option<BotTap>,
    /// What receives a sentence about its silence, and its name.
    pub notice: Option<(Notice, String)>,
    /// How its language flushes a line.
    pub how_to_flush: &'static str,
    /// How it was started, for its waits for a core.
    pub scheduling: Scheduling,
    rest: Rest,
    /// What it did outside its turns.
    quietness: Quietness,
    /// Since when it was left running after its last answer, if it was.
    left_since: Option<Instant>,
    /// When it was stopped after that.
    left_until: Option<Instant>,
    ran_on: RanOn,
    /// Whether its CPU time is read again before another bot is asked.
    is_counted_again: bool,
    /// The timer of all bots of the game, if this is the first of them.
    #[cfg(target_os = "linux")]
    pub stop_timer: StopTimer,
    has_played: bool,
    /// How often its output was read since the last poll.
    early_reads: u32,
}

/// A bot, as far as its program is concerned.
pub(crate) trait Connected {
    /// Returns the connection to its program; `None` while it does not run.
    fn connection(&self) -> Option<&Connection>;

    /// The same, mutable.
    fn connection_mut(&mut self) -> Option<&mut Connection>;

    /// Stops the bot until it is asked again, because another bot of its game has a claim to the
    /// cores.
    fn yield_cores(&mut self);
}

impl Connection {
    /// Returns the connection to a program that was just started.
    pub(crate) fn new(
        (processes, streams): (Processes, Streams),
        limits: &Limits,
        contained: Option<ContainedBy>,
    ) -> Connection {
        Connection {
            processes,
            stdin: Some(streams.stdin),
            stdout: streams.stdout,
            stderr: Some(streams.stderr),
            stderr_log: StderrLog::default(),
            outbox: Vec::new(),
            sent: 0,
            disturbance: Disturbance::default(),
            disturbed: 0,
            lines: LineBuffer::new(limits.line_bytes as usize),
            stdout_bytes: 0,
            limits: *limits,
            contained,
            asked: Asked::Hello,
            tap: None,
            notice: None,
            how_to_flush: ANY_LANGUAGE,
            scheduling: Scheduling::default(),
            rest: Rest::Runs,
            quietness: Quietness::default(),
            left_since: None,
            is_counted_again: false,
            left_until: None,
            ran_on: RanOn::default(),
            #[cfg(target_os = "linux")]
            stop_timer: StopTimer::default(),
            has_played: false,
            early_reads: 0,
        }
    }

    /// Requests a stop of the bot's processes, until it is asked again or must quit. The stop is
    /// asynchronous: see [`Connection::await_standstill`]. Processes that cannot be stopped run on.
    pub(crate) fn rest(&mut self) {
        if !self.is_stopped() && self.processes.stop() {
            if self.runs_until().is_some() {
                self.left_until = Some(Instant::now());
            }
            self.rest = Rest::Stopped { is_still: false };
        }
    }

    /// Does the same after the bot's answer, but leaves a quiet bot running for [`GRACE`], because
    /// it may be asked again by then: see [`Quietness`].
    pub(crate) fn rest_soon(&mut self) {
        if self.rest != Rest::Runs {
            return;
        }
        if self.quietness.is_proven() && self.processes.are_one_thread() {
            let now = Instant::now();
            self.rest = Rest::RunsUntil(now + GRACE);
            (self.left_since, self.left_until) = (Some(now), None);
            return;
        }
        self.rest();
    }

    /// Returns when [`Connection::rest_if_due`] is to be called; `None` if the bot was not left
    /// running for a moment.
    pub(crate) fn runs_until(&self) -> Option<Instant> {
        match self.rest {
            Rest::RunsUntil(until) => Some(until),
            Rest::Runs | Rest::Stopped { .. } => None,
        }
    }

    /// Stops a bot that was left running for a moment, if that moment is over at `now`.
    pub(crate) fn rest_if_due(&mut self, now: Instant) {
        if self.runs_until().is_some_and(|until| until <= now) {
            self.rest();
        }
    }

    /// Lets stopped processes continue.
    pub(crate) fn wake(&mut self) {
        if self.is_stopped() {
            self.processes.resume();
        }
        self.rest = Rest::Runs;
        self.ran_on.wake();
        self.quietness.answered(None);
    }

    /// Notes that the bot has answered after `took`, when its own process had used `cpu`.
    pub(crate) fn answered(&mut self, took: Duration, cpu: Option<Duration>) {
        self.quietness.answered(cpu);
        self.is_counted_again = took > QUICK;
    }

    /// Notes that the bot, whose own process has used `cpu`, is asked next. Returns how much of it
    /// is charged to it: what it used while it was left running after its answer. The kernel counts
    /// the time of a running thread later, so some of what it had used before may be among it, but
    /// never more than the time for which it was left running.
    pub(crate) fn asked_next(&mut self, cpu: Option<Duration>) -> Duration {
        let used = self.quietness.asked(cpu, || self.processes.cpu_time_of_children());
        let Some(since) = self.left_since.take() else { return Duration::ZERO };
        let until = self.left_until.take().unwrap_or_else(Instant::now);
        used.min(until.saturating_duration_since(since))
    }

    /// Waits until the processes have stopped, if a stop was requested. Returns the failure of a
    /// bot whose processes keep using the cores.
    pub(crate) fn await_standstill(
        &mut self,
        interrupt: &Interrupt,
    ) -> Result<Option<BotFailure>, Failure> {
        if self.runs_until().is_some() {
            if self.is_counted_again {
                // By now it usually sleeps, and all that it has used is counted.
                self.quietness.answered(self.processes.own_cpu_time());
            }
            self.rest_if_due(Instant::now());
        }
        if self.rest == (Rest::Stopped { is_still: false }) {
            match standstill::of(&self.processes, &mut self.ran_on, interrupt)? {
                Standstill::Reached => self.rest = Rest::Stopped { is_still: true },
                Standstill::Waits => {}
                Standstill::RunsOn(failure) => return Ok(Some(failure)),
            }
        }
        Ok(None)
    }

    /// Begins a new game: resets the quotas.
    pub(crate) fn begin_game(&mut self, limits: &Limits) {
        self.has_played = true;
        self.ran_on = RanOn::default();
        self.asked = Asked::Start;
        self.stdout_bytes = 0;
        self.stderr_log.clear();
        self.limits = *limits;
    }

    /// Returns whether the program has begun a game before.
    pub(crate) fn has_played(&self) -> bool {
        self.has_played
    }

    /// Returns whether a stop of the processes was requested.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(self.rest, Rest::Stopped { .. })
    }

    /// Returns how many bytes of standard output were read in this game.
    pub(crate) fn stdout_bytes(&self) -> u64 {
        self.stdout_bytes
    }

    /// Returns whether the bot has exceeded its limit of standard error. No more is read then.
    pub(crate) fn stderr_is_over(&self) -> bool {
        self.stderr_log.total() > self.limits.stderr_bytes
    }

    /// Writes as much of the outbox as the pipe takes. Returns whether the outbox is empty.
    pub(crate) fn write(&mut self) -> Result<bool, Failure> {
        self.write_now().map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => self.closed("closed its standard input").into(),
            _ => Failure::Host(HostFailure::new("writing to a bot", error)),
        })
    }

    /// The same for callers that do not need to know why a bot cannot be written to.
    pub(crate) fn write_now(&mut self) -> io::Result<bool> {
        let written = self.write_pieces();
        if let Some(tap) = &mut self.tap {
            tap.stdin(&self.outbox[..self.sent]);
        }
        if written? {
            self.outbox.clear();
            self.sent = 0;
            if let Some(tap) = &mut self.tap {
                tap.emptied();
            }
            self.disturbed = 0;
            return Ok(true);
        }
        Ok(false)
    }

    /// Writes until the outbox is written, or the pipe is full.
    fn write_pieces(&mut self) -> io::Result<bool> {
        let Some(stdin) = &self.stdin else { return Ok(true) };
        // A pipe says so itself. A thread learns it only when it writes.
        if stdin.is_buffered() && self.processes.ending().is_some() {
            return Err(ErrorKind::BrokenPipe.into());
        }
        self.disturbed = self.disturbance.apply(&mut self.outbox, self.disturbed);
        while self.sent < self.outbox.len() {
            let piece = self.disturbance.piece(&self.outbox, self.sent);
            match stdin.write(&self.outbox[self.sent..self.sent + piece]) {
                Ok(written) => {
                    self.sent += written;
                    if !self.is_stopped() {
                        self.disturbance.pause(stdin, &self.outbox, self.sent);
                    }
                }
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => {}
                    ErrorKind::WouldBlock => return Ok(false),
                    _ => return Err(error),
                },
            }
        }
        Ok(stdin.on_the_way()? == 0)
    }

    /// Returns how many bytes are still to be written.
    pub(crate) fn unwritten(&self) -> usize {
        let on_the_way = self.stdin.as_ref().and_then(|stdin| stdin.on_the_way().ok());
        self.outbox.len() - self.sent + on_the_way.unwrap_or(0)
    }

    /// Reads output that arrived before the referee had to wait for it. Returns `None` if there was
    /// none, or if it is time to poll because [`MOST_EARLY_READS`] reads were made without.
    pub(crate) fn read_early(&mut self) -> Result<Option<ReadResult>, Failure> {
        if self.early_reads >= MOST_EARLY_READS {
            return Ok(None);
        }
        self.early_reads += 1;
        Ok(Some(self.read()?).filter(|heard| *heard != ReadResult::Nothing))
    }

    /// Resets the count of reads without a poll. Called before each poll.
    pub(crate) fn watched(&mut self) {
        self.early_reads = 0;
    }

    /// Reads standard output until there is a newline or nothing more: a long line arrives in pieces.
    pub(crate) fn read_to_newline(&mut self) -> Result<ReadResult, Failure> {
        let mut heard = self.read()?;
        while heard == ReadResult::Bytes {
            match self.read()? {
                ReadResult::Nothing => break,
                more => heard = more,
            }
        }
        Ok(heard)
    }

    /// Makes one read of standard output.
    pub(crate) fn read(&mut self) -> Result<ReadResult, Failure> {
        let space = self.lines.space();
        let count = loop {
            match self.stdout.read(&mut *space) {
                Ok(0) => return Ok(ReadResult::Closed),
                Ok(count) => break count,
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => {}
                    ErrorKind::WouldBlock => return Ok(ReadResult::Nothing),
                    _ => return Err(HostFailure::new("reading from a bot", error).into()),
                },
            }
        };
        // Search from the end: of a line that arrives in pieces, the newline is the last byte.
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
            return Ok(ReadResult::Newline);
        }
        if let Err(error) = self.lines.next_line() {
            return Err(self.too_long(error).into());
        }
        Ok(ReadResult::Bytes)
    }

    /// Moves the next complete line into `line`, without its newline. Returns whether there was
    /// one.
    pub(crate) fn take_line(&mut self, line: &mut Vec<u8>) -> Result<bool, BotFailure> {
        line.clear();
        match self.lines.next_line() {
            Ok(Some(taken)) => {
                line.extend_from_slice(taken);
                if let Some(tap) = &self.tap {
                    tap.stdout(line);
                }
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => Err(self.too_long(error)),
        }
    }

    /// Returns whether another complete line has been read.
    pub(crate) fn has_line(&self) -> bool {
        self.lines.has_line()
    }

    /// Returns the bytes read of a line that is not complete.
    pub(crate) fn unfinished(&self) -> &[u8] {
        self.lines.pending()
    }

    fn too_long(&self, error: FrameError) -> BotFailure {
        BotFailure::new(FaultKind::OutputLimit, error.to_string()).with_line(self.lines.pending())
    }

    /// Makes one read of standard error. An error of that pipe is not a fault and stops nothing:
    /// the pipe is just not read any more.
    pub(crate) fn read_stderr(&mut self) {
        let Some(stderr) = &self.stderr else { return };
        let mut scratch = [0; 16 * 1024];
        match stderr.read(&mut scratch) {
            Ok(0) => self.stderr = None,
            Ok(count) => {
                self.stderr_log.push(&scratch[..count]);
                if let Some(tap) = &mut self.tap {
                    tap.stderr(&scratch[..count]);
                }
            }
            Err(error) => match error.kind() {
                ErrorKind::Interrupted | ErrorKind::WouldBlock => {}
                _ => self.stderr = None,
            },
        }
    }

    /// Reads the rest of standard error, up to its limit.
    pub(crate) fn drain_stderr(&mut self) {
        let mut before = None;
        while before != Some(self.stderr_log.total()) && !self.stderr_is_over() {
            before = Some(self.stderr_log.total());
            if let (Some(program), Some(_)) = (self.processes.portable(), &self.stderr) {
                program.await_last_words();
            }
            self.read_stderr();
        }
    }

    /// Writes `quit` and closes the bot's input. Bytes that the pipe does not take immediately are
    /// dropped: the end of its input means the same.
    pub(crate) fn say_quit(&mut self) {
        self.wake();
        if self.stdin.is_some() {
            write_line(&mut self.outbox, &RefereeMessage::Quit);
            let _ = self.write_now();
            self.stdin = None;
        }
    }

    /// Waits until `deadline` for the program to exit, then kills what is left of its process
    /// group. Reads its standard error to the end.
    pub(crate) fn wait_and_kill(&mut self, deadline: Instant) -> Result<(), Survivors> {
        while self.processes.ending().is_none() && Instant::now() < deadline {
            // The program may want to write, and must not block because no one reads.
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

    /// Returns the failure of a bot that exceeded its limit of standard error.
    pub(crate) fn stderr_failure(&self) -> BotFailure {
        let message = format!(
            "expected at most {} bytes of standard error in a game, got more",
            self.limits.stderr_bytes
        );
        BotFailure::new(FaultKind::OutputLimit, message)
    }

    /// Returns the failure of a bot that has closed a pipe: a crash if it has ended or is exiting.
    pub(crate) fn closed(&mut self, what: &str) -> BotFailure {
        let dying = if self.processes.portable().is_some() { DYING_PORTABLE } else { DYING };
        let ended = self.processes.wait_until(Instant::now() + dying);
        let ended = ended.or_else(|| {
            let is_ending = self.processes.is_ending();
            is_ending.then(|| self.processes.wait_until(Instant::now() + ENDING)).flatten()
        });
        match ended {
            Some(ending) => self.ended(ending),
            None => {
                let message = format!(
                    "expected an answer to {}, but the program {what} and keeps running",
                    self.asked
                );
                BotFailure::new(FaultKind::Closed, message).with_line(self.unfinished())
            }
        }
    }

    /// Adds the likely cause to the failure of a bot that was late with its answer to `hello` or
    /// `start` and has written nothing.
    pub(crate) fn explain_silence(&self, failure: BotFailure, allowed_ms: u64) -> BotFailure {
        match self.cause_of_silence(allowed_ms) {
            Some(why) if failure.kind == FaultKind::Timeout => {
                BotFailure { message: failure.message + &why, ..failure }
            }
            _ => failure,
        }
    }

    /// Returns the likely cause of an answer to `hello` or `start` that has not come in `allowed_ms`:
    /// it was not flushed, unless the bot was computing for most of the time. `None` if the bot has
    /// written something, or has not read its input.
    fn cause_of_silence(&self, allowed_ms: u64) -> Option<String> {
        if self.stdout_bytes > 0 || self.unwritten() > 0 {
            return None;
        }
        Some(match self.processes.own_cpu_time() {
            Some(cpu) if cpu > Duration::from_millis(allowed_ms / 2) => {
                format!("; it used {} ms of CPU time", cpu.as_millis())
            }
            _ => unflushed(self.how_to_flush),
        })
    }

    /// Passes the likely cause of its silence on, once, if its answer to `hello` or `start` is late:
    /// the ruling may take much longer on a busy host.
    pub(crate) fn note_silence(&mut self, allowed_ms: u64) {
        if !matches!(self.asked, Asked::Hello | Asked::Start) {
            return;
        }
        if let (Some((notice, name)), Some(why)) = (&self.notice, self.cause_of_silence(allowed_ms))
        {
            let asked = self.asked;
            notice(&format!("{name} has not answered {asked} within {allowed_ms} ms{why}"));
            self.notice = None;
        }
    }

    /// Explains why the program could not start child processes, if its standard error says so.
    fn no_children(&self) -> Option<String> {
        const WORDS: [&str; 3] = ["fork", "Operation not permitted", "EPERM"];
        let said = self.stderr_log.text();
        let advice = &self.contained.as_ref()?.advice;
        let is_refused = self.processes.refuses_children();
        (is_refused && WORDS.iter().any(|word| said.contains(word))).then(|| {
            format!(
                "; child processes are refused because their CPU time could not be counted here: {} says \
                 how to change that",
                advice.host
            )
        })
    }

    /// Returns the failure of a bot whose program has ended.
    pub(crate) fn ended(&mut self, ending: Ending) -> BotFailure {
        // The end of its standard error may say why.
        self.drain_stderr();
        let half = if self.unfinished().is_empty() { "" } else { " in the middle of a line" };
        let asked = self.asked;
        let message = format!("expected an answer to {asked}, but the program {ending}{half}");
        let used = self.processes.memory();
        let limit = self.contained.as_ref();
        let limit = limit.map(|by| (by.memory, by.advice.memory.as_str()));
        let failure = match out_of_memory::evidence(limit, used, &self.stderr_log.text()) {
            Some(evidence) => BotFailure::new(FaultKind::Memory, format!("{message}; {evidence}")),
            None => {
                let withheld = || self.contained.as_ref()?.withheld(&self.stderr_log.text());
                let why = self.no_children().or_else(withheld).unwrap_or_default();
                BotFailure::new(FaultKind::Crash, format!("{message}{why}"))
            }
        };
        failure.with_line(self.unfinished())
    }
}
