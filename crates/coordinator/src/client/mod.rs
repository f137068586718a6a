//! A queue behind a coordinator, as a worker sees it.
//!
//! Every call can be repeated, and is repeated while the coordinator cannot be reached:
//!
//! * a claim sends the tokens of its leases, so that a claim whose answer was lost gives the same
//!   leases again. If no answer comes at all, the tokens are given back with the next call that is
//!   answered, so that no block waits for its lease to expire;
//! * a result that was stored is answered as a duplicate;
//! * content is stored under its digest; a heartbeat, a release and an introduction say the same
//!   twice.
//!
//! A token that is not accepted, or an answer that is not a coordinator's, is an error of the call
//! ([`StoreError::Refused`]), but for results and their content it is one of the host, after which a
//! worker keeps them: they are good with a new token, or when the coordinator is there again.

mod connection;
mod tls;

use crate::token::Token;
use crate::wire::{
    Claim, Claimed, Code, Complete, Done, Ended, Files, HEALTH, Health, Heartbeat, Held, Introduce,
    Left, Release, SERVICE, Stored, Unfinished, VERSION,
};
use botyard_league::store::{Definition, StoreError, StoredGame};
use botyard_queue::{BlobFile, Completed, Lease, MOST_BYTES, Request, Work, draw_tokens};
pub use connection::agent;
use connection::{Body, CallError, Connection};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The most claims without an answer that are remembered.
const LOST: usize = 16;

/// How a client reaches its coordinator.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// A file of certificates (PEM) that are trusted besides those of the system.
    pub ca_file: Option<PathBuf>,
    /// How long a call is repeated while the coordinator cannot be reached.
    pub patience: Duration,
}

impl Default for ClientOptions {
    fn default() -> ClientOptions {
        ClientOptions { ca_file: None, patience: Duration::from_secs(60) }
    }
}

/// Why a client cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The address has another form.
    #[error("{0:?} is not an address: expected http://HOST:PORT or https://HOST")]
    Url(String),
    /// The file of certificates cannot be used.
    #[error("the certificates in {} cannot be used: {message}", path.display())]
    Certificates {
        /// The file.
        path: PathBuf,
        /// The reason.
        message: String,
    },
    /// An address with `https`, and no certificate is trusted.
    #[error("the system has no trusted certificates{0}; name a file of them (PEM) for the host")]
    NoneTrusted(String),
    /// Another service answers there, or another version.
    #[error("{url} is not a coordinator that this version can use: {message}")]
    Other {
        /// The address.
        url: String,
        /// What answers.
        message: String,
    },
    /// It cannot be reached.
    #[error(transparent)]
    Unreachable(StoreError),
}

/// A queue behind a coordinator.
pub struct Client {
    connection: Connection,
    /// The most bytes of content that the coordinator stores, if it said so.
    most: Option<u64>,
    /// The workers and tokens of claims whose answers were lost.
    lost: Mutex<Vec<(String, Vec<String>)>>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Client")
            .field("url", &self.connection.url())
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Makes a client, without connecting.
    ///
    /// # Errors
    ///
    /// An address that cannot be read; certificates that cannot be used.
    pub fn new(url: &str, token: &Token, options: &ClientOptions) -> Result<Client, ClientError> {
        let connection = Connection::new(url, token, options)?;
        Ok(Client { connection, most: None, lost: Mutex::default() })
    }

    /// Makes a client, and checks that a coordinator answers there.
    ///
    /// # Errors
    ///
    /// Those of [`Client::new`]; nothing or something else answers.
    pub fn connect(
        url: &str,
        token: &Token,
        options: &ClientOptions,
    ) -> Result<Client, ClientError> {
        let mut client = Client::new(url, token, options)?;
        let other = |message: String| ClientError::Other { url: url.to_string(), message };
        let health: Health = match client.connection.get(HEALTH) {
            Ok(health) => health,
            Err(error) => match StoreError::from(error) {
                error @ StoreError::Host(_) => return Err(ClientError::Unreachable(error)),
                error => return Err(other(error.to_string())),
            },
        };
        if health.service != SERVICE {
            return Err(other(format!("{:?} answers there", health.service)));
        }
        client.most = Some(health.upload_bytes);
        match health.api == VERSION {
            true => Ok(client),
            false => Err(other(format!(
                "it is of botyard {} and has version {} of the calls, this one has version {VERSION}",
                health.version, health.api
            ))),
        }
    }

    /// Checks that the coordinator accepts the token, by a call that changes nothing.
    ///
    /// # Errors
    ///
    /// [`StoreError::Refused`]: it does not. [`StoreError::Host`]: it cannot be reached.
    pub fn check_token(&self) -> Result<(), StoreError> {
        self.files("", "").map(drop)
    }

