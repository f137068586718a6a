//! The option that names a store of tournaments that workers play.

use botyard_cli::failure::Failure;
use botyard_cli::files::read_text;
use botyard_cli::text::{eprint_line, warn};
use botyard_queue::{Address, Queue};
use botyard_runner::Error;
use clap::Args;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The environment variable with the store that is used if no option names one. Unlike an option, it
/// does not show a password to other users of the host.
const STORE: &str = "BOTYARD_STORE";

/// The beginning of a store whose address is in a file.
const FILE: &str = "@";

/// How long a worker waits for a server when it starts.
const PATIENCE: Duration = Duration::from_secs(60);

/// The store of tournaments that workers play.
#[derive(Clone, Debug, Default, Args)]
pub struct StoreArgs {
    /// Store: postgres://USER@HOST/DATABASE, an SQLite file, which one process at a time can open,
    /// or @FILE with the address in a file [default: the environment variable BOTYARD_STORE]
    #[arg(long, value_name = "STORE")]
    pub store: Option<String>,
}

/// Reads a share of the blocks: a number from 0 to 1.
///
/// # Errors
///
/// What was expected, if the text is anything else.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

/// Returns the address that an argument names. Warns of a password, which other users of the host see
/// in the list of processes.
///
/// # Errors
///
/// The file of `@FILE` cannot be read or has no address.
pub fn address(text: &str) -> anyhow::Result<Address> {
    let address = named_by(text)?;
    if !text.starts_with(FILE) && address.has_password() {
        warn(&[format!(
            "other users of this host can read the password of {address} in the list of processes: set \
             {STORE}, or write the address into a file and {FILE}FILE in its place"
        )]);
    }
    Ok(address)
}

/// Returns the store that the environment names.
///
/// # Errors
///
/// As for [`address`].
pub fn from_environment() -> anyhow::Result<Option<Address>> {
    let text = std::env::var(STORE).ok().filter(|text| !text.is_empty());
    text.as_deref().map(named_by).transpose()
}

fn named_by(text: &str) -> anyhow::Result<Address> {
    let Some(file) = text.strip_prefix(FILE) else {
        let Ok(address) = text.parse();
        return Ok(address);
    };
    let content = read_text(Path::new(file)).map_err(|error| {
        Failure::usage(format!("the address in {file} cannot be read: {error}"))
    })?;
    match content.trim() {
        "" => Err(Failure::usage(format!("{file} has no address of a store"))),
        text => {
            let Ok(address) = text.parse();
            Ok(address)
        }
    }
}

impl StoreArgs {
    /// Returns the address of the store, if one is given here or in the environment.
    ///
    /// # Errors
    ///
    /// The file of `@FILE` cannot be read or has no address.
    pub fn address(&self) -> anyhow::Result<Option<Address>> {
        match self.store.as_deref().filter(|text| !text.is_empty()) {
            Some(text) => address(text).map(Some),
            None => from_environment(),
        }
    }

    /// Opens the store.
    ///
    /// # Errors
    ///
    /// No store is named, or it cannot be opened.
    pub fn open(&self) -> anyhow::Result<Arc<Queue>> {
        Ok(open(&self.named()?)?)
    }

    /// Opens the store, and waits for a server that cannot be reached: one that starts at the same time,
    /// or is started again.
    ///
    /// # Errors
    ///
    /// No store is named, or it cannot be opened.
    pub fn open_patiently(&self) -> anyhow::Result<Arc<Queue>> {
        let address = self.named()?;
        match (Queue::open(&address), &address) {
            (Ok(queue), _) => Ok(Arc::new(queue)),
            (Err(error), Address::Postgres(_)) => {
                eprint_line(&format!("{error}; tried again for up to {} s", PATIENCE.as_secs()));
                let queue = Queue::open_within(&address, PATIENCE).map_err(Error::from)?;
                Ok(Arc::new(queue))
            }
            (Err(error), Address::File(_)) => Err(Error::from(error).into()),
        }
    }

    fn named(&self) -> anyhow::Result<Address> {
        match self.address()? {
            Some(address) => Ok(address),
            None => Err(Failure::usage(format!(
                "no store is named: write --store postgres://USER@HOST/DATABASE or --store FILE, or set \
                 {STORE}"
            ))),
        }
    }
}

/// Opens the store at an address.
///
/// # Errors
///
/// It cannot be opened.
pub fn open(address: &Address) -> Result<Arc<Queue>, Error> {
    Ok(Arc::new(Queue::open(address)?))
}
