//! Calls over HTTP: repeated while the coordinator cannot be reached, and errors in words.

use super::{ClientError, ClientOptions, tls};
use crate::token::Token;
use crate::wire::{Code, Failed, Failure};
use botyard_league::store::StoreError;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::{Method, Response, header};

/// The wait before the first and the longest wait between two attempts.
const WAITS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(3));

/// How long an attempt to connect may take.
const CONNECT: Duration = Duration::from_secs(10);

/// How long the coordinator may take until it begins to answer. It waits for its database itself.
const ANSWER: Duration = Duration::from_secs(90);

/// How long a part of a body may take.
const PART: Duration = Duration::from_secs(60);

/// How long an idle connection is used again: less than the coordinator keeps it.
const IDLE: Duration = Duration::from_secs(15);

/// The most bytes of an answer in JSON.
const JSON: usize = 1 << 30;

/// The body of an answer.
pub(super) enum Body {
    Content(Vec<u8>),
    Failed(Failure),
}

/// Why a call has no result.
#[derive(Debug)]
pub enum CallError {
    /// The coordinator answered with a failure.
    Failed(Failure),
    /// It did not answer as a coordinator does, or not at all.
    Unanswered(StoreError),
}

impl CallError {
    /// Returns the error of a call that carries a result. A worker keeps the result if its token is
    /// not accepted, which is good with another token, or if something else than a coordinator
    /// answered, such as a proxy: only a coordinator refuses a result.
    pub fn of_result(self) -> StoreError {
        match self {
            CallError::Failed(failure) if failure.code.is_about_token() => {
                StoreError::Host(failure.message)
            }
            CallError::Unanswered(StoreError::Refused(message)) => StoreError::Host(message),
            error => error.into(),
        }
    }
}

impl From<CallError> for StoreError {
    fn from(error: CallError) -> StoreError {
        match error {
            CallError::Failed(failure) => failure.into(),
            CallError::Unanswered(error) => error,
        }
    }
}

/// Returns a client of HTTP for a server at this address, of Botyard's: timeouts that it keeps, no
/// redirects, and the certificates that are trusted.
///
/// # Errors
///
/// The address is not one of HTTP without a query; the certificates cannot be used.
pub fn agent(url: &str, ca_file: Option<&Path>) -> Result<Agent, ClientError> {
    let invalid = || ClientError::Url(url.to_string());
    let address: ureq::http::Uri = url.trim_end_matches('/').parse().map_err(|_| invalid())?;
    let is_tls = match address.scheme_str() {
        Some("http") => false,
        Some("https") => true,
        _ => return Err(invalid()),
    };
    if address.host().is_none_or(str::is_empty) || address.query().is_some() {
        return Err(invalid());
    }
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("botyard/", env!("CARGO_PKG_VERSION")))
        .max_idle_age(IDLE)
        .timeout_connect(Some(CONNECT))
        .timeout_resolve(Some(CONNECT))
        .timeout_recv_response(Some(ANSWER))
        .timeout_per_read(Some(ANSWER.max(PART)))
        .timeout_per_write(Some(PART));
    if is_tls {
        config = config.tls_config(tls::config(ca_file)?);
    }
    if address.host().is_some_and(is_loopback) {
        config = config.proxy(None);
    }
    Ok(config.build().new_agent())
}

/// A coordinator at an address.
pub(super) struct Connection {
    agent: Agent,
    url: String,
    authorization: String,
    patience: Duration,
}

/// The end of an attempt.
enum Attempt {
    Answered(Body),
    /// The same may succeed later.
    Later(String),
    /// The same would fail again.
    Never(String),
}

impl Connection {
    pub(super) fn new(
        url: &str,
        token: &Token,
        options: &ClientOptions,
    ) -> Result<Connection, ClientError> {
        Ok(Connection {
            agent: agent(url, options.ca_file.as_deref())?,
            url: url.trim_end_matches('/').to_string(),
            authorization: format!("Bearer {}", token.reveal()),
            patience: options.patience,
        })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn get<A: DeserializeOwned>(&self, path: &str) -> Result<A, CallError> {
        self.json(&Method::GET, path, None)
    }

    pub(super) fn post<A: DeserializeOwned>(
        &self,
        path: &str,
        body: &[u8],
    ) -> Result<A, CallError> {
        self.json(&Method::POST, path, Some(body))
    }

    pub(super) fn put<A: DeserializeOwned>(&self, path: &str, body: &[u8]) -> Result<A, CallError> {
        self.json(&Method::PUT, path, Some(body))
    }

    /// Returns content of this many bytes at most.
    pub(super) fn content(&self, path: &str, most: usize) -> Result<Body, StoreError> {
        self.repeated(&Method::GET, path, None, most)
    }

    fn json<A: DeserializeOwned>(
        &self,
        method: &Method,
        path: &str,
        body: Option<&[u8]>,
    ) -> Result<A, CallError> {
        match self.repeated(method, path, body, JSON).map_err(CallError::Unanswered)? {
            Body::Failed(failure) => Err(CallError::Failed(failure)),
            Body::Content(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                CallError::Unanswered(StoreError::Refused(format!(
                    "{}{path} did not answer with the JSON of a coordinator of this version: {error}",
                    self.url
                )))
            }),
        }
    }

