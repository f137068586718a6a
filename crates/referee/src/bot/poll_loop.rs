//! The poll loop over a game's pipes, the only place where the referee waits for a bot during a
//! game: one poll over the pipe of the asked bot, its pidfd, every bot's standard error and the
//! interrupt. [`Deadline`] decides how long to wait. With the portable back end, threads wake the
//! referee instead.
//!
//! The output of bots that are not asked stays in their pipes until it is their turn. So a bot that
//! floods its output is blocked by its own full pipe; a bot that has ended is judged only at its
//! next decision; and when that is detected does not depend on scheduling.

use crate::clock::allowance::{Allowance, CpuAllowance};
use crate::clock::deadline::{Deadline, Ruling, micros_since};
use crate::failure::{BotFailure, Failure};
use crate::program::connection::{Asked, Connected, Connection, ReadResult};
use crate::program::interrupt::Interrupt;
use crate::program::quietness::GRACE;
use botyard_protocol::FaultKind;
use std::time::{Duration, Instant};
#[cfg(target_os = "linux")]
use {
    crate::failure::HostFailure,
    crate::program::process_group::timespec,
    crate::program::streams::{Input, Output},
    arrayvec::ArrayVec,
    botyard_engine::MAX_SEATS,
    rustix::event::{PollFd, PollFlags, poll},
    rustix::io::Errno,
};

/// How long the referee parks at most before it looks at the interrupt and at the asked bot's
/// process, whose end no thread reports.
const LOOK: Duration = Duration::from_millis(20);

/// The event that the referee waits for from the asked bot.
#[derive(Clone, Copy, Debug)]
enum For {
    Output,
    RoomForInput,
}

/// The result of a wait.
#[derive(Clone, Copy, Debug)]
struct Ready {
    /// The expected event occurred, or the pipe was closed.
    pipe: bool,
    /// The program has ended.
    ended: bool,
}

/// The time at which a line was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Wall-clock time.
    pub at: Instant,
    /// The CPU time that the bot had used since it was asked, in microseconds, if that was
    /// measured.
    pub cpu_us: Option<u64>,
    /// The excused part of the wall-clock time since then, in microseconds.
    pub excused_us: u64,
}

impl Moment {
    /// Returns a moment without measurements.
    pub(crate) fn at(at: Instant) -> Moment {
        Moment { at, cpu_us: None, excused_us: 0 }
    }
}

/// Writes the whole outbox of the asked bot, within the allowance. Returns the time just before the
/// bot continues, if it was stopped, and before the first attempt to write, which is when its clock
/// starts: a bot that is woken may run before the referee does, and a bot that fills its own standard
/// input (through `/proc/self/fd/0`) must not delay its clock.
pub(crate) fn send(
    bots: &mut [impl Connected],
    asked: usize,
    interrupt: &Interrupt,
    allowance: &Allowance<'_>,
) -> Result<Instant, Failure> {
    let begun = Instant::now();
    connection(bots, asked)?.wake();
    let mut deadline: Option<Deadline<'_>> = None;
    loop {
        if connection(bots, asked)?.write()? {
            return Ok(begun);
        }
        let deadline = deadline.get_or_insert_with(|| Deadline::new(allowance, begun));
        let connection = connection(bots, asked)?;
        if connection.stderr_is_over() {
            return Err(connection.stderr_failure().into());
        }
        let unwritten = connection.unwritten();
        let now = Instant::now();
        let ruling = match deadline.is_due(now) {
            true => deadline.rule(bots, asked, now, false),
            false => Ruling::InTime,
        };
        match ruling {
            Ruling::InTime => {}
            Ruling::CannotTell(evidence) => return Err(Failure::Overloaded(evidence)),
            Ruling::TooLate => {
                let message = format!(
                    "expected it to read its input within {} ms, but {unwritten} bytes are still \
                     unread{}",
                    allowance.wall_us / 1000,
                    excused_in_words(deadline)
                );
                return Err(BotFailure::new(FaultKind::Timeout, message).into());
            }
        }
        let pause_us = deadline.pause_us(Instant::now(), 0);
        let ready = wait(bots, asked, interrupt, For::RoomForInput, pause_us)?;
        if ready.ended {
            return Err(self::connection(bots, asked)?.closed("closed its standard input").into());
        }
    }
}

