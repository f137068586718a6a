//! What the connection of a request says: who is at its other end, or what a trusted proxy says of that.

use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderMap;
use botyard_live::Peer;
use std::net::IpAddr;

/// The proxies in front of a site. What others claim in the headers of proxies is ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxy {
    /// The addresses from which their requests come.
    pub addresses: Vec<IpAddr>,
    /// The header with the student ID or email address of who signed in at the proxy, if it signs people
    /// in. It must remove this header from what browsers send.
    pub account_header: Option<String>,
}

/// What is known of the connection of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Via {
    /// The address of the browser; `None` if a proxy does not tell it.
    pub address: Option<IpAddr>,
    /// Whether the browser uses TLS.
    pub is_secure: bool,
    /// The account of who signed in at the proxy.
    pub account: Option<String>,
}

impl Via {
    /// Reads a request.
    pub fn of(request: &Request, proxy: Option<&Proxy>) -> Via {
        let peer = request.extensions().get::<ConnectInfo<Peer>>().map(|info| info.0.0.ip());
        via(peer, request.headers(), proxy)
    }

    /// Returns the place whose attempts are limited together: an address, or the network of one site for
    /// IPv6, in which a browser may choose its address.
    pub fn limited_together(&self) -> String {
        match self.address.map(|address| address.to_canonical()) {
            None => "an unknown address".to_string(),
            Some(IpAddr::V6(address)) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
            Some(address) => address.to_string(),
        }
    }
}

fn via(peer: Option<IpAddr>, headers: &HeaderMap, proxy: Option<&Proxy>) -> Via {
    let peer = peer.map(|peer| peer.to_canonical());
    let trusted = proxy.filter(|proxy| peer.is_some_and(|peer| proxy.addresses.contains(&peer)));
    let Some(proxy) = trusted else { return Via { address: peer, ..Via::default() } };
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // The proxy adds the address that it sees at the end.
    let last = headers.get_all("x-forwarded-for").into_iter().next_back();
    let address = last
        .and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse::<IpAddr>().ok());
    let account = proxy.account_header.as_deref().and_then(text).map(str::trim);
    Via {
        address,
        is_secure: text("x-forwarded-proto").is_some_and(|it| it.eq_ignore_ascii_case("https")),
        account: account.filter(|account| !account.is_empty()).map(String::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn addresses_of_one_network_are_limited_together() {
        let place = |text: &str| {
            let address = Some(text.parse().expect("an address"));
            Via { address, ..Via::default() }.limited_together()
        };
        assert_eq!(place("10.0.0.7"), "10.0.0.7");
        assert_eq!(place("::ffff:10.0.0.7"), "10.0.0.7");
        assert_eq!(place("2001:db8:1:2:3::4"), place("2001:db8:1:2::9"));
        assert_ne!(place("2001:db8:1:2::9"), place("2001:db8:1:3::9"));
        assert_eq!(Via::default().limited_together(), "an unknown address");
    }

    #[test]
    fn only_an_allowed_proxy_is_believed() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("x-forwarded-for", "6.6.6.6, 10.0.0.7"),
            ("x-forwarded-proto", "https"),
            ("x-remote-user", "1001"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let proxy = Proxy {
            addresses: vec!["10.0.0.1".parse().expect("an address")],
            account_header: Some("x-remote-user".into()),
        };
        let ip = |text: &str| text.parse::<IpAddr>().ok();
        let trusted = via(ip("10.0.0.1"), &headers, Some(&proxy));
        let expected =
            Via { address: ip("10.0.0.7"), is_secure: true, account: Some("1001".into()) };
        assert_eq!(trusted, expected);
        assert_eq!(via(ip("::ffff:10.0.0.1"), &headers, Some(&proxy)), expected);
        let stranger = Via { address: ip("10.0.0.2"), ..Via::default() };
        assert_eq!(via(ip("10.0.0.2"), &headers, Some(&proxy)), stranger);
        assert_eq!(via(ip("10.0.0.2"), &headers, None), stranger);
        let without = Proxy { account_header: None, ..proxy };
        assert_eq!(via(ip("10.0.0.1"), &headers, Some(&without)).account, None);
    }
}
