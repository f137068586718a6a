//! The copy of a replay for one seat: what that seat saw while the game was played, and nothing
//! that depends on more. It can be given to a bot's author, or published while a competition is
//! still running, without revealing what was hidden.

use crate::event::{ChanceEvent, EndTime, Event, Header, MoveEvent, UnknownSeat};
use crate::reader::{ReadError, ReplayReader};
use crate::writer::ReplayWriter;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};

/// The replacement for the evidence of another player's fault, which may reveal what was hidden.
const WITHHELD: &str = "not shown in the copy for another seat";

/// The reason why no copy was made.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The replay cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The copy cannot be written.
    #[error("cannot write the copy: {0}")]
    Host(#[from] io::Error),
    /// The game has no such seat.
    #[error(transparent)]
    Seat(#[from] UnknownSeat),
    /// The replay is itself a copy.
    #[error("this is already a copy for the seat {seat}: export from the full replay")]
    AlreadyACopy {
        /// The seat.
        seat: String,
    },
    /// A line that a sound replay cannot have: the replay should be verified first.
    #[error("line {line}: {message}; run `botyard replay verify` for details")]
    Unsound {
        /// The number of the line, from 1.
        line: u64,
        /// The error.
        message: String,
    },
}

/// Writes the copy of a replay for a seat (given by name or by number from 1), with its own chain.
///
/// What was hidden from the seat is replaced by what it saw instead. The seed, the hashes of states
/// and the observations of other seats are left out. For every player that holds another seat, the
/// copy also leaves out its options and command (which may contain a seed), its `info` and `log`,
/// the evidence of its faults, and its times.
///
/// # Errors
///
/// The replay cannot be read or is a copy itself, the game has no such seat, or the output cannot
/// be written.
pub fn export<R: BufRead, W: Write>(
    reader: ReplayReader<R>,
    seat: &str,
    out: W,
) -> Result<(), ExportError> {
    let header = reader.header();
    if let Some(seat) = &header.view_of {
        return Err(ExportError::AlreadyACopy { seat: seat.clone() });
    }
    let holder = &header.seats[header.find_seat(seat)?.index()];
    let held = header.seats.iter().filter(|other| other.player == holder.player).count();
    let copier = Copier {
        seat: holder.seat.clone(),
        // A bot with several seats may know more from another seat, so none of its texts are taken
        // as known to this seat.
        player: (held == 1).then(|| holder.player.clone()),
    };
    let mut writer = ReplayWriter::new(out, &copier.header(header.clone()))?;
    for line in reader {
        let line = line?;
        copier.copy(line.number, line.event, &mut writer)?;
    }
    Ok(writer.flush()?)
}

/// Writes a copy of a replay with everything that happened in the game, and without what bots wrote for
/// their authors alone, with its own chain: for every player but those that `is_own` names, it leaves out
/// the options and the command, `log` and `info`, and the evidence of faults.
///
/// The copy can be verified by the rules like the original.
///
/// # Errors
///
/// The replay cannot be read, or the output cannot be written.
pub fn publish<R: BufRead, W: Write>(
    reader: ReplayReader<R>,
    is_own: &dyn Fn(&str) -> bool,
    out: W,
) -> Result<(), ExportError> {
    let mut header = reader.header().clone();
    let mut own_seats = BTreeSet::new();
    for player in &mut header.players {
        if is_own(&player.name) {
            own_seats.extend(player.seats.iter().cloned());
        } else {
            player.options.clear();
            player.command_sha256 = None;
        }
    }
    let mut writer = ReplayWriter::new(out, &header)?;
    for line in reader {
        let line = line?;
        match line.event {
            Event::Header(_) => {
                let message = "a second header".to_string();
                return Err(ExportError::Unsound { line: line.number, message });
            }
            Event::Chance(event) => writer.write_event("chance", &event, None::<&()>)?,
            Event::Move(mut event, time) => {
                event.info = event.info.filter(|_| own_seats.contains(&event.seat));
                writer.write_event("move", &event, time.as_ref())?;
            }
            Event::State(event) => writer.write_event("state", &event, None::<&()>)?,
            Event::Log(event) => {
                if is_own(&event.player) {
                    writer.write_event("log", &event, None::<&()>)?;
                }
            }
            Event::Fault(mut event, time) => {
                if !own_seats.contains(&event.fault.seat) {
                    event.fault.message = WITHHELD.to_string();
                    event.fault.got = None;
                }
                writer.write_fault(&event, time)?;
            }
            Event::End(event, time) => writer.write_end(None, &event, time.as_ref())?,
        }
    }
    Ok(writer.flush()?)
}

struct Copier {
    seat: String,
    /// The player that holds this seat and no other, if there is one.
    player: Option<String>,
}

impl Copier {
    fn is_own(&self, player: &str) -> bool {
        self.player.as_deref() == Some(player)
    }

    /// Returns whether texts from this seat come from a player that knows no more than the seat.
    fn is_own_seat(&self, seat: &str) -> bool {
        self.player.is_some() && self.seat == seat
    }

    fn header(&self, mut header: Header) -> Header {
        header.seed = None;
        header.view_of = Some(self.seat.clone());
        for player in header.players.iter_mut().filter(|player| !self.is_own(&player.name)) {
            player.options.clear();
            player.command_sha256 = None;
        }
        header
    }

    fn copy<W: Write>(
        &self,
        line: u64,
        event: Event,
        writer: &mut ReplayWriter<W>,
    ) -> Result<(), ExportError> {
        match event {
            Event::Header(_) => {
                let message = "a second header".to_string();
                return Err(ExportError::Unsound { line, message });
            }
            Event::Chance(event) => {
                let outcome = self.visible(line, event.outcome, event.seen)?;
                let copy = ChanceEvent { outcome, seen: None, ..event };
                writer.write_event("chance", &copy, None::<&()>)?;
            }
            Event::Move(event, time) => {
                let own = self.is_own_seat(&event.seat);
                let action = self.visible(line, event.action, event.seen)?;
                let info = event.info.filter(|_| own);
                let copy = MoveEvent { action, seen: None, info, ..event };
                writer.write_event("move", &copy, time.filter(|_| own).as_ref())?;
            }
            // From a hash of the whole state, hidden values can be found by trial.
            Event::State(_) => {}
            Event::Log(event) => {
                if self.is_own(&event.player) {
                    writer.write_event("log", &event, None::<&()>)?;
                }
            }
            Event::Fault(mut event, time) => {
                let own = self.is_own_seat(&event.fault.seat);
                if !own {
                    event.fault.message = WITHHELD.to_string();
                    event.fault.got = None;
                }
                writer.write_fault(&event, time.filter(|_| own))?;
            }
            Event::End(event, time) => {
                let time = time.map(|EndTime { mut total_us, host, rules_us: _ }| {
                    total_us.retain(|seat, _| self.is_own_seat(seat));
                    let is_own = |seat: &String| self.is_own_seat(seat);
                    let host = host.filter(|host| host.seat.as_ref().is_some_and(is_own));
                    EndTime { total_us, host, rules_us: None }
                });
                writer.write_end(None, &event, time.as_ref())?;
            }
        }
        Ok(())
    }

    /// Returns what the seat saw: the entry for it in `seen`, or else the full value.
    fn visible(
        &self,
        line: u64,
        full: Box<RawValue>,
        seen: Option<Box<RawValue>>,
    ) -> Result<Box<RawValue>, ExportError> {
        let Some(seen) = seen else { return Ok(full) };
        let mut seen: BTreeMap<String, Box<RawValue>> =
            serde_json::from_str(seen.get()).map_err(|error| ExportError::Unsound {
                line,
                message: format!("expected an object by seat in \"seen\": {error}"),
            })?;
        Ok(seen.remove(&self.seat).unwrap_or(full))
    }
}
