//! The addresses of the server: the page, its events, its commands, and the replay of a game that
//! is over. All are below a random name.

use crate::line::{Line, Refused, settled};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use botyard_connections::{Streams, answer, is_own_origin, read};
use botyard_viewer::LiveGame;
use serde_json::json;
use std::sync::Arc;

/// The header of the token.
const TOKEN: &str = "x-botyard-token";

/// The longest command, in bytes.
const COMMAND_BYTES: usize = 64 * 1024;

/// The most pages that follow a game at once: a browser has as many connections to one address. Then the oldest ends.
const STREAMS: usize = 6;

/// What all requests share.
pub(crate) struct Shared {
    /// What a command must have, so that no other page can send one.
    pub token: String,
    pub line: Line,
    /// The events that pages follow.
    pub streams: Streams,
}

impl Shared {
    pub(crate) fn new(token: String, line: Line) -> Shared {
        Shared { token, line, streams: Streams::new(STREAMS) }
    }
}

/// Makes the router. All addresses are in the directory `key`.
pub(crate) fn router(key: &str, shared: Arc<Shared>) -> Router {
    Router::new()
        .route(&format!("/{key}/"), get(page))
        .route(&format!("/{key}/events"), get(events))
        .route(&format!("/{key}/do"), post(command))
        .route(&format!("/{key}/replay"), get(replay))
        .route("/favicon.ico", get(StatusCode::NO_CONTENT))
        .fallback(|| async { not_found() })
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

async fn command(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Body) -> Response {
    if let Err(message) = check_sender(&shared.token, &headers) {
        return (StatusCode::FORBIDDEN, message).into_response();
    }
    let body = match read(body, COMMAND_BYTES).await {
        Ok(body) => body,
        Err(error) => return (error.status(), format!("{error}\n")).into_response(),
    };
    let done = match shared.line.send(&body) {
        Ok(answered) => settled(answered.await.ok()),
        Err(refused) => Err(refused),
    };
    let (status, message) = match done {
        Ok(()) => return StatusCode::NO_CONTENT.into_response(),
        Err(Refused::Unreadable(message)) => (StatusCode::BAD_REQUEST, message),
        Err(Refused::Impossible(reason)) => (StatusCode::CONFLICT, reason),
        Err(Refused::Ended) => (StatusCode::SERVICE_UNAVAILABLE, "the server ends".to_string()),
    };
    (status, format!("{message}\n")).into_response()
}

/// Checks that a command comes from the page. A browser names the origin of the page in every
/// command; other programs may leave it out.
fn check_sender(token: &str, headers: &HeaderMap) -> Result<(), &'static str> {
    if headers.get(TOKEN).and_then(|value| value.to_str().ok()) != Some(token) {
        return Err("the command does not have the token of the page: reload the page\n");
    }
    match is_own_origin(headers, &["http"]) {
        true => Ok(()),
        false => Err("the command comes from a page of another site\n"),
    }
}

async fn replay(State(shared): State<Arc<Shared>>) -> Response {
    let made = tokio::task::spawn_blocking(move || shared.line.replay());
    match made.await {
        Ok(None) => {
            let message = "the game is not over: its replay is shown at its end\n";
            (StatusCode::NOT_FOUND, message).into_response()
        }
        Ok(Some(Ok(html))) => Html(html).into_response(),
        Ok(Some(Err(problem))) => (StatusCode::CONFLICT, format!("{problem}\n")).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn events(State(shared): State<Arc<Shared>>) -> Response {
    answer(shared.streams.open(&[]), shared.line.events())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    #[test]
    fn commands_need_the_token_and_the_origin_of_the_page() {
        for (token, origin, is_own) in [
            ("right", "http://127.0.0.1:8000", true),
            ("wrong", "http://127.0.0.1:8000", false),
            ("", "http://127.0.0.1:8000", false),
            ("right", "https://127.0.0.1:8000", false),
            ("right", "http://example.org", false),
        ] {
            let headers = [("host", "127.0.0.1:8000"), (TOKEN, token), ("origin", origin)];
            let header = |(name, value): (&'static str, &'static str)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            };
            let checked = check_sender("right", &headers.into_iter().map(header).collect());
            assert_eq!(checked.is_ok(), is_own, "{token:?} {origin:?}");
        }
        assert!(check_sender("right", &HeaderMap::new()).is_err());
    }
}
