//! The connections: how many are open at once, in all and from one address, how long each may stand still,
//! and requests by HTTP/1.1 on them.

use crate::loopback::{Names, Peer};
use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep};

/// The wait after a connection could not be accepted, because files or memory are short.
const SHORT: Duration = Duration::from_millis(100);

/// What connections may take.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Connections that are open at once. Further ones wait until one is closed.
    connections: usize,
    /// Connections from one address. Further ones are closed.
    of_address: usize,
    /// How long the head of a request may take, and how long a connection may be idle.
    head: Duration,
    /// How long the body of a request may take.
    body: Duration,
    /// How long the other end may take to make room for a part of an answer.
    part: Duration,
}

const fn limits(names: Names) -> Limits {
    let seconds = Duration::from_secs;
    match names {
        Names::Loopback => Limits {
            connections: 256,
            of_address: usize::MAX,
            head: seconds(30),
            body: seconds(30),
            part: seconds(60),
        },
        Names::Any => Limits {
            // Every page that follows something has one, and a class may share an address.
            connections: 2048,
            of_address: 512,
            head: seconds(60),
            // A file may come over a slow network.
            body: seconds(300),
            part: seconds(60),
        },
    }
}

/// A listener that serves a limited number of connections.
pub struct Connections {
    listener: TcpListener,
    limits: Limits,
    /// Addresses that have as many connections as they need.
    proxies: Vec<IpAddr>,
}

impl Connections {
    pub fn new(listener: TcpListener, names: Names, proxies: Vec<IpAddr>) -> Connections {
        Connections { listener, limits: limits(names), proxies }
    }

    /// Serves until it is dropped. Connections that are open then are tasks of the runtime.
    pub async fn serve(self, router: Router) {
        let limits = self.limits;
        let free = Arc::new(Semaphore::new(limits.connections));
        let open = Arc::new(Mutex::new(HashMap::new()));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.head);
        // The semaphore is never closed.
        while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
            let Ok((stream, peer)) = self.listener.accept().await else {
                sleep(SHORT).await;
                continue;
            };
            let most = match self.proxies.contains(&peer.ip().to_canonical()) {
                true => usize::MAX,
                false => limits.of_address,
            };
            let Some(counted) = Counted::new(&open, peer.ip(), most) else { continue };
            let _ = stream.set_nodelay(true);
            let router = TowerToHyperService::new(router.clone());
            let service = service_fn(move |request: Request<Incoming>| {
                let mut request = request.map(|body| InTime::new(body, limits.body));
                request.extensions_mut().insert(ConnectInfo(Peer(peer)));
                router.call(request)
            });
            let stream = TokioIo::new(Moving { stream, patience: limits.part, deadline: None });
            let connection = http.serve_connection(stream, service);
            tokio::spawn(async move {
                // An error is the other end's: it closed the connection, or was too slow.
                let _ = connection.await;
                drop((counted, permit));
            });
        }
    }
}

/// The number of open connections by address, or by network of one site for IPv6.
type Open = Mutex<HashMap<IpAddr, usize>>;

/// A connection that counts until it is dropped.
struct Counted {
    open: Arc<Open>,
    address: IpAddr,
}

impl Counted {
    /// Counts a connection, unless the address has `most` of them.
    fn new(open: &Arc<Open>, address: IpAddr, most: usize) -> Option<Counted> {
        let address = match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            address => address,
        };
        let mut counts = open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Counted { open: Arc::clone(open), address })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// The body of a request, which fails if it takes too long.
struct InTime {
    body: Incoming,
    deadline: Pin<Box<Sleep>>,
}

impl InTime {
    fn new(body: Incoming, within: Duration) -> InTime {
        InTime { body, deadline: Box::pin(sleep(within)) }
    }
}

impl Body for InTime {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(io::Error::other)));
        }
        match self.deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into()))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection that ends if its other end does not take an answer.
struct Moving {
    stream: TcpStream,
    patience: Duration,
    /// The end of the time for what is being written.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl AsyncRead for Moving {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Moving {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::{get, post};
    use futures_util::stream::repeat_with;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc;
    use std::thread;

    const BRIEF: Duration = Duration::from_millis(100);

    /// Longer than the busiest machine takes.
    const PATIENCE: Duration = Duration::from_secs(300);

    const GENEROUS: Limits =
        Limits { connections: 64, of_address: 64, head: PATIENCE, body: PATIENCE, part: PATIENCE };

    /// Serves under these limits, for as long as the tests run. Returns the address.
    fn serve(limits: Limits, proxies: &[&str], router: Router) -> std::net::SocketAddr {
        let proxies = proxies.iter().map(|it| it.parse().expect("an address")).collect();
        let (started, address) = mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                started.send(listener.local_addr().expect("a port")).expect("it waits");
                Connections { listener, limits, proxies }.serve(router).await;
            });
        });
        address.recv().expect("it starts")
    }

    fn pages() -> Router {
        Router::new()
            .route("/", get(|| async { "hello" }))
            .route("/sum", post(|body: Bytes| async move { body.len().to_string() }))
    }

    fn connected(address: std::net::SocketAddr) -> TcpStream {
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
        let address = serve(Limits { head: BRIEF, ..GENEROUS }, &[], pages());
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

        let address = serve(Limits { body: BRIEF, ..GENEROUS }, &[], pages());
        let mut slow = connected(address);
        for _ in 0..2 {
            assert!(is_answered(&mut slow), "time passes in requests alone");
        }
        slow.write_all(b"POST /sum HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf")
            .expect("it reads");
        let answer = rest(&mut slow);
        assert!(!answer.contains("200 OK"), "{answer}");
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
            async move { axum::body::Body::from_stream(repeat_with(part)) }
        });
        let limits = Limits { part: BRIEF, ..GENEROUS };
        let address = serve(limits, &[], Router::new().route("/", endless));
        let mut deaf = connected(address);
        deaf.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
        end.recv_timeout(PATIENCE).expect("the answer is given up");
    }

    #[test]
    fn one_address_leaves_connections_to_others_and_a_proxy_is_no_such_address() {
        let limits = Limits { of_address: 2, ..GENEROUS };
        let address = serve(limits, &[], pages());
        let mut first = connected(address);
        let mut second = connected(address);
        assert!(is_answered(&mut first) && is_answered(&mut second));
        assert_eq!(rest(&mut connected(address)), "", "a third one is closed");
        assert!(is_answered(&mut first));
        drop(first);
        while !is_answered(&mut connected(address)) {
            thread::sleep(Duration::from_millis(10));
        }

        let address = serve(limits, &["127.0.0.1"], pages());
        let mut all: Vec<TcpStream> = (0..5).map(|_| connected(address)).collect();
        assert!(all.iter_mut().all(is_answered));
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let open = Arc::default();
        let count = |address: &str| Counted::new(&open, address.parse().expect("an address"), 1);
        let first = count("2001:db8:1:2::9").expect("the first");
        assert!(count("2001:db8:1:2:3::4").is_none());
        assert!(count("2001:db8:1:3::9").is_some() && count("10.0.0.1").is_some());
        drop(first);
        assert!(count("2001:db8:1:2:3::4").is_some());
        assert!(open.lock().expect("no panic").is_empty());
    }
}
