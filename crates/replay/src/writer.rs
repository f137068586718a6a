//! Writing a replay while its game is played. Lines are assembled from prepared JSON in one buffer.
//!
//! A reader may follow the file during the game, so a line should be in it before the next bot
//! thinks, but a fast game must not need a system call per ply. Both hold with a credit of immediate
//! writes: every line is written at once while there is credit, and credit returns with time. A game
//! with at most ten lines a second always has credit. A faster game spends it within its first
//! lines; from then on the buffer is written when it is full or a tenth of a second old.

use crate::chain::Chain;
use crate::event::{
    EndEvent, EndTime, FaultEvent, Header, LogEvent, MoveTime, PlayedBy, STATE_EVERY, StateEvent,
};
use botyard_engine::{GameEvent, Seat};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The buffer is written when it holds this many bytes.
const FLUSH_BYTES: usize = 8 * 1024;
/// The buffer is written when its last write is this long ago, and one immediate write is credited
/// in each such time.
const FLUSH_EVERY: Duration = Duration::from_millis(100);
/// The most immediate writes that can be credited: enough for the lines of several decisions that
/// follow a pause, such as an attack with its dice and the transfers after it.
const MOST_CREDIT: u32 = 16;
/// The maximum length of one log line that is kept, in bytes.
const LOG_LINE_BYTES: usize = 4 * 1024;
/// The maximum length of all log lines of a game that are kept, in bytes of text.
const LOG_BYTES: usize = 1024 * 1024;

/// Writes the replay of one game, line by line.
///
/// The order of calls is the order of lines: first [`ReplayWriter::new`], which writes the header,
/// then [`ReplayWriter::write_opening`], and [`ReplayWriter::write_end`] last. Every method returns
/// the errors of the output, such as a full disk: the game is then void, because it was not
/// recorded. Dropping the writer writes what is in the buffer, so an interrupted game leaves a
/// replay without an `end` line.
#[derive(Debug)]
pub struct ReplayWriter<W: Write> {
    out: W,
    buffer: Vec<u8>,
    /// The position in `buffer` where the current line begins.
    line: usize,
    chain: Chain,
    /// The names of the seats, as JSON.
    seats: Vec<String>,
    flushed: Instant,
    credit: Credit,
    /// Whether a write failed: the output may end within a line, so nothing may be written after
    /// it.
    failed: bool,
    log_bytes: usize,
    /// Whether every line is written at once.
    prompt: bool,
}

