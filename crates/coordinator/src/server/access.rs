//! Who calls: the token of a request, and the limit of requests without a valid one.

use crate::token::Token;
use crate::token_file::{TokenFileError, Tokens};
use axum::http::HeaderMap;
use botyard_connections::{bearer, place};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time over which failures are counted.
const MINUTE: Duration = Duration::from_secs(60);

/// The most addresses whose failures are remembered.
const ADDRESSES: usize = 10_000;

/// The check of tokens.
pub(crate) struct Access {
    tokens: Arc<Tokens>,
    most_failures: u32,
    failures: Mutex<HashMap<IpAddr, Failures>>,
}

/// The failures of an address since a moment.
struct Failures {
    since: Instant,
    count: u32,
}

/// Why a request is not let in.
#[derive(Debug)]
pub(crate) enum Denied {
    /// It has no valid token.
    Unauthorized(&'static str),
    /// Its address had too many failures.
    TooMany {
        /// When its failures are forgotten.
        wait: Duration,
        /// Whether this is the first one that is over the limit, which is worth a line in the log.
        is_first: bool,
    },
    /// The file of tokens cannot be used.
    Host(TokenFileError),
}

impl Access {
    pub(crate) fn new(tokens: Arc<Tokens>, most_failures: u32) -> Access {
        Access { tokens, most_failures, failures: Mutex::default() }
    }

    /// Returns the name of the token of a request. A valid token is let in whatever came from its
    /// address before: many workers may share one, and so do all behind a proxy.
    pub(crate) fn check(&self, headers: &HeaderMap, peer: IpAddr) -> Result<String, Denied> {
        let reason = match bearer(headers) {
            None => "no token",
            Some(text) => match text.parse::<Token>() {
                Err(_) => "another form of token",
                Ok(token) => match self.tokens.has(&token) {
                    Ok(true) => return Ok(token.name().to_string()),
                    Ok(false) => "an unknown or revoked token",
                    Err(error) => return Err(Denied::Host(error)),
                },
            },
        };
        Err(self.failed(peer, reason))
    }

    fn failed(&self, peer: IpAddr, reason: &'static str) -> Denied {
        let peer = place(peer);
        let now = Instant::now();
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.len() >= ADDRESSES {
            failures.retain(|_, its| now.duration_since(its.since) < MINUTE);
        }
        if failures.len() >= ADDRESSES && !failures.contains_key(&peer) {
            return Denied::TooMany { wait: MINUTE, is_first: false };
        }
        let its = failures.entry(peer).or_insert(Failures { since: now, count: 0 });
        if now.duration_since(its.since) >= MINUTE {
            *its = Failures { since: now, count: 0 };
        }
        its.count = its.count.saturating_add(1);
        match its.count <= self.most_failures {
            true => Denied::Unauthorized(reason),
            false => Denied::TooMany {
                wait: MINUTE.saturating_sub(now.duration_since(its.since)),
                is_first: its.count == self.most_failures + 1,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
    }

    #[test]
    fn failures_are_limited_by_address_and_a_valid_token_is_let_in_all_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let tokens = Arc::new(Tokens::in_file(directory.path().join("tokens.json")));
        let token = tokens.add("lab").unwrap().reveal();
        let access = Access::new(tokens, 2);
        let [here, there] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let wrong = headers("authorization", &format!("Bearer lab.{}", "0".repeat(64)));
        let right = headers("authorization", &format!("bearer {token}"));
        for _ in 0..2 {
            assert!(matches!(access.check(&wrong, here), Err(Denied::Unauthorized(_))));
        }
        for first in [true, false] {
            let denied = access.check(&HeaderMap::new(), here);
            assert!(matches!(denied, Err(Denied::TooMany { is_first, .. }) if is_first == first));
        }
        assert_eq!(access.check(&right, here).unwrap(), "lab");
        assert!(matches!(access.check(&wrong, there), Err(Denied::Unauthorized(_))));
    }
}
