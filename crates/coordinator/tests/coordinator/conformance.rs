//! Workers behind a coordinator see what workers see that open the queue themselves.

use crate::setup::{Place, options};
use botyard_coordinator::{Client, Limits};
use botyard_league::store::{Definition, StoreError, StoredGame};
use botyard_queue::{BlobFile, Completed, Lease, Request, Work, conformance};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[test]
fn a_client_keeps_the_contract_of_the_queue() {
    let place = Place::new(Limits::default());
    let workers = Arc::new(Workers { place, clients: Mutex::default() });
    let open = || Arc::clone(&workers.place.queue);
    conformance::check_work(&open, &|_| Arc::clone(&workers) as Arc<dyn Work>);
}

/// The clients of all workers, each with a token of its own.
struct Workers {
    place: Place,
    clients: Mutex<BTreeMap<String, Arc<Client>>>,
}

impl Workers {
    fn of(&self, worker: &str) -> Arc<Client> {
        let mut clients = self.clients.lock().unwrap();
        let client = clients.entry(worker.to_string()).or_insert_with(|| {
            let token = self.place.token(worker);
            Arc::new(Client::connect(&self.place.url(), &token, &options()).unwrap())
        });
        Arc::clone(client)
    }
}

impl Work for Workers {
    fn introduce(&self, worker: &str, about: &Value) -> Result<(), StoreError> {
        self.of(worker).introduce(worker, about)
    }

    fn claim(&self, request: &Request) -> Result<Vec<Lease>, StoreError> {
        self.of(&request.worker).claim(request)
    }

    fn unfinished(&self, request: &Request) -> Result<u64, StoreError> {
        self.of(&request.worker).unfinished(request)
    }

    fn heartbeat(
        &self,
        worker: &str,
        tokens: &[String],
        ttl: Duration,
    ) -> Result<Vec<String>, StoreError> {
        self.of(worker).heartbeat(worker, tokens, ttl)
    }

    fn release(&self, worker: &str, tokens: &[String]) -> Result<(), StoreError> {
        self.of(worker).release(worker, tokens)
    }

    fn complete(
        &self,
        worker: &str,
        token: &str,
        games: &[StoredGame],
        files: &[(String, String)],
    ) -> Result<Completed, StoreError> {
        self.of(worker).complete(worker, token, games, files)
    }

    fn definition(&self, tournament: &str) -> Result<Definition, StoreError> {
        self.of("reader").definition(tournament)
    }

    fn files(&self, tournament: &str, prefix: &str) -> Result<Vec<BlobFile>, StoreError> {
        self.of("reader").files(tournament, prefix)
    }

    fn put(&self, bytes: &[u8]) -> Result<String, StoreError> {
        self.of("reader").put(bytes)
    }

    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.of("reader").get(digest)
    }
}
