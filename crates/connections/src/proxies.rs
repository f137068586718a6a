//! The proxies in front of a server: whose word about the client of a request is believed.

use axum::http::HeaderMap;
use std::net::IpAddr;

/// The proxies in front of a server. What others claim in the headers of proxies is ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Proxies {
    /// None.
    #[default]
    None,
    /// Whatever connects from this host.
    OnThisHost,
    /// Those at some addresses.
    At(Vec<IpAddr>),
}

/// The client of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Client {
    /// Its address; `None` if a proxy does not say it.
    pub address: Option<IpAddr>,
    /// Whether it uses TLS, as far as a proxy says so.
    pub is_secure: bool,
    /// Whether a proxy has forwarded the request, so that its other headers are believed too.
    pub is_forwarded: bool,
}

impl Proxies {
    /// Returns whether the other end of a connection is one of them.
    pub fn has(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        match self {
            Proxies::None => false,
            Proxies::OnThisHost => peer.is_loopback(),
            Proxies::At(addresses) => addresses.iter().any(|its| its.to_canonical() == peer),
        }
    }

    /// Returns the client of a request that came over a connection from this address.
    pub fn client(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Client {
        if !peer.is_some_and(|peer| self.has(peer)) {
            let address = peer.map(|peer| peer.to_canonical());
            return Client { address, ..Client::default() };
        }
        // A proxy adds the address that it sees at the end.
        let last = headers.get_all("x-forwarded-for").into_iter().next_back();
        let last = last.and_then(|value| value.to_str().ok()?.rsplit(',').next());
        let address = last.and_then(|address| address.trim().parse::<IpAddr>().ok());
        let scheme = headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
        Client {
            address: address.map(|address| address.to_canonical()),
            is_secure: scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
            is_forwarded: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn ip(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[test]
    fn only_an_allowed_proxy_is_believed() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_static("6.6.6.6, 10.0.0.7"));
        headers.insert("x-forwarded-proto", HeaderValue::from_static("https"));
        let proxies = Proxies::At(vec![ip("10.0.0.1").expect("an address")]);
        let forwarded = Client { address: ip("10.0.0.7"), is_secure: true, is_forwarded: true };
        let stranger = |address| Client { address: ip(address), ..Client::default() };
        for (proxies, peer, expected) in [
            (&proxies, "10.0.0.1", forwarded),
            (&proxies, "::ffff:10.0.0.1", forwarded),
            (&proxies, "10.0.0.2", stranger("10.0.0.2")),
            (&proxies, "::ffff:10.0.0.2", stranger("10.0.0.2")),
            (&proxies, "127.0.0.1", stranger("127.0.0.1")),
            (&Proxies::OnThisHost, "127.0.0.1", forwarded),
            (&Proxies::OnThisHost, "::1", forwarded),
            (&Proxies::OnThisHost, "10.0.0.1", stranger("10.0.0.1")),
            (&Proxies::None, "127.0.0.1", stranger("127.0.0.1")),
        ] {
            assert_eq!(proxies.client(ip(peer), &headers), expected, "{proxies:?} {peer}");
        }
        assert_eq!(proxies.client(None, &headers), Client::default());
    }

    #[test]
    fn a_proxy_that_says_nothing_readable_leaves_the_address_unknown() {
        for value in ["nonsense", "10.0.0.7, ", ""] {
            let value = HeaderValue::from_static(value);
            let headers = HeaderMap::from_iter([("x-forwarded-for".parse().expect("it"), value)]);
            let client = Proxies::OnThisHost.client(ip("127.0.0.1"), &headers);
            assert_eq!(client, Client { is_forwarded: true, ..Client::default() });
        }
    }
}
