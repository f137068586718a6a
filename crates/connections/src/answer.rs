//! The body of an answer, which says how far a connection is.

use crate::open::{Entry, Stage};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

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
