//! A server of a class.

use crate::competition::outside::{self, Handing, Outside};
use crate::competition::{Competition, Rounds, boards, worker};
use crate::demo;
use crate::pages;
use crate::people::access::{People, admin_link};
use crate::site::Site;
use crate::web::{self, Proxy};
use botyard_connections::{self as connections, Listening, Names, Proxies};
use botyard_runner::{Error, Programs};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// What is served, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The directory of the class, which is created if necessary.
    pub directory: PathBuf,
    /// The address and the port; port 0 for any free port.
    pub listen: SocketAddr,
    /// The proxies in front of the site.
    pub proxy: Option<Proxy>,
    /// The programs that come with the front end.
    pub programs: Programs,
    /// Whether to make a link with which an administrator chooses a new password. Without an
    /// administrator who can sign in, one is made anyway.
    pub admin_link: bool,
    /// Whether to fill a new class with people and bots to look at.
    pub demo: bool,
    /// How workers on other hosts reach the site, if they do.
    pub outside: Option<Outside>,
}

/// A server of a class, in threads of its own. It ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    http: connections::Server,
    handing: Option<Handing>,
    _worker: Rounds,
    _standings: Rounds,
    _tables: TablesEnd,
    link: Option<String>,
}

/// Ends the games that people play when it is dropped.
#[derive(Debug)]
struct TablesEnd(Arc<Competition>);

impl Drop for TablesEnd {
    fn drop(&mut self) {
        self.0.tables.close();
    }
}

impl Server {
    /// Opens the class, or creates it, and serves it.
    ///
    /// # Errors
    ///
    /// The directory cannot be used, another process serves it, or the port is taken.
    pub fn start(options: Options) -> Result<Server, Error> {
        let mut site = Site::open(&options.directory, options.programs)?;
        let is_local = options.listen.ip().is_loopback() && options.proxy.is_none();
        let names = if is_local { Names::Loopback } else { Names::Any };
        site.people = People::new(names);
        let site = Arc::new(site);
        let competition = Arc::clone(&site.competition);
        competition.event.check(&site.class.programs)?;
        if options.demo {
            demo::fill(&site)?;
        }
        let link = admin_link(&site.class.database, options.admin_link).map_err(Error::host)?;
        let listen = options.listen;
        let proxies = options.proxy.as_ref().map_or(Proxies::None, Proxy::proxies);
        let router = web::router(&site, pages::routes(), options.proxy);
        let listening = Listening { proxies, ..Listening::at(listen, names) };
        let http = connections::Server::start(listening, router).map_err(|error| {
            Error::host(format!(
                "cannot serve pages on port {} of {}: {error}; choose another port, or 0 for any",
                listen.port(),
                listen.ip()
            ))
        })?;
        let standings = boards::start(Arc::clone(&competition))?;
        let tables = TablesEnd(Arc::clone(&competition));
        // Before the worker chooses what to play.
        let handing = match &options.outside {
            Some(outside) => Some(Handing::start(Arc::clone(&competition), outside)?),
            None => {
                outside::take_all_back(&competition.class.database)?;
                None
            }
        };
        let worker = worker::start(competition)?;
        Ok(Server { http, handing, _worker: worker, _standings: standings, _tables: tables, link })
    }

    /// Returns the address of the site.
    pub fn address(&self) -> String {
        format!("http://{}/", self.http.address())
    }

    /// Returns the address at which workers on other hosts reach the site, if there is one.
    pub fn workers_address(&self) -> Option<String> {
        self.handing.as_ref()?.address()
    }

    /// Returns the link with which an administrator chooses a password, if one was made. It works
    /// once.
    pub fn admin_link(&self) -> Option<String> {
        self.link.as_ref().map(|token| format!("{}enter?link={token}", self.address()))
    }
}
