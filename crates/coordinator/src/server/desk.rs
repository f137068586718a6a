//! The calls as the queue answers them. Every function here may block.

use super::claimed::{ClaimTimes, too_long};
use super::verification::{Rejected, verify};
use crate::events::{Event, Log};
use crate::token;
use crate::wire::{
    Claim, Claimed, Code, Complete, Done, Ended, Failure, Files, Heartbeat, Held, Introduce, Left,
    Release, Unfinished, WhichFiles, WhichTournament,
};
use botyard_league::store::{Definition, StoreError};
use botyard_queue::{Completed, LeaseRecord, Queue, Schedule, bundle_file, prometheus};
use botyard_runner::{Error, Programs};
use botyard_tournament::Acceptance;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most blocks that one claim asks for, and the most leases that one call names.
const LEASES: usize = 1000;

/// The most bytes that a worker may say of itself.
const ABOUT: usize = 64 << 10;

/// The most tournaments whose games are kept in memory.
const TOURNAMENTS: usize = 64;

/// How long the metrics of the queue are kept.
const METRICS: Duration = Duration::from_secs(5);

/// Why a call failed, for its caller and for the log.
#[derive(Debug)]
pub(super) struct Problem {
    /// What the caller gets.
    pub failure: Failure,
    /// What the log gets besides: a reason in one word, the tournament, and so on.
    pub fields: Vec<(&'static str, Value)>,
}

impl Problem {
    /// Returns the reason why a result was refused, in one word.
    pub(super) fn reason(&self) -> Option<&str> {
        self.fields.iter().find(|(name, _)| *name == "reason").and_then(|(_, value)| value.as_str())
    }

    fn with(mut self, name: &'static str, value: impl Into<Value>) -> Problem {
        self.fields.push((name, value.into()));
        self
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        Problem { failure, fields: Vec::new() }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        Failure::from(error).into()
    }
}

/// The queue, and what is known of its tournaments.
pub(super) struct Desk {
    queue: Arc<Queue>,
    programs: Programs,
    most_ttl: Duration,
    log: Log,
    /// By id, with the revision of the definition.
    tournaments: Mutex<HashMap<String, (i64, Arc<Acceptance>)>>,
    claimed: ClaimTimes,
    /// The metrics of the queue, and when they were read.
    metrics: Mutex<Option<(Instant, String)>>,
}

impl Desk {
    pub(super) fn new(queue: Arc<Queue>, programs: Programs, most_ttl: Duration, log: Log) -> Desk {
        Desk {
            queue,
            programs,
            most_ttl,
            log,
            tournaments: Mutex::default(),
            claimed: ClaimTimes::default(),
            metrics: Mutex::default(),
        }
    }

    pub(super) fn introduce(&self, caller: &str, call: Introduce) -> Result<Done, Problem> {
        check_worker(caller, &call.worker)?;
        let size = call.about.to_string().len();
        if !call.about.is_object() || size > ABOUT {
            let message = format!("expected an object of at most {ABOUT} bytes about the worker");
            return Err(Failure::new(Code::Refused, message).into());
        }
        self.queue.introduce(&call.worker, &call.about)?;
        Ok(Done {})
    }

    pub(super) fn claim(&self, caller: &str, call: Claim) -> Result<Claimed, Problem> {
        check_worker(caller, &call.request.worker)?;
        check_count(call.request.blocks as usize)?;
        check_count(call.tokens.len())?;
        check_count(call.request.except.len())?;
        self.check_ttl(call.request.ttl)?;
        let leases = self.queue.claim_as(&call.request, &call.tokens)?;
        self.claimed.add(&leases);
        Ok(Claimed { leases })
    }

    pub(super) fn unfinished(&self, caller: &str, call: Unfinished) -> Result<Left, Problem> {
        check_worker(caller, &call.request.worker)?;
        check_count(call.request.except.len())?;
        Ok(Left { blocks: self.queue.unfinished(&call.request)? })
    }

    pub(super) fn heartbeat(&self, caller: &str, call: Heartbeat) -> Result<Held, Problem> {
        check_worker(caller, &call.worker)?;
        check_count(call.tokens.len())?;
        self.check_ttl(call.ttl)?;
        Ok(Held { tokens: self.queue.heartbeat(&call.worker, &call.tokens, call.ttl)? })
    }

