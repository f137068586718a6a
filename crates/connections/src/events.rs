//! Server-sent events: what pages follow, their answers, and the message that nothing follows.

use crate::streams::Open;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt};
use std::convert::Infallible;
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often a comment is sent when there is nothing else, so that closed connections are noticed.
const ALIVE: Duration = Duration::from_secs(10);

/// How often [`Shutdown::begin_and_wait`] looks for streams.
const LOOK: Duration = Duration::from_millis(20);

/// What the events of a stream come from.
pub trait EventSource: Send + 'static {
    /// Returns the next event as soon as there is one. `None`: nothing follows.
    fn next(&mut self) -> impl Future<Output = Option<Event>> + Send;
}

/// Returns the events of a source.
pub fn events<S: EventSource>(source: S) -> impl Stream<Item = Event> + Send + use<S> {
    unfold(source, |mut source| async move {
        let event = source.next().await?;
        Some((event, source))
    })
}

/// Makes the answer with events, which counts as a stream until it ends.
pub fn answer(open: Open, events: impl Stream<Item = Event> + Send + 'static) -> Response {
    let events = open.limit(events).map(Ok::<Event, Infallible>);
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

/// Returns the event that says that nothing follows, so that a page does not connect again.
pub fn bye() -> Event {
    Event::default().event("bye").data("bye")
}

/// The end of what pages follow. All clones are one.
#[derive(Clone, Debug, Default)]
pub struct Shutdown(watch::Sender<bool>);

/// The knowledge of a stream whether its [`Shutdown`] has begun.
#[derive(Debug)]
pub struct ShutdownListener(watch::Receiver<bool>);

impl Shutdown {
    /// Returns what a stream needs, which counts as open until that is dropped.
    pub fn listener(&self) -> ShutdownListener {
        ShutdownListener(self.0.subscribe())
    }

    /// Lets streams send that nothing follows, and end.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Does the same, and waits until all streams have ended, for `patience` at most.
    pub fn begin_and_wait(&self, patience: Duration) {
        self.begin();
        let deadline = Instant::now() + patience;
        while self.0.receiver_count() > 0 && Instant::now() < deadline {
            thread::sleep(LOOK);
        }
    }

    /// Returns whether it has begun.
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }
}

impl ShutdownListener {
    /// Returns whether the shutdown has begun.
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the shutdown begins.
    pub async fn begun(&mut self) {
        // Without a sender nothing follows either.
        let _ = self.0.wait_for(|has_begun| *has_begun).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn a_shutdown_waits_for_the_streams_that_are_open() {
        let shutdown = Shutdown::default();
        let mut listener = shutdown.clone().listener();
        assert!(!shutdown.has_begun() && listener.begun().now_or_never().is_none());
        let stream = thread::spawn(move || {
            while !listener.has_begun() {
                thread::sleep(Duration::from_millis(1));
            }
            assert!(listener.begun().now_or_never().is_some());
        });
        // Longer than the busiest machine takes.
        shutdown.begin_and_wait(Duration::from_secs(300));
        assert!(shutdown.has_begun());
        stream.join().expect("it has ended");
    }
}
