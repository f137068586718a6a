//! A client of a site: submits a version with a token, and follows its log until the verdict.

mod pack;

pub use pack::{Packed, pack};

use crate::files::unpack::ARCHIVE;
use botyard_runner::Error;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::{Method, Request, StatusCode, header};

/// How long a site that does not answer is asked again: it may be starting again.
const PATIENCE: Duration = Duration::from_secs(60);

/// The wait between two requests.
const PAUSE: Duration = Duration::from_secs(1);

/// How often a place in the queue is shown.
const PLACE: Duration = Duration::from_secs(10);

/// The most bytes of an answer.
const ANSWER: u64 = 8 << 20;

/// A site, and the token of a person.
#[derive(Debug)]
pub struct Client {
    agent: Agent,
    site: String,
    authorization: String,
}

/// A version that a site has taken.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Submitted {
    /// The number of the submission.
    pub submission: i64,
    /// The version of the team's bot.
    pub version: i64,
    /// Whether the files are new. Else the newest version of the team has them.
    pub is_new: bool,
    /// The path of its page.
    page: String,
}

/// The verdict on a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it was accepted.
    pub is_accepted: bool,
    /// What has become of it, for people.
    pub state: String,
    /// Why it was rejected; empty if it was not.
    pub reason: String,
}

/// Why a version was not submitted or followed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The site refuses the submission. The text says why.
    #[error("{0}")]
    Refused(String),
    /// Wrong usage, or the site cannot be reached.
    #[error(transparent)]
    Other(#[from] Error),
}

/// How far a submission is.
#[derive(Debug, Deserialize)]
struct Progress {
    state: String,
    state_in_words: String,
    is_final: bool,
    reason: String,
    log: String,
    is_begun_again: bool,
    from: String,
}

#[derive(Debug, Deserialize)]
struct Refused {
    error: String,
}

/// Why an attempt has no answer.
enum Attempt {
    /// The same may succeed later.
    Later(String),
    Never(ClientError),
}

impl Client {
    /// Makes a client of the site at an address, as in `https://class.example.org`.
    pub fn new(agent: Agent, site: &str, token: &str) -> Client {
        let authorization = format!("Bearer {}", token.trim());
        Client { agent, site: site.trim_end_matches('/').to_string(), authorization }
    }

