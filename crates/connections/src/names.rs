//! The names for which a server answers requests, and what every answer has, whatever its pages are.

use crate::connections::Limits;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// The longest head of a request, in bytes.
const HEAD: usize = 64 << 10;

/// Which requests a server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Those for a name of the loopback: no page from elsewhere can read answers through a name that it
    /// resolves to the loopback.
    Loopback,
    /// Those for any name. Pages must not be readable without signing in.
    Any,
}

impl Names {
    /// Returns what connections may take.
    pub const fn limits(self) -> Limits {
        const fn seconds(seconds: u64) -> Duration {
            Duration::from_secs(seconds)
        }
        match self {
            Names::Loopback => Limits {
                connections: 256,
                of_address: usize::MAX,
                head_bytes: HEAD,
                head: seconds(30),
                body: seconds(30),
                part: seconds(60),
            },
            Names::Any => Limits {
                // Every page that follows something has one, and a class may share an address.
                connections: 2048,
                of_address: 1024,
                head_bytes: HEAD,
                head: seconds(60),
                // A file may come over a slow network.
                body: seconds(300),
                part: seconds(60),
            },
        }
    }

    /// Returns how many connections may have an answer that lasts, such as events that a page follows. The others are
    /// for pages and forms.
    pub const fn most_streams(self) -> usize {
        self.limits().connections / 4 * 3
    }

    /// Returns how many of [`Names::most_streams`] one address may have: a class may share one.
    pub const fn most_streams_of_address(self) -> usize {
        match self {
            Names::Loopback => self.most_streams(),
            Names::Any => self.most_streams() / 2,
        }
    }

    /// Refuses requests for other names, and adds what every answer has.
    pub(crate) async fn guard(self, request: Request, next: Next) -> Response {
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        let mut response = match self == Names::Any || host.is_some_and(is_loopback) {
            true => next.run(request).await,
            false => {
                let message =
                    "this server answers requests for 127.0.0.1, [::1] and localhost only\n";
                (StatusCode::FORBIDDEN, message).into_response()
            }
        };
        let policy = HeaderValue::from_static("no-referrer");
        response.headers_mut().entry(header::REFERRER_POLICY).or_insert(policy);
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-frame-options", "DENY"),
            ("cache-control", "no-store"),
        ] {
            let name = HeaderName::from_static(name);
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

/// Whether the host of a request is a name of the loopback, with or without a port.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|its| name.eq_ignore_ascii_case(its))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_loopback_are_answered_and_no_others() {
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost:1", "LOCALHOST", "[::1]:80", "[::1]"]
        {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            ":80",
            "example.org",
            "127.0.0.1.example.org",
            "localhost.example.org:80",
            "[::2]",
            "0.0.0.0",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
