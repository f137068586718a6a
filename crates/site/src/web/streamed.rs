//! Replies that are written while they are sent, so that a large file takes no memory. The writer is a thread, which
//! waits for the browser and ends with the connection.

use super::reply::Reply;
use axum::body::Body;
use futures_util::stream;
use std::io::{self, Write};
use std::thread;
use tokio::sync::mpsc::{Sender, channel};

/// The bytes of a part.
const PART: usize = 64 << 10;

/// The parts that wait for the browser.
const WAITING: usize = 4;

/// Returns a reply that has what `write` writes. If it fails, the connection ends before the file does, so that the
/// browser does not take the file for a whole one.
///
/// # Errors
///
/// The system gives no thread.
pub(crate) fn streamed(
    kind: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
) -> io::Result<Reply> {
    let (sender, receiver) = channel(WAITING);
    thread::Builder::new().name("download".into()).spawn(move || {
        let mut parts = Parts { sender, part: Vec::with_capacity(PART) };
        let written = write(&mut parts).and_then(|()| parts.flush());
        if let Err(error) = written {
            // Who is gone hears nothing.
            let _ = parts.sender.blocking_send(Err(error));
        }
    })?;
    let parts = stream::unfold(receiver, |mut receiver| async move {
        let part = receiver.recv().await?;
        Some((part, receiver))
    });
    Ok(Reply::stream(kind, Body::from_stream(parts)))
}

/// A writer of parts.
struct Parts {
    sender: Sender<io::Result<Vec<u8>>>,
    part: Vec<u8>,
}

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PART - self.part.len());
        self.part.extend_from_slice(&bytes[..taken]);
        if self.part.len() == PART {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.part.is_empty() {
            return Ok(());
        }
        let part = std::mem::replace(&mut self.part, Vec::with_capacity(PART));
        self.sender.blocking_send(Ok(part)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
