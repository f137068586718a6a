//! A page on the loopback that follows running games, by server-sent events.
//!
//! A [`Server`] serves a directory of replays: a list of its games, and for each game a page that
//! grows as the replay does. Replays are read as their lines are written, so a game knows nothing of
//! its spectators, and a server that is started again continues where pages are.
//!
//! * What a page may show is decided when the server is started ([`Sight`]), and applied before
//!   anything is sent.
//! * Only connections from this host are accepted, and only requests for a loopback name, so that no
//!   page from elsewhere can read games through a name that it resolves to the loopback.
//! * Names of games come from a listing of the directory. No part of an address becomes a path.
//!
//! The async runtime is one thread that waits for connections. Games are followed by threads.
//!
//! ```no_run
//! use botyard_live::{Server, Sight};
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! let server = Server::start("replays".into(), 0, Sight::Spectator, Arc::new(|_| Ok(())))?;
//! println!("{}", server.address());
//! // ... play games whose replays are in `replays` ...
//! server.finish(Duration::from_secs(60));
//! # Ok::<(), std::io::Error>(())
//! ```

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod follow;
mod listing;
mod page;
mod routes;
mod sent_positions;
mod silence;

pub use page::page;
pub use sent_positions::SentPositions;

use botyard_connections::{Holder, Listening, Names, OpenStream, Peer, Shutdown, Streams};
use botyard_viewer::Perspective;
use follow::Games;
use listing::Listing;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// What pages may show of games with hidden information.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// What all seats saw.
    #[default]
    Spectator,
    /// What one seat saw: its name, or its number from 1.
    Seat(String),
    /// Everything. Pages show it when their readers ask for it.
    Truth,
}

impl Sight {
    fn perspective(&self) -> Perspective<'_> {
        match self {
            Sight::Spectator => Perspective::Spectator,
            Sight::Seat(seat) => Perspective::Seat(seat),
            Sight::Truth => Perspective::Truth,
        }
    }

    /// The sight as text, for the identity of pages.
    fn name(&self) -> &str {
        match self {
            Sight::Spectator => "*",
            Sight::Seat(seat) => seat,
            Sight::Truth => "**",
        }
    }
}

/// What is done with a replay before it is followed: it loads the rules of its game where they are a program. The
/// error is for readers of the page.
pub type LoadRules = Arc<dyn Fn(&Path) -> Result<(), String> + Send + Sync>;

/// How long pages have to receive the message that nothing follows.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long a page that is reloaded may be without a connection.
const RELOAD: Duration = Duration::from_millis(500);

/// How often pages are counted.
const LOOK: Duration = Duration::from_millis(20);

/// What all requests share.
struct Shared {
    listing: Listing,
    games: Games,
    shutdown: Shutdown,
    /// The events that pages follow.
    streams: Streams,
}

impl Shared {
    /// Opens a stream for the browsers at an address, of which each has half. Where there are too many, the oldest ends.
    fn open_stream(&self, Peer(peer): Peer) -> OpenStream {
        let name = botyard_connections::place(peer.ip()).to_string();
        let most = Names::Loopback.most_streams() / 2;
        self.streams.open(&[Holder { name, most }])
    }
}

/// A server that runs in a thread of its own. It ends when it is dropped; pages then try to connect
/// again.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    /// Present until the server is dropped.
    http: Option<botyard_connections::Server>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Server {
    /// Starts to serve the replays in a directory and the directories in it, on this port of the
    /// loopback; 0 for any free port. The directory need not exist yet.
    ///
    /// # Errors
    ///
    /// The port is taken, or the host cannot start a thread.
    pub fn start(
        directory: PathBuf,
        port: u16,
        sight: Sight,
        load: LoadRules,
    ) -> io::Result<Server> {
        let shared = Arc::new(Shared {
            listing: Listing::new(directory),
            games: Games::new(sight, load),
            shutdown: Shutdown::default(),
            streams: Streams::new(Names::Loopback.most_streams()),
        });
        let router = routes::router(Arc::clone(&shared));
        let http = botyard_connections::Server::start(Listening::on_loopback(port), router)?;
        let address = http.address();
        Ok(Server { address, shared, http: Some(http) })
    }

    /// The address of the list of games.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Ends the server once the pages that are open have the ends of their games, and sends pages
    /// the message that nothing follows. Waits for `patience` at most.
    pub fn finish(self, patience: Duration) {
        // A page that is reloaded is not connected for a moment.
        let (begun, mut watched) = (Instant::now(), Instant::now());
        while watched.elapsed() <= RELOAD && begun.elapsed() < patience {
            thread::sleep(LOOK);
            if self.shared.games.watchers() > 0 {
                watched = Instant::now();
            }
        }
        self.shared.shutdown.begin_and_wait(FAREWELL);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.http.take());
        self.shared.games.clear();
    }
}
