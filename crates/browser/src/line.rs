//! The connection between pages and a desk, whatever server it has: what pages receive, what they ask for, and
//! the replay of a game that is over.

use crate::command::{Command, Request};
use crate::published::Published;
use axum::response::sse::Event;
use botyard_connections::{EventSource, Shutdown, ShutdownListener, bye, events};
use botyard_live::SentPositions;
use botyard_replay::{ReplayReader, registered_table};
use botyard_viewer::PageOptions;
use crossbeam_channel::Sender;
use futures_util::Stream;
use std::sync::Arc;
use tokio::sync::{oneshot, watch};

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is no command, for this reason.
    Unreadable(String),
    /// It is not possible now, for this reason.
    Impossible(String),
    /// The games at this page have ended.
    Ended,
}

/// The connection to a desk.
pub(crate) struct Line {
    pub published: watch::Receiver<Published>,
    pub requests: Sender<Request>,
    pub shutdown: Shutdown,
}

impl Line {
    /// Sends a command, as JSON. The desk answers it with [`settled`].
    pub(crate) fn send(
        &self,
        json: &[u8],
    ) -> Result<oneshot::Receiver<Result<(), String>>, Refused> {
        let command: Command = serde_json::from_slice(json)
            .map_err(|error| Refused::Unreadable(format!("this is not a command: {error}")))?;
        let (answer, answered) = oneshot::channel();
        self.requests.send(Request { command, answer }).map_err(|_| Refused::Ended)?;
        Ok(answered)
    }

    /// Returns the events of a page, from the beginning.
    pub(crate) fn events(&self) -> impl Stream<Item = Event> + Send + use<> {
        events(PageEvents {
            published: self.published.clone(),
            shutdown: self.shutdown.listener(),
            game: None,
            sent: SentPositions::default(),
            state: None,
            is_over: false,
        })
    }

    /// Returns the page of the replay of a game that is over; `None` if it is not.
    ///
    /// # Errors
    ///
    /// The replay cannot be shown, in words.
    pub(crate) fn replay(&self) -> Option<Result<String, String>> {
        let recorded = self.published.borrow().replay.clone()?;
        let made = ReplayReader::new(&recorded.bytes[..])
            .map_err(|error| error.to_string())
            .and_then(|reader| {
                let options =
                    PageOptions { seat: recorded.seat.as_deref(), ..PageOptions::default() };
                let page = botyard_viewer::page(reader, &registered_table, &options);
                page.map(|page| page.html).map_err(|error| error.to_string())
            });
        Some(made.map_err(|problem| format!("the replay cannot be shown: {problem}")))
    }
}

/// Returns what the answer to a command says.
pub(crate) fn settled(answered: Option<Result<(), String>>) -> Result<(), Refused> {
    match answered {
        Some(answer) => answer.map_err(Refused::Impossible),
        None => Err(Refused::Ended),
    }
}

/// The events of a page.
struct PageEvents {
    published: watch::Receiver<Published>,
    shutdown: ShutdownListener,
    /// What the page shows, and whether it may show anything.
    game: Option<(u64, bool)>,
    sent: SentPositions,
    /// The last state that was sent.
    state: Option<Arc<str>>,
    is_over: bool,
}

impl EventSource for PageEvents {
    async fn next(&mut self) -> Option<Event> {
        if self.is_over {
            return None;
        }
        loop {
            if let Some(event) = self.due() {
                return Some(event);
            }
            let has_changed = tokio::select! {
                changed = self.published.changed() => changed.is_ok(),
                () = self.shutdown.begun() => false,
            };
            if !has_changed {
                self.is_over = true;
                return Some(bye());
            }
        }
    }
}

impl PageEvents {
    /// The next event, if there is one: the game, its positions, and then the state.
    fn due(&mut self) -> Option<Event> {
        let its = self.published.borrow_and_update();
        let game = (its.game, its.about.is_some());
        if self.game != Some(game) {
            self.game = Some(game);
            (self.sent, self.state) = (SentPositions::default(), None);
            let about = its.about.as_deref().unwrap_or("null");
            let data = format!("{{\"game\":{},\"about\":{about}}}", its.game);
            return Some(Event::default().event("game").data(data));
        }
        if let Some((_, data)) = self.sent.due(&its.positions) {
            return Some(Event::default().event("positions").data(data));
        }
        if self.state.as_ref() != Some(&its.state) && !its.state.is_empty() {
            self.state = Some(Arc::clone(&its.state));
            return Some(Event::default().event("state").data(&its.state));
        }
        None
    }
}
