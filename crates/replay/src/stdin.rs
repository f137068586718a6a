//! The lines that a bot was sent, byte for byte: to run it again, for example under a debugger,
//! with the input of the game in which it failed. The game is played through its rules, and the
//! lines are made by the same functions that the referee uses.

use crate::briefing::{Briefing, write_end, write_error, write_hello};
use crate::event::{Event, FaultEvent, Header, MoveTime};
use crate::playback::{MakeTable, Playback, VerifyError};
use crate::reader::{Line, ReadError, ReplayReader};
use crate::show::ShowError;
use botyard_engine::Seat;
use botyard_protocol::{Clock, FaultKind, OnFault, Player, write_turn_line};
use std::io::{BufRead, Write};

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
        forgiven: Vec::new(),
        bytes: Vec::new(),
    };
    write_hello(&mut sender.bytes, &header.engine.version, &header.limits);
    for line in reader {
        match line {
            Ok(line) => {
                let goes_on = sender.send(&line)?;
                out.write_all(&sender.bytes)?;
                sender.bytes.clear();
                if !goes_on {
                    break;
                }
            }
            // A bot that hangs is debugged with just such a replay: it had been sent `start`.
            Err(ReadError::Truncated { .. }) => sender.start(),
            Err(error) => return Err(VerifyError::Read(error).into()),
        }
    }
    out.write_all(&sender.bytes)?;
    Ok(out.flush()?)
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
    /// Faults of the decision in progress after which the bot was asked again.
    forgiven: Vec<FaultEvent>,
    bytes: Vec<u8>,
}

impl Sender {
    fn header(&self) -> &Header {
        self.playback.header()
    }

    fn holds(&self, seat: &str) -> bool {
        self.header().players[self.player].seats.iter().any(|held| held == seat)
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
                }
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
        briefing.write_start(&mut self.bytes, self.player, &player.options, self.playback.table());
    }

    /// Appends what was sent at a fault of this bot. Returns `false` if its program had ended by
    /// then.
    fn fault(&mut self, event: &FaultEvent, time: Option<MoveTime>) -> bool {
        let fault = &event.fault;
        match fault.turn {
            // A bot that could not be started was sent nothing.
            0 if fault.kind == FaultKind::StartFailed => return false,
            0 => self.start(),
            _ => {
                self.start();
                if !event.fatal && self.header().time_control.on_fault == OnFault::Retry {
                    self.forgiven.push(event.clone());
                    return true;
                }
                // Without a time, the question did not reach the bot.
                if time.is_some() {
                    self.ask(time);
                }
            }
        }
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
        self.turn(seat, time);
        for event in std::mem::take(&mut self.forgiven) {
            self.error(&event);
            self.turn(seat, time);
        }
    }

    fn turn(&mut self, seat: Seat, time: Option<MoveTime>) {
        let turn = self.playback.turn() + 1;
        let name = self.header().seats[seat.index()].seat.clone();
        let control = &self.header().time_control;
        let clock = if self.header().players[self.player].untimed {
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
