//! A copy of a replay in memory, for a front end that shows the game while it is played.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The lines of a replay so far. Clones share them.
#[derive(Clone, Debug)]
pub struct Recording {
    bytes: Arc<Mutex<Vec<u8>>>,
    grown: Sender<()>,
}

impl Recording {
    /// Makes an empty recording. The receiver has a message if the recording has grown since the
    /// last one was received.
    pub fn new() -> (Recording, Receiver<()>) {
        let (grown, receiver) = bounded(1);
        (Recording { bytes: Arc::default(), grown }, receiver)
    }

    /// Returns a reader from the beginning.
    pub fn reader(&self) -> RecordingReader {
        RecordingReader { recording: self.clone(), at: 0 }
    }

    /// Returns a copy of the lines so far.
    pub fn to_vec(&self) -> Vec<u8> {
        self.lock().clone()
    }

    /// Returns whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, bytes: &[u8]) {
        self.lock().extend_from_slice(bytes);
        // A message that was not received yet stands for this one as well.
        let _ = self.grown.try_send(());
    }
}

/// Reads a recording. At its end, the reader returns no bytes; it may return more later.
#[derive(Debug)]
pub struct RecordingReader {
    recording: Recording,
    at: usize,
}

impl Read for RecordingReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.recording.lock();
        let mut rest = bytes.get(self.at..).unwrap_or_default();
        let read = rest.read(into)?;
        self.at += read;
        Ok(read)
    }
}

/// The output of a replay: a file, a recording, or both.
pub(super) struct Output {
    file: Option<File>,
    recording: Option<Recording>,
}

impl Output {
    pub(super) fn new(file: Option<File>, recording: Option<&Recording>) -> Output {
        Output { file, recording: recording.cloned() }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            file.write_all(bytes)?;
        }
        if let Some(recording) = &self.recording {
            recording.append(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_continues_where_the_recording_grew() {
        let (recording, grown) = Recording::new();
        let mut output = Output::new(None, Some(&recording));
        let mut reader = recording.reader();
        let mut read = || {
            let mut text = String::new();
            reader.read_to_string(&mut text).unwrap();
            text
        };
        assert!(recording.is_empty() && grown.try_recv().is_err());
        for line in ["one\n", "two\n", "three\n"] {
            assert_eq!(read(), "");
            output.write_all(line.as_bytes()).unwrap();
            output.write_all(line.as_bytes()).unwrap();
            assert_eq!((grown.try_recv().is_ok(), grown.try_recv().is_ok()), (true, false));
            assert_eq!(read(), line.repeat(2));
        }
        assert_eq!(recording.to_vec(), b"one\none\ntwo\ntwo\nthree\nthree\n");
    }
}