/// Moves the next line of the asked bot into `line`, waiting for it until the deadline if
/// necessary. Returns when it was read. `now` is a moment at which nothing that arrived later had
/// been read.
pub(crate) fn await_line(
    bots: &mut [impl Connected],
    asked: usize,
    interrupt: &Interrupt,
    deadline: &mut Deadline<'_>,
    now: Moment,
    line: &mut Vec<u8>,
) -> Result<Moment, Failure> {
    let mut now = now;
    loop {
        if connection(bots, asked)?.take_line(line)? {
            return Ok(now);
        }
        now = await_newline(bots, asked, interrupt, deadline, now)?;
    }
}

/// Waits for a newline from the asked bot, at most until the deadline. Returns when it was read.
fn await_newline(
    bots: &mut [impl Connected],
    asked: usize,
    interrupt: &Interrupt,
    deadline: &mut Deadline<'_>,
    now: Moment,
) -> Result<Moment, Failure> {
    let mut now = now;
    // The bot may have answered before this thread ran again. Then there is nothing to wait for,
    // and the answer is read no later than after a poll.
    let mut early = connection(bots, asked)?.read_early()?;
    loop {
        let (ended, heard) = match early.take() {
            Some(heard) => (false, heard),
            None => {
                let pause_us = deadline.pause_us(Instant::now(), now.cpu_us.unwrap_or(0));
                deadline.wait_begins();
                let ready = wait(bots, asked, interrupt, For::Output, pause_us)?;
                // What is in the pipe is read before an exit or a closed pipe is judged.
                let heard = match ready.pipe || ready.ended {
                    true => connection(bots, asked)?.read_to_newline()?,
                    false => ReadResult::Nothing,
                };
                (ready.ended, heard)
            }
        };
        deadline.wait_ends();
        let at = Instant::now();
        let connection = connection(bots, asked)?;
        let cpu = deadline.allowance().cpu;
        let cpu_us = cpu.map(|cpu| cpu.used_us(&connection.processes));
        let is_used_up = cpu.zip(cpu_us).is_some_and(|(cpu, used_us)| used_us > cpu.us);
        let has_line = heard == ReadResult::Newline;
        let ruling = match has_line || deadline.is_due(at) {
            true => deadline.rule(bots, asked, at, has_line),
            false => Ruling::InTime,
        };
        now = Moment { at, cpu_us, excused_us: deadline.excused_us() };
        let connection = self::connection(bots, asked)?;
        match ruling {
            _ if is_used_up => {
                return Err(timeout(connection, heard, deadline, false, cpu_us).into());
            }
            Ruling::TooLate => {
                return Err(timeout(connection, heard, deadline, true, cpu_us).into());
            }
            Ruling::CannotTell(evidence) => return Err(Failure::Overloaded(evidence)),
            Ruling::InTime if deadline.is_past(at) => {
                connection.note_silence(deadline.allowed_us() / 1000);
            }
            Ruling::InTime => {}
        }
        match heard {
            ReadResult::Newline => return Ok(now),
            ReadResult::Closed => {
                return Err(connection.closed("closed its standard output").into());
            }
            ReadResult::Nothing if ended => {
                return Err(connection.closed("closed its standard output").into());
            }
            ReadResult::Bytes | ReadResult::Nothing => {}
        }
    }
}

