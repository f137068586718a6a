//! Waiting, and the only place where the referee waits during a game: one poll over the pipe of
//! the bot that is asked, its pidfd, every bot's standard error and the interrupt. Deadlines are
//! absolute: what is left is reckoned anew before every poll, so no trickle of bytes extends them.
//!
//! The output of bots that are not asked stays in their pipes until it is their turn. So a bot
//! that floods is slowed by its own pipe, one that has ended is judged when it must decide again
//! and not before, and when that is found out does not depend on who ran first.

use crate::allowance::Allowance;
use crate::bot::Bot;
use crate::connection::{Connection, Heard};
use crate::failure::{BotFailure, Failure, HostFailure};
use crate::host_evidence::HostWatch;
use crate::interrupt::Interrupt;
use crate::process_group::timespec;
use arrayvec::ArrayVec;
use botyard_engine::MAX_SEATS;
use botyard_protocol::FaultKind;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::time::{Duration, Instant};

/// What the referee waits for from the bot that is asked.
#[derive(Clone, Copy, Debug)]
enum For {
    Output,
    RoomForInput,
}

/// What was there after a wait.
#[derive(Clone, Copy, Debug)]
struct Ready {
    /// What was waited for, or the end of that pipe.
    pipe: bool,
    /// The program has ended.
    ended: bool,
}

/// Microseconds since `start`, rounded down.
pub(crate) fn micros_since(start: Instant, now: Instant) -> u64 {
    u64::try_from(now.saturating_duration_since(start).as_micros()).unwrap_or(u64::MAX)
}

/// When a line was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// On the wall.
    pub at: Instant,
    /// The processor time that the bot had used since it was asked, in microseconds, where that is
    /// the clock.
    pub cpu_us: Option<u64>,
}

impl Moment {
    /// This moment, at which nothing was measured.
    pub fn at(at: Instant) -> Moment {
        Moment { at, cpu_us: None }
    }
}

/// Writes the whole outbox of the asked bot, within the allowance. Returns the time just before the
/// first attempt to write: that is when the bot's clock starts. A bot that the system call wakes may
/// run before the referee does again, and a bot that fills its own standard input (through
/// `/proc/self/fd/0`) must not delay its clock by that.
pub(crate) fn send(
    bots: &mut [Bot],
    asked: usize,
    interrupt: &Interrupt,
    allowance: &Allowance,
) -> Result<Instant, Failure> {
    let mut start = None;
    connection(bots, asked)?.wake();
    loop {
        let writing = Instant::now();
        if connection(bots, asked)?.write()? {
            return Ok(start.unwrap_or(writing));
        }
        let start = *start.get_or_insert(writing);
        let elapsed_us = micros_since(start, Instant::now());
        let connection = connection(bots, asked)?;
        if connection.stderr_is_over() {
            return Err(connection.stderr_failure().into());
        }
        if elapsed_us > allowance.wall_us {
            check_host(None, connection, allowance, elapsed_us)?;
            let message = format!(
                "expected it to read its input within {} ms, but {} bytes are still unread",
                allowance.wall_us / 1000,
                connection.unwritten()
            );
            return Err(BotFailure::new(FaultKind::Timeout, message).into());
        }
        let left_us = allowance.wall_us - elapsed_us;
        let ready = wait(bots, asked, interrupt, For::RoomForInput, left_us)?;
        if ready.ended {
            return Err(self::connection(bots, asked)?.closed("closed its standard input").into());
        }
    }
}

/// Puts the next line of the asked bot into `line`, waiting for it as long as the allowance since
/// `since` lasts if need be; returns when it was read. `now` is a moment at which nothing that
/// came later had been read yet.
pub(crate) fn await_line(
    bots: &mut [Bot],
    asked: usize,
    interrupt: &Interrupt,
    since: Instant,
    now: Moment,
    allowance: &Allowance,
    line: &mut Vec<u8>,
) -> Result<Moment, Failure> {
    let mut now = now;
    loop {
        if connection(bots, asked)?.take_line(line)? {
            return Ok(now);
        }
        now = await_newline(bots, asked, interrupt, since, now, allowance)?;
    }
}

