//! The lines that a bot was sent, byte for byte: to run it again, for example under a debugger,
//! with the input of the game in which it failed. The game is played through its rules, and the
//! lines are made by the same functions that the referee uses. [`dialogue`] also has the bot's
//! answers, as far as they are recorded.

use crate::briefing::{Briefing, write_end, write_error, write_hello};
use crate::event::{Event, FaultEvent, Header, MoveTime};
use crate::playback::{MakeTable, Playback, VerifyError};
use crate::reader::{Line, ReadError, ReplayReader};
use crate::show::ShowError;
use crate::wire::{Stream, wire_line};
use botyard_engine::Seat;
use botyard_protocol::{Clock, FaultKind, OnFault, PROTOCOL, Player, write_turn_line};
use serde_json::json;
use std::io::{self, BufRead, Write};

/// Writes the lines that the bot in a seat (given by name or by number from 1) was sent: `hello`,
/// `start`, each `turn` up to number `until` (`None`: all), `error` where it was sent one, and
/// `end` if the game ended by then. A truncated replay gives the lines up to its end.
///
/// The `hello` is written even if the bot had played other games in the same process. The `quit`
/// after the last game is not.
///
/// # Errors
///
/// A replay that is not sound, a seat that the game does not have, or an output that cannot be
/// written.
pub fn write_stdin<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    seat: &str,
    until: Option<u32>,
    out: &mut dyn Write,
) -> Result<(), ShowError> {
    dialogue(reader, make_table, seat, until, &mut |stream, line| match stream {
        Stream::Stdin => out.write_all(line),
        Stream::Stdout | Stream::Stderr => Ok(()),
    })?;
    Ok(out.flush()?)
}

/// Receives a line of a bot's standard input or output, with its newline.
pub type WireSink<'a> = dyn FnMut(Stream, &[u8]) -> io::Result<()> + 'a;

/// Prints the dialogue of the referee with the bot in a seat as [`wire_line`] formats it: see
/// [`dialogue`]. Unless `full` is set, long lines are shortened.
///
/// # Errors
///
/// As in [`write_stdin`].
pub fn write_wire<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    seat: &str,
    until: Option<u32>,
    full: bool,
    out: &mut dyn Write,
) -> Result<(), ShowError> {
    let holder = reader.header().find_seat(seat)?.index();
    let bot = reader.header().seats[holder].player.clone();
    dialogue(reader, make_table, seat, until, &mut |stream, line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        writeln!(out, "{}", wire_line(stream, &bot, line, full))
    })
}

/// Passes the dialogue of the referee with the bot in a seat to `out`: the lines of
/// [`write_stdin`], and between them the bot's answers. An answer is made of what the replay
/// records: the `hello` has the bot's name, version and author but not its games and options;
/// actions and their `info` are in the form in which they are recorded; a line that was a fault is
/// its excerpt; `log` lines come before the answer that follows them, those before the first
/// decision before the answer to it or before `ready`.
///
/// # Errors
///
/// As in [`write_stdin`].
pub fn dialogue<R: BufRead>(
    reader: ReplayReader<R>,
    make_table: MakeTable,
    seat: &str,
    until: Option<u32>,
    out: &mut WireSink<'_>,
) -> Result<(), ShowError> {
    let header = reader.header().clone();
    let playback = Playback::new(&header, make_table)?;
    let holder = &header.seats[header.find_seat(seat)?.index()];
    let player = header.players.iter().position(|player| player.name == holder.player);
    let mut sender = Sender {
        playback,
        // Playback::new has refused seats without a holder.
        player: player.unwrap_or_default(),
        until: until.unwrap_or(u32::MAX),
        started: Started::NotYet,
        is_ready: false,
        unanswered: Vec::new(),
        bytes: Vec::new(),
        answers: Vec::new(),
    };
    write_hello(&mut sender.bytes, &header.engine.version, &header.limits);
    for line in reader {
        match line {
            Ok(line) => {
                let goes_on = sender.send(&line)?;
                sender.pass_to(out)?;
                if !goes_on {
                    break;
                }
            }
            // A bot that hangs is debugged with just such a replay: it had been sent `start`.
            Err(ReadError::Truncated { .. }) => sender.start(),
            Err(error) => return Err(VerifyError::Read(error).into()),
        }
    }
    sender.log_rest();
    Ok(sender.pass_to(out)?)
}

/// How much the bot was sent before the first decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Started {
    NotYet,
    /// The contents of `start` are known, but not whether it was sent.
    Briefed,
    Told,
}

