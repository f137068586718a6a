//! Reading a replay line by line, plain or compressed. The reader checks the chain of hashes, so
//! the lines it yields are as they were written. Whether the *game* is sound is checked by
//! [`crate::verify()`].

use crate::archive::{self, ArchiveError};
use crate::chain::Chain;
use crate::event::{EndTime, Event, FORMAT, Header, MoveTime};
use botyard_protocol::excerpt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The maximum length of a line, in bytes. The longest parts, a bot's `info` and log lines, are
/// limited to far less when they are written.
pub const MAX_LINE_BYTES: usize = 8 * 1024 * 1024;

/// What editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The maximum length of an excerpt of a line in an error, in characters.
const SHOWN: usize = 80;

/// The reason why a replay cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read the replay: {0}")]
    Io(#[from] io::Error),
    /// It is compressed, and corrupt or too large.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// It is not a replay.
    #[error("this is not a replay: expected a first line {{\"type\":\"header\",...}}, but {found}")]
    NotAReplay {
        /// How the file begins.
        found: String,
    },
    /// It has a newer format than this program reads.
    #[error(
        "this replay has format {format} and was written by a later version of Botyard; this one \
         reads format {FORMAT}"
    )]
    LaterVersion {
        /// The version of its format.
        format: u32,
    },
    /// A line that cannot be parsed.
    #[error("line {line} is not a line of a replay: {message}")]
    Malformed {
        /// The number of the line, from 1.
        line: u64,
        /// What was expected and what was found.
        message: String,
    },
    /// A line was changed, or a line before it was changed, removed, inserted or moved.
    #[error(
        "line {line} was changed, or a line is missing before it: expected the chain {expected}, \
         got {found}"
    )]
    Chain {
        /// The number of the line, from 1.
        line: u64,
        /// The chain computed from the lines so far.
        expected: String,
        /// The chain in the line.
        found: String,
    },
    /// A line that is too long.
    #[error("line {line} is longer than {MAX_LINE_BYTES} bytes, the limit for a replay")]
    LineTooLong {
        /// The number of the line, from 1.
        line: u64,
    },
    /// There is no `end` line: the game was interrupted, or the file was truncated.
    #[error(
        "the replay is cut off after line {line}: there is no \"end\" line, so the game was \
         interrupted, is still being played, or the file is incomplete"
    )]
    Truncated {
        /// The number of the last complete line.
        line: u64,
    },
    /// A line follows the `end` line.
    #[error("line {line} comes after the \"end\" line")]
    AfterEnd {
        /// The number of the line, from 1.
        line: u64,
    },
}

/// A line of a replay.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of the line in the file, from 1.
    pub number: u64,
    /// The contents of the line.
    pub event: Event,
}

/// A reader of one replay: reads the header first, and then is an iterator over the other lines.
/// The iterator ends after the `end` line or the first error.
///
/// A truncated replay yields all its complete lines first, then [`ReadError::Truncated`].
#[derive(Debug)]
pub struct ReplayReader<R> {
    lines: ChainedLines<R>,
    header: Header,
    ended: bool,
    done: bool,
}

impl ReplayReader<Box<dyn BufRead>> {
    /// Opens a replay file, plain or compressed with gzip (recognized by its first bytes), and
    /// reads its header. If the file does not exist, but a compressed one in its place does
    /// ([`compressed_path`](crate::compressed_path)), that is opened.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not a replay, or has a newer format.
    pub fn open(path: &Path) -> Result<ReplayReader<Box<dyn BufRead>>, ReadError> {
        ReplayReader::new(archive::open(path)?)
    }
}