    pub(super) fn release(&self, caller: &str, call: Release) -> Result<Done, Problem> {
        check_worker(caller, &call.worker)?;
        check_count(call.tokens.len())?;
        self.queue.release(&call.worker, &call.tokens)?;
        Ok(Done {})
    }

    /// Stores a result if it verifies. What was sent before is answered as the queue does, without
    /// another check.
    pub(super) fn complete(&self, caller: &str, call: Complete) -> Result<Ended, Problem> {
        let Complete { worker, token, games, files } = &call;
        check_worker(caller, worker)?;
        let refused = |reason: &'static str, message: &str| {
            Problem::from(Failure::new(Code::Refused, message)).with("reason", reason)
        };
        let lease = self.queue.lease_record(token)?;
        let lease = lease.ok_or_else(|| refused("no_lease", "there is no such lease"))?;
        let place = |problem: Problem| {
            (problem.with("tournament", lease.tournament.as_str()))
                .with("block", lease.block.number)
                .with("worker", worker.as_str())
        };
        if lease.worker != *worker {
            let message = "the lease belongs to another worker";
            return Err(place(refused("other_lease", message)));
        }
        let acceptance = self.acceptance(&lease).map_err(place)?;
        if lease.is_held {
            verify(&self.queue, &acceptance, &lease, games, files).map_err(|rejected| {
                place(match rejected {
                    Rejected::Store(error) => error.into(),
                    Rejected::Unacceptable(reason, message) => {
                        let message = format!(
                            "block {} of {}: {message}",
                            lease.block.number, lease.tournament
                        );
                        Problem::from(Failure::new(Code::Unacceptable, message))
                            .with("reason", reason)
                    }
                })
            })?;
        }
        let schedule = Schedule { games: acceptance.schedule(), scale: acceptance.scale() };
        let completed = self.queue.complete(worker, token, games, files, &schedule);
        let completed = completed.map_err(|error| {
            let is_refused = matches!(error, StoreError::Refused(_));
            let problem = Problem::from(error);
            place(if is_refused { problem.with("reason", "other_game") } else { problem })
        })?;
        let held = self.claimed.take(token);
        if completed == Completed::Accepted {
            if let Some((index, time)) = held.and_then(|held| too_long(games, held)) {
                (self.log)(
                    &Event::new("impossible_time")
                        .with("tournament", lease.tournament.as_str())
                        .with("block", lease.block.number)
                        .with("game", games[index].key.rotation + 1)
                        .with("worker", worker.as_str())
                        .with("played_s", time.as_secs())
                        .with("held_s", held.unwrap_or_default().as_secs()),
                );
            }
            if lease.is_recheck {
                self.report_differences(&lease)?;
            }
        }
        Ok(Ended { completed })
    }

    /// Reports the games of a recheck that had another result than before.
    fn report_differences(&self, lease: &LeaseRecord) -> Result<(), Problem> {
        let rechecks = self.queue.rechecks(&lease.tournament)?;
        for it in rechecks.differing.iter().filter(|it| it.block == lease.block.number) {
            (self.log)(
                &Event::new("recheck_differs")
                    .with("tournament", lease.tournament.as_str())
                    .with("block", it.block)
                    .with("game", it.game)
                    .with("worker", it.first.worker.as_str())
                    .with("points", it.first.points.clone())
                    .with("again_worker", it.again.worker.as_str())
                    .with("again_points", it.again.points.clone()),
            );
        }
        Ok(())
    }

    pub(super) fn definition(&self, call: &WhichTournament) -> Result<Definition, Problem> {
        Ok(self.queue.definition(&call.tournament)?)
    }

    pub(super) fn files(&self, call: &WhichFiles) -> Result<Files, Problem> {
        Ok(Files { files: self.queue.files(&call.tournament, &call.prefix)? })
    }

    pub(super) fn put(&self, bytes: &[u8]) -> Result<String, Problem> {
        Ok(self.queue.put(bytes)?)
    }

    pub(super) fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, Problem> {
        Ok(self.queue.get(digest)?)
    }

