//! Reading a replay line by line, plain or compressed. The chain of hashes is checked on the way,
//! so whatever a reader yields stands there as it was written; whether the *game* is sound is for
//! [`crate::verify()`] to say.

use crate::archive::{self, ArchiveError};
use crate::chain::Chain;
use crate::event::{EndTime, Event, FORMAT, Header, MoveTime};
use botyard_protocol::excerpt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The longest line that is read, in bytes. A bot's `info` and log lines, the longest parts, are
/// held to far less while they are written.
pub const MAX_LINE_BYTES: usize = 8 * 1024 * 1024;

/// How much of a line an error shows, in characters.
const SHOWN: usize = 80;

/// Why a replay cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read the replay: {0}")]
    Host(#[from] io::Error),
    /// It is compressed, and damaged or larger than any replay.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// It is something else.
    #[error("this is not a replay: expected a first line {{\"type\":\"header\",...}}, but {found}")]
    NotAReplay {
        /// What it begins with.
        found: String,
    },
    /// It is of a version that this program does not know.
    #[error(
        "this replay has format {format} and was written by a later version of Botyard; this one \
         reads format {FORMAT}"
    )]
    LaterVersion {
        /// The version of its format.
        format: u32,
    },
    /// A line that is none of a replay's.
    #[error("line {line} is not a line of a replay: {message}")]
    Garbage {
        /// Its number, from 1.
        line: u64,
        /// What was expected and what stands there.
        message: String,
    },
    /// A line was changed, or one before it was changed, left out, put in or moved.
    #[error(
        "line {line} was changed, or a line is missing before it: expected the chain {expected}, \
         got {found}"
    )]
    Chain {
        /// Its number, from 1.
        line: u64,
        /// What the lines up to here come to.
        expected: String,
        /// What it says.
        found: String,
    },
    /// A line without end.
    #[error("line {line} is longer than {MAX_LINE_BYTES} bytes, the limit for a replay")]
    LineTooLong {
        /// Its number, from 1.
        line: u64,
    },
    /// The end is missing: the game was interrupted, or the file was cut.
    #[error(
        "the replay is cut off after line {line}: there is no \"end\" line, so the game was \
         interrupted, is still being played, or the file is incomplete"
    )]
    Truncated {
        /// The number of the last whole line.
        line: u64,
    },
    /// Something follows the last line.
    #[error("line {line} comes after the \"end\" line")]
    AfterEnd {
        /// Its number, from 1.
        line: u64,
    },
}

/// A line of a replay.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: u64,
    /// What it says.
    pub event: Event,
}

/// Reads one replay: its header at once, then an iterator over the other lines. It ends after the
/// `end` line, or with the first error.
///
/// A replay that was cut off gives all its whole lines first, then [`ReadError::Truncated`].
#[derive(Debug)]
pub struct ReplayReader<R> {
    lines: ChainedLines<R>,
    header: Header,
    ended: bool,
    done: bool,
}

impl ReplayReader<Box<dyn BufRead>> {
    /// Opens a replay file, plain or compressed with gzip (told apart by its first bytes), and reads its
    /// header. Where there is no such file but a compressed one in its place
    /// ([`compressed_path`](crate::compressed_path)), that is opened.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is no replay or of a later version.
    pub fn open(path: &Path) -> Result<ReplayReader<Box<dyn BufRead>>, ReadError> {
        ReplayReader::new(archive::open(path)?)
    }
}

impl<R: BufRead> ReplayReader<R> {
    /// Begins to read a replay that is not compressed: its header.
    ///
    /// # Errors
    ///
    /// Input that cannot be read, is no replay or of a later version.
    pub fn new(input: R) -> Result<ReplayReader<R>, ReadError> {
        let mut lines = ChainedLines::new(input);
        let header = read_header(&mut lines)?;
        Ok(ReplayReader { lines, header, ended: false, done: false })
    }

    /// The first line.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many lines were read so far, the header included.
    pub fn lines_read(&self) -> u64 {
        self.lines.number
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
    // Whatever has a type `header` and a format is meant as a replay; its version comes before
    // everything else that could be wrong with it.
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
    /// The line as it stands in the file.
    buffer: Vec<u8>,
    number: u64,
    chain: Chain,
}

impl<R: BufRead> ChainedLines<R> {
    fn new(input: R) -> ChainedLines<R> {
        ChainedLines { input, buffer: Vec::new(), number: 0, chain: Chain::default() }
    }

    /// The next line, checked; `None` at the end of the file.
    fn next(&mut self) -> Result<Option<ChainedLine<'_>>, ReadError> {
        if self.raw_line()?.is_none() {
            return Ok(None);
        }
        self.check().map(Some)
    }

    /// The next line's bytes, its line break included; `None` at the end of the file.
    fn raw_line(&mut self) -> Result<Option<&[u8]>, ReadError> {
        self.buffer.clear();
        let most = MAX_LINE_BYTES as u64 + 1;
        match self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer) {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            // How a compressed file says that it is cut off.
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
        Ok(Some(&self.buffer))
    }

    /// Takes the line just read apart and checks its chain.
    fn check(&mut self) -> Result<ChainedLine<'_>, ReadError> {
        let number = self.number;
        let whole = self.buffer.last() == Some(&b'\n');
        let line = if whole { &self.buffer[..self.buffer.len() - 1] } else { &self.buffer[..] };
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

/// A line that makes no sense. One without its line break is most likely cut off in the middle.
fn garbage(line: u64, whole: bool, message: String) -> ReadError {
    if whole {
        ReadError::Garbage { line, message }
    } else {
        ReadError::Truncated { line: line - 1 }
    }
}

/// A line's body (all up to the comma before `"chain"`), the digits of its chain, and its time.
/// `None` where the line does not end as every line does.
fn take_apart(line: &str) -> Option<(&str, &str, Option<&str>)> {
    // Inside a string the quotes would have backslashes, so the last of these is the line's own,
    // whatever is in a bot's `info`.
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

/// A line whose chain is sound.
struct ChainedLine<'a> {
    number: u64,
    /// It ends in a line break.
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
