//! `botyard serve`: serves the site of a class. The crate `botyard-site` does the work; this module has
//! the arguments and messages.

use botyard_cli::failure::Failure;
use botyard_cli::files::directory_open_to_bots;
use botyard_cli::installed::without_notices;
use botyard_cli::quiet_arguments::QuietArgs;
use botyard_cli::signals;
use botyard_cli::text::{eprint_line, out};
use botyard_cli_tournament::store_arguments::{address, from_environment, share};
use botyard_queue::Address;
use botyard_site::{ACCOUNTS, Options, Outside, PASSWORD, Proxy, ServedClass, Server, TOKENS};
use clap::Args;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

/// `botyard serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  botyard serve class
  botyard serve class --port 8000
  botyard serve class --admin-link
  botyard serve --demo
  botyard serve class --listen 0.0.0.0 --behind-proxy 10.0.0.1
  botyard serve class --workers 0.0.0.0:7700
  botyard serve ai=classes/ai games=classes/games

The first start creates the directory and prints a link for the administrator,
which works once. Ctrl-C ends the server; the next start continues.")]
pub struct ServeArgs {
    /// Directory of the class, created if it does not exist; several classes
    /// with names, each at /NAME/
    #[arg(value_name = "[NAME=]DIR", required_unless_present = "demo")]
    pub directories: Vec<String>,
    /// Port; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    pub port: u16,
    /// Address of this host to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub listen: IpAddr,
    /// Address of a proxy with TLS in front of the site; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    pub behind_proxy: Vec<IpAddr>,
    /// Header in which that proxy names who signed in, by student ID or email
    #[arg(long, value_name = "NAME", requires = "behind_proxy")]
    pub account_header: Option<String>,
    /// Print a new link with which the administrator chooses a password
    #[arg(long)]
    pub admin_link: bool,
    /// Begin a new event if event.toml has other games than the one in force,
    /// which ends
    #[arg(long)]
    pub new_event: bool,
    /// Fill a new class with people and bots to look at; without DIR it is
    /// removed at the end
    #[arg(long, conflicts_with_all = ["listen", "behind_proxy"])]
    pub demo: bool,
    /// Address and port for workers on other hosts, which need a token of the
    /// file DIR/workers.tokens, of the first of several classes
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub workers: Option<SocketAddr>,
    /// Store from which they get games: postgres://USER@HOST/DATABASE, which
    /// workers may also open themselves, an SQLite file, or @FILE with the
    /// address in a file [default: the environment variable BOTYARD_STORE,
    /// else DIR/workers.db]
    #[arg(long, value_name = "STORE")]
    pub store: Option<String>,
    /// Share of the blocks of these workers, from 0 to 1, that a worker with
    /// another token plays again; the Desk compares the results
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub recheck: f64,
    /// The wait for a quiet host before a version is tried.
    #[command(flatten)]
    pub quiet: QuietArgs,
}

/// Returns the proxies in front of the site.
fn proxy(args: &ServeArgs) -> Option<Proxy> {
    (!args.behind_proxy.is_empty()).then(|| Proxy {
        addresses: args.behind_proxy.clone(),
        account_header: args.account_header.clone(),
    })
}

/// Returns how workers on other hosts reach the site.
fn outside(args: &ServeArgs) -> anyhow::Result<Option<Outside>> {
    let store = match &args.store {
        Some(store) => Some(address(store)?),
        // A file in the environment is another verb's unless workers are served.
        None => from_environment()?
            .filter(|store| args.workers.is_some() || matches!(store, Address::Postgres(_))),
    };
    match (&store, args.workers) {
        (None, None) if args.recheck > 0.0 => Err(Failure::usage(
            "--recheck is for the games of workers on other hosts: add --workers ADDRESS:PORT",
        )),
        (None, None) => Ok(None),
        (Some(Address::File(_)), None) => Err(Failure::usage(
            "no worker reaches a store in a file: add --workers ADDRESS:PORT, or name a PostgreSQL \
             database with --store",
        )),
        (_, listen) => Ok(Some(Outside { store, listen, recheck: args.recheck, log: eprint_line })),
    }
}

/// Returns the classes that arguments name: `DIR` is one alone, `NAME=DIR` one at `/NAME/`.
fn classes(arguments: &[String]) -> anyhow::Result<Vec<ServedClass>> {
    if let [one] = arguments {
        let is_path = !one.contains('=') || PathBuf::from(one).is_dir();
        if is_path {
            return Ok(vec![ServedClass::alone(one.into())]);
        }
    }
    let class = |argument: &String| match argument.split_once('=') {
        Some((name, directory)) if !directory.is_empty() => {
            Ok(ServedClass { name: Some(name.to_string()), directory: directory.into() })
        }
        _ => Err(Failure::usage(format!(
            "several classes need names, each as NAME=DIR, as in ai={argument}; got {argument:?}"
        ))),
    };
    arguments.iter().map(class).collect()
}

/// Serves the site until a signal ends it.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let mut signals = signals::that_end()?;
    let mut classes = classes(&args.directories)?;
    // Removed when it is dropped, after the server.
    let temporary = match classes.is_empty() {
        false => None,
        true => Some(directory_open_to_bots("botyard-demo-")?),
    };
    if let Some(temporary) = &temporary {
        classes.push(ServedClass::alone(temporary.path().join("demo")));
    }
    if args.demo && classes.len() > 1 {
        return Err(Failure::usage("--demo fills one class: name one directory"));
    }
    let directory = classes.first().map(|class| class.directory.clone()).unwrap_or_default();
    let server = Server::start(Options {
        classes,
        listen: SocketAddr::new(args.listen, args.port),
        proxy: proxy(args),
        programs: without_notices(args.quiet.programs()?),
        admin_link: args.admin_link,
        demo: args.demo,
        new_event: args.new_event,
        outside: outside(args)?,
    })?;
    out(&format!("{}\n", server.address()))?;
    if let Some(address) = server.workers_address() {
        let tokens = directory.join(TOKENS);
        out(&format!(
            "workers: botyard worker --url {address} --token-file FILE, with a token from\n\
             botyard coordinator token add NAME --out FILE --token-file {}\n",
            tokens.display()
        ))?;
    }
    for link in server.admin_links() {
        out(&format!("to sign in as administrator, open this link, which works once:\n{link}\n"))?;
    }
    for question in server.questions()? {
        eprint_line(&format!(
            "{question}\nThe event in force continues. Answer on the page of the event, or start with --new-event, or \
             restore the file."
        ));
    }
    if args.demo {
        for (role, account) in ACCOUNTS {
            out(&format!("{role}: sign in as {account}, password {PASSWORD}\n"))?;
        }
    }
    signals.wait();
    drop(server);
    Ok(ExitCode::SUCCESS)
}