struct Sender {
    playback: Playback,
    /// The player that was sent the lines, as an index into the header's players.
    player: usize,
    until: u32,
    started: Started,
    /// Whether its `ready` was passed on.
    is_ready: bool,
    /// What the bot wrote since its last answer that belongs to the decision in progress.
    unanswered: Vec<Unanswered>,
    bytes: Vec<u8>,
    /// The bot's lines, each with the number of `bytes` that it had been sent before.
    answers: Vec<(usize, String)>,
}

/// A line of a bot that did not answer the question.
enum Unanswered {
    /// The text of a log line, and the number of the last decision before it.
    Log(u32, String),
    /// A fault after which the bot was asked again.
    Forgiven(FaultEvent),
}

impl Sender {
    fn header(&self) -> &Header {
        self.playback.header()
    }

    fn holds(&self, seat: &str) -> bool {
        self.header().players[self.player].seats.iter().any(|held| held == seat)
    }

    /// Passes the lines so far to `out`.
    fn pass_to(&mut self, out: &mut WireSink<'_>) -> io::Result<()> {
        let mut passed = 0;
        for (sent, answer) in self.answers.drain(..) {
            self.bytes[passed..sent]
                .split_inclusive(|&byte| byte == b'\n')
                .try_for_each(|line| out(Stream::Stdin, line))?;
            out(Stream::Stdout, answer.as_bytes())?;
            passed = sent;
        }
        self.bytes[passed..]
            .split_inclusive(|&byte| byte == b'\n')
            .try_for_each(|line| out(Stream::Stdin, line))?;
        self.bytes.clear();
        Ok(())
    }

    /// Appends a line of the bot.
    fn answer(&mut self, line: impl ToString) {
        self.answers.push((self.bytes.len(), line.to_string() + "\n"));
    }

    fn log(&mut self, text: &str) {
        self.answer(json!({ "type": "log", "text": text }));
    }

    /// Appends the log lines that no answer followed.
    fn log_rest(&mut self) {
        for line in std::mem::take(&mut self.unanswered) {
            if let Unanswered::Log(_, text) = line {
                self.log(&text);
            }
        }
    }

    /// Appends `ready`, unless it was written before.
    fn ready(&mut self) {
        if self.started == Started::Told && !self.is_ready {
            self.is_ready = true;
            // The replay does not distinguish its set-up from the first decision: what it logged
            // before that belongs to the set-up, unless the decision is its own.
            if self.playback.turn() > 0 {
                let is_later = |line: &Unanswered| !matches!(line, Unanswered::Log(0, _));
                let later = self.unanswered.iter().position(is_later);
                let later = self.unanswered.split_off(later.unwrap_or(self.unanswered.len()));
                self.log_rest();
                self.unanswered = later;
            }
            self.answer(json!({ "type": "ready" }));
        }
    }

    /// Appends what the bot was sent at this line of the replay. Returns `false` if nothing
    /// follows.
    fn send(&mut self, line: &Line) -> Result<bool, VerifyError> {
        let mut connected = true;
        match &line.event {
            Event::Move(event, _) if event.turn > self.until => return Ok(false),
            Event::Fault(event, _) if event.fault.turn > self.until => return Ok(false),
            Event::Move(event, time) => {
                self.start();
                if event.by.is_none() && self.holds(&event.seat) {
                    self.ask(*time);
                    self.log_rest();
                    let turn = event.turn;
                    let info = event.info.as_ref().map(|info| format!(",\"info\":{}", info.get()));
                    let (action, info) = (event.action.get(), info.unwrap_or_default());
                    self.answer(format!(
                        "{{\"type\":\"move\",\"turn\":{turn},\"action\":{action}{info}}}"
                    ));
                }
            }
            Event::Log(event) if event.player == self.header().players[self.player].name => {
                self.start();
                self.unanswered.push(Unanswered::Log(event.turn, event.text.clone()));
            }
            Event::Fault(event, time) if self.holds(&event.fault.seat) => {
                connected = self.fault(event, *time);
            }
            // `start` is sent to one bot after another, and faults are recorded after that.
            Event::Fault(event, _) if event.fault.turn == 0 => {}
            _ => self.start(),
        }
        self.playback.follow(line)?;
        match &line.event {
            Event::Chance(_) if self.started == Started::NotYet => self.started = Started::Briefed,
            Event::Fault(event, _) if self.holds(&event.fault.seat) && event.fatal => {
                // A bot that drops out of a game that continues is not sent its end.
                connected &= self.playback.table().outcome().is_some();
            }
            Event::End(event, _) => {
                self.ready();
                self.log_rest();
                let reveal = self.playback.table().state();
                write_end(&mut self.bytes, &event.outcome, self.playback.faults(), reveal);
            }
            _ => {}
        }
        Ok(connected)
    }