/// Returns the failure of a bot that has exceeded its time.
fn timeout(
    connection: &Connection,
    heard: ReadResult,
    deadline: &Deadline<'_>,
    is_late: bool,
    cpu_us: Option<u64>,
) -> BotFailure {
    let allowance = deadline.allowance();
    let unfinished = connection.unfinished();
    let after = match (heard, unfinished.len()) {
        (ReadResult::Newline, _) => "it came too late".to_string(),
        (_, 0) => "none came".to_string(),
        (_, bytes) => format!("{bytes} bytes without a newline came (flush the line)"),
    };
    let asked = connection.asked;
    let wall_ms = allowance.wall_us / 1000;
    let cpu_ms = cpu_us.unwrap_or(0) / 1000;
    let excused = excused_in_words(deadline);
    let used = match (asked, deadline.used_us()) {
        (Asked::Turn(_), Some(us)) => format!("; it used {} ms of CPU time", us / 1000),
        _ => String::new(),
    };
    let message = match allowance.cpu {
        None => {
            format!("expected an answer to {asked} within {wall_ms} ms, {after}{used}{excused}")
        }
        Some(CpuAllowance { us, waiting_us: Some(waiting_us), .. })
            if is_late && deadline.allowed_us() < allowance.wall_us =>
        {
            format!(
                "expected an answer to {asked} before it had waited for the {} ms that were left for its \
             game, {after}; it used {cpu_ms} of {} ms of CPU time{excused}",
                waiting_us / 1000,
                us / 1000,
            )
        }
        Some(cpu) if is_late => format!(
            "expected an answer to {asked} within {wall_ms} ms of wall-clock time, {after}; it used {cpu_ms} \
             of {} ms of CPU time{excused}",
            cpu.us / 1000,
        ),
        Some(cpu) => format!(
            "expected an answer to {asked} within {} ms of CPU time, {after} after {cpu_ms} ms",
            cpu.us / 1000,
        ),
    };
    BotFailure::new(FaultKind::Timeout, message).with_line(unfinished)
}

/// Describes the excused time; empty below 1 ms.
fn excused_in_words(deadline: &Deadline<'_>) -> String {
    match deadline.excused_us() / 1000 {
        0 => String::new(),
        ms => format!(" (not counting {ms} ms taken by the host)"),
    }
}

fn connection(bots: &mut [impl Connected], asked: usize) -> Result<&mut Connection, Failure> {
    bots[asked].connection_mut().ok_or_else(not_running)
}

fn not_running() -> Failure {
    BotFailure::new(FaultKind::Crash, "expected the program to be running, but it is not").into()
}

/// Waits once, and handles everything that is not the asked bot's answer: the interrupt, and the
/// standard error of all bots.
fn wait(
    bots: &mut [impl Connected],
    asked: usize,
    interrupt: &Interrupt,
    event: For,
    left_us: u64,
) -> Result<Ready, Failure> {
    connection(bots, asked)?.watched();
    #[cfg(target_os = "linux")]
    if connection(bots, asked)?.processes.portable().is_none() {
        let begun = Instant::now();
        let mut left_us = left_us;
        loop {
            if let Some(ready) = poll_once(bots, asked, interrupt, event, left_us)? {
                return Ok(ready);
            }
            left_us = left_us.saturating_sub(micros_since(begun, Instant::now()));
        }
    }
    // No timer ends this wait.
    rest_if_due(bots, Instant::now() + GRACE);
    park(bots, asked, interrupt, event, left_us)
}

/// Waits for the threads of a bot that is run by the portable back end.
fn park(
    bots: &mut [impl Connected],
    asked: usize,
    interrupt: &Interrupt,
    event: For,
    left_us: u64,
) -> Result<Ready, Failure> {
    let deadline = Instant::now() + Duration::from_micros(left_us.saturating_add(1));
    for connection in bots.iter().filter_map(Connected::connection) {
        if let Some(program) = connection.processes.portable() {
            program.wake_this_thread();
        }
    }
    loop {
        if interrupt.is_raised() {
            return Err(Failure::Interrupted);
        }
        for (index, bot) in bots.iter_mut().enumerate() {
            let Some(connection) = bot.connection_mut() else { continue };
            if !connection.stderr_is_over() {
                connection.read_stderr();
            }
            if index == asked && connection.stderr_is_over() {
                return Err(connection.stderr_failure().into());
            }
        }
        let Some(program) = connection(bots, asked)?.processes.portable() else {
            return Err(not_running());
        };
        let ready = Ready {
            pipe: match event {
                For::Output => program.has_output(),
                For::RoomForInput => program.has_room_for_input(),
            },
            ended: program.has_ended_and_said_all(),
        };
        let left = deadline.saturating_duration_since(Instant::now());
        if ready.pipe || ready.ended || left.is_zero() {
            return Ok(ready);
        }
        std::thread::park_timeout(left.min(LOOK));
    }
}

