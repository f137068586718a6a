//! The options by which a worker reaches a coordinator in place of a store.

use botyard_cli::failure::Failure;
use botyard_cli::files::read_text;
use botyard_cli::text::eprint_line;
use botyard_coordinator::{Client, ClientError, ClientOptions, Token};
use botyard_league::store::StoreError;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a call is repeated inside the client. A worker repeats it as well, and looks at signals
/// in between.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a worker waits for a coordinator when it starts: longer than the coordinator waits for its
/// database in one call.
const START: Duration = Duration::from_secs(120);

/// The coordinator that a worker plays for.
#[derive(Clone, Debug, Default, Args)]
pub struct ReachArgs {
    /// Address of a coordinator, in place of a store: https://HOST
    #[arg(long, value_name = "URL", conflicts_with = "store", requires = "token_file")]
    pub url: Option<String>,

    /// File with the token that `botyard coordinator token add` wrote or printed
    #[arg(long, value_name = "FILE", requires = "url")]
    pub token_file: Option<PathBuf>,

    /// File of certificates (PEM) to trust besides those of the system
    #[arg(long, value_name = "FILE", requires = "url")]
    pub ca_file: Option<PathBuf>,
}

/// A way to a coordinator.
pub struct Reached {
    /// The client.
    pub client: Client,
    /// The name of its token, with which the names of its workers begin.
    pub group: String,
}

impl ReachArgs {
    /// Connects to the coordinator, if one is named, and checks the token. Waits for a coordinator that
    /// cannot be reached, or cannot reach its store: one that starts at the same time, or is started
    /// again.
    ///
    /// # Errors
    ///
    /// A token that cannot be read or is not accepted; a coordinator that does not answer.
    pub fn connect(&self) -> anyhow::Result<Option<Reached>> {
        let (Some(url), Some(token_file)) = (&self.url, &self.token_file) else { return Ok(None) };
        let token = token(token_file)?;
        warn_if_open(url, "the coordinator");
        let options = ClientOptions { ca_file: self.ca_file.clone(), patience: PATIENCE };
        let begun = Instant::now();
        let mut is_waiting = false;
        loop {
            let error = match checked(url, &token, &options) {
                Err(NotChecked::Unreachable(error)) if begun.elapsed() < START => error,
                Ok(client) => {
                    return Ok(Some(Reached { client, group: token.name().to_string() }));
                }
                Err(NotChecked::Unreachable(error)) => return Err(Failure::host(error)),
                Err(NotChecked::Token(error)) => {
                    return Err(Failure::usage(format!("{}: {error}", token_file.display())));
                }
                Err(NotChecked::Coordinator(error)) => return Err(failure(error)),
            };
            if !std::mem::replace(&mut is_waiting, true) {
                eprint_line(&format!("{error}; tried again for up to {} s", START.as_secs()));
            }
        }
    }
}

/// Returns why there is no client as a failure of the command.
pub fn failure(error: ClientError) -> anyhow::Error {
    match error {
        ClientError::Unreachable(_) => Failure::host(error),
        ClientError::NoneTrusted(_) => Failure::usage(format!("{error}: --ca-file FILE")),
        error => Failure::usage(error),
    }
}

/// Why a coordinator is not used.
enum NotChecked {
    /// It, or its store, may be reached later.
    Unreachable(StoreError),
    /// It does not accept the token.
    Token(StoreError),
    /// It cannot be used.
    Coordinator(ClientError),
}

/// Connects to the coordinator once, and checks the token. It may end between the two.
fn checked(url: &str, token: &Token, options: &ClientOptions) -> Result<Client, NotChecked> {
    let client = Client::connect(url, token, options).map_err(|error| match error {
        ClientError::Unreachable(error) => NotChecked::Unreachable(error),
        error => NotChecked::Coordinator(error),
    })?;
    match client.check_token() {
        Ok(()) => Ok(client),
        Err(error @ StoreError::Refused(_)) => Err(NotChecked::Token(error)),
        Err(error) => Err(NotChecked::Unreachable(error)),
    }
}

impl Reached {
    /// Returns the name of a worker that is called so on its host.
    pub fn name(&self, own: &str) -> String {
        let group = &self.group;
        match own.strip_prefix(group.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => own.to_string(),
            _ => format!("{group}/{own}"),
        }
    }
}

/// Reads the token in a file.
fn token(file: &Path) -> anyhow::Result<Token> {
    let shown = file.display();
    let text = read_text(file)
        .map_err(|error| Failure::usage(format!("the token in {shown} cannot be read: {error}")))?;
    text.parse().map_err(|error| Failure::usage(format!("{shown} has no token: {error}")))
}

/// Warns of a token that is sent over a network as it is.
pub fn warn_if_open(url: &str, server: &str) {
    let host = url.strip_prefix("http://").map(|rest| rest.split(['/', '?']).next().unwrap_or(""));
    let Some(host) = host else { return };
    let is_here = ["127.0.0.1", "localhost", "[::1]"].iter().any(|here| host.starts_with(here));
    if !is_here {
        eprint_line(&format!(
            "warning: without TLS everyone on the path can read the token and the bots: use https, with a \
             proxy in front of {server}"
        ));
    }
}