impl<'a> ReplayReader<Box<dyn BufRead + 'a>> {
    /// Begins to read a replay in memory, plain or compressed: reads its header.
    ///
    /// # Errors
    ///
    /// Those of [`ReplayReader::open`].
    pub fn of_bytes(bytes: &'a [u8]) -> Result<ReplayReader<Box<dyn BufRead + 'a>>, ReadError> {
        ReplayReader::new(archive::plain(bytes)?)
    }
}

impl<R: BufRead> ReplayReader<R> {
    /// Begins to read an uncompressed replay: reads its header.
    ///
    /// # Errors
    ///
    /// The input cannot be read, is not a replay, or has a newer format.
    pub fn new(input: R) -> Result<ReplayReader<R>, ReadError> {
        let mut lines = ChainedLines::new(input);
        let header = read_header(&mut lines)?;
        Ok(ReplayReader { lines, header, ended: false, done: false })
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns how many lines were read so far, including the header.
    pub fn lines_read(&self) -> u64 {
        self.lines.number
    }

    /// Returns whether lines so far ended in CRLF, which no version writes: git (`core.autocrlf`) or an editor changed
    /// the file. The chain does not include line ends.
    pub fn has_crlf(&self) -> bool {
        self.lines.has_crlf
    }

    /// Returns the chain of the last line that was read, which identifies the record up to there.
    pub fn last_chain(&self) -> String {
        self.lines.chain.last().map_or(String::new(), |link| link.to_string())
    }

    /// Reads the next line of a replay that is still being written: `None` if the input has no
    /// further complete line so far, and after the `end` line. Later calls read on from there.
    ///
    /// ```
    /// # use botyard_replay::ReplayReader;
    /// # fn followed(file: std::fs::File) -> Result<(), botyard_replay::ReadError> {
    /// let mut reader = ReplayReader::new(std::io::BufReader::new(file))?;
    /// while let Some(line) = reader.next_complete()? {
    ///     println!("{:?}", line.event);
    /// }
    /// // The game is still being played: try again later.
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The input cannot be read, or a line is damaged. The reader must not be used afterwards.
    pub fn next_complete(&mut self) -> Result<Option<Line>, ReadError> {
        if self.ended || !self.lines.read_to_newline()? {
            return Ok(None);
        }
        let line = self.lines.check()?;
        let event = line.event()?;
        let number = line.number;
        self.ended = matches!(event, Event::End(..));
        Ok(Some(Line { number, event }))
    }

    fn read(&mut self) -> Result<Option<Line>, ReadError> {
        let last = self.lines.number;
        match self.lines.next()? {
            None if self.ended => Ok(None),
            None => Err(ReadError::Truncated { line: last }),
            Some(line) if self.ended => Err(ReadError::AfterEnd { line: line.number }),
            Some(line) => {
                let event = line.event()?;
                self.ended = matches!(event, Event::End(..));
                Ok(Some(Line { number: line.number, event }))
            }
        }
    }
}

impl<R: BufRead> Iterator for ReplayReader<R> {
    type Item = Result<Line, ReadError>;

    fn next(&mut self) -> Option<Result<Line, ReadError>> {
        if self.done {
            return None;
        }
        let line = self.read();
        self.done = !matches!(line, Ok(Some(_)));
        line.transpose()
    }
}

fn read_header<R: BufRead>(lines: &mut ChainedLines<R>) -> Result<Header, ReadError> {
    #[derive(Deserialize)]
    struct Beginning {
        format: u32,
    }
    let not_a_replay = |found: String| ReadError::NotAReplay { found };
    let Some(first) = lines.raw_line()? else {
        return Err(not_a_replay("it is empty".to_string()));
    };
    // A line with the type `header` and a format is taken for a replay's. Its format is checked
    // before anything else that could be wrong with it.
    let found = || format!("it begins with {}", excerpt(first.trim_ascii_end(), SHOWN));
    let text = std::str::from_utf8(first).map_err(|_| not_a_replay(found()))?;
    let kind: Kind = serde_json::from_str(text).map_err(|_| not_a_replay(found()))?;
    let Ok(Beginning { format }) = serde_json::from_str(text) else {
        return Err(not_a_replay(found()));
    };
    if kind.kind != "header" || format == 0 {
        return Err(not_a_replay(found()));
    }
    if format > FORMAT {
        return Err(ReadError::LaterVersion { format });
    }
    match lines.check()?.event()? {
        Event::Header(header) => Ok(*header),
        _ => unreachable!("its type was just found to be header"),
    }
}

/// The lines of a file, each checked against the chain.
#[derive(Debug)]
struct ChainedLines<R> {
    input: R,
    /// The line as it is in the file.
    buffer: Vec<u8>,
    number: u64,
    chain: Chain,
    has_crlf: bool,
}

impl<R: BufRead> ChainedLines<R> {
    fn new(input: R) -> ChainedLines<R> {
        ChainedLines {
            input,
            buffer: Vec::new(),
            number: 0,
            chain: Chain::default(),
            has_crlf: false,
        }
    }

    /// Reads and checks the next line; `None` at the end of the file.
    fn next(&mut self) -> Result<Option<ChainedLine<'_>>, ReadError> {
        if self.raw_line()?.is_none() {
            return Ok(None);
        }
        self.check().map(Some)
    }