    /// Submits an archive for an event, or for the only one that is open. The name is what the site shows.
    ///
    /// # Errors
    ///
    /// The site refuses it, does not accept the token, or cannot be reached.
    pub fn submit(
        &self,
        event: Option<&str>,
        name: &str,
        archive: &[u8],
    ) -> Result<Submitted, ClientError> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("name", name);
        if let Some(event) = event {
            query.append_pair("event", event);
        }
        let query = query.finish();
        // The site takes the same files once, so a request whose answer was lost may be repeated.
        self.answer(&Method::POST, &format!("/api/submissions?{query}"), Some(archive))
    }

    /// Returns the address of the page of a submission.
    pub fn page(&self, submitted: &Submitted) -> String {
        format!("{}{}", self.site, submitted.page)
    }

    /// Shows the log of a submission as it grows, until there is a verdict.
    ///
    /// # Errors
    ///
    /// The site does not accept the token any longer or cannot be reached; errors of `show`.
    pub fn follow(
        &self,
        submitted: &Submitted,
        mut show: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<Outcome, ClientError> {
        let mut from = "0.0".to_string();
        let mut waits = Waits::default();
        loop {
            let path = format!("/api/submissions/{}?from={from}", submitted.submission);
            let progress: Progress = self.answer(&Method::GET, &path, None)?;
            if progress.is_begun_again {
                show("\nthe site begins this version again\n").map_err(Error::Output)?;
            }
            if !progress.log.is_empty() {
                show(&plain(&progress.log)).map_err(Error::Output)?;
            }
            if progress.state == "queued"
                && let Some(line) = waits.line(&progress.state_in_words)
            {
                show(&line).map_err(Error::Output)?;
            }
            if progress.is_final {
                return Ok(Outcome {
                    is_accepted: progress.state == "accepted",
                    state: plain(&progress.state_in_words),
                    reason: plain(&progress.reason),
                });
            }
            from = progress.from;
            thread::sleep(PAUSE);
        }
    }

    /// Makes a request until the site answers.
    fn answer<A: DeserializeOwned>(
        &self,
        method: &Method,
        path: &str,
        body: Option<&[u8]>,
    ) -> Result<A, ClientError> {
        let begun = Instant::now();
        loop {
            let why = match self.attempt(method, path, body) {
                Ok(answer) => return Ok(answer),
                Err(Attempt::Never(error)) => return Err(error),
                Err(Attempt::Later(why)) => why,
            };
            if begun.elapsed() + PAUSE > PATIENCE {
                let seconds = begun.elapsed().as_secs();
                let message = format!(
                    "the site at {} cannot be reached: {why} (tried for {seconds} s)",
                    self.site
                );
                return Err(Error::host(message).into());
            }
            thread::sleep(PAUSE);
        }
    }

    fn attempt<A: DeserializeOwned>(
        &self,
        method: &Method,
        path: &str,
        body: Option<&[u8]>,
    ) -> Result<A, Attempt> {
        let request = Request::builder()
            .method(method.clone())
            .uri(format!("{}{path}", self.site))
            .header(header::AUTHORIZATION, &self.authorization)
            .header(header::CONTENT_TYPE, "application/zip");
        let sent = match body {
            Some(body) => request.body(body).map(|request| self.agent.run(request)),
            None => request.body(()).map(|request| self.agent.run(request)),
        };
        let sent = sent.map_err(|error| Attempt::Never(self.wrong(&error.to_string())))?;
        let mut response = sent.map_err(|error| self.failed(&error))?;
        let status = response.status();
        let read = response.body_mut().with_config().limit(ANSWER).read_to_vec();
        let bytes = read.map_err(|error| self.failed(&error))?;
        if status.is_success() {
            return serde_json::from_slice(&bytes).map_err(|_| {
                Attempt::Never(self.wrong("it does not answer as a site of this version does"))
            });
        }
        let Ok(Refused { error }) = serde_json::from_slice(&bytes) else {
            return Err(match status.as_u16() {
                // A proxy in front of a site that does not run.
                500.. => Attempt::Later(format!("it answers with the status {status}")),
                413 => {
                    Attempt::Never(self.wrong("a proxy in front of it takes no file of this size"))
                }
                _ => Attempt::Never(self.wrong(&format!("it answers with the status {status}"))),
            });
        };
        let error = plain(&error);
        Err(match status {
            StatusCode::UNAUTHORIZED => {
                Attempt::Never(Error::usage(format!("{}: {error}", self.site)).into())
            }
            status if status.is_server_error() => Attempt::Later(error),
            _ => Attempt::Never(ClientError::Refused(error)),
        })
    }

    fn wrong(&self, why: &str) -> ClientError {
        let message = format!("the site at {} cannot be used: {why}", self.site);
        Error::usage(message).into()
    }

    fn failed(&self, error: &ureq::Error) -> Attempt {
        match error {
            // These do not change by another attempt.
            ureq::Error::Rustls(_)
            | ureq::Error::Tls(_)
            | ureq::Error::BadUri(_)
            | ureq::Error::Http(_)
            | ureq::Error::BodyExceedsLimit(_)
            | ureq::Error::HostNotFound => Attempt::Never(self.wrong(&error.to_string())),
            _ => Attempt::Later(error.to_string()),
        }
    }
}

/// What was shown of a place in the queue.
#[derive(Debug, Default)]
struct Waits {
    shown: String,
    at: Option<Instant>,
}

impl Waits {
    /// Returns the line to show, unless the place is the same or was shown a moment ago.
    fn line(&mut self, words: &str) -> Option<String> {
        let is_due = self.at.is_none_or(|at| at.elapsed() >= PLACE);
        if !is_due || self.shown == words {
            return None;
        }
        self.at = Some(Instant::now());
        self.shown = words.to_string();
        Some(format!("{}\n", plain(words)))
    }
}

/// Returns text without characters that control a terminal.
fn plain(text: &str) -> String {
    text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

/// Reads an archive that was packed by another program.
///
/// # Errors
///
/// It cannot be read, or is larger than a site takes.
pub fn read_archive(path: &Path) -> Result<Vec<u8>, Error> {
    let shown = path.display();
    let failed = |error: io::Error| Error::usage(format!("{shown} cannot be read: {error}"));
    let length = fs::metadata(path).map_err(failed)?.len();
    let mut archive = Vec::new();
    File::open(path)
        .map_err(failed)?
        .take(ARCHIVE + 1)
        .read_to_end(&mut archive)
        .map_err(failed)?;
    if archive.len() as u64 > ARCHIVE {
        return Err(Error::usage(format!(
            "{shown} has {} MiB, and a site takes {} MiB at most",
            length.div_ceil(1 << 20),
            ARCHIVE >> 20
        )));
    }
    Ok(archive)
}
