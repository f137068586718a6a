//! The server: a queue behind HTTP.

mod access;
mod bodies;
mod claimed;
mod counts;
mod desk;
mod routes;
mod upkeep;
mod verification;

use crate::events::{Event, Log};
use crate::token_file::Tokens;
use access::Access;
use botyard_connections::{Listening, Names, Server};
use botyard_queue::Queue;
use botyard_runner::Programs;
use counts::Counts;
use desk::Desk;
use routes::Shared;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use upkeep::Upkeep;

/// Everything that a coordinator needs besides its queue.
#[derive(Clone)]
pub struct Setting {
    /// Where it listens; port 0 for any free port.
    pub listen: SocketAddr,
    /// The tokens of workers.
    pub tokens: Arc<Tokens>,
    /// What verifies results: endgame tables, and what contains games whose rules are programs.
    pub programs: Programs,
    /// What it accepts at most.
    pub limits: Limits,
    /// What receives its events.
    pub log: Log,
}

/// What a coordinator accepts at most. Further calls wait, up to [`Limits::queued`]; what is larger or slower is
/// refused. Of connections an address, and of all else a token, has at most half of what the others leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections that are open at once.
    pub connections: usize,
    /// Calls of the queue at once, each in a thread of its own.
    pub calls: usize,
    /// How long a call waits for a thread.
    pub queued: Duration,
    /// How long a call may take in the queue before it is answered with an error.
    pub call: Duration,
    /// The bytes of a call that is no upload.
    pub call_bytes: usize,
    /// The bytes of an upload.
    pub upload_bytes: usize,
    /// The bytes of all uploads at once.
    pub uploads_bytes: usize,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub head: Duration,
    /// How long a part of a request's body, or of an answer, may take.
    pub part: Duration,
    /// How long the whole body of a request may take.
    pub body: Duration,
    /// The longest time to live of a lease.
    pub ttl: Duration,
    /// Calls without a valid token from one address within a minute; further ones are refused
    /// unread.
    pub failures: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 1024,
            calls: 32,
            queued: Duration::from_secs(10),
            call: Duration::from_secs(45),
            call_bytes: 16 << 20,
            upload_bytes: 64 << 20,
            uploads_bytes: 512 << 20,
            head: Duration::from_secs(30),
            part: Duration::from_secs(30),
            body: Duration::from_secs(600),
            ttl: Duration::from_secs(24 * 3600),
            failures: 20,
        }
    }
}

impl Limits {
    fn of_connections(&self) -> botyard_connections::Limits {
        botyard_connections::Limits {
            connections: self.connections,
            // Many workers may share one: tokens have their share of the requests.
            of_address: self.connections,
            head_bytes: HEAD,
            head: self.head,
            body: self.body,
            part: self.part,
        }
    }
}

/// The longest head of a request, in bytes.
const HEAD: usize = 16 << 10;

/// A server that runs in threads of its own. It ends when it is dropped.
pub struct Coordinator {
    address: SocketAddr,
    server: Option<Server>,
    upkeep: Option<Upkeep>,
    log: Log,
}

impl std::fmt::Debug for Coordinator {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Coordinator")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// How long calls in progress may take when a coordinator is dropped.
const DROPPED: Duration = Duration::from_secs(1);

impl Coordinator {
    /// Starts to serve a queue.
    ///
    /// # Errors
    ///
    /// The address cannot be listened on, or the host cannot start threads.
    pub fn start(queue: Arc<Queue>, setting: Setting) -> io::Result<Coordinator> {
        let Setting { listen, tokens, programs, limits, log } = setting;
        let desk = Arc::new(Desk::new(queue, programs, limits.ttl, Arc::clone(&log)));
        let shared = Arc::new(Shared::new(
            Arc::clone(&desk),
            Access::new(tokens, limits.failures),
            limits,
            Counts::default(),
            Arc::clone(&log),
        ));
        let listening = Listening {
            limits: limits.of_connections(),
            proxies: routes::PROXIES,
            // Calls of the queue, and one thread more for metrics.
            threads: Some(limits.calls + 1),
            ..Listening::at(listen, Names::Any)
        };
        let server = Server::start(listening, routes::router(Arc::clone(&shared)))?;
        shared.counts.are_of(server.count());
        let address = server.address();
        let upkeep = Upkeep::start(desk)?;
        log(&Event::new("started").with("address", address.to_string()));
        Ok(Coordinator { address, server: Some(server), upkeep: Some(upkeep), log })
    }

    /// Returns the address and the port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends the server: no further call is accepted, and those in progress have this time to end.
    pub fn stop(mut self, patience: Duration) {
        self.end(patience);
    }

    fn end(&mut self, patience: Duration) {
        let Some(server) = self.server.take() else { return };
        server.stop(patience);
        drop(self.upkeep.take());
        (self.log)(&Event::new("stopped").with("address", self.address.to_string()));
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        self.end(DROPPED);
    }
}
