//! The connections: how many are open at once, in all and from one address, how long each may stand still,
//! and requests by HTTP/1.1 on them.

use crate::answer::Answer;
use crate::body::InTime;
use crate::moving::Moving;
use crate::open::{Open, Stage};
use crate::proxies::Proxies;
use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

/// The wait after a connection could not be accepted, because files or memory are short.
const SHORT: Duration = Duration::from_millis(100);

/// What connections may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections that are open at once. One that is not used makes room for another; if all are used, further ones
    /// wait.
    pub connections: usize,
    /// Connections from one address. One that is not used makes room for another; if all are used, further ones are
    /// closed.
    pub of_address: usize,
    /// The head of a request, in bytes.
    pub head_bytes: usize,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub head: Duration,
    /// How long the body of a request may take.
    pub body: Duration,
    /// How long the other end may take to send a part of a body, or to make room for a part of an answer.
    pub part: Duration,
}

/// The other end of a connection, which requests have as `ConnectInfo<Peer>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// A listener that serves a limited number of connections.
#[derive(Debug)]
pub(crate) struct Connections {
    listener: TcpListener,
    limits: Limits,
    proxies: Proxies,
    open: Arc<Open>,
}

/// How many connections are open.
#[derive(Clone, Debug)]
pub struct Count(Arc<Open>);

impl Count {
    /// Returns it.
    pub fn get(&self) -> usize {
        self.0.count()
    }
}

impl Connections {
    /// Serves within these limits. Proxies have as many connections as they need.
    pub(crate) fn new(listener: TcpListener, limits: Limits, proxies: Proxies) -> Connections {
        let open = Arc::new(Open::new(limits.connections));
        Connections { listener, limits, proxies, open }
    }

    /// Returns how many connections are open, at every later moment.
    pub(crate) fn count(&self) -> Count {
        Count(Arc::clone(&self.open))
    }

