//! One decision: write the `turn` line, run the clock, read the answer, check it against the rules
//! and play it. This is the hot path: one write, one or two reads with at most one poll between
//! them, and one read of output from before the question. Buffers are reused.

use crate::bot::poll_loop::{Moment, await_line, send};
use crate::clock::allowance::Allowance;
use crate::clock::deadline::{Deadline, micros_since};
use crate::failure::{BotFailure, Failure, protocol_failure};
use crate::game::report::{Progress, RefereeError};
use crate::game::verdict::course_failure;
use crate::game::{GameInProgress, replay_failure};
use crate::program::connection::{Asked, Connected, Connection};
use botyard_engine::Seat;
use botyard_protocol::{BotLine, ClockKind, FaultKind, Move, parse_bot_line, write_turn_line};
use botyard_replay::{CourseError, MoveTime, Phase, Ruling};
use serde_json::value::RawValue;
use std::io::Write;
use std::ops::Range;
use std::time::{Duration, Instant};

/// A decision in progress.
struct Question<'a> {
    seat: Seat,
    bot: usize,
    /// The number of the decision.
    turn: u32,
    allowance: Allowance<'a>,
    bank_ms: Option<u64>,
    /// The phase of the exchange, for the ruling on a failure.
    phase: Phase,
    /// When the referee first tried to write the `turn` line; `None` before.
    asked: Option<Instant>,
    /// When the last line was read.
    heard: Option<Moment>,
    /// Excused time as far as it is known, in microseconds.
    excused_us: u64,
    /// How long the bot waited for a core, and its CPU time, in microseconds, if the referee measured
    /// that.
    wait_and_cpu_us: Option<(u64, u64)>,
    /// CPU time that the bot used since its last answer although it was not its turn. The clock
    /// starts so much earlier.
    outside: Duration,
}

/// A stop of the bot during its turn.
struct Stop {
    at: Instant,
    /// CPU time of the bot's processes then, where it is measured.
    cpu: Option<Duration>,
}

/// The positions of an answer's JSON values in its line.
struct Answer {
    action: Range<usize>,
    info: Option<Range<usize>>,
}

impl<'a, W: Write> GameInProgress<'a, W> {
    /// Asks the seat for a decision and plays it, or handles its failure.
    pub(crate) fn decide(&mut self, seat: Seat) -> Result<(), RefereeError> {
        let bot = self.spec.seats[seat.index()];
        // A person may think for hours, or leave: the replay is complete in its file until then.
        if self.bots[bot].is_untimed()
            && let Some(replay) = &mut self.replay
        {
            replay.flush().map_err(replay_failure)?;
        }
        let ready = self.await_standstill_of_others(bot).and_then(|()| self.check_stood_still(bot));
        let mut question = Question {
            seat,
            bot,
            turn: self.course.turn() + 1,
            allowance: Allowance::wall(
                self.spec.gauge,
                None,
                self.clocks[seat.index()].allowance_us(),
            ),
            bank_ms: self.clocks[seat.index()].bank_ms(),
            phase: Phase::Asking,
            asked: None,
            heard: None,
            excused_us: 0,
            wait_and_cpu_us: None,
            outside: Duration::ZERO,
        };
        // The line is taken out of `self` while it is parsed, and put back to reuse its buffer.
        let mut line = std::mem::take(&mut self.line);
        let answered = ready.and_then(|()| self.ask(&mut question, &mut line));
        if answered.is_err() {
            self.bots[bot].rest();
        }
        let decided = answered.and_then(|answer| {
            let info = answer.info.map(|range| text(&line, range));
            self.played(&question, info)
        });
        self.line = line;
        match decided {
            Ok(()) => Ok(()),
            Err(Failure::Bot(failure)) => {
                let cpu_us = self.used_us(&question);
                let excused_us = question.excused_us;
                let now = Moment { cpu_us, excused_us, ..Moment::at(Instant::now()) };
                let time = self.charge(&question, now);
                if self.is_void_by_host(bot)? {
                    return Ok(());
                }
                // A bot that was ended outside its turn has no connection any more.
                let is_gone = self.bots[bot].connection().is_none();
                let phase = if is_gone { Phase::Ended } else { question.phase };
                self.fail(seat, phase, failure, time)
            }
            Err(Failure::Overloaded(evidence)) => {
                let excused_us = evidence.excused_us.unwrap_or(question.excused_us);
                match self.overloaded(question.turn, seat, *evidence)? {
                    Some(failure) => {
                        let now = Moment { excused_us, ..Moment::at(Instant::now()) };
                        let time = self.charge(&question, now);
                        self.fail(seat, Phase::Ended, failure, time)
                    }
                    None => Ok(()),
                }
            }
            Err(Failure::Interrupted) => Err(RefereeError::Interrupted),
            Err(Failure::Survivors(survivors)) => Err(survivors.into()),
            Err(Failure::Host(host)) => Err(host.into()),
        }
    }

