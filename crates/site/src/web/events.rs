//! Events that a page follows (server-sent events). What happens is read from the database, so a page
//! that connects again misses nothing.

use super::proxy::Via;
use super::reply::Refusal;
use crate::sessions::Visitor;
use crate::site::Site;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::{sleep_until, timeout};

/// How often a page looks without an announcement.
const LOOK: Duration = Duration::from_secs(10);

/// The least time between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// How long a stream lasts. A page then connects again, and its visitor is checked again.
const LONGEST: Duration = Duration::from_secs(300);

/// How often the visitor of a stream without an end is checked again.
const CHECK: Duration = Duration::from_secs(60);

/// How often a comment is sent when there is nothing else, so that closed connections are noticed.
const ALIVE: Duration = Duration::from_secs(15);

/// An event for a page.
#[derive(Debug)]
pub struct Message {
    /// Its kind.
    pub kind: &'static str,
    /// What a page that connects again names as the last that it has; empty: nothing new.
    pub id: String,
    /// What is sent.
    pub data: String,
}

/// What has happened since the last look.
#[derive(Debug, Default)]
pub struct Step {
    /// The events.
    pub messages: Vec<Message>,
    /// Whether nothing follows.
    pub is_over: bool,
}

/// Looks for what has happened since its last call.
pub type Feed = Box<dyn FnMut(&Site) -> Result<Step, Refusal> + Send>;

struct Following {
    site: Arc<Site>,
    changes: watch::Receiver<u64>,
    feed: Option<Feed>,
    ready: VecDeque<Message>,
    is_over: bool,
    begun: Instant,
}

/// Answers with the events of a feed.
pub fn answer(site: &Arc<Site>, feed: Feed) -> Response {
    let stream = Following {
        changes: site.changes(),
        site: Arc::clone(site),
        feed: Some(feed),
        ready: VecDeque::new(),
        is_over: false,
        begun: Instant::now(),
    };
    let stream = unfold(stream, |mut stream| async move {
        let message = stream.next().await?;
        let mut event = Event::default().event(message.kind).data(message.data);
        if !message.id.is_empty() {
            event = event.id(message.id);
        }
        Some((Ok::<Event, Infallible>(event), stream))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

impl Following {
    async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            if self.is_over || self.begun.elapsed() > LONGEST {
                return None;
            }
            self.changes.borrow_and_update();
            let (mut feed, site) = (self.feed.take()?, Arc::clone(&self.site));
            let looked = tokio::task::spawn_blocking(move || {
                let step = feed(&site);
                (feed, step)
            });
            let (feed, step) = looked.await.ok()?;
            self.feed = Some(feed);
            let step = step.ok()?;
            self.ready = step.messages.into();
            self.is_over = step.is_over;
            if self.ready.is_empty() && !self.is_over {
                tokio::time::sleep(PAUSE).await;
                let _ = timeout(LOOK, self.changes.changed()).await;
            }
        }
    }
}

/// Events that are not read from the database.
pub type Flow = Pin<Box<dyn Stream<Item = Event> + Send>>;

/// Answers with events as long as their visitor may see them.
pub fn answer_flow(site: Arc<Site>, visitor: Option<Visitor>, via: Via, flow: Flow) -> Response {
    let begun = (site, visitor, via, flow, Instant::now() + CHECK);
    let stream = unfold(begun, |(site, visitor, via, mut flow, mut check)| async move {
        loop {
            tokio::select! {
                event = flow.next() => {
                    return Some((Ok::<Event, Infallible>(event?), (site, visitor, via, flow, check)));
                }
                () = sleep_until(check.into()) => {
                    is_current(&site, visitor.clone()?, &via).await.then_some(())?;
                    check = Instant::now() + CHECK;
                }
            }
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

async fn is_current(site: &Arc<Site>, visitor: Visitor, via: &Via) -> bool {
    let (site, account) = (Arc::clone(site), via.account.clone());
    let checked = tokio::task::spawn_blocking(move || {
        let account = account.as_deref();
        site.database.transaction(|transaction| visitor.is_current(transaction, account))
    });
    matches!(checked.await, Ok(Ok(true)))
}
