//! The addresses of the server: the page, its events, its commands, and the replay of a game that
//! is over. All are below a random name.

use crate::command::{Command, Request};
use crate::published::{Published, Stage};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use botyard_replay::{ReplayReader, registered_table};
use botyard_viewer::{LiveGame, PageOptions};
use crossbeam_channel::Sender;
use futures_util::stream::unfold;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{oneshot, watch};

/// The header of the token.
const TOKEN: &str = "x-botyard-token";

/// The longest command, in bytes.
const COMMAND_BYTES: usize = 64 * 1024;

/// The most positions in one event.
const BATCH: usize = 200;

/// How often a comment is sent when there is nothing else, so that closed connections are noticed.
const ALIVE: Duration = Duration::from_secs(10);

/// What all requests share.
pub struct Shared {
    /// What a command must have, so that no other page can send one.
    pub token: String,
    pub published: watch::Receiver<Published>,
    pub requests: Sender<Request>,
    pub stage: watch::Receiver<Stage>,
}

/// Makes the router. All addresses are in the directory `key`.
pub fn router(key: &str, shared: Arc<Shared>) -> Router {
    Router::new()
        .route(&format!("/{key}/"), get(page))
        .route(&format!("/{key}/events"), get(events))
        .route(&format!("/{key}/do"), post(command))
        .route(&format!("/{key}/replay"), get(replay))
        .route("/favicon.ico", get(StatusCode::NO_CONTENT))
        .fallback(|| async { not_found() })
        .layer(DefaultBodyLimit::max(COMMAND_BYTES))
        .with_state(shared)
}

fn not_found() -> Response {
    let message = "there is no such page: open the address that botyard play has printed\n";
    (StatusCode::NOT_FOUND, message).into_response()
}

async fn page(State(shared): State<Arc<Shared>>) -> Response {
    let data = json!({
        "token": shared.token,
        "events": "events",
        "do": "do",
        "replay": "replay",
    });
    botyard_live::page(LiveGame::play("botyard play", &data))
}

async fn command(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(message) = check_sender(&shared.token, &headers) {
        return (StatusCode::FORBIDDEN, message).into_response();
    }
    let command: Command = match serde_json::from_slice(&body) {
        Ok(command) => command,
        Err(error) => {
            let message = format!("this is not a command: {error}\n");
            return (StatusCode::BAD_REQUEST, message).into_response();
        }
    };
    let (answer, answered) = oneshot::channel();
    let answered = match shared.requests.send(Request { command, answer }) {
        Ok(()) => answered.await.ok(),
        Err(_) => None,
    };
    match answered {
        Some(Ok(())) => StatusCode::NO_CONTENT.into_response(),
        Some(Err(reason)) => (StatusCode::CONFLICT, format!("{reason}\n")).into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, "the server ends\n").into_response(),
    }
}

/// Checks that a command comes from the page. A browser names the origin of the page in every
/// command; other programs may leave it out.
fn check_sender(token: &str, headers: &HeaderMap) -> Result<(), &'static str> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if text(HeaderName::from_static(TOKEN)) != Some(token) {
        return Err("the command does not have the token of the page: reload the page\n");
    }
    let own = text(header::HOST).map(|host| format!("http://{host}"));
    match (text(header::ORIGIN), own) {
        (Some(origin), Some(own)) if origin.eq_ignore_ascii_case(&own) => Ok(()),
        (None, _) => Ok(()),
        _ => Err("the command comes from a page of another site\n"),
    }
}

async fn replay(State(shared): State<Arc<Shared>>) -> Response {
    let recorded = shared.published.borrow().replay.clone();
    let Some(recorded) = recorded else {
        let message = "the game is not over: its replay is shown at its end\n";
        return (StatusCode::NOT_FOUND, message).into_response();
    };
    let made = tokio::task::spawn_blocking(move || {
        let reader = ReplayReader::new(&recorded[..]).map_err(|error| error.to_string())?;
        let page = botyard_viewer::page(reader, &registered_table, &PageOptions::default());
        page.map(|page| page.html).map_err(|error| error.to_string())
    });
    match made.await {
        Ok(Ok(html)) => Html(html).into_response(),
        Ok(Err(problem)) => {
            let message = format!("the replay cannot be shown: {problem}\n");
            (StatusCode::CONFLICT, message).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The events of a page.
struct PageEvents {
    published: watch::Receiver<Published>,
    stage: watch::Receiver<Stage>,
    /// What the page shows, and whether it may show anything.
    game: Option<(u64, bool)>,
    /// The number of positions that the page has.
    next: usize,
    /// The last position that was sent.
    last: Option<Arc<str>>,
    /// The last state that was sent.
    state: Option<Arc<str>>,
    is_over: bool,
}

async fn events(State(shared): State<Arc<Shared>>) -> Response {
    let events = PageEvents {
        published: shared.published.clone(),
        stage: shared.stage.clone(),
        game: None,
        next: 0,
        last: None,
        state: None,
        is_over: false,
    };
    let stream = unfold(events, |mut events| async move {
        let event = events.next().await?;
        Some((Ok::<Event, Infallible>(event), events))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

impl PageEvents {
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
                _ = self.stage.wait_for(|stage| *stage == Stage::Leaving) => {
                    self.is_over = true;
                    return Some(Event::default().event("bye").data("bye"));
                }
            }
        }
    }

    /// The next event, if there is one: the game, its positions, and then the state.
    fn due(&mut self) -> Option<Event> {
        let its = self.published.borrow_and_update();
        let game = (its.game, its.about.is_some());
        if self.game != Some(game) {
            self.game = Some(game);
            (self.next, self.last, self.state) = (0, None, None);
            let about = its.about.as_deref().unwrap_or("null");
            let data = format!("{{\"game\":{},\"about\":{about}}}", its.game);
            return Some(Event::default().event("game").data(data));
        }
        let has_changed = |index: usize| its.positions.get(index) != self.last.as_ref();
        let from = match self.next.checked_sub(1) {
            Some(last) if self.last.is_some() && has_changed(last) => last,
            _ => self.next,
        };
        let to = its.positions.len().min(from.saturating_add(BATCH));
        if from < to {
            let data = format!("[{}]", its.positions[from..to].join(","));
            self.next = to;
            self.last = its.positions.get(to - 1).cloned();
            return Some(Event::default().event("positions").data(data));
        }
        if self.state.as_ref() != Some(&its.state) && !its.state.is_empty() {
            self.state = Some(Arc::clone(&its.state));
            return Some(Event::default().event("state").data(&its.state));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn commands_need_the_token_and_the_origin_of_the_page() {
        let headers = |token: &'static str, origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8000"));
            headers.insert(TOKEN, HeaderValue::from_static(token));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            headers
        };
        for (token, origin, is_own) in [
            ("right", Some("http://127.0.0.1:8000"), true),
            ("right", None, true),
            ("wrong", Some("http://127.0.0.1:8000"), false),
            ("", None, false),
            ("right", Some("http://127.0.0.1:8001"), false),
            ("right", Some("https://127.0.0.1:8000"), false),
            ("right", Some("http://example.org"), false),
            ("right", Some("null"), false),
        ] {
            let checked = check_sender("right", &headers(token, origin));
            assert_eq!(checked.is_ok(), is_own, "{token:?} {origin:?}");
        }
        assert!(check_sender("right", &HeaderMap::new()).is_err());
    }
}