    /// Asks until an action is played or the bot has failed.
    fn ask(&mut self, question: &mut Question<'a>, line: &mut Vec<u8>) -> Result<Answer, Failure> {
        self.write_turn(question);
        let unasked = self.hear_unasked(question, line);
        self.look_at_the_clock(question);
        let asked = send(self.bots, question.bot, self.interrupt, &question.allowance);
        if let Ok(asked) = asked {
            let asked = asked.checked_sub(question.outside).unwrap_or(asked);
            question.asked = Some(asked);
            question.heard = Some(Moment::at(asked));
        }
        // A fault in the output before the question takes precedence over a failure to ask.
        unasked?;
        asked?;
        question.phase = Phase::Answering;
        loop {
            let answered = self.hear_answer(question, line).and_then(|answer| {
                self.try_to_play(line, &answer)?;
                Ok(answer)
            });
            match answered {
                Err(Failure::Bot(failure))
                    if self.course.ruling(question.seat, failure.kind, question.phase)
                        == Ok(Ruling::Retry) =>
                {
                    self.ask_again(question, failure)?;
                }
                other => return other,
            }
        }
    }

    /// Sends the bot the error and repeats the question. The clock keeps running.
    fn ask_again(&mut self, question: &Question<'a>, failure: BotFailure) -> Result<(), Failure> {
        self.rule(question.seat, question.phase, failure, None)?;
        self.write_turn(question);
        let asked = question.asked.unwrap_or_else(Instant::now);
        let left = question.allowance.after(micros_since(asked, Instant::now()));
        send(self.bots, question.bot, self.interrupt, &left)?;
        Ok(())
    }

    /// Sets the allowance, and reads the CPU time before the question where it is measured.
    fn look_at_the_clock(&mut self, question: &mut Question<'a>) {
        // CPU time between its last answer and its stop counts too.
        let since = self.notes[question.bot].cpu_at_answer.take();
        let bot = &self.bots[question.bot];
        let Some(connection) = bot.connection() else { return };
        let (is_frozen, clock) = (bot.is_frozen(), &self.clocks[question.seat.index()]);
        let (host, processes) = (self.spec.gauge, &connection.processes);
        question.allowance = match clock.kind() {
            ClockKind::Cpu if !bot.is_untimed() => Allowance::cpu(host, processes, clock, since),
            _ => Allowance::wall(host, Some(processes), clock.allowance_us()),
        };
        let cpu = question.allowance.at_question.own_cpu;
        if let Some(connection) = self.bots[question.bot].connection_mut().filter(|_| is_frozen) {
            let outside = connection.asked_next(cpu);
            if question.allowance.cpu.is_none() {
                question.outside = outside;
            }
        }
    }

    /// Returns the CPU time of the bot's own process, where it can be read without delay.
    fn own_cpu_time(&self, bot: usize) -> Option<Duration> {
        self.bots[bot].connection()?.processes.own_cpu_time()
    }