/// Waits until a newline has come from the asked bot, at most as long as the allowance since
/// `since` lasts; returns when it was read.
fn await_newline(
    bots: &mut [Bot],
    asked: usize,
    interrupt: &Interrupt,
    since: Instant,
    now: Moment,
    allowance: &Allowance,
) -> Result<Moment, Failure> {
    let mut elapsed_us = micros_since(since, now.at);
    let mut cpu_us = now.cpu_us.unwrap_or(0);
    let mut watch = None;
    loop {
        let mut pause_us = allowance.pause_us(elapsed_us, cpu_us);
        if allowance.is_watched && watch.is_none() {
            pause_us = pause_us.min(HostWatch::begins_after_us(allowance.wall_us));
        }
        let ready = wait(bots, asked, interrupt, For::Output, pause_us)?;
        // What is in the pipe is read before an end or a hang-up is judged.
        let connection = connection(bots, asked)?;
        let heard = if ready.pipe || ready.ended { connection.read()? } else { Heard::Nothing };
        let now = Instant::now();
        elapsed_us = micros_since(since, now);
        let used_us = allowance.cpu.map(|cpu| cpu.used_us(&connection.processes));
        cpu_us = used_us.unwrap_or(0);
        let is_late = elapsed_us > allowance.wall_us;
        if is_late {
            check_host(watch.take(), connection, allowance, elapsed_us)?;
        }
        if is_late || allowance.cpu.is_some_and(|cpu| cpu_us > cpu.us) {
            return Err(timeout(connection, heard, allowance, is_late, cpu_us).into());
        }
        match heard {
            Heard::Newline => return Ok(Moment { at: now, cpu_us: used_us }),
            Heard::Closed => return Err(connection.closed("closed its standard output").into()),
            Heard::Nothing if ready.ended => {
                return Err(connection.closed("closed its standard output").into());
            }
            Heard::Bytes | Heard::Nothing => {}
        }
        if allowance.is_watched && watch.is_none() {
            watch = Some(HostWatch::begin(&connection.processes));
        }
    }
}

/// The failure of a bot whose time is over.
fn timeout(
    connection: &Connection,
    heard: Heard,
    allowance: &Allowance,
    is_late: bool,
    cpu_us: u64,
) -> BotFailure {
    let unfinished = connection.unfinished();
    let after = match (heard, unfinished.len()) {
        (Heard::Newline, _) => "it came too late".to_string(),
        (_, 0) => "none came".to_string(),
        (_, bytes) => format!("{bytes} bytes without a newline came"),
    };
    let wall_ms = allowance.wall_us / 1000;
    let message = match allowance.cpu {
        None => format!("expected an answer within {wall_ms} ms, {after}"),
        Some(cpu) if is_late => format!(
            "expected an answer within {wall_ms} ms on the wall, {after}; of {} ms of processor \
             time it used {}",
            cpu.us / 1000,
            cpu_us / 1000
        ),
        Some(cpu) => format!(
            "expected an answer within {} ms of processor time, {after} after {} ms of it",
            cpu.us / 1000,
            cpu_us / 1000
        ),
    };
    BotFailure::new(FaultKind::Timeout, message).with_line(unfinished)
}

/// Whether the host is to blame for what came after the deadline, or did not.
fn check_host(
    watch: Option<HostWatch>,
    connection: &Connection,
    allowance: &Allowance,
    elapsed_us: u64,
) -> Result<(), Failure> {
    let processes = &connection.processes;
    let evidence = HostWatch::evidence(watch, processes, allowance.wall_us, elapsed_us);
    match evidence.is_against_the_host() {
        true => Err(Failure::Overloaded(Box::new(evidence))),
        false => Ok(()),
    }
}

fn connection(bots: &mut [Bot], asked: usize) -> Result<&mut Connection, Failure> {
    bots[asked].connection_mut().ok_or_else(not_running)
}

fn not_running() -> Failure {
    BotFailure::new(FaultKind::Crash, "expected a running program, there is none").into()
}

/// Waits once, and takes care of everything that is not the asked bot's answer: the interrupt, and
/// what any bot says on its standard error.
fn wait(
    bots: &mut [Bot],
    asked: usize,
    interrupt: &Interrupt,
    event: For,
    left_us: u64,
) -> Result<Ready, Failure> {
    const OTHERS: usize = 3;
    let mut talking: ArrayVec<usize, MAX_SEATS> = ArrayVec::new();
    let mut found: ArrayVec<bool, { OTHERS + MAX_SEATS }> = ArrayVec::new();
    {
        let connection = bots[asked].connection().ok_or_else(not_running)?;
        let mut fds: ArrayVec<PollFd, { OTHERS + MAX_SEATS }> = ArrayVec::new();
        fds.push(PollFd::new(interrupt, PollFlags::IN));
        fds.push(PollFd::from_borrowed_fd(connection.processes.pidfd(), PollFlags::IN));
        fds.push(match (event, &connection.stdin) {
            (For::RoomForInput, Some(stdin)) => PollFd::new(stdin, PollFlags::OUT),
            _ => PollFd::new(&connection.stdout, PollFlags::IN),
        });
        for (index, bot) in bots.iter().enumerate() {
            if let Some(connection) = bot.connection()
                && let Some(stderr) = &connection.stderr
                && !connection.stderr_is_over()
            {
                fds.push(PollFd::new(stderr, PollFlags::IN));
                talking.push(index);
            }
        }
        // One microsecond more, so that after an empty poll the deadline has passed for certain.
        let timeout = timespec(Duration::from_micros(left_us.saturating_add(1)));
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => found.extend(fds.iter().map(|fd| !fd.revents().is_empty())),
            Err(Errno::INTR) => return Ok(Ready { pipe: false, ended: false }),
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
    Ok(Ready { ended: found[1], pipe: found[2] })
}