    /// Appends `start`, unless it was written before.
    fn start(&mut self) {
        if self.started != Started::Briefed {
            return;
        }
        self.started = Started::Told;
        let identity = self.header().players[self.player].bot.clone();
        if let Some(bot) = identity {
            let mut hello = json!({ "type": "hello", "protocol": PROTOCOL, "name": bot.name });
            for (key, value) in [("version", bot.version), ("author", bot.author)] {
                if let Some(value) = value {
                    hello[key] = value.into();
                }
            }
            self.answer(hello);
        }
        let header = self.playback.header();
        let players = header.players.iter();
        let briefing = Briefing {
            game_id: header.game_id.clone(),
            game: header.game.clone(),
            rules: header.rules.clone(),
            seats: header.seats.iter().map(|holder| holder.seat.clone()).collect(),
            players: players
                .map(|player| Player { name: player.name.clone(), seats: player.seats.clone() })
                .collect(),
            time: header.time_control.clone(),
        };
        let player = &header.players[self.player];
        let (options, time) = (&player.options, player.time);
        briefing.write_start(&mut self.bytes, self.player, options, time, self.playback.table());
    }

    /// Appends what was sent at a fault of this bot. Returns `false` if its program had ended by
    /// then.
    fn fault(&mut self, event: &FaultEvent, time: Option<MoveTime>) -> bool {
        let fault = &event.fault;
        match fault.turn {
            // A bot that could not be started was sent nothing.
            0 if fault.kind == FaultKind::StartFailed => {
                self.answer_of(event);
                return false;
            }
            0 => {
                self.start();
                // It wrote something else instead, or nothing.
                self.is_ready = true;
            }
            _ => {
                self.start();
                if !event.fatal && self.header().time_control.on_fault == OnFault::Retry {
                    self.unanswered.push(Unanswered::Forgiven(event.clone()));
                    return true;
                }
                // Without a time, the question did not reach the bot.
                if time.is_some() {
                    self.ask(time);
                }
            }
        }
        self.log_rest();
        self.answer_of(event);
        if fault.kind == FaultKind::Crash {
            return false;
        }
        self.error(event);
        true
    }

    /// Appends the `turn` line of the decision in progress, and repeats it after each fault that
    /// was retried.
    fn ask(&mut self, time: Option<MoveTime>) {
        let Some(seat) = self.playback.seat_to_decide() else { return };
        self.ready();
        self.turn(seat, time);
        for line in std::mem::take(&mut self.unanswered) {
            match line {
                Unanswered::Log(_, text) => self.log(&text),
                Unanswered::Forgiven(event) => {
                    self.answer_of(&event);
                    self.error(&event);
                    self.turn(seat, time);
                }
            }
        }
    }

    /// Appends the line that was a fault, if there was one.
    fn answer_of(&mut self, event: &FaultEvent) {
        if let Some(got) = &event.fault.got {
            self.answer(got);
        }
    }

    fn turn(&mut self, seat: Seat, time: Option<MoveTime>) {
        let turn = self.playback.turn() + 1;
        let name = self.header().seats[seat.index()].seat.clone();
        let player = &self.header().players[self.player];
        let control = self.header().time_control.of_bot(player.time);
        let clock = if player.untimed {
            Clock { kind: control.kind, move_ms: None, bank_ms: None, increment_ms: 0 }
        } else {
            Clock {
                kind: control.kind,
                move_ms: control.move_ms,
                bank_ms: time.and_then(|time| time.bank_ms),
                increment_ms: control.increment_ms,
            }
        };
        let sends_legal = self.header().legal;
        let (mut view, mut legal) = (Vec::new(), Vec::new());
        let course = self.playback.course_mut();
        course.table().write_view(seat, &mut view);
        if sends_legal {
            course.write_legal(&mut legal);
        }
        let legal = sends_legal.then_some(&legal[..]);
        write_turn_line(&mut self.bytes, turn, &name, &view, legal, &clock);
    }

    fn error(&mut self, event: &FaultEvent) {
        let legal = match event.fault.kind {
            FaultKind::IllegalAction => self.playback.course_mut().legal(),
            _ => Vec::new(),
        };
        write_error(&mut self.bytes, &event.fault, event.fatal, legal);
    }
}