    /// Returns the CPU time since the question, in microseconds, where it is measured.
    fn used_us(&self, question: &Question<'a>) -> Option<u64> {
        let processes = &self.bots[question.bot].connection()?.processes;
        match question.allowance.cpu {
            Some(cpu) => Some(cpu.used_us(processes)),
            None => used_since_question_us(question, processes.own_cpu_time()),
        }
    }

    fn write_turn(&mut self, question: &Question<'a>) {
        self.view.clear();
        self.course.table().write_view(question.seat, &mut self.view);
        self.legal.clear();
        let is_wanted = self.spec.send_legal || self.bots[question.bot].needs_legal();
        let lists_legal = is_wanted && self.course.table().lists_actions();
        if lists_legal {
            self.course.write_legal(&mut self.legal);
        }
        let Some(connection) = self.bots[question.bot].connection_mut() else { return };
        connection.asked = Asked::Turn(question.turn);
        write_turn_line(
            &mut connection.outbox,
            question.turn,
            &self.seats[question.seat.index()],
            &self.view,
            lists_legal.then_some(&self.legal[..]),
            &self.clocks[question.seat.index()].remaining(),
        );
    }

    /// Reads what the bot wrote before it was asked. Only log lines and late answers are allowed.
    fn hear_unasked(&mut self, question: &Question<'a>, line: &mut Vec<u8>) -> Result<(), Failure> {
        let Some(connection) = self.bots[question.bot].connection_mut() else { return Ok(()) };
        // An exit or a closed pipe is detected and reported when the bot does not answer.
        connection.read()?;
        while self.take_line(question.bot, line)? {
            self.check_unasked(question, line)?;
        }
        Ok(())
    }

    fn take_line(&mut self, bot: usize, line: &mut Vec<u8>) -> Result<bool, Failure> {
        match self.bots[bot].connection_mut() {
            Some(connection) => Ok(connection.take_line(line)?),
            None => Ok(false),
        }
    }

    /// Judges a line that does not answer a question.
    fn check_unasked(&mut self, question: &Question<'a>, line: &[u8]) -> Result<(), Failure> {
        match parse_bot_line(line, &self.spec.limits) {
            Ok(BotLine::Log { text }) => self.log(question.bot, &text),
            Ok(BotLine::Move(answer)) if self.is_late(question, answer.turn) => Ok(()),
            Ok(other) => {
                let message = format!(
                    "expected nothing before the next question, got a {:?}; \
                     one line answers one \"turn\"",
                    other.kind()
                );
                Err(protocol_failure(message, line).into())
            }
            Err(error) => {
                let message = format!("expected nothing before the next question; {error}");
                Err(protocol_failure(message, line).into())
            }
        }
    }

    /// Returns whether this answers a question whose time ran out. Each such question may be
    /// answered once.
    fn is_late(&mut self, question: &Question<'a>, turn: u32) -> bool {
        let expired = &mut self.notes[question.bot].expired;
        match expired.iter().position(|&number| number == turn) {
            Some(index) => {
                expired.swap_remove(index);
                true
            }
            None => false,
        }
    }

