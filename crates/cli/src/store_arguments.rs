//! The option that names a store of tournaments that workers play.

use crate::failure::Failure;
use crate::text::eprint_line;
use botyard_queue::{Address, Queue};
use botyard_runner::Error;
use clap::Args;
use std::sync::Arc;
use std::time::Duration;

/// The environment variable with the store that is used if no option names one. Unlike an option, it
/// does not show a password to other users of the host.
const STORE: &str = "BOTYARD_STORE";

/// How long a worker waits for a server when it starts.
const PATIENCE: Duration = Duration::from_secs(60);

/// The store of tournaments that workers play.
#[derive(Clone, Debug, Default, Args)]
pub struct StoreArgs {
    /// Store: postgres://USER:PASSWORD@HOST/DATABASE, or an SQLite file, which one process at a
    /// time can open [default: the environment variable BOTYARD_STORE]
    #[arg(long, value_name = "STORE")]
    pub store: Option<String>,
}

impl StoreArgs {
    /// Returns the address of the store, if one is given here or in the environment.
    pub fn address(&self) -> Option<Address> {
        let text = self.store.clone().or_else(|| std::env::var(STORE).ok());
        // An address can have any text.
        text.filter(|text| !text.is_empty()).and_then(|text| text.parse().ok())
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
        match self.address() {
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
