//! `botyard serve`: serves the site of a class. The crate `botyard-site` does the work; this module has
//! the arguments and messages.

use botyard_cli::failure::Failure;
use botyard_cli::files::directory_open_to_bots;
use botyard_cli::quiet_arguments::QuietArgs;
use botyard_cli::signals;
use botyard_cli::text::{eprint_line, out};
use botyard_cli_tournament::store_arguments::{address, from_environment, share};
use botyard_queue::Address;
use botyard_site::{ACCOUNTS, Options, Outside, PASSWORD, Proxy, Server, TOKENS};
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

The first start creates the directory and prints a link for the administrator,
which works once. Ctrl-C ends the server; the next start continues.")]
pub struct ServeArgs {
    /// Directory of the class; created if it does not exist
    #[arg(value_name = "DIR", required_unless_present = "demo")]
    pub directory: Option<PathBuf>,
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
    /// Fill a new class with people and bots to look at; without DIR it is
    /// removed at the end
    #[arg(long, conflicts_with_all = ["listen", "behind_proxy"])]
    pub demo: bool,
    /// Address and port for workers on other hosts, which need a token of the
    /// file DIR/workers.tokens
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

/// Serves the site until a signal ends it.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let mut signals = signals::that_end()?;
    // Removed when it is dropped, after the server.
    let temporary = match &args.directory {
        Some(_) => None,
        None => Some(directory_open_to_bots("botyard-demo-")?),
    };
    let directory = match (&args.directory, &temporary) {
        (None, Some(temporary)) => temporary.path().join("demo"),
        (directory, _) => directory.clone().unwrap_or_default(),
    };
    let server = Server::start(Options {
        directory: directory.clone(),
        listen: SocketAddr::new(args.listen, args.port),
        proxy: proxy(args),
        programs: args.quiet.programs()?,
        admin_link: args.admin_link,
        demo: args.demo,
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
    if let Some(link) = server.admin_link() {
        out(&format!("to sign in as administrator, open this link, which works once:\n{link}\n"))?;
    }
    if args.demo {
        for (role, account) in ACCOUNTS {
            out(&format!("{role}: sign in as {account}, password {PASSWORD}\n"))?;
        }
    }
    signals.forever().next();
    drop(server);
    Ok(ExitCode::SUCCESS)
}