    /// Makes a request until it is answered.
    fn repeated(
        &self,
        method: &Method,
        path: &str,
        body: Option<&[u8]>,
        most: usize,
    ) -> Result<Body, StoreError> {
        let begun = Instant::now();
        let (mut wait, longest) = WAITS;
        loop {
            let reason = match self.attempt(method, path, body, most) {
                Attempt::Answered(Body::Failed(failure)) if failure.code.may_be_repeated() => {
                    failure.message
                }
                Attempt::Answered(body) => return Ok(body),
                Attempt::Later(reason) => reason,
                Attempt::Never(reason) => {
                    return Err(StoreError::Refused(format!(
                        "the coordinator at {} cannot be used: {reason}",
                        self.url
                    )));
                }
            };
            if begun.elapsed() + wait > self.patience {
                return Err(StoreError::Host(format!(
                    "the coordinator at {} cannot be reached: {reason} (tried for {} s)",
                    self.url,
                    begun.elapsed().as_secs()
                )));
            }
            std::thread::sleep(wait);
            wait = (wait * 2).min(longest);
        }
    }

    fn attempt(&self, method: &Method, path: &str, body: Option<&[u8]>, most: usize) -> Attempt {
        let url = format!("{}{path}", self.url);
        let request = ureq::http::Request::builder()
            .method(method.clone())
            .uri(&url)
            .header(header::AUTHORIZATION, &self.authorization)
            .header(
                header::CONTENT_TYPE,
                match *method {
                    Method::PUT => "application/octet-stream",
                    _ => "application/json",
                },
            );
        let sent = match body {
            Some(body) => request.body(body).map(|request| self.agent.run(request)),
            None => request.body(()).map(|request| self.agent.run(request)),
        };
        let response = match sent {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return failed(&error),
            Err(error) => return Attempt::Never(in_words(&error)),
        };
        answered(response, most)
    }
}

/// Reads an answer.
fn answered(mut response: Response<ureq::Body>, most: usize) -> Attempt {
    let status = response.status();
    let location = response.headers().get(header::LOCATION).cloned();
    let read = response.body_mut().with_config().limit(most as u64).read_to_vec();
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => return failed(&error),
    };
    if status.is_success() {
        return Attempt::Answered(Body::Content(bytes));
    }
    if let Ok(Failed { error }) = serde_json::from_slice::<Failed>(&bytes) {
        let message = match error.code.is_about_token() {
            true => format!("the coordinator does not accept the token: {}", error.message),
            false => error.message,
        };
        return Attempt::Answered(Body::Failed(Failure { message, ..error }));
    }
    let status_words = format!("it answered with the status {status}");
    if let Some(location) = location {
        return Attempt::Never(format!(
            "{status_words} and leads to {}: use that address",
            location.to_str().unwrap_or_default()
        ));
    }
    match status.as_u16() {
        // A proxy in front of a coordinator that does not run.
        408 | 429 | 500.. => Attempt::Later(status_words),
        // Other content may pass.
        413 => Attempt::Answered(Body::Failed(Failure::new(
            Code::TooLarge,
            format!(
                "a proxy in front of the coordinator accepts no content of this size: {status_words}"
            ),
        ))),
        _ => Attempt::Never(format!("{status_words}, and not as a coordinator does")),
    }
}

/// Returns whether a failed attempt may succeed later.
fn failed(error: &ureq::Error) -> Attempt {
    let words = in_words(error);
    match error {
        // A certificate is not trusted, whatever the number of attempts.
        ureq::Error::Rustls(_) | ureq::Error::Tls(_) | ureq::Error::Pem(_) => Attempt::Never(words),
        ureq::Error::Io(error) if is_of_tls(error) => Attempt::Never(words),
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::BodyExceedsLimit(_) => {
            Attempt::Never(words)
        }
        _ => Attempt::Later(words),
    }
}

/// Returns whether an error of a stream is one of TLS itself.
fn is_of_tls(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>())
}

/// Returns an error with what caused it.
fn in_words(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !words.contains(&more) {
            words.push_str(": ");
            words.push_str(&more);
        }
        cause = error.source();
    }
    words
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let address = host.parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// The bytes that are encoded in a query: all but the unreserved ones of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Returns text as a value in a query.
pub(super) fn quoted(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_coordinators_are_read_and_others_refused() {
        let token = Token::draw("lab").unwrap();
        let make = |url: &str| Connection::new(url, &token, &ClientOptions::default());
        for url in ["http://lab:7777", "http://[::1]:1/", "http://host/botyard/"] {
            assert!(make(url).is_ok(), "{url}");
        }
        for url in ["", "lab:7777", "ftp://lab", "http://", "postgres://a@b/c", "http://a/?b=c"] {
            assert!(matches!(make(url), Err(ClientError::Url(_))), "{url}");
        }
        assert_eq!(quoted("a b/ä&="), "a%20b%2F%C3%A4%26%3D");
    }
}
