//! Events that a page follows (server-sent events). What happens is read from the database, so a page
//! that connects again misses nothing.

use super::addresses::Mount;
use super::proxy::Via;
use super::reply::Refusal;
use crate::people::sessions::Visitor;
use crate::people::steady_clock::now;
use crate::site::Site;

use axum::response::Response;
use axum::response::sse::Event;
use botyard_connections::{self as connections, EventSource, gzip};
use botyard_pages::pieces::with_moments;
use futures_util::{Stream, StreamExt};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep_until, timeout};

/// How often a page looks without an announcement.
const LOOK: Duration = Duration::from_secs(10);

/// The least time between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// How long a stream lasts. A page then connects again, and its visitor is checked again.
const LONGEST: Duration = Duration::from_secs(300);

/// How often the visitor of a stream is checked again.
const CHECK: Duration = Duration::from_secs(60);

/// The most feeds that look at once. All of them do after an announcement, and pages share the cores with these alone.
static LOOKS: Semaphore = Semaphore::const_new(2);

/// An event for a page.
#[derive(Debug)]
pub(crate) struct Message {
    /// Its kind.
    pub kind: &'static str,
    /// What a page that connects again names as the last that it has; empty: nothing new.
    pub id: String,
    /// What is sent.
    pub data: String,
}

/// What has happened since the last look.
#[derive(Debug, Default)]
pub(crate) struct Step {
    /// The events.
    pub messages: Vec<Message>,
    /// Whether nothing follows.
    pub is_over: bool,
}

/// Looks for what has happened since its last call.
pub(crate) type Feed = Box<dyn FnMut(&Site) -> Result<Step, Refusal> + Send>;

struct Following {
    site: Arc<Site>,
    changes: watch::Receiver<u64>,
    feed: Option<Feed>,
    ready: VecDeque<Message>,
    is_over: bool,
    begun: Instant,
    mount: Mount,
}

/// Returns the events of a feed.
fn followed(site: &Arc<Site>, mount: &Mount, feed: Feed) -> Flow {
    let following = Following {
        changes: site.class.changes(),
        site: Arc::clone(site),
        feed: Some(feed),
        ready: VecDeque::new(),
        is_over: false,
        begun: Instant::now(),
        mount: mount.clone(),
    };
    connections::events(following).boxed()
}

impl EventSource for Following {
    async fn next(&mut self) -> Option<Event> {
        let message = self.message().await?;
        let event = Event::default().event(message.kind).data(self.mount.markup(&message.data));
        Some(if message.id.is_empty() { event } else { event.id(message.id) })
    }
}

impl Following {
    async fn message(&mut self) -> Option<Message> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            if self.is_over || self.begun.elapsed() > LONGEST {
                return None;
            }
            self.changes.borrow_and_update();
            let (mut feed, site) = (self.feed.take()?, Arc::clone(&self.site));
            let turn = LOOKS.acquire().await.ok()?;
            let looked = tokio::task::spawn_blocking(move || {
                let step = with_moments(site.class.zone.writer(), || feed(&site));
                (feed, step)
            });
            let (feed, step) = looked.await.ok()?;
            drop(turn);
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
pub(crate) type Flow = Pin<Box<dyn Stream<Item = Event> + Send>>;

/// What is followed.
pub(crate) enum Followed {
    /// What is read from the database.
    Feed(Feed),
    /// What is not.
    Flow(Flow),
}

/// Who follows.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    /// Who it is.
    pub visitor: Option<Visitor>,
    /// The connection.
    pub via: Via,
    /// Whether the browser reads gzip.
    pub reads_gzip: bool,
}

/// Answers with events as long as their visitor may see them, and does not open too many.
pub(crate) fn answer(
    site: &Arc<Site>,
    follower: Follower,
    mount: &Mount,
    what: Followed,
) -> Response {
    let flow = match what {
        Followed::Feed(feed) => followed(site, mount, feed),
        Followed::Flow(flow) => flow,
    };
    let from = follower.via.limited_together();
    let open = site.people.shares.open_stream(follower.visitor.as_ref(), &from);
    let reads_gzip = follower.reads_gzip;
    let current = Current {
        sessions: site.people.sessions(),
        check: next_check(follower.visitor.as_ref()),
        site: Arc::clone(site),
        follower,
        flow,
    };
    let response = connections::answer(open, connections::events(current));
    if reads_gzip { gzip::compressed(response) } else { response }
}

/// The events of a visitor until the session ends, or the visitor has another role or team; and when the visitor is
/// checked next.
struct Current {
    site: Arc<Site>,
    sessions: watch::Receiver<u64>,
    follower: Follower,
    flow: Flow,
    check: Instant,
}

impl EventSource for Current {
    async fn next(&mut self) -> Option<Event> {
        loop {
            tokio::select! {
                event = self.flow.next() => return event,
                changed = self.sessions.changed() => changed.ok()?,
                () = sleep_until(self.check.into()) => {}
            }
            let visitor = self.follower.visitor.clone()?;
            let account = self.follower.via.account.clone();
            is_current(Arc::clone(&self.site), visitor, account).await.then_some(())?;
            self.check = next_check(self.follower.visitor.as_ref());
        }
    }
}

async fn is_current(site: Arc<Site>, visitor: Visitor, account: Option<String>) -> bool {
    let checked = tokio::task::spawn_blocking(move || {
        let account = account.as_deref();
        site.class.database.transaction(|transaction| visitor.is_current(transaction, account))
    });
    matches!(checked.await, Ok(Ok(true)))
}

/// Returns when a visitor is checked again: at the end of the session, if that is sooner.
fn next_check(visitor: Option<&Visitor>) -> Instant {
    let end = visitor.and_then(|visitor| visitor.ends_at).map_or(CHECK, |end| {
        // The session lasts to the end of this second.
        Duration::from_secs((end + 1 - now()).max(1).unsigned_abs())
    });
    Instant::now() + CHECK.min(end)
}
