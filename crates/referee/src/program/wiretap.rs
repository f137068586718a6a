//! The tap on a bot's standard streams: every line that passes between the referee and the bot, and
//! the bot's standard error, as they pass. A bot without a tap costs nothing more than the check
//! whether it has one.

use botyard_replay::Stream;
use std::fmt;
use std::sync::Arc;

/// A function of the bot's name, the stream, and a line.
type Receiver = dyn Fn(&str, Stream, &[u8]) + Send + Sync;

/// Receives the lines of bots, on the threads that play their games. It must not block.
#[derive(Clone)]
pub struct Wiretap(Arc<Receiver>);

impl Wiretap {
    /// Makes a tap of a function of the bot's name, the stream, and a line without its newline.
    /// Lines are not made printable.
    pub fn new(hear: impl Fn(&str, Stream, &[u8]) + Send + Sync + 'static) -> Wiretap {
        Wiretap(Arc::new(hear))
    }

    /// Returns the tap on one bot.
    pub(crate) fn on(&self, bot: &str) -> BotTap {
        BotTap { tap: self.clone(), bot: bot.to_string(), sent: 0, stderr: Vec::new() }
    }
}

impl fmt::Debug for Wiretap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Wiretap")
    }
}

/// The tap on one bot.
#[derive(Debug)]
pub(crate) struct BotTap {
    tap: Wiretap,
    bot: String,
    /// How many bytes of the outbox were passed on: whole lines.
    sent: usize,
    /// The beginning of a line of standard error.
    stderr: Vec<u8>,
}

impl BotTap {
    /// Passes on the lines that are complete in `written`, the part of the outbox that was written,
    /// and new.
    pub(crate) fn stdin(&mut self, written: &[u8]) {
        for line in written[self.sent..].split_inclusive(|&byte| byte == b'\n') {
            let Some(text) = line.strip_suffix(b"\n") else { break };
            self.pass(Stream::Stdin, text);
            self.sent += line.len();
        }
    }

    /// Notes that the outbox was emptied.
    pub(crate) fn emptied(&mut self) {
        self.sent = 0;
    }

    /// Passes on a line of the bot.
    pub(crate) fn stdout(&self, line: &[u8]) {
        self.pass(Stream::Stdout, line);
    }

    /// Passes on the lines that `bytes` completes.
    pub(crate) fn stderr(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.stderr.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.stderr.pop();
                self.pass(Stream::Stderr, &self.stderr);
                self.stderr.clear();
            }
        }
    }

    fn pass(&self, stream: Stream, line: &[u8]) {
        (self.tap.0)(&self.bot, stream, line);
    }
}

impl Drop for BotTap {
    fn drop(&mut self) {
        if !self.stderr.is_empty() {
            self.pass(Stream::Stderr, &self.stderr);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_line_passes_once_whatever_its_pieces() {
        let heard = Arc::new(Mutex::new(String::new()));
        let hears = heard.clone();
        let tap = Wiretap::new(move |bot, stream, line| {
            let line = String::from_utf8_lossy(line);
            hears.lock().unwrap().push_str(&format!("{bot} {} {line}\n", stream.mark()));
        });
        let mut tap = tap.on("anna");
        tap.stdin(b"one\ntw");
        tap.stdin(b"one\ntwo\nthree\n");
        tap.emptied();
        tap.stdin(b"four\n");
        tap.stdout(b"five");
        for piece in [&b"si"[..], b"x\nse", b"", b"ven\neight\nni"] {
            tap.stderr(piece);
        }
        drop(tap);
        let expected = "anna > one\nanna > two\nanna > three\nanna > four\nanna < five\n\
                        anna ! six\nanna ! seven\nanna ! eight\nanna ! ni\n";
        assert_eq!(*heard.lock().unwrap(), expected);
    }
}