    fn post<A: serde::de::DeserializeOwned>(
        &self,
        call: &str,
        request: &impl serde::Serialize,
    ) -> Result<A, CallError> {
        let body = serde_json::to_vec(request).map_err(|error| {
            let message = format!("the call cannot be written as JSON: {error}");
            CallError::Unanswered(StoreError::Refused(message))
        })?;
        self.connection.post(&format!("/v{VERSION}/{call}"), &body)
    }

    /// Gives back what claims may have got whose answers were lost.
    fn release_lost(&self) -> Result<(), StoreError> {
        let lost = || self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let Some((worker, tokens)) = lost().last().cloned() else { return Ok(()) };
            let release = Release { worker: worker.clone(), tokens: tokens.clone() };
            match self.post::<Done>("release", &release).map_err(StoreError::from) {
                Err(error @ StoreError::Host(_)) => return Err(error),
                Ok(_) | Err(_) => lost().retain(|it| *it != (worker.clone(), tokens.clone())),
            }
        }
    }
}

impl Work for Client {
    fn introduce(&self, worker: &str, about: &Value) -> Result<(), StoreError> {
        let call = Introduce { worker: worker.to_string(), about: about.clone() };
        self.post::<Done>("introduce", &call)?;
        Ok(())
    }

    fn claim(&self, request: &Request) -> Result<Vec<Lease>, StoreError> {
        self.release_lost()?;
        let tokens = draw_tokens(request.blocks)?;
        let call = Claim { request: request.clone(), tokens: tokens.clone() };
        let claimed = self.post::<Claimed>("claim", &call).map_err(StoreError::from);
        if let Err(StoreError::Host(_)) = &claimed {
            let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
            if lost.len() < LOST {
                lost.push((request.worker.clone(), tokens));
            }
        }
        Ok(claimed?.leases)
    }

    fn unfinished(&self, request: &Request) -> Result<u64, StoreError> {
        let call = Unfinished { request: request.clone() };
        Ok(self.post::<Left>("unfinished", &call)?.blocks)
    }

    fn heartbeat(
        &self,
        worker: &str,
        tokens: &[String],
        ttl: Duration,
    ) -> Result<Vec<String>, StoreError> {
        let call = Heartbeat { worker: worker.to_string(), tokens: tokens.to_vec(), ttl };
        Ok(self.post::<Held>("heartbeat", &call)?.tokens)
    }

    fn release(&self, worker: &str, tokens: &[String]) -> Result<(), StoreError> {
        let call = Release { worker: worker.to_string(), tokens: tokens.to_vec() };
        self.post::<Done>("release", &call)?;
        Ok(())
    }

    fn complete(
        &self,
        worker: &str,
        token: &str,
        games: &[StoredGame],
        files: &[(String, String)],
    ) -> Result<Completed, StoreError> {
        let call = Complete {
            worker: worker.to_string(),
            token: token.to_string(),
            games: games.to_vec(),
            files: files.to_vec(),
        };
        let ended = self.post::<Ended>("complete", &call).map_err(CallError::of_result)?;
        Ok(ended.completed)
    }

    fn definition(&self, tournament: &str) -> Result<Definition, StoreError> {
        let tournament = connection::quoted(tournament);
        Ok(self.connection.get(&format!("/v{VERSION}/definition?tournament={tournament}"))?)
    }

    fn files(&self, tournament: &str, prefix: &str) -> Result<Vec<BlobFile>, StoreError> {
        let (tournament, prefix) = (connection::quoted(tournament), connection::quoted(prefix));
        let path = format!("/v{VERSION}/files?tournament={tournament}&prefix={prefix}");
        Ok(self.connection.get::<Files>(&path)?.files)
    }

    fn put(&self, bytes: &[u8]) -> Result<String, StoreError> {
        // Not sent: the coordinator would close the connection before the end.
        if let Some(most) = self.most.filter(|&most| bytes.len() as u64 > most) {
            return Err(StoreError::Refused(format!(
                "the content has {} bytes, and the coordinator accepts at most {most} (--most-upload)",
                bytes.len()
            )));
        }
        let digest = botyard_queue::content_digest(bytes);
        let path = format!("/v{VERSION}/blobs/{digest}");
        let stored: Stored = self.connection.put(&path, bytes).map_err(CallError::of_result)?;
        match stored.digest == digest {
            true => Ok(digest),
            false => Err(StoreError::Damaged(format!(
                "content with the digest {digest} was stored with the digest {}",
                stored.digest
            ))),
        }
    }

    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if digest.len() != 64 || !digest.bytes().all(is_digit) {
            return Ok(None);
        }
        let path = format!("/v{VERSION}/blobs/{digest}");
        let content = match self.connection.content(&path, MOST_BYTES)? {
            Body::Content(content) => content,
            Body::Failed(failure) if failure.code == Code::NoContent => return Ok(None),
            Body::Failed(failure) => return Err(failure.into()),
        };
        let found = botyard_queue::content_digest(&content);
        match found == digest {
            true => Ok(Some(content)),
            false => Err(StoreError::Damaged(format!(
                "the content {digest} came with the digest {found}"
            ))),
        }
    }
}