impl<W: Write> ReplayWriter<W> {
    /// Begins a replay: writes its header to the output immediately, so that an output that cannot
    /// be written is detected before the game begins.
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
            seats: header.seats.iter().map(|holder| quoted(&holder.seat)).collect(),
            flushed: Instant::now(),
            credit: Credit::new(Instant::now()),
            failed: false,
            log_bytes: 0,
            prompt: false,
        };
        writer.write_event("header", header, None::<&()>)?;
        writer.flush()?;
        // The header is written in any case.
        writer.credit = Credit::new(Instant::now());
        Ok(writer)
    }

    /// Writes every further line to the output at once, for an output that is followed by a person
    /// who plays the game.
    pub fn prompt(mut self) -> ReplayWriter<W> {
        self.prompt = true;
        self
    }

    /// Writes the opening, drawn or given.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_opening(&mut self, opening: &GameEvent) -> io::Result<()> {
        self.write_chance(0, opening)
    }

    /// Writes a chance outcome that was drawn after decision `turn`.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_chance(&mut self, turn: u32, drawn: &GameEvent) -> io::Result<()> {
        self.begin("chance");
        self.field("turn", &turn);
        self.raw_field("outcome", &drawn.full);
        self.seen(drawn);
        self.end_line(None::<&()>)
    }

    /// Writes decision number `turn`, counted from 1: what `seat` played.
    ///
    /// `info` is the bot's own JSON. An action that the bot did not choose has `by` and no `time`.
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
        played: &GameEvent,
        info: Option<&str>,
        by: Option<PlayedBy>,
        time: Option<MoveTime>,
    ) -> io::Result<()> {
        self.begin("move");
        self.field("turn", &turn);
        self.buffer.extend_from_slice(br#","seat":"#);
        self.buffer.extend_from_slice(self.seats[seat.index()].as_bytes());
        self.raw_field("action", &played.full);
        self.seen(played);
        if let Some(info) = info {
            self.raw_field("info", info);
        }
        if let Some(by) = by {
            self.field("by", &by);
        }
        self.chain_line();
        if let Some(time) = &time {
            self.name("time");
            append_time(&mut self.buffer, time);
        }
        self.finish_line()
    }

    /// Returns whether the hash of the state must follow decision `turn`.
    /// [`ReplayWriter::write_end`] writes the last one.
    pub const fn state_is_due(turn: u32) -> bool {
        turn.is_multiple_of(STATE_EVERY)
    }

    /// Writes the hash of the state after decision `turn`.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_state(&mut self, turn: u32, hash: String) -> io::Result<()> {
        self.write_event("state", &StateEvent { turn, hash }, None::<&()>)
    }

    /// Writes a bot's log line from after decision `turn`. Of a long line, only the beginning is
    /// kept; of all lines of a game, the first mebibyte. The replay says where text is left out.
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

    /// Writes a fault. `time` is given if the bot had been asked.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn write_fault(&mut self, fault: &FaultEvent, time: Option<MoveTime>) -> io::Result<()> {
        self.write_event("fault", fault, time.as_ref())
    }

    /// Writes the last two lines, the hash of the final state (`None` for a game that was void
    /// before it had a state) and the end, and then flushes the buffer.
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

    /// Writes what is in the buffer to the output.
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

    /// Writes the buffer to the output if it is a tenth of a second old. This is for idle times;
    /// otherwise the next line would write it too.
    ///
    /// # Errors
    ///
    /// Errors of the output.
    pub fn flush_if_due(&mut self) -> io::Result<()> {
        let is_due = self.prompt || self.flushed.elapsed() >= FLUSH_EVERY;
        if is_due { self.flush() } else { Ok(()) }
    }

    /// Writes a whole line from a typed event. No RawValue in the event may contain a newline.
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
        // The event's own braces are replaced by those of the line.
        self.buffer[fields] = b',';
        self.buffer.pop();
        self.end_line(time)
    }

    fn begin(&mut self, kind: &str) {
        debug_assert!(kind.bytes().all(|byte| byte.is_ascii_lowercase()));
        self.line = self.buffer.len();
        self.buffer.extend_from_slice(br#"{"type":""#);
        self.buffer.extend_from_slice(kind.as_bytes());
        self.buffer.push(b'"');
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) {
        self.name(name);
        append(&mut self.buffer, value);
    }

    fn raw_field(&mut self, name: &str, json: &str) {
        debug_assert!(!json.contains('\n'), "a newline inside a line: {json}");
        self.name(name);
        self.buffer.extend_from_slice(json.as_bytes());
    }

    fn name(&mut self, name: &str) {
        self.buffer.extend_from_slice(b",\"");
        self.buffer.extend_from_slice(name.as_bytes());
        self.buffer.extend_from_slice(b"\":");
    }

    fn seen(&mut self, game_event: &GameEvent) {
        if !game_event.seen.is_empty() {
            self.name("seen");
            append_seen(&mut self.buffer, &game_event.seen, &self.seats);
        }
    }

    /// Adds the hash over the line so far.
    fn chain_line(&mut self) {
        let link = self.chain.extend(&self.buffer[self.line..]);
        self.buffer.extend_from_slice(br#","chain":""#);
        self.buffer.extend_from_slice(link.as_str().as_bytes());
        self.buffer.push(b'"');
    }

    fn end_line<T: Serialize>(&mut self, time: Option<&T>) -> io::Result<()> {
        self.chain_line();
        if let Some(time) = time {
            self.field("time", time);
        }
        self.finish_line()
    }

    fn finish_line(&mut self) -> io::Result<()> {
        self.buffer.extend_from_slice(b"}\n");
        let is_urgent = self.failed || self.buffer.len() >= FLUSH_BYTES;
        if is_urgent || self.credit.take(Instant::now()) {
            self.flush()
        } else {
            self.flush_if_due()
        }
    }
}

/// The number of lines that may still be written immediately.
#[derive(Clone, Copy, Debug)]
struct Credit {
    left: u32,
    /// The time up to which credit was given.
    given: Instant,
}

impl Credit {
    fn new(now: Instant) -> Credit {
        Credit { left: MOST_CREDIT, given: now }
    }

    /// Takes one, if there is any.
    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.given);
        let earned = passed.as_millis() / FLUSH_EVERY.as_millis();
        match u32::try_from(earned) {
            Ok(earned) if earned < MOST_CREDIT - self.left => {
                self.left += earned;
                self.given += FLUSH_EVERY * earned;
            }
            // Time beyond full credit earns nothing.
            _ => *self = Credit::new(now),
        }
        let is_left = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_left
    }
}

impl<W: Write> Drop for ReplayWriter<W> {
    fn drop(&mut self) {
        // An error cannot be reported from here. A truncated replay is recognized by its missing
        // `end` line.
        let _ = self.flush();
    }
}

/// Appends what the seats saw from which something was hidden, as the object of `seen`. `seats` are
/// [`quoted`].
pub(crate) fn append_seen(into: &mut Vec<u8>, seen: &[(Seat, Value)], seats: &[String]) {
    let mut separator = b'{';
    for (seat, value) in seen {
        into.push(separator);
        into.extend_from_slice(seats[seat.index()].as_bytes());
        into.push(b':');
        append(into, value);
        separator = b',';
    }
    into.push(b'}');
}

