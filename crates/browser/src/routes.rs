//! The addresses of the server: the page, its events, its commands, and the replay of a game that
//! is over. All are below a random name.

use crate::line::{Line, Refused, settled};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use botyard_connections::Streams;
use botyard_viewer::LiveGame;
use futures_util::StreamExt;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The header of the token.
const TOKEN: &str = "x-botyard-token";

/// The longest command, in bytes.
const COMMAND_BYTES: usize = 64 * 1024;

/// How often a comment is sent when there is nothing else, so that closed connections are noticed.
const ALIVE: Duration = Duration::from_secs(10);

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
    let stream = shared.line.events().map(Ok::<Event, Infallible>);
    Sse::new(shared.streams.open(&[]).limit(stream))
        .keep_alive(KeepAlive::new().interval(ALIVE))
        .into_response()
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
