//! A limit for the number of connections that are open at once.

use crate::loopback::Names;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// The most connections that are open at once, and how long one may last until the server has
/// something to answer. Further connections wait until one is closed.
const fn limits(names: Names) -> (usize, Duration) {
    match names {
        Names::Loopback => (256, Duration::from_secs(30)),
        // Every page that follows something has one, and a file may come over a slow network.
        Names::Any => (2048, Duration::from_secs(300)),
    }
}

/// A listener that accepts a limited number of connections.
pub struct Limited {
    listener: TcpListener,
    free: Arc<Semaphore>,
    silent: Duration,
}

impl Limited {
    pub fn new(listener: TcpListener, names: Names) -> Limited {
        let (most, silent) = limits(names);
        Limited { listener, free: Arc::new(Semaphore::new(most)), silent }
    }
}

impl axum::serve::Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.free).acquire_owned().await.ok();
        let (stream, address) = axum::serve::Listener::accept(&mut self.listener).await;
        let request = Some(Box::pin(sleep(self.silent)));
        (Connection { stream, request, _permit: permit }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that counts. It ends if no complete request comes in time.
pub struct Connection {
    stream: TcpStream,
    /// Until the first answer: the time for the first request.
    request: Option<Pin<Box<Sleep>>>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(request) = &mut self.request
            && request.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.request = None;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
