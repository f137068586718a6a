//! Replies to requests, and refusals.

use super::addresses::Mount;
use crate::error::SiteError;
use crate::files::secrets;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::io;

/// The policy of every page: nothing from elsewhere, no script or style in the page itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The name of the cookie with the token of a session.
pub(super) const COOKIE: &str = "session";

/// The name of the cookie of a browser in which a person has signed in before.
pub(super) const BROWSER: &str = "browser";

/// The name of the cookie of a sign-in elsewhere that was begun.
pub(crate) const SIGN_IN: &str = "sign-in";

/// How long a browser is known, in seconds: a term.
const BROWSER_SECONDS: i64 = 180 * 24 * 3600;

/// A reply.
#[derive(Debug)]
pub(crate) struct Reply {
    status: StatusCode,
    headers: Vec<(HeaderName, String)>,
    body: Vec<u8>,
    /// What is sent in place of the body, while it is written.
    stream: Option<Body>,
}

impl Reply {
    /// Returns a page.
    pub(crate) fn html(html: String) -> Reply {
        Reply::file("text/html; charset=utf-8", html.into_bytes())
            .with(header::CONTENT_SECURITY_POLICY, POLICY)
            // Browsers name the origin of a form with this policy, and not with `no-referrer`.
            .with(header::REFERRER_POLICY, "same-origin")
    }

    /// Returns a file that a browser shows or uses.
    pub(crate) fn file(kind: &str, body: Vec<u8>) -> Reply {
        let headers = vec![(header::CONTENT_TYPE, kind.to_string())];
        Reply { status: StatusCode::OK, headers, body, stream: None }
    }

    /// Returns a file that is sent while it is written.
    pub(super) fn stream(kind: &str, stream: Body) -> Reply {
        Reply { stream: Some(stream), ..Reply::file(kind, Vec::new()) }
    }

    /// Returns a line of plain text, for a script.
    pub(crate) fn text(status: StatusCode, text: &str) -> Reply {
        let body = format!("{text}\n").into_bytes();
        Reply::file("text/plain; charset=utf-8", body).status(status)
    }

    /// Returns JSON for a program.
    pub(crate) fn json(value: &serde_json::Value) -> Reply {
        Reply::file("application/json", value.to_string().into_bytes())
    }

    /// Sends the browser to another page of the site.
    pub(crate) fn see(address: impl Into<String>) -> Reply {
        let headers = vec![(header::LOCATION, address.into())];
        Reply { status: StatusCode::SEE_OTHER, headers, body: Vec::new(), stream: None }
    }

    /// Adds a header.
    #[must_use]
    pub(crate) fn with(mut self, name: HeaderName, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }

    /// Changes the status.
    #[must_use]
    pub(crate) fn status(self, status: StatusCode) -> Reply {
        Reply { status, ..self }
    }

    /// Sets the cookie of a session, which lasts this number of seconds; 0 removes it.
    #[must_use]
    pub(crate) fn cookie(self, token: &str, seconds: i64) -> Reply {
        let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}");
        self.with(header::SET_COOKIE, cookie)
    }

    /// Lets the browser be known to the person with this stored password: it has a cookie that follows from it and lasts
    /// as long as the password.
    #[must_use]
    pub(crate) fn browser(self, stored: &str) -> Reply {
        let mark = secrets::digest("browser", stored);
        let cookie = format!(
            "{BROWSER}={mark}; Path=/login; HttpOnly; SameSite=Lax; Max-Age={BROWSER_SECONDS}"
        );
        self.with(header::SET_COOKIE, cookie)
    }

    /// Gives the addresses and cookies of this reply the names with which they are sent.
    #[must_use]
    pub(super) fn placed(mut self, mount: &Mount) -> Reply {
        let mut is_page = false;
        for (name, value) in &mut self.headers {
            let name = &*name;
            if name == header::SET_COOKIE {
                *value = mount.set_cookie(value);
            } else if name == header::LOCATION && value.starts_with('/') {
                *value = mount.path(value);
            } else if name == header::CONTENT_TYPE {
                is_page |= value.starts_with("text/html");
            }
        }
        if let Some(page) = std::str::from_utf8(&self.body).ok().filter(|_| is_page) {
            self.body = mount.markup(page).into_bytes();
        }
        self
    }

    /// Lets the browser send cookies of this reply over TLS only.
    #[must_use]
    pub(crate) fn secure(mut self) -> Reply {
        for (_, value) in self.headers.iter_mut().filter(|(name, _)| name == header::SET_COOKIE) {
            value.push_str("; Secure");
        }
        self
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut response = Response::new(self.stream.unwrap_or_else(|| Body::from(self.body)));
        *response.status_mut() = self.status;
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().append(name, value);
            }
        }
        response
    }
}

/// Why a request was refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The visitor has to sign in.
    SignIn,
    /// The visitor may not do this.
    Forbidden(String),
    /// There is no such thing, or the visitor may not know of it.
    NotFound,
    /// The request is wrong. The text says what was expected.
    Wrong(String),
    /// Something is too large.
    TooLarge(String),
    /// The request did not arrive in time.
    Slow,
    /// There were too many requests.
    TooMany(String),
    /// The host failed.
    Host(String),
}

impl Refusal {
    /// Returns the status, a title and a text.
    pub(crate) fn described(&self) -> (StatusCode, &'static str, &str) {
        match self {
            Refusal::SignIn => (StatusCode::UNAUTHORIZED, "Sign in", "Sign in first."),
            Refusal::Forbidden(text) => (StatusCode::FORBIDDEN, "Not allowed", text),
            Refusal::NotFound => {
                (StatusCode::NOT_FOUND, "Not found", "There is no such page, or it is not yours.")
            }
            Refusal::Wrong(text) => (StatusCode::BAD_REQUEST, "That did not work", text),
            Refusal::TooLarge(text) => (StatusCode::PAYLOAD_TOO_LARGE, "Too large", text),
            Refusal::Slow => {
                let text = "The request did not arrive in time. Try again.";
                (StatusCode::REQUEST_TIMEOUT, "Too slow", text)
            }
            Refusal::TooMany(text) => (StatusCode::TOO_MANY_REQUESTS, "Too many attempts", text),
            Refusal::Host(text) => {
                (StatusCode::INTERNAL_SERVER_ERROR, "The site has a problem", text)
            }
        }
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Refusal {
        Refusal::Host(format!("The database cannot be used: {error}."))
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Host(format!("The host failed: {error}."))
    }
}

impl From<botyard_runner::Error> for Refusal {
    fn from(error: botyard_runner::Error) -> Refusal {
        let error = error.message().text(crate::competition::event::name);
        Refusal::Host(format!("The host failed: {error}."))
    }
}

impl From<SiteError> for Refusal {
    fn from(error: SiteError) -> Refusal {
        match error {
            SiteError::Wrong(why) => Refusal::Wrong(why),
            SiteError::TooMany(why) => Refusal::TooMany(why),
            SiteError::Database(error) => error.into(),
            SiteError::System(error) => error.into(),
            SiteError::Host(error) => error.into(),
        }
    }
}