/// Polls the pipes of the bots once. Returns `None` if nothing happened but that other bots had to
/// be stopped.
#[cfg(target_os = "linux")]
fn poll_once(
    bots: &mut [impl Connected],
    asked: usize,
    interrupt: &Interrupt,
    event: For,
    left_us: u64,
) -> Result<Option<Ready>, Failure> {
    const OTHERS: usize = 3;
    const MOST: usize = OTHERS + MAX_SEATS + 1;
    let is_reminded = remind(bots);
    let mut talking: ArrayVec<usize, MAX_SEATS> = ArrayVec::new();
    let mut found: ArrayVec<bool, MOST> = ArrayVec::new();
    {
        let connection = bots[asked].connection().ok_or_else(not_running)?;
        let pidfd = connection.processes.pidfd().ok_or_else(not_running)?;
        let mut fds: ArrayVec<PollFd, MOST> = ArrayVec::new();
        fds.push(PollFd::new(interrupt, PollFlags::IN));
        fds.push(PollFd::from_borrowed_fd(pidfd, PollFlags::IN));
        fds.push(match (event, &connection.stdin, &connection.stdout) {
            (For::RoomForInput, Some(Input::Pipe(stdin)), _) => PollFd::new(stdin, PollFlags::OUT),
            (_, _, Output::Pipe(stdout)) => PollFd::new(stdout, PollFlags::IN),
            (_, _, Output::Thread(_)) => return Err(not_running()),
        });
        for (index, bot) in bots.iter().enumerate() {
            if let Some(connection) = bot.connection()
                && let Some(Output::Pipe(stderr)) = &connection.stderr
                && !connection.stderr_is_over()
            {
                fds.push(PollFd::new(stderr, PollFlags::IN));
                talking.push(index);
            }
        }
        if is_reminded && let Some(first) = bots.iter().find_map(Connected::connection) {
            let reminder = first.stop_timer.as_fd();
            fds.extend(reminder.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        }
        // One microsecond more, so that the deadline has certainly passed when a poll times out.
        let timeout = timespec(Duration::from_micros(left_us.saturating_add(1)));
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => found.extend(fds.iter().map(|fd| !fd.revents().is_empty())),
            Err(Errno::INTR) => return Ok(Some(Ready { pipe: false, ended: false })),
            Err(errno) => {
                return Err(Failure::Host(HostFailure::new("waiting for a bot", errno)));
            }
        }
    }
    if found[0] {
        return Err(Failure::Interrupted);
    }
    for (&index, _) in talking.iter().zip(&found[OTHERS..]).filter(|(_, found)| **found) {
        let connection = connection(bots, index)?;
        connection.read_stderr();
        if index == asked && connection.stderr_is_over() {
            return Err(connection.stderr_failure().into());
        }
    }
    let ready = Ready { ended: found[1], pipe: found[2] };
    let has_reminder = found[OTHERS + talking.len()..].contains(&true);
    if !has_reminder || ready.ended || ready.pipe {
        return Ok(Some(ready));
    }
    let now = Instant::now();
    rest_if_due(bots, now);
    Ok(None)
}

/// Arranges that a poll ends when the first of the bots that were left running for a moment is to be
/// stopped. Returns whether there is one.
#[cfg(target_os = "linux")]
fn remind(bots: &mut [impl Connected]) -> bool {
    let moments = bots.iter().filter_map(|bot| bot.connection()?.runs_until());
    let Some(due) = moments.min() else { return false };
    let now = Instant::now();
    let first = bots.iter_mut().find_map(Connected::connection_mut);
    let is_reminded = first.is_some_and(|first| first.stop_timer.ring_by(now, due));
    if !is_reminded {
        // No timer ends the poll.
        rest_if_due(bots, now + GRACE);
    }
    is_reminded
}

/// Stops the bots that were left running for a moment which is over at `now`.
fn rest_if_due(bots: &mut [impl Connected], now: Instant) {
    bots.iter_mut().filter_map(Connected::connection_mut).for_each(|bot| bot.rest_if_due(now));
}
