//! The wire between the referee and a bot as text: each line with the stream it belongs to and the
//! bot's name. `docs/protocol.md` has the same marks.

use crate::short_json::short_json;
use botyard_protocol::{excerpt, printable};

/// How many characters of a line are shown, unless all are asked for.
pub const SHOWN_CHARACTERS: usize = 400;

/// A standard stream of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Lines from the referee to the bot.
    Stdin,
    /// Lines from the bot to the referee.
    Stdout,
    /// What the bot writes to standard error.
    Stderr,
}

impl Stream {
    /// Returns the mark in front of its lines.
    pub fn mark(self) -> char {
        match self {
            Stream::Stdin => '>',
            Stream::Stdout => '<',
            Stream::Stderr => '!',
        }
    }
}

/// Formats a line that passed between the referee and a bot, `> anna: {"type":"quit"}`. Everything
/// unprintable is escaped. Unless `full` is set, a line of more than [`SHOWN_CHARACTERS`] is shortened
/// and ends in `(N bytes)`: long arrays, objects and strings of a message end in the number of what is
/// left out, and what is not JSON is cut.
///
/// ```
/// use botyard_replay::{Stream, wire_line};
///
/// assert_eq!(wire_line(Stream::Stdout, "anna", b"{\"a\":\x1b}", false), r#"< anna: {"a":\u{1b}}"#);
/// assert!(wire_line(Stream::Stdin, "anna", &[b'x'; 500], false).ends_with("x... (500 bytes)"));
/// let legal = format!(r#"{{"type":"turn","legal":[{}0]}}"#, "0,".repeat(500));
/// let short = r#"> anna: {"type":"turn","legal":[0,0,0,0,0,0,0,0,... 493 more]} (1027 bytes)"#;
/// assert_eq!(wire_line(Stream::Stdin, "anna", legal.as_bytes(), false), short);
/// ```
pub fn wire_line(stream: Stream, bot: &str, line: &[u8], full: bool) -> String {
    let characters = if full { usize::MAX } else { SHOWN_CHARACTERS };
    let is_long = || excerpt(line, usize::MAX).chars().count() > characters;
    let short = std::str::from_utf8(line).ok().filter(|text| text.len() > characters && is_long());
    let shown = match short.and_then(|text| short_json(text, characters)) {
        Some(short) => format!("{} ({} bytes)", excerpt(short.as_bytes(), usize::MAX), line.len()),
        None => excerpt(line, characters),
    };
    format!("{} {}: {shown}", stream.mark(), printable(bot, 60))
}
