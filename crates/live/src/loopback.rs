//! An HTTP server in a thread of its own, whatever its pages are. On the loopback it answers requests
//! for names of the loopback only. It adds to every answer the headers that keep other sites away.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use botyard_connections::{Connections, Limits};
use botyard_viewer::Document;
use std::future::pending;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::thread::{self, JoinHandle};
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
    /// What connections may take.
    const fn limits(self) -> Limits {
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
}

/// A server on the loopback, or on another address of this host. It ends when it is dropped.
#[derive(Debug)]
pub struct Loopback {
    address: SocketAddr,
    ended: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Loopback {
    /// Starts to serve on this port of the loopback; 0 for any free port.
    ///
    /// # Errors
    ///
    /// The port is taken, or the host cannot start a thread.
    pub fn start(port: u16, router: Router) -> io::Result<Loopback> {
        Loopback::listen((Ipv4Addr::LOCALHOST, port).into(), Names::Loopback, router)
    }

    /// Starts to serve on this address of the host.
    ///
    /// # Errors
    ///
    /// The address is not one of the host or its port is taken, or the host cannot start a thread.
    pub fn listen(address: SocketAddr, names: Names, router: Router) -> io::Result<Loopback> {
        Loopback::listen_behind(Vec::new(), address, names, router)
    }

    /// Starts to serve on this address of the host, behind the proxies at some addresses, which may have more
    /// connections than others.
    ///
    /// # Errors
    ///
    /// Those of [`Loopback::listen`].
    pub fn listen_behind(
        proxies: Vec<IpAddr>,
        address: SocketAddr,
        names: Names,
        router: Router,
    ) -> io::Result<Loopback> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (ended, end) = tokio::sync::oneshot::channel();
        let router = router.layer(from_fn(move |request, next| guard(names, request, next)));
        let thread = thread::Builder::new().name("live".to_string()).spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                let connections = Connections::new(listener, names.limits(), proxies);
                tokio::select! {
                    () = connections.serve(router, pending()) => {}
                    _ = end => {}
                }
            });
            // Listing a large directory may still be under way.
            runtime.shutdown_background();
        })?;
        Ok(Loopback { address, ended: Some(ended), thread: Some(thread) })
    }

    /// The address and the port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        if let Some(ended) = self.ended.take() {
            let _ = ended.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Refuses requests for other hosts, and adds what every answer has.
async fn guard(names: Names, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let mut response = match names == Names::Any || host.is_some_and(is_loopback) {
        true => next.run(request).await,
        false => {
            let message = "this server answers requests for 127.0.0.1, [::1] and localhost only\n";
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

/// Whether the host of a request is a name of the loopback, with or without a port.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|its| name.eq_ignore_ascii_case(its))
}

/// Makes the answer with a page: its policy is a header as well, and no page of another site may
/// frame it.
pub fn page(Document { html, policy }: Document) -> Response {
    let policy = format!("{policy}; frame-ancestors 'none'");
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_string()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, Body::from(html)).into_response()
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
