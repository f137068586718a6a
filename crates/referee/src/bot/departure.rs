//! The departure of a bot, with everything that it wrote on the way out, for checks of a bot. A
//! match ends its bots by [`Bot::quit_all`], which waits for all of them together and reads nothing.

use super::Bot;
use crate::bot::poll_loop::send;
use crate::clock::allowance::Allowance;
use crate::clock::deadline::{Deadline, Ruling};
use crate::failure::{Failure, HostFailure};
use crate::host::InGame;
use crate::host::gauge::ThisHost;
use crate::program::connection::{Connection, ReadResult};
use crate::program::ending::Ending;
use crate::program::interrupt::Interrupt;
use botyard_protocol::{BotLine, Limits, RefereeMessage, excerpt, parse_bot_line, write_line};
use botyard_replay::HostEvidence;
use std::io;
use std::time::{Duration, Instant};

/// How often a departing bot's output is read.
const PAUSE: Duration = Duration::from_millis(5);

/// How much of a line is kept, in characters.
const CHARACTERS: usize = 400;

/// How a bot is asked to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// By `quit` and the end of its input.
    Quit,
    /// By the end of its input alone, which means the same.
    EndOfInput,
}

/// What a bot did after it was asked to leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// How its program ended; `None` if it was killed, because it did not end in time.
    pub ending: Option<Ending>,
    /// The first line that it wrote since it was last asked and that is not a `log`, shortened.
    pub said: Option<String>,
    /// The measurements of the host, if it was too busy to tell whether the program would have
    /// ended in time.
    pub overload: Option<Box<HostEvidence>>,
    /// The largest resident memory of its processes, in bytes, where it is measured.
    pub peak_memory: Option<u64>,
}

impl Bot {
    /// Asks the bot to leave and waits at most `limits.quit_ms` for its program to end, not counting
    /// time that the host took. Then kills what is left of its processes. Returns `None` if it was
    /// not running.
    ///
    /// # Errors
    ///
    /// An interrupt, or a failure of the host.
    pub fn depart(
        &mut self,
        how: Leave,
        limits: &Limits,
        interrupt: &Interrupt,
    ) -> Result<Option<Departure>, DepartureError> {
        if self.connection.is_none() {
            return Ok(None);
        }
        let _canary = InGame::begin();
        let departure = self.ask_to_leave(how, limits, interrupt);
        self.stop();
        departure.map(Some)
    }

    fn ask_to_leave(
        &mut self,
        how: Leave,
        limits: &Limits,
        interrupt: &Interrupt,
    ) -> Result<Departure, DepartureError> {
        let processes = self.connection.as_ref().map(|connection| &connection.processes);
        let quit_us = limits.quit_ms.saturating_mul(1000);
        let allowance = Allowance::wall(&ThisHost, processes, quit_us);
        let begun = Instant::now();
        if let (Leave::Quit, Some(connection)) = (how, &mut self.connection) {
            write_line(&mut connection.outbox, &RefereeMessage::Quit);
        }
        // A program that reads no more is judged by its end alone.
        match send(std::slice::from_mut(self), 0, interrupt, &allowance) {
            Ok(_) | Err(Failure::Bot(_) | Failure::Overloaded(_)) => {}
            Err(Failure::Interrupted) => return Err(DepartureError::Interrupted),
            Err(Failure::Host(failure)) => return Err(failure.into()),
            Err(Failure::Survivors(error)) => return Err(leftover(error)),
        }
        if let Some(connection) = &mut self.connection {
            connection.stdin = None;
        }
        let mut deadline = Deadline::new(&allowance, begun);
        let mut said = None;
        let mut overload = None;
        loop {
            if let Some(connection) = &mut self.connection {
                said = said.or_else(|| first_words(connection));
                connection.drain_stderr();
                if connection.processes.wait_until(Instant::now() + PAUSE).is_some() {
                    break;
                }
            }
            if interrupt.is_raised() {
                return Err(DepartureError::Interrupted);
            }
            let now = Instant::now();
            if !deadline.is_due(now) {
                continue;
            }
            match deadline.rule(std::slice::from_mut(self), 0, now, false) {
                Ruling::InTime => {}
                Ruling::TooLate => break,
                Ruling::CannotTell(evidence) => {
                    overload = Some(evidence);
                    break;
                }
            }
        }
        let Some(connection) = &mut self.connection else {
            return Ok(Departure { ending: None, said, overload, peak_memory: None });
        };
        let ending = connection.processes.ending();
        // What it wrote last is still in the pipe.
        let said = said.or_else(|| first_words(connection));
        connection.processes.tear_down().map_err(leftover)?;
        let peak_memory = connection.processes.memory().peak;
        Ok(Departure { ending, said, overload, peak_memory })
    }
}

/// Why a bot did not leave.
#[derive(Debug, thiserror::Error)]
pub enum DepartureError {
    /// The user interrupted the program.
    #[error("interrupted")]
    Interrupted,
    /// The host failed.
    #[error(transparent)]
    Host(#[from] HostFailure),
}

fn leftover(error: impl std::error::Error + Send + Sync + 'static) -> DepartureError {
    HostFailure::new("ending a bot", io::Error::other(error)).into()
}

/// Returns the first line in a bot's output that is not a `log`, or the beginning of one.
fn first_words(connection: &mut Connection) -> Option<String> {
    let mut line = Vec::new();
    loop {
        while connection.take_line(&mut line).is_ok_and(|taken| taken) {
            if !matches!(parse_bot_line(&line, &Limits::default()), Ok(BotLine::Log { .. })) {
                return Some(excerpt(&line, CHARACTERS));
            }
        }
        match connection.read() {
            Ok(ReadResult::Bytes | ReadResult::Newline) => {}
            Ok(ReadResult::Nothing) => return None,
            Ok(ReadResult::Closed) | Err(_) => {
                let rest = connection.unfinished();
                return (!rest.is_empty()).then(|| excerpt(rest, CHARACTERS));
            }
        }
    }
}
