//! The connections: how many are open at once, how long each may stand still, and their end.

use super::Limits;
use super::counts::Counts;
use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};

/// The wait after a connection could not be accepted, because files or memory are short.
const SHORT: Duration = Duration::from_millis(100);

/// The longest head of a request, in bytes.
const HEAD: usize = 16 << 10;

/// Accepts connections and serves them.
pub struct Connections {
    listener: TcpListener,
    limits: Limits,
    free: Arc<Semaphore>,
    counts: Arc<Counts>,
}

impl Connections {
    pub fn new(listener: TcpListener, limits: Limits, counts: Arc<Counts>) -> Connections {
        let free = Arc::new(Semaphore::new(limits.connections));
        Connections { listener, limits, free, counts }
    }

    /// Serves until it is stopped, and waits for requests in progress as long as the message says.
    pub async fn serve(self, router: Router, mut stopped: oneshot::Receiver<Duration>) {
        let graceful = GracefulShutdown::new();
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.limits.head).max_buf_size(HEAD);
        let patience = loop {
            let accepted = tokio::select! {
                patience = &mut stopped => break patience.unwrap_or_default(),
                accepted = self.accept() => accepted,
            };
            let Some((stream, peer, permit)) = accepted else { continue };
            let _ = stream.set_nodelay(true);
            let router = TowerToHyperService::new(router.clone());
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                router.call(request)
            });
            let stream = TokioIo::new(Moving::new(stream, self.limits.part));
            let connection = graceful.watch(http.serve_connection(stream, service));
            let counts = Arc::clone(&self.counts);
            counts.connection_opened();
            tokio::spawn(async move {
                // An error is the client's: it closed the connection, or was too slow.
                let _ = connection.await;
                counts.connection_closed();
                drop(permit);
            });
        };
        drop(self.listener);
        let _ = timeout(patience, graceful.shutdown()).await;
    }

    async fn accept(&self) -> Option<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.free).acquire_owned().await.ok()?;
        match self.listener.accept().await {
            Ok((stream, peer)) => Some((stream, peer, permit)),
            Err(_) => {
                sleep(SHORT).await;
                None
            }
        }
    }
}

/// A connection that ends if its other end does not take an answer.
struct Moving {
    stream: TcpStream,
    patience: Duration,
    /// The end of the time for what is being written.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Moving {
    fn new(stream: TcpStream, patience: Duration) -> Moving {
        Moving { stream, patience, deadline: None }
    }

    /// Notes whether a write could be made, and fails if none could for too long.
    fn moved<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let patience = self.patience;
        let deadline =
            self.deadline.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + patience)));
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
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
        self.moved(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.moved(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
