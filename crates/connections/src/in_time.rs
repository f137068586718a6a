//! The bodies of a request and of its answer, which say how far a connection is.

use crate::open::{Entry, Stage};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// The body of a request, which fails if it takes too long.
pub(crate) struct InTime {
    body: Incoming,
    deadline: Pin<Box<Sleep>>,
    entry: Arc<Entry>,
}

impl InTime {
    pub(crate) fn new(body: Incoming, within: Duration, entry: Arc<Entry>) -> InTime {
        if !body.is_end_stream() {
            entry.is_now(Stage::Receiving);
        }
        InTime { body, deadline: Box::pin(sleep(within)), entry }
    }
}

impl Drop for InTime {
    fn drop(&mut self) {
        self.entry.is_now(Stage::Answering);
    }
}

impl Body for InTime {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(io::Error::other)));
        }
        match self.deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into()))),
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

/// The body of an answer. After it the connection is idle.
pub(crate) struct Answer {
    pub body: axum::body::Body,
    pub entry: Arc<Entry>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.entry.is_now(Stage::Idle);
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
