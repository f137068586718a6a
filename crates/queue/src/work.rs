//! What a worker needs of a queue.

use crate::{BlobFile, Completed, Delivery, Lease, Request};
use botyard_league::store::{Definition, StoreError, StoredGame};
use std::time::Duration;

/// The part of a queue that workers use, wherever the queue is: in a database that the worker
/// reaches itself, or behind a coordinator.
///
/// # Errors
///
/// Every method fails with [`StoreError::Host`] if the queue cannot be reached; the same call may
/// then be made again. [`StoreError::Refused`] is final: the same call would be refused again.
#[expect(
    clippy::missing_errors_doc,
    reason = "the documentation of the trait has the errors of all"
)]
pub trait Work: Send + Sync {
    /// Records what a worker says of itself: see [`Queue::introduce`](crate::Queue::introduce).
    fn introduce(&self, worker: &str, about: &serde_json::Value) -> Result<(), StoreError>;

    /// Gives a worker blocks: see [`Queue::claim`](crate::Queue::claim).
    fn claim(&self, request: &Request) -> Result<Vec<Lease>, StoreError>;

    /// Returns the number of blocks that may be claimed now or later: see
    /// [`Queue::unfinished`](crate::Queue::unfinished).
    fn unfinished(&self, request: &Request) -> Result<u64, StoreError>;

    /// Renews leases, and returns the tokens of those that the worker still has: see
    /// [`Queue::heartbeat`](crate::Queue::heartbeat).
    fn heartbeat(
        &self,
        worker: &str,
        tokens: &[String],
        ttl: Duration,
    ) -> Result<Vec<String>, StoreError>;

    /// Gives back leases whose blocks were not played: see [`Queue::release`](crate::Queue::release).
    fn release(&self, worker: &str, tokens: &[String]) -> Result<(), StoreError>;

    /// Stores the results of a lease and ends it: see [`Queue::complete`](crate::Queue::complete).
    fn complete(
        &self,
        worker: &str,
        token: &str,
        games: &[StoredGame],
        files: &[(String, String)],
    ) -> Result<Completed, StoreError>;

    /// Returns how many results [`deliver`](Work::deliver) takes at once, one or more.
    fn most_together(&self) -> usize {
        1
    }

    /// Stores the results of up to [`most_together`](Work::most_together) leases with the content of
    /// their files, and ends the leases, all or nothing: see [`Queue::deliver`](crate::Queue::deliver).
    fn deliver(&self, worker: &str, deliveries: &[Delivery]) -> Result<Vec<Completed>, StoreError> {
        let deliver = |delivery: &Delivery| {
            let put = |(name, content): &(String, Vec<u8>)| Ok((name.clone(), self.put(content)?));
            let files: Result<Vec<(String, String)>, StoreError> =
                delivery.files.iter().map(put).collect();
            self.complete(worker, &delivery.token, &delivery.games, &files?)
        };
        deliveries.iter().map(deliver).collect()
    }

    /// Returns the definition of a tournament. It holds the secret that games are drawn from: a
    /// worker is trusted.
    fn definition(&self, tournament: &str) -> Result<Definition, StoreError>;

    /// Returns the files of a tournament whose names begin with `prefix`, in order.
    fn files(&self, tournament: &str, prefix: &str) -> Result<Vec<BlobFile>, StoreError>;

    /// Stores content, and returns its SHA-256 as hexadecimal digits.
    fn put(&self, bytes: &[u8]) -> Result<String, StoreError>;

    /// Returns the content with this digest, if it is stored.
    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError>;
}
