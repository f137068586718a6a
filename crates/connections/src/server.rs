//! A server in a thread of its own, whatever its pages or calls are.

use crate::connections::{Connections, Count, Limits};
use crate::names::Names;
use crate::proxies::Proxies;
use axum::Router;
use axum::middleware::from_fn;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

/// Where a server listens, and what it accepts.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The address of the host and the port; port 0 for any free port.
    pub address: SocketAddr,
    /// Which requests it answers.
    pub names: Names,
    /// What connections may take.
    pub limits: Limits,
    /// The proxies in front of it, which may have as many connections as they need.
    pub proxies: Proxies,
    /// The most threads that wait for files, databases and the like. `None`: the runtime's own limit.
    pub threads: Option<usize>,
}

impl Listening {
    /// Listens at an address, with the limits for these names.
    pub fn at(address: SocketAddr, names: Names) -> Listening {
        let (limits, proxies) = (names.limits(), Proxies::None);
        Listening { address, names, limits, proxies, threads: None }
    }

    /// Listens on this port of the loopback; 0 for any free port.
    pub fn on_loopback(port: u16) -> Listening {
        Listening::at((Ipv4Addr::LOCALHOST, port).into(), Names::Loopback)
    }
}

/// A server, which ends at once when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    count: Count,
    stop: Option<oneshot::Sender<Duration>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to serve.
    ///
    /// # Errors
    ///
    /// The address is not one of the host or its port is taken, or the host cannot start a thread.
    pub fn start(listening: Listening, router: Router) -> io::Result<Server> {
        let Listening { address, names, limits, proxies, threads } = listening;
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let mut runtime = Builder::new_current_thread();
        if let Some(threads) = threads {
            runtime.max_blocking_threads(threads);
        }
        let runtime = runtime.enable_all().build()?;
        let connections = {
            let _within = runtime.enter();
            let listener = tokio::net::TcpListener::from_std(listener)?;
            Connections::new(listener, limits, proxies)
        };
        let count = connections.count();
        let (stop, stopped) = oneshot::channel();
        let router = router.layer(from_fn(move |request, next| names.guard(request, next)));
        let thread = thread::Builder::new().name("http".to_string()).spawn(move || {
            let stopped = async { stopped.await.unwrap_or_default() };
            runtime.block_on(connections.serve(router, stopped));
            // A request may still wait for a large directory, or for a database that is gone.
            runtime.shutdown_background();
        })?;
        Ok(Server { address, count, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the address and the port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns how many connections are open, at every later moment.
    pub fn count(&self) -> Count {
        self.count.clone()
    }

    /// Ends the server: no further connection is accepted, and requests in progress have this time to end.
    pub fn stop(mut self, patience: Duration) {
        self.end(patience);
    }

    fn end(&mut self, patience: Duration) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(patience);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc::{Receiver, channel};
    use tokio::sync::oneshot::Sender;

    /// Longer than the busiest machine takes.
    const PATIENCE: Duration = Duration::from_secs(300);

    /// Starts a server whose answer waits for a message. Returns a connection with a request in progress.
    fn waiting() -> (Server, TcpStream, Receiver<Sender<()>>) {
        let (begun, begins) = channel();
        let answer = get(move || {
            let (done, is_done) = oneshot::channel::<()>();
            let _ = begun.send(done);
            async { is_done.await.map_or("given up", |()| "done") }
        });
        let router = Router::new().route("/", answer);
        let server = Server::start(Listening::on_loopback(0), router).expect("a server");
        let mut stream = TcpStream::connect(server.address()).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
        (server, stream, begins)
    }

    fn rest(mut stream: TcpStream) -> String {
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
    }

    #[test]
    fn a_request_in_progress_is_answered_before_the_end_and_not_after_a_drop() {
        let (server, stream, begins) = waiting();
        let done = begins.recv_timeout(PATIENCE).expect("it arrives");
        assert_eq!(server.count().get(), 1);
        let stopped = thread::spawn(move || server.stop(PATIENCE));
        done.send(()).expect("it waits");
        let answer = rest(stream);
        assert!(answer.contains("nosniff") && answer.ends_with("done"), "{answer}");
        stopped.join().expect("it ends");

        let (server, stream, begins) = waiting();
        let _done = begins.recv_timeout(PATIENCE).expect("it arrives");
        drop(server);
        assert_eq!(rest(stream), "");
    }
}
