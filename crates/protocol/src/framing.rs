//! Line framing. A [`LineBuffer`] collects the bytes that a poll loop reads and returns each
//! complete line, borrowed from the buffer. It does no I/O and no JSON. Its memory is bounded by
//! the line limit plus one read, whatever the other side sends.

use memchr::memchr;

/// The minimum size of a read in bytes. A pipe holds 64 KiB; most lines are below 4.
const READ_BYTES: usize = 8 * 1024;

/// The framing error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A line exceeded the limit before its newline.
    #[error(
        "expected a line of at most {limit} bytes, got {pending} bytes without a newline; \
         a message is one JSON object on one line"
    )]
    LineTooLong {
        /// The maximum length of a line in bytes, without its newline.
        limit: usize,
        /// The number of bytes of the line received when it was rejected.
        pending: usize,
    },
}

/// Collects bytes and returns lines.
///
/// `\n` ends a line; a `\r` just before it is part of the line ending. The loop is *read into
/// [`space`](LineBuffer::space), call [`filled`](LineBuffer::filled), take lines until
/// [`next_line`](LineBuffer::next_line) returns none*:
///
/// ```
/// use botyard_protocol::LineBuffer;
/// use std::io::Read;
///
/// let mut pipe: &[u8] = b"{\"type\":\"ready\"}\n{\"type\":\"mo";
/// let mut lines = LineBuffer::new(64 * 1024);
/// let read = pipe.read(lines.space()).unwrap();
/// lines.filled(read);
/// assert!(lines.has_line());
/// assert_eq!(lines.next_line().unwrap(), Some(&br#"{"type":"ready"}"#[..]));
/// assert!(!lines.has_line());
/// assert_eq!(lines.next_line().unwrap(), None);
/// assert_eq!(lines.pending(), br#"{"type":"mo"#);
/// ```
#[derive(Clone, Debug)]
pub struct LineBuffer {
    /// The storage, fully initialised; only `start..end` is meaningful.
    bytes: Vec<u8>,
    /// The first byte that was not returned yet.
    start: usize,
    /// No newline is in `start..scanned`, so no byte is scanned twice.
    scanned: usize,
    /// The end of the bytes read.
    end: usize,
    limit: usize,
    failed: Option<FrameError>,
}

impl LineBuffer {
    /// Returns an empty buffer for lines of at most `limit` bytes, without their newlines.
    pub fn new(limit: usize) -> LineBuffer {
        LineBuffer { bytes: vec![0; READ_BYTES], start: 0, scanned: 0, end: 0, limit, failed: None }
    }

    /// Returns the space for the next read: never empty, if all lines of earlier reads were taken
    /// until [`LineBuffer::next_line`] returned none.
    pub fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            self.start = 0;
            self.scanned = 0;
            self.end = 0;
        }
        if self.bytes.len() - self.end < READ_BYTES {
            // An unfinished line moves to the front once: until it ends, `start` stays 0.
            self.bytes.copy_within(self.start..self.end, 0);
            self.scanned -= self.start;
            self.end -= self.start;
            self.start = 0;
            // An unfinished line may be one byte over the limit: a `\r` before its `\n`.
            let most = self.limit.saturating_add(1 + READ_BYTES);
            let wanted = (self.end + READ_BYTES).next_power_of_two().min(most);
            if wanted > self.bytes.len() {
                self.bytes.resize(wanted, 0);
            }
        }
        &mut self.bytes[self.end..]
    }

    /// Marks the first `count` bytes of [`LineBuffer::space`] as filled by a read.
    ///
    /// # Panics
    ///
    /// Panics if `count` exceeds the length of the space.
    pub fn filled(&mut self, count: usize) {
        assert!(count <= self.bytes.len() - self.end, "a read fills no more than its space");
        if self.failed.is_none() {
            self.end += count;
        }
    }

    /// Returns the next complete line without its line ending; `None` until more bytes come.
    ///
    /// # Errors
    ///
    /// Fails for a line over the limit as soon as that many bytes were received. The error is
    /// permanent: the start of the next line is unknown, and later bytes are discarded.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, FrameError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let Some(found) = memchr(b'\n', &self.bytes[self.scanned..self.end]) else {
            self.scanned = self.end;
            let pending = self.pending();
            let over = pending.len() > self.limit + usize::from(pending.ends_with(b"\r"));
            return if over { Err(self.fail(self.end - self.start)) } else { Ok(None) };
        };
        let newline = self.scanned + found;
        let line = &self.bytes[self.start..newline];
        let length = line.strip_suffix(b"\r").unwrap_or(line).len();
        if length > self.limit {
            return Err(self.fail(length));
        }
        let line = self.start..self.start + length;
        self.start = newline + 1;
        self.scanned = self.start;
        Ok(Some(&self.bytes[line]))
    }

    /// Returns whether [`LineBuffer::next_line`] has another line without a further read.
    pub fn has_line(&self) -> bool {
        self.failed.is_none() && memchr(b'\n', &self.bytes[self.scanned..self.end]).is_some()
    }

    /// Returns the received part of an unfinished line.
    pub fn pending(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    fn fail(&mut self, pending: usize) -> FrameError {
        let error = FrameError::LineTooLong { limit: self.limit, pending };
        self.failed = Some(error);
        error
    }
}
