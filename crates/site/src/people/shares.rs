//! What all visitors use together, with a share for each: no one person, and no one address, takes all of it.

use crate::error::SiteError;
use crate::people::sessions::Visitor;
use botyard_connections::{Holder, Names, OpenStream, Pool, Share, Streams};
use std::time::Duration;

/// The most requests that are answered at once, each on a thread: a part of the threads of the server.
const REQUESTS: usize = 384;

/// The most requests of a person that are received or answered at once. Others wait.
const OF_PERSON: usize = 12;

/// The most requests of a person, those that wait included: each keeps a connection. Many pages may be opened at once.
const OF_PERSON_WITH_WAITING: usize = 48;

/// The most files that are received at once.
const FILES: usize = 64;

/// The most files of a person that are received at once.
const FILES_OF_PERSON: usize = 2;

/// The most streams of events of a session: a browser has as many connections to one address.
const STREAMS_OF_SESSION: usize = 6;

/// The most streams of events of a person, who may use two browsers.
const STREAMS_OF_PERSON: usize = 12;

/// How long a request waits for the share of its person or address.
const PATIENCE: Duration = Duration::from_secs(5);

/// What all visitors use.
#[derive(Debug)]
pub(crate) struct Shares {
    streams: Streams,
    streams_of_address: usize,
    of_session: usize,
    of_person: usize,
    /// By address.
    requests: Pool<String>,
    /// By person.
    people: Pool<i64>,
    /// The same with those that wait.
    with_waiting: Pool<i64>,
    files: Pool<i64>,
}

impl Shares {
    /// Makes the shares of a server for these names.
    pub(crate) fn new(names: Names) -> Shares {
        Shares {
            streams: Streams::new(names.most_streams()),
            streams_of_address: names.most_streams_of_address(),
            of_session: STREAMS_OF_SESSION,
            of_person: STREAMS_OF_PERSON,
            requests: Pool::new(REQUESTS),
            people: Pool::with_most(1 << 20, OF_PERSON),
            with_waiting: Pool::with_most(1 << 20, OF_PERSON_WITH_WAITING),
            files: Pool::with_most(FILES, FILES_OF_PERSON),
        }
    }

    /// Makes shares that no test exceeds.
    #[cfg(test)]
    pub(crate) fn unlimited() -> Shares {
        let most = 1 << 20;
        Shares {
            of_session: most,
            of_person: most,
            people: Pool::new(most),
            with_waiting: Pool::new(most),
            ..Shares::new(Names::Any)
        }
    }

    /// Opens a stream of events of a visitor at an address. Where the session, the person or the address has too many,
    /// its oldest ends.
    pub(crate) fn open_stream(&self, visitor: Option<&Visitor>, from: &str) -> OpenStream {
        let mut holders = Vec::new();
        if let Some(visitor) = visitor {
            let session = format!("session {}", visitor.form_token());
            holders.push(Holder { name: session, most: self.of_session });
            let person = format!("person {}", visitor.person.id);
            holders.push(Holder { name: person, most: self.of_person });
        }
        holders.push(Holder { name: format!("from {from}"), most: self.streams_of_address });
        self.streams.open(&holders)
    }

    /// Waits until a request from an address may be answered.
    ///
    /// # Errors
    ///
    /// The address has too many.
    pub(crate) async fn request(&self, from: &str) -> Result<Share<String>, SiteError> {
        self.requests.wait(&from.to_string(), 1, PATIENCE).await.ok_or_else(busy)
    }

    /// Waits until a request of a person may be received.
    ///
    /// # Errors
    ///
    /// The person has too many.
    pub(crate) async fn person(&self, id: i64) -> Result<[Share<i64>; 2], SiteError> {
        let waiting = self.with_waiting.take(&id, 1).ok_or_else(busy)?;
        let share = self.people.wait(&id, 1, PATIENCE).await.ok_or_else(busy)?;
        Ok([share, waiting])
    }

    /// Allows a file of a person to be received.
    ///
    /// # Errors
    ///
    /// The person sends others, or too many people do.
    pub(crate) fn file(&self, person: i64) -> Result<Share<i64>, SiteError> {
        self.files.take(&person, 1).ok_or_else(|| {
            SiteError::TooMany(
                "Other files are being sent. Try again when they are there.".to_string(),
            )
        })
    }
}

fn busy() -> SiteError {
    SiteError::TooMany("Too many requests came at once. Try again in a moment.".to_string())
}