    /// Waits for the answer, which is in `line` afterwards.
    fn hear_answer(
        &mut self,
        question: &mut Question<'a>,
        line: &mut Vec<u8>,
    ) -> Result<Answer, Failure> {
        let (Some(asked), Some(mut heard)) = (question.asked, question.heard) else {
            return Err(BotFailure::new(FaultKind::Closed, "it was not asked").into());
        };
        let allowance = question.allowance;
        let mut deadline = Deadline::new(&allowance, asked);
        let mut stopped = None;
        loop {
            if let Some(stopped) = stopped.take_if(|_| !self.has_line(question.bot)) {
                let pause = self.go_on_after(question, stopped);
                deadline.postpone(pause);
                heard.at += pause;
            }
            let taken =
                await_line(self.bots, question.bot, self.interrupt, &mut deadline, heard, line);
            question.excused_us = deadline.excused_us();
            if taken.is_err() {
                question.wait_and_cpu_us = deadline.wait_and_cpu_us(self.bots, question.bot);
            }
            heard = taken?;
            question.heard = Some(heard);
            if stopped.is_none() && self.has_line(question.bot) {
                // One of these lines may be the answer: the bot must not keep thinking while the
                // others are read.
                stopped = self.stop_for_now(question.bot);
            }
            match parse_bot_line(line, &self.spec.limits) {
                Ok(BotLine::Move(answer)) if answer.turn == question.turn => {
                    self.bots[question.bot].rest_soon();
                    let answer = Answer::within(line, &answer);
                    if let Some(cpu) = allowance.cpu
                        && self.bots[question.bot].is_frozen()
                    {
                        let total = cpu.total(heard.cpu_us.unwrap_or(0));
                        self.notes[question.bot].cpu_at_answer = Some(total);
                    }
                    let cpu = self.own_cpu_time(question.bot);
                    if let Some(connection) = self.bots[question.bot].connection_mut() {
                        connection.answered(heard.at.saturating_duration_since(asked), cpu);
                    }
                    question.wait_and_cpu_us = deadline.wait_and_cpu_us(self.bots, question.bot);
                    if heard.cpu_us.is_none() {
                        heard.cpu_us = used_since_question_us(question, cpu);
                    }
                    // A bank is charged for each decision, not only for a late one.
                    if question.bank_ms.is_some() {
                        heard.excused_us =
                            deadline.excused_until(self.bots, question.bot, heard.at);
                    }
                    question.heard = Some(heard);
                    self.check_alone(question)?;
                    return Ok(answer);
                }
                Ok(BotLine::Move(answer)) if self.is_late(question, answer.turn) => {}
                Ok(BotLine::Move(answer)) => {
                    let message = format!(
                        "expected an answer to turn {}, got one to turn {}",
                        question.turn, answer.turn
                    );
                    return Err(protocol_failure(message, line).into());
                }
                Ok(BotLine::Log { text }) => self.log(question.bot, &text)?,
                Ok(other) => {
                    let message = format!("expected a \"move\", got a {:?}", other.kind());
                    return Err(protocol_failure(message, line).into());
                }
                Err(error) => return Err(protocol_failure(error.to_string(), line).into()),
            }
        }
    }

    fn has_line(&self, bot: usize) -> bool {
        self.bots[bot].connection().is_some_and(Connection::has_line)
    }

    /// Stops a bot during its turn, if it is frozen outside its turn.
    fn stop_for_now(&mut self, bot: usize) -> Option<Stop> {
        self.bots[bot].rest();
        let at = Instant::now();
        let connection = self.bots[bot].connection().filter(|bot| bot.is_stopped())?;
        Some(Stop { at, cpu: connection.processes.cpu_time_of_all() })
    }

    /// Lets a bot continue that was stopped during its turn. Its clock was paused meanwhile, but for
    /// the CPU time that it used before it had stopped: returns for how long.
    fn go_on_after(&mut self, question: &mut Question<'a>, stopped: Stop) -> Duration {
        let connection = self.bots[question.bot].connection_mut();
        let cpu = connection.as_ref().and_then(|bot| bot.processes.cpu_time_of_all());
        let used = cpu.zip(stopped.cpu).map(|(now, then)| now.saturating_sub(then));
        let pause = stopped.at.elapsed().saturating_sub(used.unwrap_or_default());
        if let Some(connection) = connection {
            connection.wake();
        }
        question.asked = question.asked.map(|asked| asked + pause);
        pause
    }

