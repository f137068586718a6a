//! A line of text to an engine and back: the pipes of a child process, or a TCP connection. A thread
//! reads, so that waiting has a limit.

use crate::engine::{EngineError, Name};
use botyard_agent::program::say;
use botyard_protocol::excerpt;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line of an engine, in bytes.
const LONGEST: u64 = 1 << 16;

/// The number of lines that may wait to be read; then the engine waits.
const WAITING: usize = 1024;

/// The longest part of a line in a message, in characters.
const EXCERPT: usize = 200;

/// How long the exit code of an engine that closed its output is waited for.
const EXITING: Duration = Duration::from_millis(500);

/// How a message ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// With a newline; a carriage return before it is ignored.
    Newline,
    /// With a zero byte.
    Zero,
}

impl Terminator {
    const fn byte(self) -> u8 {
        match self {
            Terminator::Newline => b'\n',
            Terminator::Zero => 0,
        }
    }

    /// Returns a message as text. The fields of a message that ends with a zero have places in bytes, whatever their
    /// encoding: each byte becomes one character.
    fn text(self, message: &[u8]) -> String {
        match self {
            Terminator::Newline => String::from_utf8_lossy(message).into_owned(),
            Terminator::Zero => message.iter().copied().map(char::from).collect(),
        }
    }
}

/// A connection to an engine.
pub struct Link {
    name: Name,
    writer: Option<Box<dyn Write + Send>>,
    lines: Receiver<String>,
    child: Option<Child>,
    terminator: Terminator,
    is_traced: bool,
    last: Option<String>,
}

impl Link {
    /// Starts an engine as a child process. Its standard error is that of this process.
    ///
    /// # Errors
    ///
    /// [`EngineError::Start`].
    pub fn start(command: &[OsString], is_traced: bool) -> Result<Link, EngineError> {
        let name = Name::of_command(command);
        let failed = |error| EngineError::Start { name: name.clone(), error };
        let (program, args) = command
            .split_first()
            .ok_or_else(|| failed(io::Error::new(io::ErrorKind::NotFound, "no command")))?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (writer, reader) = (child.stdin.take(), child.stdout.take());
        let (Some(writer), Some(reader)) = (writer, reader) else {
            return Err(failed(io::Error::other("it has no pipes")));
        };
        let terminator = Terminator::Newline;
        Ok(Link {
            name,
            writer: Some(Box::new(writer)),
            lines: read_on_a_thread(reader, terminator),
            child: Some(child),
            terminator,
            is_traced,
            last: None,
        })
    }

    /// Uses a connection whose messages end with a zero byte.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn over(stream: TcpStream, name: Name, is_traced: bool) -> io::Result<Link> {
        // Each message is a packet of its own: the other side waits for it.
        stream.set_nodelay(true)?;
        let reader = stream.try_clone()?;
        let terminator = Terminator::Zero;
        Ok(Link {
            name,
            writer: Some(Box::new(stream)),
            lines: read_on_a_thread(reader, terminator),
            child: None,
            terminator,
            is_traced,
            last: None,
        })
    }

    /// Returns who the engine is.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Sends a line, in one write.
    ///
    /// # Errors
    ///
    /// The engine has ended.
    pub fn send(&mut self, line: &str) -> Result<(), EngineError> {
        if self.is_traced {
            say(&format!("bridge> {line}"));
        }
        let mut bytes = line.as_bytes().to_vec();
        bytes.push(self.terminator.byte());
        let sent = match &mut self.writer {
            Some(writer) => writer.write_all(&bytes).and_then(|()| writer.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        match sent {
            Ok(()) => Ok(()),
            Err(_) => {
                // What it wrote last may say why it ended.
                let until = Instant::now() + EXITING;
                while let Ok(line) = self.before(until) {
                    self.heard(&line);
                }
                Err(self.ended(&format!("that it reads `{line}`")))
            }
        }
    }

    /// Returns the next line; `None` if there is none before `until`, or `until` has passed.
    ///
    /// # Errors
    ///
    /// The engine has ended instead of writing what was expected.
    pub fn receive(
        &mut self,
        expected: &str,
        until: Option<Instant>,
    ) -> Result<Option<String>, EngineError> {
        let received = match until {
            Some(until) => self.before(until),
            None => self.lines.recv().map_err(RecvTimeoutError::from),
        };
        match received {
            Ok(line) => {
                self.heard(&line);
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended(expected)),
        }
    }

    /// Returns the next line, or fails if there is none before `until`. `begun` is when the engine was
    /// asked.
    ///
    /// # Errors
    ///
    /// The engine has ended or is silent.
    pub fn require(
        &mut self,
        expected: &str,
        begun: Instant,
        until: Option<Instant>,
    ) -> Result<String, EngineError> {
        match self.receive(expected, until)? {
            Some(line) => Ok(line),
            None => Err(EngineError::Silent {
                name: self.name.clone(),
                expected: expected.into(),
                millis: begun.elapsed().as_millis(),
                last: self.last.clone(),
            }),
        }
    }

    /// Prints the lines that wait and were not asked for to standard error. An engine that prints
    /// without pause does not keep this from its end.
    pub(crate) fn print_unasked(&mut self) {
        for _ in 0..WAITING {
            let Ok(line) = self.lines.try_recv() else { return };
            self.heard(&line);
            self.chatter(&line);
        }
    }

    /// Prints a line that is not of the protocol to standard error.
    pub fn chatter(&self, line: &str) {
        if !self.is_traced && !line.trim().is_empty() {
            say(&format!("engine: {}", excerpt(line.as_bytes(), EXCERPT)));
        }
    }

    /// Returns the error of an answer that is none.
    pub fn unexpected(&self, expected: &str, got: &str) -> EngineError {
        EngineError::Unexpected {
            name: self.name.clone(),
            expected: expected.into(),
            got: excerpt(got.as_bytes(), EXCERPT),
        }
    }

    /// Closes the engine's input and waits for its exit until then; then kills it.
    pub fn close(&mut self, until: Instant) {
        self.writer = None;
        let Some(child) = &mut self.child else { return };
        if exit_status(child, until).is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        self.child = None;
    }

    /// Returns the next line. The clock is checked first: a line always waits to be read if the
    /// engine prints without pause.
    fn before(&self, until: Instant) -> Result<String, RecvTimeoutError> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(RecvTimeoutError::Timeout);
        }
        self.lines.recv_timeout(left)
    }

    fn heard(&mut self, line: &str) {
        if self.is_traced {
            say(&format!("engine> {}", excerpt(line.as_bytes(), EXCERPT)));
        }
        self.last = Some(excerpt(line.as_bytes(), EXCERPT));
    }

    fn ended(&mut self, expected: &str) -> EngineError {
        let how = match &mut self.child {
            None => "closed the connection".into(),
            Some(child) => match exit_status(child, Instant::now() + EXITING) {
                Some(status) => in_words(status),
                None => "closed its standard output".into(),
            },
        };
        EngineError::Ended {
            name: self.name.clone(),
            expected: expected.into(),
            how,
            last: self.last.clone(),
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close(Instant::now());
    }
}

