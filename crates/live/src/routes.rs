//! The addresses of the server: the list of games, the page of a game, and the events of both.

use crate::follow::{Phase, Published, TooMany};
use crate::listing::in_address;
use crate::page::page;
use crate::{SentPositions, Shared};
use axum::Router;
use axum::extract::{ConnectInfo, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use botyard_connections::{EventSource, Peer, ShutdownListener, answer, bye, events, last_event};
use botyard_viewer::LiveGame;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// How often the list of games is sent, if it changed.
const LIST_EVERY: Duration = Duration::from_millis(1000);

/// How long a page waits for the first position of a game.
const BEGIN: Duration = Duration::from_secs(2);

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(list))
        .route("/events", get(list_events))
        .route("/game/{*name}", get(game))
        .route("/events/{*name}", get(game_events))
        .route("/favicon.ico", get(StatusCode::NO_CONTENT))
        .fallback(|| async { not_found() })
        .with_state(shared)
}

fn not_found() -> Response {
    let message = "there is no such page: the list of games is at /\n";
    (StatusCode::NOT_FOUND, message).into_response()
}

fn failed() -> Response {
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

/// Looks at the directory, without keeping other connections waiting.
async fn with_files<T: Send + 'static>(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Shared) -> T + Send + 'static,
) -> Option<T> {
    let shared = Arc::clone(shared);
    tokio::task::spawn_blocking(move || work(&shared)).await.ok()
}

async fn list(State(shared): State<Arc<Shared>>) -> Response {
    let Some(mut data) = with_files(&shared, |shared| shared.listing.list()).await else {
        return failed();
    };
    data["where"] = json!(shared.listing.directory());
    data["events"] = json!("/events");
    page(LiveGame::list("Games", &data))
}

/// The events of the list of games.
struct ListEvents {
    shared: Arc<Shared>,
    shutdown: ShutdownListener,
    sent: Option<Value>,
    is_greeted: bool,
    is_over: bool,
}

async fn list_events(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
) -> Response {
    let open = shared.open_stream(peer);
    let shutdown = shared.shutdown.listener();
    let source = ListEvents { shared, shutdown, sent: None, is_greeted: false, is_over: false };
    answer(open, events(source))
}

impl EventSource for ListEvents {
    async fn next(&mut self) -> Option<Event> {
        if self.is_over {
            return None;
        }
        if !std::mem::replace(&mut self.is_greeted, true) {
            return Some(Event::default().event("hello").data("list"));
        }
        loop {
            let list = with_files(&self.shared, |shared| shared.listing.list()).await?;
            if self.sent.as_ref() != Some(&list) {
                let event = Event::default().event("games").data(list.to_string());
                self.sent = Some(list);
                return Some(event);
            }
            if self.shutdown.has_begun() {
                self.is_over = true;
                return Some(bye());
            }
            let _ = timeout(LIST_EVERY, self.shutdown.begun()).await;
        }
    }
}

/// Follows the game with this name, for a page at this address.
async fn followed(
    shared: &Arc<Shared>,
    name: &str,
    Peer(peer): Peer,
) -> Result<watch::Receiver<Published>, Response> {
    let asked = name.to_string();
    let found = with_files(shared, move |shared| {
        let path = shared.listing.find(&asked)?;
        Some(shared.games.follow(&asked, &path, peer.ip()))
    });
    match found.await {
        None => Err(failed()),
        Some(None) => Err(not_found()),
        Some(Some(Err(TooMany))) => {
            let message = "too many games are watched at once: close some pages\n";
            Err((StatusCode::SERVICE_UNAVAILABLE, message).into_response())
        }
        Some(Some(Ok(receiver))) => Ok(receiver),
    }
}

async fn game(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Path(name): Path<String>,
) -> Response {
    let mut published = match followed(&shared, &name, peer).await {
        Ok(published) => published,
        Err(response) => return response,
    };
    let is_shown = |its: &Published| {
        !its.positions.is_empty() || matches!(its.phase, Phase::Over | Phase::Problem(_))
    };
    let _ = timeout(BEGIN, published.wait_for(is_shown)).await;
    let its = published.borrow().clone();
    if its.about.is_null() {
        return match its.phase {
            Phase::Problem(problem) => {
                let message = format!("this game cannot be shown: {problem}\n");
                (StatusCode::CONFLICT, message).into_response()
            }
            _ => (StatusCode::SERVICE_UNAVAILABLE, "this game has not begun: reload the page\n")
                .into_response(),
        };
    }
    let live = json!({ "events": format!("/events/{}", in_address(&name)), "id": its.id });
    page(LiveGame::page(&its.title, &its.about, &live, &its.positions))
}

/// The events of a game.
struct GameEvents {
    published: watch::Receiver<Published>,
    shutdown: ShutdownListener,
    sent: SentPositions,
    /// Since when the page shows that nothing is written.
    silent_since: Option<u64>,
    is_greeted: bool,
    is_over: bool,
}

async fn game_events(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let published = match followed(&shared, &name, peer).await {
        Ok(published) => published,
        Err(response) => return response,
    };
    let open = shared.open_stream(peer);
    // A browser that connects again names the last event that it has: a position that may have
    // changed since.
    let from = query.as_deref().and_then(|query| query.strip_prefix("from="));
    let next = last_event(&headers).or(from).and_then(|number| number.parse().ok()).unwrap_or(0);
    let source = GameEvents {
        published,
        shutdown: shared.shutdown.listener(),
        sent: SentPositions::of(next),
        silent_since: None,
        is_greeted: false,
        is_over: false,
    };
    answer(open, events(source))
}

impl EventSource for GameEvents {
    async fn next(&mut self) -> Option<Event> {
        if self.is_over {
            return None;
        }
        loop {
            if let Some(event) = self.due() {
                return Some(event);
            }
            tokio::select! {
                changed = self.published.changed() => changed.ok()?,
                () = self.shutdown.begun() => {
                    self.is_over = true;
                    return Some(bye());
                }
            }
        }
    }
}

impl GameEvents {
    /// The next event, if there is one.
    fn due(&mut self) -> Option<Event> {
        let its = self.published.borrow_and_update();
        if !self.is_greeted && its.phase != Phase::Beginning {
            self.is_greeted = true;
            return Some(Event::default().event("hello").data(&its.id));
        }
        if let Some((last, data)) = self.sent.due(&its.positions) {
            let event = Event::default().event("positions").id(last.to_string());
            return Some(event.data(data));
        }
        if its.silent_since != self.silent_since {
            self.silent_since = its.silent_since;
            let since = its.silent_since.unwrap_or_default();
            return Some(Event::default().event("silence").data(since.to_string()));
        }
        let event = match &its.phase {
            Phase::Over => Event::default().event("end").data("end"),
            Phase::Problem(problem) => {
                Event::default().event("problem").data(problem.replace(['\r', '\n'], " "))
            }
            Phase::Beginning | Phase::Running => return None,
        };
        self.is_over = true;
        Some(event)
    }
}