    /// Checks that the answer came alone. Lines that came with it in one write are detected here,
    /// so that the verdict does not depend on when the referee reads.
    fn check_alone(&mut self, question: &Question<'a>) -> Result<(), Failure> {
        let Some(connection) = self.bots[question.bot].connection_mut() else { return Ok(()) };
        if connection.unfinished().is_empty() {
            return Ok(());
        }
        let mut next = Vec::new();
        while self.take_line(question.bot, &mut next)? {
            self.check_unasked(question, &next)?;
        }
        Ok(())
    }

    fn try_to_play(&mut self, line: &[u8], answer: &Answer) -> Result<(), Failure> {
        let action = text(line, answer.action.clone());
        let info = answer.info.clone().map(|range| text(line, range));
        self.course.play_with_info(action, info, &mut self.game_event).map_err(
            |error| match error {
                CourseError::Refused(error) => {
                    let failure = BotFailure::new(FaultKind::IllegalAction, error.to_string());
                    Failure::Bot(failure.with_line(line))
                }
                error => Failure::Host(course_failure(error)),
            },
        )
    }

    /// Charges the clock and records an action that was played.
    fn played(&mut self, question: &Question<'a>, info: Option<&str>) -> Result<(), Failure> {
        let heard = question.heard.unwrap_or_else(|| Moment::at(Instant::now()));
        let time = self.charge(question, heard);
        if let Some(replay) = &mut self.replay {
            replay
                .write_move(question.turn, question.seat, &self.game_event, info, None, time)
                .map_err(replay_failure)?;
        }
        let wall_us = time.map(|time| time.wall_us);
        let tally = &mut self.tallies[question.seat.index()];
        tally.decisions += 1;
        tally.wall_us += wall_us.unwrap_or(0);
        if let Some(cpu_us) = time.and_then(|time| time.cpu_us) {
            tally.cpu_us = Some(tally.cpu_us.unwrap_or(0) + cpu_us);
        }
        tally.longest_us = tally.longest_us.max(wall_us.unwrap_or(0));
        Ok(self.moved(question.seat, info, time)?)
    }

    /// Charges the seat's clock; `None` if the question was not written.
    fn charge(&mut self, question: &Question<'a>, until: Moment) -> Option<MoveTime> {
        let wall_us = micros_since(question.asked?, until.at);
        let counted_us = wall_us.saturating_sub(until.excused_us);
        let charged_us = match question.allowance.cpu {
            Some(_) => until.cpu_us.unwrap_or(0),
            None => counted_us,
        };
        let waited_us = counted_us.saturating_sub(until.cpu_us.unwrap_or(0));
        self.clocks[question.seat.index()].charge(charged_us, waited_us);
        let tally = &mut self.tallies[question.seat.index()];
        tally.excused_us += until.excused_us;
        tally.longest_excused_us = tally.longest_excused_us.max(until.excused_us);
        if let Some((waited_us, used_us)) = question.wait_and_cpu_us {
            tally.waited_us += waited_us;
            (self.observer)(&Progress::Waited { waited_us, used_us });
        }
        Some(MoveTime {
            wall_us,
            cpu_us: until.cpu_us,
            bank_ms: question.bank_ms,
            excused_us: Some(until.excused_us).filter(|&us| us > 0),
        })
    }
}

impl Answer {
    fn within(line: &[u8], answer: &Move<&RawValue>) -> Answer {
        let range = |value: &RawValue| {
            let start = value.get().as_ptr().addr() - line.as_ptr().addr();
            start..start + value.get().len()
        };
        Answer { action: range(answer.action), info: answer.info.map(range) }
    }
}

/// Returns the CPU time of the bot's own process since the question, in microseconds, when it has used
/// `cpu` in all.
fn used_since_question_us(question: &Question<'_>, cpu: Option<Duration>) -> Option<u64> {
    let used = cpu?.saturating_sub(question.allowance.at_question.own_cpu?);
    used.as_micros().try_into().ok()
}

fn text(line: &[u8], range: Range<usize>) -> &str {
    std::str::from_utf8(&line[range]).expect("the line was read as UTF-8")
}
