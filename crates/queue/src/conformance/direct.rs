//! A worker's way to a queue that it opens itself.

use super::fixtures::schedule;
use crate::{BlobFile, Completed, Delivery, Lease, Queue, Request, Work};
use botyard_league::schedule::TournamentSchedule;
use botyard_league::store::{Definition, StoreError, StoredGame};
use std::sync::Arc;
use std::time::Duration;

/// A worker's way to a queue that it opens itself, for one tournament.
pub(super) struct Direct {
    pub(super) queue: Arc<Queue>,
    pub(super) games: TournamentSchedule,
}

impl Work for Direct {
    fn introduce(&self, worker: &str, about: &serde_json::Value) -> Result<(), StoreError> {
        self.queue.introduce(worker, about)
    }

    fn claim(&self, request: &Request) -> Result<Vec<Lease>, StoreError> {
        self.queue.claim(request)
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
        self.queue.complete(worker, token, games, files, &schedule(&self.games))
    }

    fn most_together(&self) -> usize {
        8
    }

    fn deliver(&self, worker: &str, deliveries: &[Delivery]) -> Result<Vec<Completed>, StoreError> {
        let all: Vec<_> = deliveries.iter().map(|it| (it, schedule(&self.games))).collect();
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

    fn unfinished(&self, request: &Request) -> Result<u64, StoreError> {
        self.queue.unfinished(request)
    }
}
