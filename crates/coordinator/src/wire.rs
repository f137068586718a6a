//! The calls of the coordinator as JSON: what both ends agree on.

use botyard_league::store::{StoreError, StoredGame};
use botyard_queue::{BlobFile, Completed, Lease, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// The version of the calls, which begins every path but those of [`HEALTH`] and the metrics.
pub(crate) const VERSION: u32 = 1;

/// The path that says what answers here.
pub(crate) const HEALTH: &str = "/healthz";

/// The name of the service in the answer at [`HEALTH`].
pub(crate) const SERVICE: &str = "botyard-coordinator";

/// The answer at [`HEALTH`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Health {
    /// [`SERVICE`].
    pub service: String,
    /// The version of Botyard.
    pub version: String,
    /// [`VERSION`].
    pub api: u32,
    /// The most bytes of content that a worker may store.
    pub upload_bytes: u64,
}

/// `POST /v1/introduce`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Introduce {
    pub worker: String,
    pub about: Value,
}

/// `POST /v1/claim`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    pub request: Request,
    /// The tokens of the leases, drawn by the worker: one for each block.
    pub tokens: Vec<String>,
}

/// The answer to [`Claim`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Claimed {
    pub leases: Vec<Lease>,
}

/// `POST /v1/unfinished`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unfinished {
    pub request: Request,
}

/// The answer to [`Unfinished`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Left {
    pub blocks: u64,
}

/// `POST /v1/heartbeat`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Heartbeat {
    pub worker: String,
    pub tokens: Vec<String>,
    pub ttl: Duration,
}

/// The answer to [`Heartbeat`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Held {
    pub tokens: Vec<String>,
}

/// `POST /v1/release`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Release {
    pub worker: String,
    pub tokens: Vec<String>,
}

/// `POST /v1/complete`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Complete {
    pub worker: String,
    pub token: String,
    pub games: Vec<StoredGame>,
    /// The names of files, and the digests of their content.
    pub files: Vec<(String, String)>,
}

/// The answer to [`Complete`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub completed: Completed,
}

/// `GET /v1/definition?tournament=ID`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichTournament {
    pub tournament: String,
}

/// `GET /v1/files?tournament=ID&prefix=NAME`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichFiles {
    pub tournament: String,
    pub prefix: String,
}

/// The answer to [`WhichFiles`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Files {
    pub files: Vec<BlobFile>,
}

/// The answer to `PUT /v1/blobs/DIGEST`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub digest: String,
}

/// The answer to calls without another.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Done {}

/// The answer to a call that failed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Failed {
    pub error: Failure,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub code: Code,
    pub message: String,
    /// The block and the rotation, from 1, of [`Code::Twice`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<(u32, u32)>,
}

/// The kind of a failure, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The call contradicts the queue.
    Refused,
    /// A result that does not verify.
    Unacceptable,
    /// The token is not for this worker.
    Forbidden,
    /// There is no such token.
    Unauthorized,
    /// Too many calls without a valid token came from there.
    TooManyFailures,
    /// The call cannot be read.
    Malformed,
    /// The call is larger than the coordinator accepts.
    TooLarge,
    /// There is no such call.
    UnknownCall,
    /// There is no such content.
    NoContent,
    /// A game has a result already.
    Twice,
    /// The store contradicts itself.
    Damaged,
    /// The coordinator's disk is full.
    Full,
    /// More calls are in progress than the coordinator runs at once.
    Busy,
    /// The request did not arrive in time.
    Slow,
    /// Another error of the coordinator's host.
    Host,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

impl Code {
    /// Returns its name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::Refused => "refused",
            Code::Unacceptable => "unacceptable",
            Code::Forbidden => "forbidden",
            Code::Unauthorized => "unauthorized",
            Code::TooManyFailures => "too_many_failures",
            Code::Malformed => "malformed",
            Code::TooLarge => "too_large",
            Code::UnknownCall => "unknown_call",
            Code::NoContent => "no_content",
            Code::Twice => "twice",
            Code::Damaged => "damaged",
            Code::Full => "full",
            Code::Busy => "busy",
            Code::Slow => "slow",
            Code::Host => "host",
            Code::Unknown => "unknown",
        }
    }

    /// Returns the status of the answer.
    pub const fn status(self) -> u16 {
        match self {
            Code::Malformed => 400,
            Code::Unauthorized => 401,
            Code::Forbidden => 403,
            Code::UnknownCall | Code::NoContent => 404,
            Code::Slow => 408,
            Code::Refused | Code::Twice => 409,
            Code::TooLarge => 413,
            Code::Unacceptable => 422,
            Code::TooManyFailures => 429,
            Code::Damaged | Code::Host | Code::Unknown => 500,
            Code::Busy => 503,
            Code::Full => 507,
        }
    }

    /// Returns whether the call was refused because it has no valid token.
    pub const fn is_about_token(self) -> bool {
        matches!(self, Code::Unauthorized | Code::TooManyFailures)
    }

    /// Returns whether the same call may succeed later.
    pub const fn may_be_repeated(self) -> bool {
        matches!(self, Code::Busy | Code::Slow | Code::Host)
    }
}

impl Failure {
    /// Makes a failure.
    pub fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), game: None }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let message = error.to_string();
        match error {
            StoreError::Refused(message) => Failure::new(Code::Refused, message),
            StoreError::Damaged(message) => Failure::new(Code::Damaged, message),
            StoreError::Full(message) => Failure::new(Code::Full, message),
            StoreError::Host(message) => Failure::new(Code::Host, message),
            StoreError::Twice { block, rotation } => {
                Failure { game: Some((block, rotation)), ..Failure::new(Code::Twice, message) }
            }
            StoreError::Pending | StoreError::NonePending => Failure::new(Code::Refused, message),
            StoreError::NotThere { .. }
            | StoreError::Exists { .. }
            | StoreError::NoTournament { .. }
            | StoreError::Newer { .. } => Failure::new(Code::Host, message),
        }
    }
}

impl From<Failure> for StoreError {
    fn from(Failure { code, message, game }: Failure) -> StoreError {
        match (code, game) {
            (Code::Twice, Some((block, rotation))) => StoreError::Twice { block, rotation },
            (Code::Damaged, _) => StoreError::Damaged(message),
            (Code::Full, _) => StoreError::Full(message),
            (Code::Busy | Code::Slow | Code::Host | Code::Unknown, _) => StoreError::Host(message),
            _ => StoreError::Refused(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_store_arrive_as_they_were() {
        for error in [
            StoreError::Refused("no such lease".into()),
            StoreError::Host("no server".into()),
            StoreError::Damaged("a row".into()),
            StoreError::Full("no room".into()),
            StoreError::Twice { block: 3, rotation: 2 },
        ] {
            let words = error.to_string();
            let sent = serde_json::to_string(&Failed { error: error.into() }).unwrap();
            let Failed { error } = serde_json::from_str(&sent).unwrap();
            assert_eq!(StoreError::from(error).to_string(), words, "{sent}");
        }
    }

    #[test]
    fn a_code_is_one_word_everywhere_and_those_of_later_versions_are_read() {
        for code in [Code::Refused, Code::TooManyFailures, Code::NoContent, Code::Host] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
        let later = r#"{"error":{"code":"frobnicated","message":"m"}}"#;
        let Failed { error } = serde_json::from_str(later).unwrap();
        assert_eq!(error.code, Code::Unknown);
    }
}
