//! A program that answers one line with one line, run by the means that run bots: contained, limited,
//! and ended with its whole tree. It has no clock but a limit for each answer, and is never stopped.

use crate::bot::poll_loop::{Moment, await_line, send};
use crate::bot::start_error::NotStarted;
use crate::bot::start_permit::StartPermit;
use crate::bot::{Bot, StartError};
use crate::clock::allowance::Allowance;
use crate::clock::deadline::Deadline;
use crate::failure::{BotFailure, Failure, protocol_failure};
use crate::host::InGame;
use crate::host::gauge::ThisHost;
use crate::program::connection::{Asked, Connected, Connection};
use crate::program::interrupt::Interrupt;
use botyard_protocol::{FaultKind, Limits, printable};
use botyard_sandbox::Scheduling;
use std::time::{Duration, Instant};

/// How much of a program's standard error an error shows, in characters.
const SHOWN: usize = 1000;

/// How long an answer is waited for before the host is measured, which costs more than most answers take.
const QUICK: Duration = Duration::from_millis(10);

/// A running program that answers one line with one line. Dropping it kills its processes. A
/// contained program is killed when the thread that started it ends.
#[derive(Debug)]
pub struct LineProgram {
    bot: Bot,
    interrupt: Interrupt,
    /// Where its time for an answer is set, if that is known.
    more_time: Option<String>,
}

impl LineProgram {
    /// Starts a program with the command, the containment and the back end of this bot, which is not
    /// running. Lines of more than `line_bytes` are refused.
    ///
    /// # Errors
    ///
    /// The reason why it was not started. None of its processes is left running then.
    pub fn start(
        mut bot: Bot,
        line_bytes: u32,
        interrupt: &Interrupt,
    ) -> Result<LineProgram, StartError> {
        let permit = StartPermit::wait(interrupt).ok_or(StartError::Interrupted)?;
        let spawned = bot.spawn_once(permit, interrupt).map_err(|error| match error {
            NotStarted::Settled(error) | NotStarted::Stalled(error) => error,
        })?;
        // A program that runs as long as its match has no quota of lines.
        let limits = Limits {
            line_bytes,
            stdout_bytes: u64::MAX,
            stderr_bytes: u64::MAX,
            ..Limits::default()
        };
        let mut connection = Connection::new(spawned, &limits, bot.contained_by());
        connection.scheduling = Scheduling::of_this_thread();
        connection.asked = Asked::Request;
        connection.tap = bot.tap();
        bot.connection = Some(connection);
        Ok(LineProgram { bot, interrupt: interrupt.clone(), more_time: None })
    }

    /// Names where its time for an answer is set, for the error of one that is late.
    #[must_use]
    pub fn advising(self, more_time: String) -> LineProgram {
        LineProgram { more_time: Some(more_time), ..self }
    }

    /// Writes a line with its newline, and moves the answer into `answer`, without its newline.
    ///
    /// # Errors
    ///
    /// The program did not answer with exactly one line within the limit: what was expected, what
    /// happened instead, and the end of its standard error. It must not be asked again.
    pub fn exchange(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        limit: Duration,
    ) -> Result<(), String> {
        let exchanged = self.exchange_in_time(line, answer, limit);
        exchanged.map_err(|failure| {
            let message = match failure {
                Failure::Bot(failure) => self.in_words(failure),
                Failure::Overloaded(_) => format!(
                    "expected an answer within {} ms, but this host is too busy to judge that",
                    limit.as_millis()
                ),
                Failure::Interrupted => "interrupted".to_string(),
                Failure::Host(failure) => failure.to_string(),
                Failure::Survivors(survivors) => survivors.to_string(),
            };
            let said = self.stderr();
            self.bot.stop();
            match said.trim() {
                "" => message,
                said => format!("{message}; its standard error ends with:\n{said}"),
            }
        })
    }

    fn exchange_in_time(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        limit: Duration,
    ) -> Result<(), Failure> {
        let begun = Instant::now();
        let connection = self.bot.connection.as_mut();
        let connection = connection.expect("a program that has failed is not asked again");
        connection.outbox.extend_from_slice(line);
        if !exchange_quickly(connection, limit.min(QUICK), answer)? {
            let _canary = InGame::begin();
            let us = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
            let allowance = Allowance::wall(&ThisHost, Some(&connection.processes), us);
            let bots = std::slice::from_mut(&mut self.bot);
            send(bots, 0, &self.interrupt, &allowance)?;
            let mut deadline = Deadline::new(&allowance, begun);
            let now = Moment::at(Instant::now());
            await_line(bots, 0, &self.interrupt, &mut deadline, now, answer)?;
        }
        if let Some(connection) = self.bot.connection_mut()
            && (connection.has_line() || !connection.unfinished().is_empty())
        {
            let message = "expected one line for a request, got more";
            return Err(protocol_failure(message, connection.unfinished()).into());
        }
        Ok(())
    }

    fn in_words(&self, failure: BotFailure) -> String {
        let mut words = failure.message;
        if let Some(got) = failure.got {
            words.push_str(&format!("; it wrote {got}"));
        }
        if let (FaultKind::Timeout, Some(more_time)) = (failure.kind, &self.more_time) {
            words.push_str(&format!("; the limit is {more_time}"));
        }
        words
    }

    /// Returns whether it has neither failed nor ended.
    pub fn is_running(&self) -> bool {
        let connection = self.bot.connection.as_ref();
        connection.is_some_and(|connection| connection.processes.ending().is_none())
    }

    /// Returns the end of what it has written to its standard error.
    pub fn stderr(&mut self) -> String {
        let Some(connection) = &mut self.bot.connection else { return String::new() };
        connection.drain_stderr();
        let said = connection.stderr_log.text();
        let start = said.char_indices().rev().nth(SHOWN - 1).map_or(0, |(start, _)| start);
        let lines = said[start..].lines().map(|line| printable(line, SHOWN));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Writes what is in the outbox, and moves an answer that comes within this time into `answer`. Returns whether it has
/// come; what is missing otherwise is for a wait with all measurements.
fn exchange_quickly(
    connection: &mut Connection,
    time: Duration,
    answer: &mut Vec<u8>,
) -> Result<bool, Failure> {
    connection.wake();
    if !connection.write()? || !connection.stdout.await_bytes(time) {
        return Ok(false);
    }
    connection.read_to_newline()?;
    Ok(connection.take_line(answer)?)
}