/// Returns a text as JSON.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Appends the time of an answer: the same bytes as [`append`], which takes several times as long.
fn append_time(into: &mut Vec<u8>, time: &MoveTime) {
    let MoveTime { wall_us, cpu_us, bank_ms, excused_us } = *time;
    into.extend_from_slice(br#"{"wall_us":"#);
    append(into, &wall_us);
    for (name, value) in [("cpu_us", cpu_us), ("bank_ms", bank_ms), ("excused_us", excused_us)] {
        if let Some(value) = value {
            into.extend_from_slice(b",\"");
            into.extend_from_slice(name.as_bytes());
            into.extend_from_slice(b"\":");
            append(into, &value);
        }
    }
    into.push(b'}');
}

fn append<T: Serialize + ?Sized>(into: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(into, value).expect("events are plain data with string keys");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::MoveEvent;
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    /// A value of an optional field.
    fn amount() -> impl Strategy<Value = Option<u64>> {
        prop_oneof![Just(None), any::<u64>().prop_map(Some), (0..2000_u64).prop_map(Some)]
    }

    fn json(text: String) -> Box<RawValue> {
        RawValue::from_string(quoted(&text)).expect("it is JSON")
    }

    proptest! {
        /// A line of a move is the same, byte for byte, as one that serde_json writes.
        #[test]
        fn a_move_is_written_as_serde_json_writes_it(
            seats in proptest::collection::vec(any::<String>(), 2),
            turn in any::<u32>(),
            action in any::<String>(),
            seen in proptest::option::of(any::<String>()),
            info in proptest::option::of(any::<String>()),
            by in prop_oneof![
                Just(None),
                Just(Some(PlayedBy::Referee)),
                Just(Some(PlayedBy::Record)),
            ],
            times in proptest::option::of((any::<u64>(), amount(), amount(), amount())),
        ) {
            let time = times.map(|(wall_us, cpu_us, bank_ms, excused_us)| MoveTime {
                wall_us, cpu_us, bank_ms, excused_us,
            });
            let seat = Seat::new(turn as usize % 2);
            let writer = || ReplayWriter {
                out: io::sink(),
                buffer: Vec::new(),
                line: 0,
                chain: Chain::default(),
                seats: seats.iter().map(|seat| quoted(seat)).collect(),
                flushed: Instant::now() + Duration::from_secs(60),
                credit: Credit { left: 0, given: Instant::now() },
                failed: false,
                log_bytes: 0,
                prompt: false,
            };
            let (mut fast, mut slow) = (writer(), writer());
            let other = Seat::new(1 - seat.index());
            let event = MoveEvent {
                turn,
                seat: seats[seat.index()].clone(),
                action: json(action),
                seen: seen.as_ref().map(|seen| {
                    let object = serde_json::json!({ &seats[other.index()]: seen });
                    RawValue::from_string(object.to_string()).expect("it is JSON")
                }),
                info: info.map(json),
                by,
            };
            let played = GameEvent {
                full: event.action.get().to_string(),
                seen: seen.iter().map(|seen| (other, Value::from(seen.as_str()))).collect(),
            };
            let info = event.info.as_ref().map(|info| info.get());
            fast.write_move(turn, seat, &played, info, by, time).expect("memory does not fail");
            slow.write_event("move", &event, time.as_ref()).expect("memory does not fail");
            let text = String::from_utf8_lossy(&slow.buffer).into_owned();
            prop_assert_eq!(String::from_utf8_lossy(&fast.buffer), &text[..]);
            prop_assert!(text.ends_with("}\n"), "{}", text);
        }
    }

    #[test]
    fn credit_is_spent_at_once_and_returns_with_time() {
        let begin = Instant::now();
        let mut credit = Credit::new(begin);
        let taken = |credit: &mut Credit, at: Duration| {
            (0..100).filter(|_| credit.take(begin + at)).count()
        };
        let tenths = |count: u32| FLUSH_EVERY * count;
        assert_eq!(taken(&mut credit, Duration::ZERO), MOST_CREDIT as usize);
        assert_eq!(taken(&mut credit, tenths(1) - Duration::from_millis(1)), 0);
        assert_eq!(taken(&mut credit, tenths(1)), 1);
        // Parts of a tenth add up.
        assert_eq!(taken(&mut credit, tenths(2) + FLUSH_EVERY / 2), 1);
        assert_eq!(taken(&mut credit, tenths(3)), 1);
        assert_eq!(taken(&mut credit, tenths(8)), 5);
        assert_eq!(taken(&mut credit, tenths(1_000)), MOST_CREDIT as usize);
        assert_eq!(taken(&mut credit, tenths(1_000)), 0);
        // A line every tenth of a second is always written at once.
        assert!((1_001..2_000).all(|tenth| credit.take(begin + tenths(tenth))));
    }
}
