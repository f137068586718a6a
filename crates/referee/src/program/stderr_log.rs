//! The standard error of a bot: its first and its last 32 KiB, however much it was. The poll loop
//! reads the pipe; this keeps the bytes.

use std::collections::VecDeque;

/// How many bytes are kept of the beginning, and how many of the end.
pub const KEPT_BYTES: usize = 32 * 1024;

/// The beginning and the end of a stream of bytes.
#[derive(Clone, Debug, Default)]
pub struct StderrLog {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl StderrLog {
    /// Appends `bytes`.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT_BYTES - self.head.len()));
        self.head.extend_from_slice(head);
        // Of a piece that is longer than the tail, only its end can be kept.
        let rest = &rest[rest.len().saturating_sub(KEPT_BYTES)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(KEPT_BYTES);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    /// Returns how many bytes were written in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Discards everything.
    pub fn clear(&mut self) {
        self.head.clear();
        self.tail.clear();
        self.total = 0;
    }

    /// Returns the kept bytes as text, in which bytes that are not UTF-8 become U+FFFD. Where bytes
    /// were left out, a line says `[truncated: N bytes left out]`. The text is not made printable:
    /// see [`botyard_protocol::printable`].
    pub fn text(&self) -> String {
        let kept = self.head.len() + self.tail.len();
        let mut bytes = Vec::with_capacity(kept + 64);
        bytes.extend_from_slice(&self.head);
        let left_out = self.total - kept as u64;
        if left_out > 0 {
            let note = format!("\n[truncated: {left_out} bytes left out]\n");
            bytes.extend_from_slice(note.as_bytes());
        }
        bytes.extend(&self.tail);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(total: usize, piece: usize) -> (Vec<u8>, StderrLog) {
        let bytes: Vec<u8> = (0..total).map(|i| b'a' + (i % 23) as u8).collect();
        let mut log = StderrLog::default();
        for piece in bytes.chunks(piece) {
            log.push(piece);
        }
        (bytes, log)
    }

    #[test]
    fn the_first_and_last_bytes_stay_however_they_come() {
        for piece in [1, 7, 4096, 50_000, 1_000_000] {
            for total in [0, 1, KEPT_BYTES, 2 * KEPT_BYTES, 2 * KEPT_BYTES + 1, 1_000_000] {
                let (bytes, log) = counted(total, piece);
                let text = log.text();
                assert_eq!(log.total(), total as u64);
                if total <= 2 * KEPT_BYTES {
                    assert_eq!(text.as_bytes(), bytes, "{total} bytes in pieces of {piece}");
                    continue;
                }
                let left_out = total - 2 * KEPT_BYTES;
                let note = format!("\n[truncated: {left_out} bytes left out]\n");
                assert!(text.as_bytes().starts_with(&bytes[..KEPT_BYTES]));
                assert!(text.as_bytes().ends_with(&bytes[total - KEPT_BYTES..]));
                assert_eq!(text.len(), 2 * KEPT_BYTES + note.len());
                assert_eq!(&text[KEPT_BYTES..][..note.len()], note);
            }
        }
    }
}
