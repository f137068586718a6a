//! Writing a replay while its game is played. Lines are put together from JSON that is ready, in
//! one buffer, which goes out when it is full or a tenth of a second old: someone who watches the
//! file sees the game, and a fast game does not pay for a system call a ply.

use crate::chain::Chain;
use crate::event::{
    EndEvent, EndTime, FaultEvent, Header, LogEvent, MoveTime, PlayedBy, STATE_EVERY, StateEvent,
};
use botyard_engine::{Happening, Seat};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The buffer goes out when it holds this much.
const FLUSH_BYTES: usize = 8 * 1024;
/// The buffer goes out when the last time is this long ago.
const FLUSH_EVERY: Duration = Duration::from_millis(100);
/// The most of one log line that is kept, in bytes.
const LOG_LINE_BYTES: usize = 4 * 1024;
/// The most of all log lines of a game that is kept, in bytes of text.
const LOG_BYTES: usize = 1024 * 1024;

/// Writes the replay of one game, line by line.
///
/// The order of calls is the order of lines: [`ReplayWriter::new`] writes the header,
/// [`ReplayWriter::write_opening`] comes next, [`ReplayWriter::write_end`] last. Every method
/// returns the errors of the output (a full disk, ...): the game that is played is then void, for
/// it was not recorded. What is in the buffer when the writer is dropped still goes out, so a game
/// that was interrupted leaves a replay without an `end` line.
#[derive(Debug)]
pub struct ReplayWriter<W: Write> {
    out: W,
    buffer: Vec<u8>,
    /// Where in `buffer` the line begins that is being written.
    line: usize,
    chain: Chain,
    seats: Vec<String>,
    flushed: Instant,
    /// A write failed: what came out may end in the middle of a line, so nothing may follow.
    failed: bool,
    log_bytes: usize,
}