    /// Returns the state of all tournaments as metrics, read a moment ago at most: anyone may ask.
    pub(super) fn metrics(&self) -> Result<String, Problem> {
        let mut metrics = self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((read, text)) = &*metrics
            && read.elapsed() < METRICS
        {
            return Ok(text.clone());
        }
        let mut states = Vec::new();
        for listed in self.queue.tournaments()? {
            let status = self.queue.status(&listed.id)?;
            states.push((listed, status));
        }
        let text = prometheus(&states);
        *metrics = Some((Instant::now(), text.clone()));
        Ok(text)
    }

    /// Ends leases that have expired, and reports them.
    pub(super) fn reap(&self) {
        match self.queue.reap_expired() {
            Ok(expired) => {
                for lease in expired {
                    (self.log)(
                        &Event::new("lease_expired")
                            .with("tournament", lease.tournament)
                            .with("block", lease.block)
                            .with("worker", lease.worker),
                    );
                }
            }
            Err(error) => self.failed("reap", &error),
        }
    }

    /// Removes content that no file has and that is older than this.
    pub(super) fn remove_unnamed(&self, older_than: Duration) {
        match self.queue.remove_unnamed(older_than) {
            Ok(0) => {}
            Ok(count) => (self.log)(&Event::new("content_removed").with("count", count)),
            Err(error) => self.failed("remove_unnamed", &error),
        }
    }

    fn failed(&self, what: &str, error: &StoreError) {
        let event = Event::new("store_failed").with("call", what);
        (self.log)(&event.with("message", error.to_string()));
    }

    /// Returns the games of a lease's tournament as they are now defined.
    fn acceptance(&self, lease: &LeaseRecord) -> Result<Arc<Acceptance>, Problem> {
        let tournaments = || self.tournaments.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((revision, known)) = tournaments().get(&lease.tournament)
            && *revision == lease.revision
        {
            return Ok(Arc::clone(known));
        }
        let definition = self.queue.definition(&lease.tournament)?;
        let archive = |files: &str| self.archive(&lease.tournament, files);
        let acceptance = Acceptance::of(definition, &self.programs, &archive).map_err(|error| {
            Problem::from(Failure::new(
                Code::Host,
                format!("the tournament {:?} cannot be used: {error}", lease.tournament),
            ))
        })?;
        let acceptance = Arc::new(acceptance);
        let mut tournaments = tournaments();
        if tournaments.len() >= TOURNAMENTS {
            tournaments.clear();
        }
        let entry = (lease.revision, Arc::clone(&acceptance));
        tournaments.insert(lease.tournament.clone(), entry);
        Ok(acceptance)
    }

    /// Returns the archive of a bundle of a tournament, by the digest of its files.
    fn archive(&self, tournament: &str, files: &str) -> Result<Vec<u8>, Error> {
        let name = bundle_file(files);
        let stored = self.queue.files(tournament, &name)?;
        let file = stored.into_iter().find(|file| file.name == name);
        let content = file.map(|file| self.queue.get(&file.digest)).transpose()?.flatten();
        content.ok_or_else(|| Error::host(format!("the tournament has no file {name}")))
    }

    fn check_ttl(&self, ttl: Duration) -> Result<(), Problem> {
        match ttl <= self.most_ttl {
            true => Ok(()),
            false => Err(Failure::new(
                Code::Refused,
                format!("a lease may last {} s at most", self.most_ttl.as_secs()),
            )
            .into()),
        }
    }
}

fn check_worker(token: &str, worker: &str) -> Result<(), Problem> {
    match token::is_for(token, worker) {
        true => Ok(()),
        false => {
            let shown: String = worker.chars().take(200).collect();
            let message = format!(
                "the token {token:?} is for workers called {token:?} or \"{token}/...\", got {shown:?}"
            );
            Err(Problem::from(Failure::new(Code::Forbidden, message))
                .with("reason", "other_worker"))
        }
    }
}

fn check_count(count: usize) -> Result<(), Problem> {
    match count <= LEASES {
        true => Ok(()),
        false => {
            let message = format!("expected at most {LEASES} leases in one call, got {count}");
            Err(Failure::new(Code::Refused, message).into())
        }
    }
}
