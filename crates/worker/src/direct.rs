//! The way of a worker to a queue in a database that it opens itself.

use botyard_league::scale::Scale;
use botyard_league::schedule::TournamentSchedule;
use botyard_league::store::{Definition, StoreError, StoredGame};
use botyard_queue::{
    BlobFile, Completed, Delivery, Lease, LeaseRecord, Queue, Request, Schedule, Work,
};
use botyard_runner::Error;
use botyard_tournament::schedule_of;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The most results in one transaction. Other transactions of the worker wait for it meanwhile.
const MOST_TOGETHER: usize = 32;

/// The games of a tournament, and how their points count.
struct Games {
    /// The revision of the definition that they follow from.
    revision: i64,
    schedule: TournamentSchedule,
    scale: Scale,
}

impl Games {
    fn schedule(&self) -> Schedule<'_> {
        Schedule { games: &self.schedule, scale: self.scale }
    }
}

/// A worker's way to a queue of this process. The queue checks results against the schedules of the
/// tournaments, which follow from their definitions.
pub struct Direct {
    queue: Arc<Queue>,
    games: Mutex<HashMap<String, Arc<Games>>>,
}

impl fmt::Debug for Direct {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Direct").field("queue", &self.queue).finish_non_exhaustive()
    }
}

impl Direct {
    /// Makes the way to a queue.
    pub fn new(queue: Arc<Queue>) -> Direct {
        Direct { queue, games: Mutex::default() }
    }

    /// Returns the games of the tournament of a lease.
    fn games_of(
        &self,
        records: &HashMap<String, LeaseRecord>,
        token: &str,
    ) -> Result<Arc<Games>, StoreError> {
        let record = records.get(token);
        let record =
            record.ok_or_else(|| StoreError::Refused("there is no such lease".to_string()))?;
        self.games(&record.tournament, record.revision)
    }

    /// Returns the games of a tournament.
    fn games(&self, tournament: &str, revision: i64) -> Result<Arc<Games>, StoreError> {
        let mut known = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(games) = known.get(tournament).filter(|games| games.revision == revision) {
            return Ok(Arc::clone(games));
        }
        let definition = self.queue.definition(tournament)?;
        let (schedule, scale) = schedule_of(&definition).map_err(|error| match error {
            Error::Store(error) => error,
            error => StoreError::Damaged(format!("tournament {tournament:?}: {error}")),
        })?;
        let games = Arc::new(Games { revision, schedule, scale });
        known.insert(tournament.to_string(), Arc::clone(&games));
        Ok(games)
    }
}

impl Work for Direct {
    fn introduce(&self, worker: &str, about: &serde_json::Value) -> Result<(), StoreError> {
        self.queue.introduce(worker, about)
    }

    fn claim(&self, request: &Request) -> Result<Vec<Lease>, StoreError> {
        self.queue.claim(request)
    }

    fn unfinished(&self, request: &Request) -> Result<u64, StoreError> {
        self.queue.unfinished(request)
    }

    fn heartbeat(
        &self,
        worker: &str,
        tokens: &[String],
        ttl: Duration,
    ) -> Result<Vec<String>, StoreError> {
        self.queue.heartbeat(worker, tokens, ttl)
    }

    fn release(&self, worker: &str, tokens: &[String]) -> Result<(), StoreError> {
        self.queue.release(worker, tokens)
    }

    fn complete(
        &self,
        worker: &str,
        token: &str,
        games: &[StoredGame],
        files: &[(String, String)],
    ) -> Result<Completed, StoreError> {
        let its = self.games_of(&self.queue.lease_records(&[token])?, token)?;
        self.queue.complete(worker, token, games, files, &its.schedule())
    }

    fn most_together(&self) -> usize {
        MOST_TOGETHER
    }

    fn deliver(&self, worker: &str, deliveries: &[Delivery]) -> Result<Vec<Completed>, StoreError> {
        let tokens: Vec<&str> = deliveries.iter().map(|delivery| delivery.token.as_str()).collect();
        let records = self.queue.lease_records(&tokens)?;
        let games: Result<Vec<Arc<Games>>, StoreError> =
            tokens.iter().map(|token| self.games_of(&records, token)).collect();
        let games = games?;
        let with_games = deliveries.iter().zip(&games);
        let all: Vec<_> = with_games.map(|(it, games)| (it, games.schedule())).collect();
        self.queue.deliver(worker, &all)
    }

    fn definition(&self, tournament: &str) -> Result<Definition, StoreError> {
        self.queue.definition(tournament)
    }

    fn files(&self, tournament: &str, prefix: &str) -> Result<Vec<BlobFile>, StoreError> {
        self.queue.files(tournament, prefix)
    }

    fn put(&self, bytes: &[u8]) -> Result<String, StoreError> {
        self.queue.put(bytes)
    }

    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.queue.get(digest)
    }
}