impl<W: Write> ReplayWriter<W> {
    /// Begins a replay: writes its header, and sends it out at once, so that an output that cannot
    /// be written to is known before the game begins.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn new(out: W, header: &Header) -> io::Result<ReplayWriter<W>> {
        let mut writer = ReplayWriter {
            out,
            buffer: Vec::with_capacity(2 * FLUSH_BYTES),
            line: 0,
            chain: Chain::default(),
            seats: header.seats.iter().map(|holder| holder.seat.clone()).collect(),
            flushed: Instant::now(),
            failed: false,
            log_bytes: 0,
        };
        writer.write_event("header", header, None::<&()>)?;
        writer.flush()?;
        Ok(writer)
    }

    /// The opening, whether drawn or given.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_opening(&mut self, opening: &Happening) -> io::Result<()> {
        self.write_chance(0, opening)
    }

    /// What was drawn after decision `turn`.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_chance(&mut self, turn: u32, drawn: &Happening) -> io::Result<()> {
        self.begin("chance");
        self.field("turn", &turn);
        self.raw_field("outcome", &drawn.full);
        self.seen(drawn);
        self.end_line(None::<&()>)
    }

    /// Decision number `turn`, from 1: what `seat` played.
    ///
    /// `info` is the bot's own JSON. `by` and no `time` are for an action that the referee played
    /// for it.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    ///
    /// # Panics
    ///
    /// If the header has no such seat.
    pub fn write_move(
        &mut self,
        turn: u32,
        seat: Seat,
        played: &Happening,
        info: Option<&str>,
        by: Option<PlayedBy>,
        time: Option<MoveTime>,
    ) -> io::Result<()> {
        self.begin("move");
        self.field("turn", &turn);
        self.buffer.extend_from_slice(br#","seat":"#);
        append(&mut self.buffer, &self.seats[seat.index()]);
        self.raw_field("action", &played.full);
        self.seen(played);
        if let Some(info) = info {
            self.raw_field("info", info);
        }
        if let Some(by) = by {
            self.field("by", &by);
        }
        self.end_line(time.as_ref())
    }

    /// Whether a state's hash belongs after decision `turn`; the one at the end is
    /// [`ReplayWriter::write_end`]'s.
    pub const fn state_is_due(turn: u32) -> bool {
        turn.is_multiple_of(STATE_EVERY)
    }

    /// What the state hashes to right now, after decision `turn`.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_state(&mut self, turn: u32, hash: String) -> io::Result<()> {
        self.write_event("state", &StateEvent { turn, hash }, None::<&()>)
    }

    /// A line of a bot's log, said after decision `turn`. Of a long one the beginning is kept, and
    /// of a game's a mebibyte; where something is left out the replay says so.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_log(&mut self, turn: u32, player: &str, text: &str) -> io::Result<()> {
        if self.log_bytes >= LOG_BYTES {
            return Ok(());
        }
        let mut end = text.len().min(LOG_LINE_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.log_bytes += end + 1;
        let mut kept = text[..end].to_string();
        if kept.len() < text.len() {
            kept.push_str(&format!("... ({} bytes)", text.len()));
        }
        if self.log_bytes >= LOG_BYTES {
            kept.push_str(" (this game's further log lines are left out)");
        }
        let event = LogEvent { turn, player: player.to_string(), text: kept };
        self.write_event("log", &event, None::<&()>)
    }

    /// A bot failed. `time` is for one that had been asked.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_fault(&mut self, fault: &FaultEvent, time: Option<MoveTime>) -> io::Result<()> {
        self.write_event("fault", fault, time.as_ref())
    }

    /// The last two lines: what the final state hashes to (`None` for a game that was void before
    /// it had a state), and the end. Everything goes out.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_end(
        &mut self,
        state_hash: Option<String>,
        end: &EndEvent,
        time: Option<&EndTime>,
    ) -> io::Result<()> {
        if let Some(hash) = state_hash {
            self.write_state(end.turns, hash)?;
        }
        self.write_event("end", end, time)?;
        self.flush()
    }

    /// Sends out what is in the buffer.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier part of the replay could not be written"));
        }
        self.flushed = Instant::now();
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.failed = true;
        self.out.write_all(&self.buffer)?;
        self.out.flush()?;
        self.failed = false;
        self.buffer.clear();
        Ok(())
    }

    /// Sends out what is in the buffer if it is a tenth of a second old: for moments when nothing
    /// else is to do, since lines that follow would send it out as well.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn flush_if_due(&mut self) -> io::Result<()> {
        if self.flushed.elapsed() >= FLUSH_EVERY { self.flush() } else { Ok(()) }
    }

    /// Writes a whole line from a typed event, which must not have a RawValue in it that holds a
    /// line break.
    pub(crate) fn write_event<E: Serialize, T: Serialize>(
        &mut self,
        kind: &str,
        event: &E,
        time: Option<&T>,
    ) -> io::Result<()> {
        self.begin(kind);
        let fields = self.buffer.len();
        append(&mut self.buffer, event);
        debug_assert!(self.buffer[fields..].starts_with(b"{\"") && self.buffer.ends_with(b"}"));
        // The event's own braces give way to those of the line.
        self.buffer[fields] = b',';
        self.buffer.pop();
        self.end_line(time)
    }

    fn begin(&mut self, kind: &str) {
        self.line = self.buffer.len();
        self.buffer.extend_from_slice(br#"{"type":"#);
        append(&mut self.buffer, kind);
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) {
        self.name(name);
        append(&mut self.buffer, value);
    }

    fn raw_field(&mut self, name: &str, json: &str) {
        debug_assert!(!json.contains('\n'), "a line break inside a line: {json}");
        self.name(name);
        self.buffer.extend_from_slice(json.as_bytes());
    }

    fn name(&mut self, name: &str) {
        self.buffer.extend_from_slice(b",\"");
        self.buffer.extend_from_slice(name.as_bytes());
        self.buffer.extend_from_slice(b"\":");
    }

    fn seen(&mut self, happening: &Happening) {
        if !happening.seen.is_empty() {
            self.name("seen");
            append_seen(&mut self.buffer, &happening.seen, &self.seats);
        }
    }

    fn end_line<T: Serialize>(&mut self, time: Option<&T>) -> io::Result<()> {
        let link = self.chain.extend(&self.buffer[self.line..]);
        self.field("chain", link.as_str());
        if let Some(time) = time {
            self.field("time", time);
        }
        self.buffer.extend_from_slice(b"}\n");
        if self.failed || self.buffer.len() >= FLUSH_BYTES {
            self.flush()
        } else {
            self.flush_if_due()
        }
    }
}

impl<W: Write> Drop for ReplayWriter<W> {
    fn drop(&mut self) {
        // Nobody is left to tell of an error; a replay that breaks off says itself that it does.
        let _ = self.flush();
    }
}

/// Appends what the seats that may not know everything were told, as the object that `seen` holds.
pub(crate) fn append_seen(into: &mut Vec<u8>, seen: &[(Seat, Value)], seats: &[String]) {
    let mut separator = b'{';
    for (seat, value) in seen {
        into.push(separator);
        append(into, &seats[seat.index()]);
        into.push(b':');
        append(into, value);
        separator = b',';
    }
    into.push(b'}');
}

fn append<T: Serialize + ?Sized>(into: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(into, value).expect("events are plain data with string keys");
}
