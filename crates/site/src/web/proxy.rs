//! What the connection of a request says: who is at its other end, or what a trusted proxy says of that.

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, header};
use botyard_connections::{Client, Peer, Proxies, place};
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
pub(crate) struct Via {
    /// The address of the browser; `None` if a proxy does not tell it.
    pub address: Option<IpAddr>,
    /// Whether the browser uses TLS.
    pub is_secure: bool,
    /// The account of who signed in at the proxy.
    pub account: Option<String>,
    /// The host that the browser names, with its port; empty if it names none.
    pub host: String,
}

impl Proxy {
    /// Returns the proxies, for the server of the site.
    pub(crate) fn proxies(&self) -> Proxies {
        Proxies::At(self.addresses.clone())
    }
}

impl Via {
    /// Reads a request.
    pub(crate) fn of(request: &Request, proxy: Option<&Proxy>) -> Via {
        let peer = request.extensions().get::<ConnectInfo<Peer>>().map(|info| info.0.0.ip());
        Via::from(peer, request.headers(), proxy)
    }

    fn from(peer: Option<IpAddr>, headers: &HeaderMap, proxy: Option<&Proxy>) -> Via {
        let proxies = proxy.map_or(Proxies::None, Proxy::proxies);
        let Client { address, is_secure, is_forwarded } = proxies.client(peer, headers);
        let named = proxy.filter(|_| is_forwarded).and_then(|it| it.account_header.as_deref());
        let account = named.and_then(|name| headers.get(name)?.to_str().ok()).map(str::trim);
        let account = account.filter(|account| !account.is_empty()).map(String::from);
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = host.unwrap_or_default().to_string();
        Via { address, is_secure, account, host }
    }

    /// Returns the address of a page of the site, as this browser reaches it.
    pub(crate) fn whole_address(&self, path: &str) -> String {
        format!("{}://{}{path}", if self.is_secure { "https" } else { "http" }, self.host)
    }

    /// Returns the place whose attempts are limited together: an address, or the network of one site for
    /// IPv6, in which a browser may choose its address.
    pub(crate) fn limited_together(&self) -> String {
        let place = self.address.map(|address| place(address).to_string());
        place.unwrap_or("an unknown address".to_string())
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
    fn only_an_allowed_proxy_names_an_account() {
        let headers = HeaderMap::from_iter([(
            "x-remote-user".parse().expect("a name"),
            HeaderValue::from_static(" 1001 "),
        )]);
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        let proxy =
            Proxy { addresses: vec![ip("10.0.0.1")], account_header: Some("x-remote-user".into()) };
        let account =
            |peer, proxy: Option<&Proxy>| Via::from(Some(ip(peer)), &headers, proxy).account;
        assert_eq!(account("10.0.0.1", Some(&proxy)).as_deref(), Some("1001"));
        assert_eq!(account("10.0.0.2", Some(&proxy)), None);
        assert_eq!(account("10.0.0.1", None), None);
        let without = Proxy { account_header: None, ..proxy };
        assert_eq!(account("10.0.0.1", Some(&without)), None);
    }
}
