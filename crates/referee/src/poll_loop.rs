//! Waiting, and the only place where the referee waits during a game: one poll over the pipe of
//! the bot that is asked, its pidfd, every bot's standard error and the interrupt. Deadlines are
//! absolute: what is left is reckoned anew before every poll, so no trickle of bytes extends them.
//!
//! The output of bots that are not asked stays in their pipes until it is their turn. So a bot
//! that floods is slowed by its own pipe, one that has ended is judged when it must decide again
//! and not before, and when that is found out does not depend on who ran first.

use crate::bot::Bot;
use crate::connection::{Connection, Heard};
use crate::failure::{BotFailure, Failure, HostFailure};
use crate::interrupt::Interrupt;
use crate::process_group::timespec;
use arrayvec::ArrayVec;
use botyard_engine::MAX_SEATS;
use botyard_protocol::FaultKind;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::time::{Duration, Instant};

/// A referee that looks this much later than it wanted to cannot say whether the bot was in time:
/// the host kept it from running.
const STALL_US: u64 = 500_000;

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

/// Writes the whole outbox of the asked bot, within the allowance; returns when its last byte was
/// written, which is taken just before the system call that wrote it: a bot that the call wakes
/// may run before the referee does again, and what it does then is on its clock.
pub(crate) fn send(
    bots: &mut [Bot],
    asked: usize,
    interrupt: &Interrupt,
    allowance_us: u64,
) -> Result<Instant, Failure> {
    let mut start = None;
    loop {
        let writing = Instant::now();
        if connection(bots, asked)?.write()? {
            return Ok(writing);
        }
        let start = *start.get_or_insert(writing);
        let elapsed_us = micros_since(start, Instant::now());
        let connection = connection(bots, asked)?;
        if connection.stderr_is_over() {
            return Err(connection.stderr_failure().into());
        }
        if elapsed_us > allowance_us {
            check_stall(elapsed_us, allowance_us)?;
            let message = format!(
                "expected it to read its input within {} ms, but {} bytes are still unread",
                allowance_us / 1000,
                connection.unwritten()
            );
            return Err(BotFailure::new(FaultKind::Timeout, message).into());
        }
        let ready = wait(bots, asked, interrupt, For::RoomForInput, allowance_us - elapsed_us)?;
        if ready.ended {
            return Err(self::connection(bots, asked)?.closed("closed its standard input").into());
        }
    }
}

/// Puts the next line of the asked bot into `line`, waiting for it until `allowance_us` after
/// `since` if need be; returns when it was read. `now` is a moment at which nothing that came
/// later had been read yet.
pub(crate) fn await_line(
    bots: &mut [Bot],
    asked: usize,
    interrupt: &Interrupt,
    since: Instant,
    now: Instant,
    allowance_us: u64,
    line: &mut Vec<u8>,
) -> Result<Instant, Failure> {
    let mut now = now;
    loop {
        if connection(bots, asked)?.take_line(line)? {
            return Ok(now);
        }
        let elapsed_us = micros_since(since, now);
        now = await_newline(bots, asked, interrupt, since, elapsed_us, allowance_us)?;
    }
}

/// Waits until a newline has come from the asked bot, at most until `allowance_us` after `since`;
/// returns when it was read.
fn await_newline(
    bots: &mut [Bot],
    asked: usize,
    interrupt: &Interrupt,
    since: Instant,
    mut elapsed_us: u64,
    allowance_us: u64,
) -> Result<Instant, Failure> {
    loop {
        let left_us = allowance_us.saturating_sub(elapsed_us);
        let ready = wait(bots, asked, interrupt, For::Output, left_us)?;
        // What is in the pipe is read before an end or a hang-up is judged.
        let connection = connection(bots, asked)?;
        let heard = if ready.pipe || ready.ended { connection.read()? } else { Heard::Nothing };
        let now = Instant::now();
        elapsed_us = micros_since(since, now);
        if elapsed_us > allowance_us {
            check_stall(elapsed_us, allowance_us)?;
            let unfinished = connection.unfinished();
            let after = match (heard, unfinished.len()) {
                (Heard::Newline, _) => "it came too late".to_string(),
                (_, 0) => "none came".to_string(),
                (_, bytes) => format!("{bytes} bytes without a newline came"),
            };
            let message = format!("expected an answer within {} ms, {after}", allowance_us / 1000);
            return Err(BotFailure::new(FaultKind::Timeout, message).with_line(unfinished).into());
        }
        match heard {
            Heard::Newline => return Ok(now),
            Heard::Closed => return Err(connection.closed("closed its standard output").into()),
            Heard::Nothing if ready.ended => {
                return Err(connection.closed("closed its standard output").into());
            }
            Heard::Bytes | Heard::Nothing => {}
        }
    }
}

/// Whether a look after the deadline came too long after it to blame the bot.
fn check_stall(elapsed_us: u64, allowance_us: u64) -> Result<(), Failure> {
    let late_us = elapsed_us - allowance_us;
    if late_us > STALL_US { Err(Failure::Stalled) } else { Ok(()) }
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
        fds.push(PollFd::from_borrowed_fd(connection.group.pidfd(), PollFlags::IN));
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