    /// Reads the bytes of the next line with its newline; `None` at the end of the file.
    fn raw_line(&mut self) -> Result<Option<&[u8]>, ReadError> {
        self.buffer.clear();
        let most = MAX_LINE_BYTES as u64 + 1;
        match self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer) {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            // A truncated gzip file gives this error.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(ReadError::Truncated { line: self.number });
            }
            Err(error) => {
                return Err(match archive::archive_error(&error) {
                    Some(archive) => archive.clone().into(),
                    None => error.into(),
                });
            }
        }
        self.number += 1;
        if self.buffer.len() > MAX_LINE_BYTES {
            return Err(ReadError::LineTooLong { line: self.number });
        }
        if self.number == 1 && self.buffer.starts_with(BYTE_ORDER_MARK) {
            self.buffer.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(&self.buffer))
    }

    /// Reads the rest of a line; returns whether it is complete. If not, its beginning is kept.
    fn read_to_newline(&mut self) -> Result<bool, ReadError> {
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.clear();
        }
        let most = (MAX_LINE_BYTES + 1).saturating_sub(self.buffer.len()) as u64;
        match self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer) {
            Ok(_) => {}
            // What a compressed file lacks does not come later.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(ReadError::Truncated { line: self.number });
            }
            Err(error) => {
                return Err(match archive::archive_error(&error) {
                    Some(archive) => archive.clone().into(),
                    None => error.into(),
                });
            }
        }
        if self.buffer.len() > MAX_LINE_BYTES {
            return Err(ReadError::LineTooLong { line: self.number + 1 });
        }
        let is_complete = self.buffer.last() == Some(&b'\n');
        self.number += u64::from(is_complete);
        Ok(is_complete)
    }

    /// Splits the line that was just read and checks its chain.
    fn check(&mut self) -> Result<ChainedLine<'_>, ReadError> {
        let number = self.number;
        let whole = self.buffer.last() == Some(&b'\n');
        let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let line = line.strip_suffix(b"\r").inspect(|_| self.has_crlf = true).unwrap_or(line);
        let garbage = |message| garbage(number, whole, message);
        let text = std::str::from_utf8(line).map_err(|error| {
            garbage(format!("its byte {} is not UTF-8", error.valid_up_to() + 1))
        })?;
        let Some((body, found, time)) = take_apart(text) else {
            return Err(garbage(format!(
                "it should end in ,\"chain\":\"16 digits\"}} with or without a \"time\", but is {}",
                excerpt(line, SHOWN)
            )));
        };
        let expected = self.chain.extend(body.as_bytes());
        if expected.as_str() != found {
            let (expected, found) = (expected.to_string(), found.to_string());
            return Err(ReadError::Chain { line: number, expected, found });
        }
        Ok(ChainedLine { number, whole, body, time })
    }
}

/// Returns the error of a line that cannot be parsed. A line without its newline is most likely
/// truncated.
fn garbage(line: u64, whole: bool, message: String) -> ReadError {
    if whole {
        ReadError::Malformed { line, message }
    } else {
        ReadError::Truncated { line: line - 1 }
    }
}

/// Splits a line into its body (everything before the comma of `"chain"`), the digits of its chain,
/// and its time. Returns `None` if the line does not end in that form.
fn take_apart(line: &str) -> Option<(&str, &str, Option<&str>)> {
    // Inside a JSON string the quotes would be escaped, so the last match is the line's own,
    // whatever a bot's `info` contains.
    let (body, rest) = line.rsplit_once(r#","chain":""#)?;
    let (digits, rest) = rest.split_once('"')?;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() != 16 || !digits.bytes().all(is_digit) {
        return None;
    }
    match rest {
        "}" => Some((body, digits, None)),
        _ => {
            let time = rest.strip_prefix(r#","time":"#)?.strip_suffix('}')?;
            Some((body, digits, Some(time)))
        }
    }
}

#[derive(Deserialize)]
struct Kind<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

/// A line with a correct chain.
struct ChainedLine<'a> {
    number: u64,
    /// Whether the line ends in a newline.
    whole: bool,
    body: &'a str,
    time: Option<&'a str>,
}

impl ChainedLine<'_> {
    fn event(&self) -> Result<Event, ReadError> {
        let text = format!("{}}}", self.body);
        let kind: Kind = self.parse(&text)?;
        let event = match &*kind.kind {
            "header" => Event::Header(self.parse(&text)?),
            "chance" => Event::Chance(self.parse(&text)?),
            "move" => return Ok(Event::Move(self.parse(&text)?, self.time::<MoveTime>()?)),
            "state" => Event::State(self.parse(&text)?),
            "log" => Event::Log(self.parse(&text)?),
            "fault" => return Ok(Event::Fault(self.parse(&text)?, self.time::<MoveTime>()?)),
            "end" => return Ok(Event::End(self.parse(&text)?, self.time::<EndTime>()?)),
            unknown => {
                return Err(self.garbage(format!(
                    "its type should be header, chance, move, state, log, fault or end, but is {}",
                    excerpt(unknown.as_bytes(), SHOWN)
                )));
            }
        };
        match self.time {
            None => Ok(event),
            Some(_) => Err(self.garbage(format!("a {} has no time", kind.kind))),
        }
    }

    fn time<T: DeserializeOwned>(&self) -> Result<Option<T>, ReadError> {
        self.time.map(|time| self.parse(time)).transpose()
    }

    fn parse<'t, T: Deserialize<'t>>(&self, text: &'t str) -> Result<T, ReadError> {
        serde_json::from_str(text).map_err(|error| self.garbage(error.to_string()))
    }

    fn garbage(&self, message: String) -> ReadError {
        garbage(self.number, self.whole, message)
    }
}
