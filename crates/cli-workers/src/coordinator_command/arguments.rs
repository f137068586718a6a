//! Arguments of `botyard coordinator`.

use botyard_cli_tournament::store_arguments::StoreArgs;
use clap::{Args, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;

/// `botyard coordinator`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Workers on other hosts need no access to the database: they have a token, and
reach the store through the coordinator. It checks every result against its
replay before it stores it.

Examples:
  botyard coordinator token add lab --store class.db --out lab.token
  botyard coordinator --store class.db
  botyard worker --url http://127.0.0.1:7700 --token-file lab.token

It speaks plain HTTP. On a network, put a reverse proxy with TLS in front of it:
docs/do/run-a-coordinator.md has the files for nginx and Caddy. What it refuses
is logged on standard error, one line of JSON each. Ctrl-C or SIGTERM ends it
after the calls in progress."
)]
pub struct CoordinatorArgs {
    /// What to do besides serving.
    #[command(subcommand)]
    pub verb: Option<CoordinatorVerb>,

    /// The store and the tokens.
    #[command(flatten)]
    pub place: PlaceArgs,

    /// Address and port to listen on; 0 is any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7700")]
    pub listen: SocketAddr,

    /// Largest file that a worker may store, in MiB: a replay or what a bot wrote to standard error
    #[arg(long, value_name = "MIB", default_value_t = 64,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub most_upload: u16,
}

/// Where the tournaments and the tokens are.
#[derive(Clone, Debug, Args)]
pub struct PlaceArgs {
    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// File of the tokens' hashes, readable by its owner alone [default: STORE.tokens beside an
    /// SQLite file]
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// The verbs of `botyard coordinator`.
#[derive(Debug, Subcommand)]
pub enum CoordinatorVerb {
    /// Add, list or revoke the tokens of workers
    #[command(subcommand)]
    Token(TokenVerb),
}

/// The verbs of `botyard coordinator token`.
#[derive(Debug, Subcommand)]
pub enum TokenVerb {
    /// Add a token, for the worker NAME and for workers NAME/...
    ///
    /// It is printed, or written, once: the file of tokens has only its hash. A running coordinator
    /// accepts it at once.
    Add {
        /// Name of the token: letters, digits, `-` and `_`
        #[arg(value_name = "NAME")]
        name: String,
        /// Write the token to this new file, readable by its owner alone, instead of printing it
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// The store and the tokens.
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// List the tokens
    List {
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
        /// The store and the tokens.
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Revoke a token: a running coordinator refuses it from the next call on
    Revoke {
        /// Name of the token
        #[arg(value_name = "NAME")]
        name: String,
        /// The store and the tokens.
        #[command(flatten)]
        place: PlaceArgs,
    },
}
