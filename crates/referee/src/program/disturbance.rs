//! Changes to the lines for a bot that the protocol allows and a careless program does not expect:
//! unknown fields, unknown messages, long lines, and lines that arrive byte by byte. A game with a
//! disturbed bot is played by the same rules as any other.

use crate::program::streams::Input;
use std::time::{Duration, Instant};

/// The field that is added to messages.
const FIELD: &[u8] = br#""unknown_field":{"a":[1,null,"b"],"type":"turn"},"#;

/// The message that precedes others.
const MESSAGE: &[u8] = br#"{"type":"unknown_message","turn":1,"text":"to be ignored"}"#;

/// The beginning of the message that is always the first.
const HELLO: &[u8] = br#"{"type":"hello""#;

/// How long to wait for a bot to read a part of a line. A bot that does not read it gets the rest
/// nevertheless.
const READING: Duration = Duration::from_millis(100);

/// Changes to every line for a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disturbance {
    /// Whether each message has an unknown field.
    pub unknown_fields: bool,
    /// Whether an unknown message precedes each message but `hello`.
    pub unknown_messages: bool,
    /// The number of spaces within each message.
    pub padding: usize,
    /// Whether lines are written byte by byte. Within each line, the referee waits three times
    /// until the bot has read what was written.
    pub byte_by_byte: bool,
}

impl Disturbance {
    /// Changes the lines of `outbox` from the index `from` on. Returns the new length.
    pub(crate) fn apply(self, outbox: &mut Vec<u8>, from: usize) -> usize {
        let Disturbance { unknown_fields, unknown_messages, padding, .. } = self;
        if (unknown_fields || unknown_messages || padding > 0) && from < outbox.len() {
            let lines = outbox.split_off(from);
            for line in lines.split_inclusive(|&byte| byte == b'\n') {
                if unknown_messages && !line.starts_with(HELLO) {
                    outbox.extend_from_slice(MESSAGE);
                    outbox.push(b'\n');
                }
                let Some(rest) = line.strip_prefix(b"{") else {
                    outbox.extend_from_slice(line);
                    continue;
                };
                outbox.push(b'{');
                if unknown_fields {
                    outbox.extend_from_slice(FIELD);
                }
                outbox.resize(outbox.len() + padding, b' ');
                outbox.extend_from_slice(rest);
            }
        }
        outbox.len()
    }

    /// Returns how many of the bytes from the index `sent` on are written at once.
    pub(crate) fn piece(self, outbox: &[u8], sent: usize) -> usize {
        let left = outbox.len() - sent;
        if self.byte_by_byte { left.min(1) } else { left }
    }

    /// Waits for the bot to read its input, if the byte before the index `sent` is one after which
    /// a line is interrupted: its first, its last before the newline, and one in between.
    pub(crate) fn pause(self, input: &Input, outbox: &[u8], sent: usize) {
        if !self.byte_by_byte || sent == 0 {
            return;
        }
        let begin =
            outbox[..sent - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let rest = outbox[sent - 1..].iter().position(|&byte| byte == b'\n');
        let end = rest.map_or(outbox.len(), |rest| sent - 1 + rest);
        let written = sent - begin;
        let length = end - begin;
        if written != 1 && written != length / 2 && written != length {
            return;
        }
        let deadline = Instant::now() + READING;
        while input.has_unread() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disturbed_lines_are_the_same_messages_with_more_around_them() {
        let lines = b"{\"type\":\"hello\",\"protocol\":1}\n{\"type\":\"quit\"}\n";
        let disturbance = Disturbance {
            unknown_fields: true,
            unknown_messages: true,
            padding: 100_000,
            byte_by_byte: false,
        };
        let mut outbox = b"done\n".to_vec();
        outbox.extend_from_slice(lines);
        let length = disturbance.apply(&mut outbox, 5);
        assert_eq!(length, outbox.len());
        let text = String::from_utf8(outbox).unwrap();
        let messages: Vec<serde_json::Value> =
            text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
        let types: Vec<&str> =
            messages.iter().map(|message| message["type"].as_str().unwrap()).collect();
        assert_eq!(types, ["hello", "unknown_message", "quit"]);
        assert_eq!(messages[0]["protocol"], 1);
        assert!(messages[2]["unknown_field"].is_object());
        assert!(text.lines().nth(3).unwrap().len() > 100_000);
        // Lines that were changed are not changed again.
        let mut again = text.clone().into_bytes();
        assert_eq!(disturbance.apply(&mut again, text.len()), text.len());
    }

    #[test]
    fn a_disturbance_by_bytes_writes_one_at_a_time() {
        let disturbance = Disturbance { byte_by_byte: true, ..Disturbance::default() };
        assert_eq!(disturbance.piece(b"{}\n", 1), 1);
        assert_eq!(disturbance.piece(b"{}\n", 3), 0);
        assert_eq!(Disturbance::default().piece(b"{}\n", 1), 2);
    }
}
