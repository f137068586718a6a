//! Bytes from a pipe become lines. A [`LineBuffer`] collects what a poll loop reads and gives out
//! each complete line where it lies; it never reads itself, knows nothing of JSON, and its memory
//! is bounded by the line limit plus one read, whatever the other side sends.

use memchr::memchr;

/// How many bytes a read asks for at least. A pipe holds 64 KiB; most lines are below 4.
const READ_BYTES: usize = 8 * 1024;

/// Why bytes could not be cut into lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A line passed the limit before its newline came.
    #[error(
        "expected a line of at most {limit} bytes, got {pending} bytes without a newline; \
         a message is one JSON object on one line"
    )]
    LineTooLong {
        /// The longest line allowed, in bytes, its newline not counted.
        limit: usize,
        /// How many bytes of the line were there when it was given up.
        pending: usize,
    },
}

/// Collects bytes and yields lines.
///
/// `\n` ends a line; a `\r` just before it belongs to the line's end, not to the line. The loop is
/// *read into [`space`](LineBuffer::space), tell [`filled`](LineBuffer::filled), take lines until
/// [`next_line`](LineBuffer::next_line) has none*:
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
    /// Storage, all of it initialised; only `start..end` means something.
    bytes: Vec<u8>,
    /// The first byte that was not given out yet.
    start: usize,
    /// No newline lies in `start..scanned`, so no byte is looked at twice.
    scanned: usize,
    /// The end of what was read.
    end: usize,
    limit: usize,
    failed: Option<FrameError>,
}

impl LineBuffer {
    /// An empty buffer for lines of at most `limit` bytes, their newlines not counted.
    pub fn new(limit: usize) -> LineBuffer {
        LineBuffer { bytes: vec![0; READ_BYTES], start: 0, scanned: 0, end: 0, limit, failed: None }
    }

    /// Room for the next read: never empty, as long as the lines read before were taken until
    /// [`LineBuffer::next_line`] had none.
    pub fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            self.start = 0;
            self.scanned = 0;
            self.end = 0;
        }
        if self.bytes.len() - self.end < READ_BYTES {
            // An unfinished line moves to the front once: while it goes on, `start` stays 0.
            self.bytes.copy_within(self.start..self.end, 0);
            self.scanned -= self.start;
            self.end -= self.start;
            self.start = 0;
            // The unfinished line may be one byte over the limit: a `\r` whose `\n` is to come.
            let most = self.limit.saturating_add(1 + READ_BYTES);
            let wanted = (self.end + READ_BYTES).next_power_of_two().min(most);
            if wanted > self.bytes.len() {
                self.bytes.resize(wanted, 0);
            }
        }
        &mut self.bytes[self.end..]
    }

    /// Tells that the first `count` bytes of [`LineBuffer::space`] were filled by a read.
    ///
    /// # Panics
    ///
    /// If `count` is more than there was space for.
    pub fn filled(&mut self, count: usize) {
        assert!(count <= self.bytes.len() - self.end, "a read fills no more than its space");
        if self.failed.is_none() {
            self.end += count;
        }
    }

    /// The next complete line without its end; `None` until more bytes come.
    ///
    /// # Errors
    ///
    /// A line over the limit, as soon as that many bytes are there. The error stays: where the
    /// next line would begin is unknown, and what is read from then on is thrown away.
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

    /// Whether [`LineBuffer::next_line`] has another line without a further read.
    pub fn has_line(&self) -> bool {
        self.failed.is_none() && memchr(b'\n', &self.bytes[self.scanned..self.end]).is_some()
    }

    /// What is there of a line whose newline has not come.
    pub fn pending(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    fn fail(&mut self, pending: usize) -> FrameError {
        let error = FrameError::LineTooLong { limit: self.limit, pending };
        self.failed = Some(error);
        error
    }
}