fn in_words(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exited with code {code}"),
        None => "exited".into(),
    }
}

fn exit_status(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => return None,
        }
    }
}

fn read_on_a_thread(
    reader: impl Read + Send + 'static,
    terminator: Terminator,
) -> Receiver<String> {
    let (sender, lines) = sync_channel(WAITING);
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut reader).take(LONGEST).read_until(terminator.byte(), &mut line);
            // A line that is too long is read in parts, none of which is of the protocol.
            if !matches!(read, Ok(1..)) {
                return;
            }
            if line.last() == Some(&terminator.byte()) {
                line.pop();
            }
            if terminator == Terminator::Newline && line.last() == Some(&b'\r') {
                line.pop();
            }
            if sender.send(terminator.text(&line)).is_err() {
                return;
            }
        }
    });
    lines
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// What was sent to an engine.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Sent(Arc<Mutex<Vec<u8>>>);

    impl Sent {
        /// Returns the lines that were sent.
        pub(crate) fn lines(&self) -> Vec<String> {
            let sent = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            sent.lines().map(String::from).collect()
        }
    }

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns a connection to an engine that has written these lines and then ended.
    pub(crate) fn link(lines: &[&str]) -> (Link, Sent) {
        let (sender, receiver) = sync_channel(WAITING);
        for line in lines {
            sender.send((*line).to_string()).unwrap();
        }
        let sent = Sent::default();
        let link = Link {
            name: Name("engine".into()),
            writer: Some(Box::new(sent.clone())),
            lines: receiver,
            child: None,
            terminator: Terminator::Newline,
            is_traced: false,
            last: None,
        };
        (link, sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_of_a_message_with_a_zero_is_a_character() {
        let bytes: Vec<u8> = (1..=255).collect();
        let lines =
            read_on_a_thread(io::Cursor::new([&bytes[..], b"\0Cok\0"].concat()), Terminator::Zero);
        let line = lines.recv().unwrap();
        assert_eq!(line.chars().map(u32::from).collect::<Vec<_>>(), (1..=255).collect::<Vec<_>>());
        assert_eq!(lines.recv().unwrap(), "Cok");
        assert_eq!(Terminator::Newline.text(b"caf\xe9 \xc3\xa9"), "caf\u{fffd} \u{e9}");
    }

    #[test]
    fn the_time_is_up_for_an_engine_whose_lines_wait() {
        let (mut link, _) = testing::link(&["1", "2"]);
        let now = Instant::now();
        assert_eq!(link.receive("a line", Some(now)).unwrap(), None);
        let error = link.require("`uciok`", now, Some(now)).unwrap_err();
        assert!(matches!(error, EngineError::Silent { .. }), "{error}");
        assert_eq!(link.receive("a line", None).unwrap().as_deref(), Some("1"));
        let soon = now + Duration::from_secs(600);
        assert_eq!(link.receive("a line", Some(soon)).unwrap().as_deref(), Some("2"));
        let error = link.receive("a line", Some(soon)).unwrap_err();
        assert!(error.to_string().contains("its last line was \"2\""), "{error}");
    }
}
