//! A server of a class.

use crate::competition::history::Why;
use crate::competition::outside::{self, Handing, Outside};
use crate::competition::{Competitions, Rounds, about, boards, trials, worker};
use crate::demo;
use crate::mail;
use crate::pages;
use crate::people::access::{People, admin_link};
use crate::site::Site;
use crate::web::{self, Proxy};
use botyard_connections::{self as connections, Listening, Names, Proxies};
use botyard_runner::{Error, Programs};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A class, and the path at which it is served.
#[derive(Clone, Debug)]
pub struct ServedClass {
    /// The name that is the path; `None`: it has the whole host.
    pub name: Option<String>,
    /// The directory of the class, which is created if necessary.
    pub directory: PathBuf,
}

impl ServedClass {
    /// Returns a class that has the whole host.
    pub fn alone(directory: PathBuf) -> ServedClass {
        ServedClass { name: None, directory }
    }

    /// Returns the path without a slash at its end.
    fn base(&self) -> String {
        self.name.as_ref().map(|name| format!("/{name}")).unwrap_or_default()
    }
}

/// What is served, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The classes: one that has the whole host, or several with names.
    pub classes: Vec<ServedClass>,
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
    /// Whether files with other settings than those of the events in force begin new events.
    pub new_event: bool,
    /// How workers on other hosts reach the site, if they do.
    pub outside: Option<Outside>,
}

/// A server of classes, in threads of its own. It ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    http: connections::Server,
    handing: Option<Handing>,
    running: Vec<Running>,
}

/// What runs for a class beside its pages.
#[derive(Debug)]
struct Running {
    site: Arc<Site>,
    base: String,
    link: Option<String>,
    _trials: Vec<Rounds>,
    _worker: Rounds,
    _standings: Rounds,
    _mail: Option<Rounds>,
    _tables: TablesEnd,
}

/// Ends the games that people play when it is dropped.
#[derive(Debug)]
struct TablesEnd(Arc<Competitions>);

impl Drop for TablesEnd {
    fn drop(&mut self) {
        for competition in self.0.shown() {
            competition.tables.close();
        }
    }
}

impl Server {
    /// Opens the classes, or creates them, and serves them.
    ///
    /// # Errors
    ///
    /// A directory cannot be used, another process serves it, or the port is taken.
    pub fn start(options: Options) -> Result<Server, Error> {
        check(&options)?;
        let is_local = options.listen.ip().is_loopback() && options.proxy.is_none();
        let names = if is_local { Names::Loopback } else { Names::Any };
        let mut opened = Vec::new();
        for class in &options.classes {
            opened.push((Arc::new(open(class, names, &options)?), class.base()));
        }
        let mut links = Vec::new();
        for (site, _) in &opened {
            let link = admin_link(&site.class.database, options.admin_link);
            links.push(link.map_err(Error::host)?);
        }
        let listen = options.listen;
        let proxies = options.proxy.as_ref().map_or(Proxies::None, Proxy::proxies);
        let router = web::router_of_all(&opened, pages::routes, options.proxy.as_ref());
        let listening = Listening { proxies, ..Listening::at(listen, names) };
        let http = connections::Server::start(listening, router).map_err(|error| {
            Error::host(format!(
                "cannot serve pages on port {} of {}: {error}; choose another port, or 0 for any",
                listen.port(),
                listen.ip()
            ))
        })?;
        // Before the sites choose what to play.
        let handing = match &options.outside {
            Some(outside) => {
                let classes = opened.iter().map(|(site, _)| Arc::clone(&site.competitions));
                Some(Handing::start(classes.collect(), outside)?)
            }
            None => None,
        };
        let running = opened
            .into_iter()
            .zip(links)
            .map(|((site, base), link)| run(site, base, link, handing.is_some()));
        let running = running.collect::<Result<_, Error>>()?;
        Ok(Server { http, handing, running })
    }

    /// Returns the address of the site.
    pub fn address(&self) -> String {
        format!("http://{}/", self.http.address())
    }

    /// Returns the address at which workers on other hosts reach the site, if there is one.
    pub fn workers_address(&self) -> Option<String> {
        self.handing.as_ref()?.address()
    }

    /// Returns the link of the first class for which one was made.
    pub fn admin_link(&self) -> Option<String> {
        self.admin_links().into_iter().next()
    }

    /// Returns the links with which administrators choose a password, of the classes for which one was made. Each
    /// works once.
    pub fn admin_links(&self) -> Vec<String> {
        let link = |running: &Running| {
            let token = running.link.as_ref()?;
            Some(format!("http://{}{}/enter?link={token}", self.http.address(), running.base))
        };
        self.running.iter().filter_map(link).collect()
    }

    /// Returns the questions about files whose settings are not in force, each as a paragraph.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn questions(&self) -> Result<Vec<String>, Error> {
        let mut questions = Vec::new();
        for running in &self.running {
            questions.extend(pending_of(&running.site)?);
        }
        Ok(questions)
    }
}

/// Checks the names of classes.
fn check(options: &Options) -> Result<(), Error> {
    let classes = &options.classes;
    for (place, class) in classes.iter().enumerate() {
        match &class.name {
            Some(name) => about::check_slug(name).map_err(Error::usage)?,
            None if classes.len() > 1 => {
                return Err(Error::usage(format!(
                    "several classes need names, as in ai={0}: {0} has none",
                    class.directory.display()
                )));
            }
            None => {}
        }
        if classes[..place].iter().any(|other| other.name == class.name) {
            let name = class.name.as_deref().unwrap_or_default();
            return Err(Error::usage(format!("two classes have the name {name}")));
        }
    }
    Ok(())
}

/// Opens a class.
fn open(class: &ServedClass, names: Names, options: &Options) -> Result<Site, Error> {
    let wanted = options.new_event.then_some(Why { person: None, reason: "--new-event" });
    if options.demo {
        demo::make(&class.directory)?;
    }
    let mut site = Site::open_with(&class.directory, options.programs.clone(), wanted)?;
    if options.demo {
        demo::move_to_now(&site.class.database)?;
    }
    site.people = People::new(names);
    for competition in site.competitions.all() {
        competition.event.check(&site.class.programs)?;
    }
    Ok(site)
}

/// Starts what runs for a class.
fn run(
    site: Arc<Site>,
    base: String,
    link: Option<String>,
    has_others: bool,
) -> Result<Running, Error> {
    let competitions = &site.competitions;
    let standings = boards::start(Arc::clone(competitions))?;
    let tables = TablesEnd(Arc::clone(competitions));
    if !has_others {
        outside::take_all_back(&site.class.database)?;
    }
    let trials = trials::start(competitions, has_others)?;
    let worker = worker::start(Arc::clone(competitions))?;
    let mail = mail::start(&site)?;
    Ok(Running {
        base,
        link,
        _trials: trials,
        _worker: worker,
        _standings: standings,
        _mail: mail,
        _tables: tables,
        site,
    })
}

/// Returns the questions of a class about its files.
fn pending_of(site: &Site) -> Result<Vec<String>, Error> {
    let mut questions = Vec::new();
    for competition in site.competitions.all() {
        if let Some(pending) = competition.pending()? {
            questions.push(pending.question(&competition.about().file));
        }
    }
    Ok(questions)
}

/// Returns the questions about files of the class in a directory whose settings are not in force, each as a paragraph.
/// No site may serve it.
///
/// # Errors
///
/// The class cannot be used, or a file cannot be read.
pub fn pending_events(directory: &Path, programs: Programs) -> Result<Vec<String>, Error> {
    pending_of(&Site::open_with(directory, programs, None)?)
}