    /// Serves until `stopped`, which says how long requests in progress may take then. Connections that are open later
    /// are tasks of the runtime.
    pub(crate) async fn serve(self, router: Router, stopped: impl Future<Output = Duration>) {
        let limits = self.limits;
        let graceful = GracefulShutdown::new();
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(limits.head_bytes);
        let mut stopped = pin!(stopped);
        let patience = loop {
            let accepted = tokio::select! {
                patience = &mut stopped => break patience,
                accepted = self.accept() => accepted,
            };
            let Some((stream, peer, entry)) = accepted else { continue };
            let entry = Arc::new(entry);
            let router = TowerToHyperService::new(router.clone());
            let its = Arc::clone(&entry);
            let service = service_fn(move |request: Request<Incoming>| {
                its.is_now(Stage::Answering);
                let entry = Arc::clone(&its);
                let mut request = request
                    .map(|body| InTime::new(body, limits.part, limits.body, Arc::clone(&its)));
                request.extensions_mut().insert(ConnectInfo(Peer(peer)));
                let answer = router.call(request);
                async move {
                    let answer = answer.await?;
                    let answer: Response<Answer> = answer.map(|body| Answer { body, entry });
                    Ok::<_, Infallible>(answer)
                }
            });
            let connection = http.serve_connection(TokioIo::new(stream), service);
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                tokio::select! {
                    // An error is the other end's: it closed the connection, or was too slow.
                    _ = connection => {}
                    () = entry.closed() => {}
                }
            });
        };
        drop(self.listener);
        let _ = timeout(patience, graceful.shutdown()).await;
    }

    async fn accept(&self) -> Option<(Moving, SocketAddr, crate::open::Entry)> {
        let Ok((stream, peer)) = self.listener.accept().await else {
            sleep(SHORT).await;
            return None;
        };
        let most = match self.proxies.has(peer.ip()) {
            true => usize::MAX,
            false => self.limits.of_address,
        };
        let entry = self.open.enter_in_turn(peer.ip(), most).await?;
        let _ = stream.set_nodelay(true);
        Some((Moving::new(stream, self.limits.part), peer, entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::read;
    use axum::body::{Body, Bytes};
    use axum::http::StatusCode;
    use axum::routing::{get, post};
    use futures_util::stream::repeat_with;
    use std::io::{self, Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc;
    use std::thread;

    const BRIEF: Duration = Duration::from_millis(100);

    /// Longer than the busiest machine takes.
    const PATIENCE: Duration = Duration::from_secs(300);

    const GENEROUS: Limits = Limits {
        connections: 64,
        of_address: 64,
        head_bytes: 64 << 10,
        head: PATIENCE,
        body: PATIENCE,
        part: PATIENCE,
    };

    /// Serves under these limits, for as long as the tests run. Returns the address.
    fn serve(limits: Limits, proxies: Proxies, router: Router) -> SocketAddr {
        let (started, address) = mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                started.send(listener.local_addr().expect("a port")).expect("it waits");
                let connections = Connections::new(listener, limits, proxies);
                connections.serve(router, std::future::pending()).await;
            });
        });
        address.recv().expect("it starts")
    }

    fn pages() -> Router {
        Router::new().route("/", get(|| async { "hello" })).route("/sum", post(sum))
    }

    async fn sum(body: Body) -> Result<String, StatusCode> {
        match read(body, 60_000_000).await {
            Ok(bytes) => Ok(bytes.len().to_string()),
            Err(error) => Err(error.status()),
        }
    }

    fn connected(address: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(address).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// Reads until the connection ends. Returns what came.
    fn rest(stream: &mut TcpStream) -> String {
        let mut text = Vec::new();
        match stream.read_to_end(&mut text) {
            Err(error) if error.kind() != io::ErrorKind::ConnectionReset => {
                panic!("the connection was not closed: {error}")
            }
            _ => String::from_utf8_lossy(&text).into_owned(),
        }
    }

    /// Sends a request on a connection that stays open. Returns whether it was answered.
    fn is_answered(stream: &mut TcpStream) -> bool {
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let (mut text, mut part) = (Vec::new(), [0; 1000]);
        while !text.ends_with(b"hello") {
            match stream.read(&mut part) {
                Ok(0) | Err(_) => return false,
                Ok(length) => text.extend_from_slice(&part[..length]),
            }
        }
        true
    }

    #[test]
    fn connections_that_stand_still_are_closed() {
        let address = serve(Limits { head: BRIEF, ..GENEROUS }, Proxies::None, pages());
        assert_eq!(rest(&mut connected(address)), "", "nothing was sent");
        let mut half = connected(address);
        let _ = half.write_all(b"GET / HTTP/1.1\r\nHost: lo");
        rest(&mut half);
        // On a busy machine the time may be over before the request is sent.
        let mut idle = connected(address);
        while !is_answered(&mut idle) {
            idle = connected(address);
        }
        assert_eq!(rest(&mut idle), "", "nothing was sent after an answer");

        let address = serve(Limits { body: BRIEF, ..GENEROUS }, Proxies::None, pages());
        let mut slow = connected(address);
        for _ in 0..2 {
            assert!(is_answered(&mut slow), "time passes in requests alone");
        }
        let half = b"POST /sum HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf";
        slow.write_all(half).expect("it reads");
        let answer = rest(&mut slow);
        assert!(answer.contains("408 Request Timeout"), "{answer}");

        let address = serve(Limits { part: BRIEF, ..GENEROUS }, Proxies::None, pages());
        let mut halting = connected(address);
        halting.write_all(half).expect("it reads");
        let answer = rest(&mut halting);
        assert!(answer.contains("408 Request Timeout"), "{answer}");
    }

    #[test]
    fn a_body_that_drips_for_too_long_is_not_received() {
        let address = serve(Limits { body: BRIEF, ..GENEROUS }, Proxies::None, pages());
        let mut dripping = connected(address);
        let head = b"POST /sum HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n";
        dripping.write_all(head).expect("it reads");
        let mut drops = dripping.try_clone().expect("a connection");
        let drips = thread::spawn(move || while drops.write_all(b"x").is_ok() {});
        let answer = rest(&mut dripping);
        assert!(answer.contains("408 Request Timeout"), "{answer}");
        drop(dripping);
        drips.join().expect("the connection is closed");
    }

    /// Says when it is dropped.
    struct Held(mpsc::Sender<()>);

    impl Drop for Held {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }

    #[test]
    fn a_connection_whose_other_end_takes_no_answer_is_closed() {
        let (ended, end) = mpsc::channel();
        let endless = get(move || {
            let held = Held(ended.clone());
            let part = move || {
                let _ = &held;
                Ok::<_, io::Error>(Bytes::from_static(&[b'x'; 10_000]))
            };
            async move { Body::from_stream(repeat_with(part)) }
        });
        let limits = Limits { part: BRIEF, ..GENEROUS };
        let address = serve(limits, Proxies::None, Router::new().route("/", endless));
        let mut deaf = connected(address);
        deaf.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
        end.recv_timeout(PATIENCE).expect("the answer is given up");
    }

    #[test]
    fn one_address_has_its_share_and_what_it_does_not_use_makes_room() {
        let limits = Limits { of_address: 2, ..GENEROUS };
        let (begun, begins) = mpsc::channel();
        let waiting = get(move || {
            begun.send(()).expect("it waits");
            std::future::pending::<String>()
        });
        let address = serve(limits, Proxies::None, pages().route("/wait", waiting));
        let wait = |stream: &mut TcpStream| {
            stream.write_all(b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
            begins.recv_timeout(PATIENCE).expect("it arrives");
        };
        let (mut first, mut idle) = (connected(address), connected(address));
        assert!(is_answered(&mut first) && is_answered(&mut idle));
        wait(&mut first);
        let mut second = connected(address);
        assert!(is_answered(&mut second), "an idle one makes room");
        assert_eq!(rest(&mut idle), "");
        wait(&mut second);
        assert_eq!(rest(&mut connected(address)), "", "a third one is closed");
        drop(first);
        while !is_answered(&mut connected(address)) {
            thread::sleep(Duration::from_millis(10));
        }

        let address = serve(limits, Proxies::OnThisHost, pages());
        let mut all: Vec<TcpStream> = (0..5).map(|_| connected(address)).collect();
        assert!(all.iter_mut().all(is_answered) && all.iter_mut().all(is_answered));
    }
}
