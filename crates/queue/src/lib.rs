//! Tournaments that any number of workers play at once, on one host or many.
//!
//! A [`Queue`] holds tournaments in a database: SQLite for one process, PostgreSQL for any number.
//! A worker [claims](Queue::claim) blocks, plays all games of each, and [completes](Queue::complete)
//! its leases. A block belongs to one worker as a whole, so that paired games share their hardware.
//!
//! * A lease that is not renewed in time expires, and another worker gets the block. What the first
//!   worker reports afterwards is late, and is not stored.
//! * The results of a block and the end of its lease are one transaction. A result is accepted once,
//!   however often it is sent.
//! * Pairings that follow from results are made in the transaction that completes the block.
//! * Times are those of the database, so that the clocks of workers do not matter.
//!
//! Statistics and standings read a tournament of a queue as a [`Store`]: see [`TournamentStore`].
//! Another database engine can be used if its [`Database`] passes the tests of [`conformance`].
//!
//! ```
//! use botyard_league::schedule::{Format, TournamentSchedule};
//! use botyard_league::scale::Scale;
//! # use botyard_league::store::conformance::definition;
//! use botyard_queue::{Address, Queue, Schedule};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("class.db");
//! // Two bots, ten blocks of two games.
//! let definition = definition();
//! let every_pair = Format::RoundRobin { tables: None };
//! let games = TournamentSchedule::new("draughts", definition.draws, (2, 2), &every_pair, 10)?;
//! let queue = Queue::open(&Address::File(path))?;
//! queue.add("class", &definition, &Schedule { games: &games, scale: Scale::POINT })?;
//! // Workers claim and complete them.
//! assert_eq!(queue.status("class")?.blocks.ready, 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Store`]: botyard_league::store::Store
//! [`Database`]: database::Database

#![deny(clippy::unwrap_used)]
#![warn(unreachable_pub)]

mod catalogue;
mod claims;
pub mod conformance;
mod copying;
pub mod database;
mod delivery;
mod files;
mod metrics;
mod peers;
mod rechecks;
mod residuals;
mod results;
mod rows;
mod status;
mod tournament_store;
mod values;
mod work;

pub use catalogue::{Chosen, ChosenBlock, Hold, Listed};
pub use claims::{Expired, Lease, LeaseRecord, LeasedGame, Request, draw_tokens};
pub use copying::Copied;
pub use delivery::Delivery;
pub use files::{BUNDLES, BlobFile, MOST_BYTES, bundle_file, path_below};
pub use metrics::prometheus;
pub use peers::{ALPHA, Difference, Measure, differences};
pub use rechecks::{Recheck, RecheckedGame, Rechecks, owner, recheck_file};
pub use residuals::{LargestResidual, largest_residuals};
pub use results::{Completed, MOST_VOIDS, Schedule};
pub use status::{CRASHES, Conditions, Counts, Pace, SeenWorker, Status, WorkerStatus};
pub use tournament_store::TournamentStore;
pub use values::{content_digest, hexadecimal};
pub use work::Work;

use botyard_league::store::StoreError;
use database::{Database, Dialect, PostgresDatabase, SqliteDatabase, Statements};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The place of a queue.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// An SQLite file, which one process at a time can open.
    File(PathBuf),
    /// A PostgreSQL database: `postgres://USER:PASSWORD@HOST/DATABASE`.
    Postgres(String),
}

impl Address {
    /// Returns whether the address has a password, which other users see if it is an argument.
    pub fn has_password(&self) -> bool {
        let Address::Postgres(url) = self else { return false };
        let user = url.split_once("://").and_then(|(_, rest)| rest.split_once('@'));
        user.is_some_and(|(user, _)| user.contains(':')) || url.contains(PASSWORD)
    }

    /// Returns the files that the queue may consist of: one, and those that SQLite makes beside it.
    pub fn files(&self) -> Vec<PathBuf> {
        let Address::File(path) = self else { return Vec::new() };
        let with = |suffix: &str| {
            let mut name = path.clone().into_os_string();
            name.push(suffix);
            PathBuf::from(name)
        };
        ["", "-wal", "-shm", "-journal"].map(with).to_vec()
    }
}

impl FromStr for Address {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Address, Self::Err> {
        let is_postgres = ["postgres://", "postgresql://"].iter().any(|it| text.starts_with(it));
        Ok(match is_postgres {
            true => Address::Postgres(text.to_string()),
            false => Address::File(text.into()),
        })
    }
}

/// A password among the parameters of an address.
const PASSWORD: &str = "password=";

/// Without a password.
impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::File(path) => write!(formatter, "{}", path.display()),
            Address::Postgres(url) => {
                let (url, parameters) = url.split_once('?').unwrap_or((url, ""));
                let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
                match rest.split_once('@') {
                    Some((user, rest)) => {
                        let user = user.split(':').next().unwrap_or_default();
                        write!(formatter, "{scheme}://{user}@{rest}")?;
                    }
                    None => write!(formatter, "{scheme}://{rest}")?,
                }
                match parameters {
                    "" => Ok(()),
                    secret if secret.contains(PASSWORD) => formatter.write_str("?..."),
                    parameters => write!(formatter, "?{parameters}"),
                }
            }
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

/// Tournaments in a database, and the leases of their blocks.
pub struct Queue {
    database: Mutex<Box<dyn Database>>,
    dialect: Dialect,
}

impl fmt::Debug for Queue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Queue").finish_non_exhaustive()
    }
}

impl Queue {
    /// Opens the queue at an address, or creates one.
    ///
    /// # Errors
    ///
    /// It cannot be reached; another process owns it; a later version wrote it.
    pub fn open(address: &Address) -> Result<Queue, StoreError> {
        Queue::open_within(address, Duration::ZERO)
    }

    /// The same, with attempts for this time while a PostgreSQL server cannot be reached.
    ///
    /// # Errors
    ///
    /// As for [`open`](Queue::open).
    pub fn open_within(address: &Address, patience: Duration) -> Result<Queue, StoreError> {
        Ok(Queue::new(match address {
            Address::File(path) => Box::new(SqliteDatabase::open(path)?),
            Address::Postgres(url) => Box::new(PostgresDatabase::open_within(url, patience)?),
        }))
    }

    /// Makes a queue of a database.
    pub fn new(database: Box<dyn Database>) -> Queue {
        let dialect = database.dialect();
        Queue { database: Mutex::new(database), dialect }
    }

    /// Runs the work in one transaction. It may run more than once.
    fn transaction<T>(
        &self,
        mut work: impl FnMut(&mut dyn Statements) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut result = None;
        let mut database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        database.transaction(&mut |statements| {
            result = Some(work(statements)?);
            Ok(())
        })?;
        result.ok_or_else(|| StoreError::Host("a transaction ended without its work".to_string()))
    }
}
