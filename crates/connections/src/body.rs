//! The bodies of requests: the time that they may take, the bytes that they may have, and why one was not received.

use crate::open::{Entry, Stage};
use axum::body::Body;
use axum::http::StatusCode;
use futures_util::StreamExt;
use http_body_util::LengthLimitError;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use std::error::Error;
use std::fmt;
use std::io;
use std::iter::successors;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// Why a body was not received.
#[derive(Debug)]
pub enum BodyError {
    /// It has more bytes than it may have.
    TooLarge,
    /// It, or a part of it, did not arrive in time.
    Slow,
    /// It ended before its end, or is not in the form that it claims to have.
    Broken(String),
    /// The host cannot keep it.
    Host(io::Error),
}

impl BodyError {
    /// Finds out why a body could not be read, from the error of whatever read it.
    pub fn of(error: &(dyn Error + 'static)) -> BodyError {
        let mut text = String::new();
        for cause in successors(Some(error), |&error| error.source()) {
            if cause.is::<LengthLimitError>() {
                return BodyError::TooLarge;
            }
            let host = cause.downcast_ref::<io::Error>();
            if host.is_some_and(|error| error.kind() == io::ErrorKind::TimedOut) {
                return BodyError::Slow;
            }
            text = cause.to_string();
        }
        BodyError::Broken(text)
    }

    /// Returns the status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            BodyError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            BodyError::Slow => StatusCode::REQUEST_TIMEOUT,
            BodyError::Broken(_) => StatusCode::BAD_REQUEST,
            BodyError::Host(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl fmt::Display for BodyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BodyError::TooLarge => formatter.write_str("the request is too large"),
            BodyError::Slow => formatter.write_str("the request did not arrive in time"),
            BodyError::Broken(why) => write!(formatter, "the request arrived damaged: {why}"),
            BodyError::Host(error) => write!(formatter, "the request cannot be kept: {error}"),
        }
    }
}

impl Error for BodyError {}

/// Returns the bytes that a body announces. `None`: it announces none.
pub fn announced(body: &Body) -> Option<u64> {
    HttpBody::size_hint(body).exact()
}

/// Reads a body of this many bytes at most. One that announces more is not read.
///
/// # Errors
///
/// It is larger or too slow, or the connection is lost.
pub async fn read(body: Body, most: usize) -> Result<Vec<u8>, BodyError> {
    let length = announced(&body).unwrap_or_default();
    if length > most as u64 {
        return Err(BodyError::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0).min(1 << 20));
    let keep = |part: &[u8]| {
        bytes.extend_from_slice(part);
        Ok(())
    };
    receive(body, most as u64, keep).await?;
    Ok(bytes)
}

/// Receives a body of this many bytes at most part by part. Returns how many it had.
///
/// # Errors
///
/// It is larger or too slow, the connection is lost, or `keep` fails.
pub async fn receive(
    body: Body,
    most: u64,
    mut keep: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<u64, BodyError> {
    let mut parts = body.into_data_stream();
    let mut received = 0u64;
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| BodyError::of(&error))?;
        received += part.len() as u64;
        if received > most {
            return Err(BodyError::TooLarge);
        }
        keep(&part).map_err(BodyError::Host)?;
    }
    Ok(received)
}

/// The body of a request on a connection, which fails if it, or a part of it, takes too long. The time begins when the
/// body is first asked for: until then, the server is what takes it.
pub(crate) struct InTime {
    body: Incoming,
    part: Duration,
    whole: Duration,
    /// When the whole has to be there.
    end: Option<Instant>,
    /// The end of the time for the part that is waited for.
    waiting: Option<Pin<Box<Sleep>>>,
    entry: Arc<Entry>,
}

impl InTime {
    pub(crate) fn new(
        body: Incoming,
        part: Duration,
        whole: Duration,
        entry: Arc<Entry>,
    ) -> InTime {
        if !body.is_end_stream() {
            entry.is_now(Stage::Receiving);
        }
        InTime { body, part, whole, end: None, waiting: None, entry }
    }
}

impl Drop for InTime {
    fn drop(&mut self) {
        self.entry.is_now(Stage::Answering);
    }
}

impl HttpBody for InTime {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let slow = || Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into())));
        let (now, whole) = (Instant::now(), self.whole);
        let end = *self.end.get_or_insert_with(|| now + whole);
        // Before the body: a client whose every byte is there in time may still take forever.
        if now >= end {
            return slow();
        }
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            self.waiting = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(io::Error::other)));
        }
        let until = end.min(now + self.part);
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep_until(until)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => slow(),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream::iter;

    fn waited<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.expect("a runtime").block_on(work)
    }

    fn chunked(parts: &'static [&'static str]) -> Body {
        Body::from_stream(iter(parts.iter().map(|part| Ok::<_, io::Error>(*part))))
    }

    #[test]
    fn bodies_are_read_up_to_their_limit() {
        for body in [|| Body::from("12345"), || chunked(&["12", "", "345"])] {
            assert_eq!(waited(read(body(), 5)).expect("a body"), b"12345");
            assert!(matches!(waited(read(body(), 4)), Err(BodyError::TooLarge)));
        }
        assert_eq!(announced(&Body::from("12345")), Some(5));
        assert_eq!(announced(&chunked(&["1"])), None);
        let full = |_: &[u8]| Err(io::ErrorKind::StorageFull.into());
        assert!(matches!(waited(receive(Body::from("1"), 9, full)), Err(BodyError::Host(_))));
    }

    #[test]
    fn why_a_body_was_not_received_is_found_among_the_causes() {
        let failed =
            |kind: io::ErrorKind| Body::from_stream(iter([Err::<&str, _>(io::Error::from(kind))]));
        let why = |kind| waited(read(failed(kind), 9)).expect_err("an error");
        assert!(matches!(why(io::ErrorKind::TimedOut), BodyError::Slow));
        assert_eq!(why(io::ErrorKind::TimedOut).status(), 408);
        assert!(matches!(why(io::ErrorKind::UnexpectedEof), BodyError::Broken(_)));
    }
}
