//! The thread that sends results, one after another, and repeats what failed.

use crate::events::WorkerEvent;
use crate::shared::Shared;
use crate::spool::Spooled;
use botyard_league::store::StoreError;
use botyard_queue::Completed;
use crossbeam_channel::Receiver;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// The first and the longest pause after a failure.
const PAUSES: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(10));

/// How often a waiting thread checks whether the worker ends.
const LOOK: Duration = Duration::from_millis(50);

/// Sends results until the other threads have ended and all are sent, or the queue cannot be reached
/// while the worker ends. What is not sent stays in the spool.
pub fn send_all(shared: &Shared, results: &Receiver<Spooled>) {
    let mut is_failing = false;
    for spooled in results {
        let token = spooled.result.token.clone();
        let mut pause = PAUSES.0;
        loop {
            match send(shared, &spooled) {
                Ok(completed) => {
                    if std::mem::replace(&mut is_failing, false) {
                        shared.notify(WorkerEvent::QueueReached);
                    }
                    sent(shared, spooled, completed);
                    break;
                }
                Err(Failed::Refused(reason)) => {
                    refused(shared, spooled, reason);
                    break;
                }
                Err(Failed::Host(error)) => {
                    if !std::mem::replace(&mut is_failing, true) {
                        shared.notify(WorkerEvent::QueueFailed { error });
                    }
                    if !wait(shared, pause) {
                        return;
                    }
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
        }
        shared.holdings.ended(&token);
    }
}

/// Waits for this time. Returns whether the worker continues.
fn wait(shared: &Shared, time: Duration) -> bool {
    let until = Instant::now() + time;
    while !shared.is_stopping() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(LOOK));
    }
    false
}

/// Why a result was not sent.
enum Failed {
    /// The queue refuses it.
    Refused(String),
    /// The queue cannot be reached.
    Host(String),
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Failed {
        match error {
            StoreError::Host(_) | StoreError::Full(_) => Failed::Host(error.to_string()),
            error => Failed::Refused(error.to_string()),
        }
    }
}

fn send(shared: &Shared, spooled: &Spooled) -> Result<Completed, Failed> {
    let mut files = Vec::with_capacity(spooled.result.files.len());
    for (name, content) in spooled.files() {
        let content = content.map_err(|error| {
            Failed::Refused(format!("the file {name} cannot be read in the spool: {error}"))
        })?;
        files.push((name.to_string(), shared.work.put(&content)?));
    }
    let result = &spooled.result;
    Ok(shared.work.complete(&result.worker, &result.token, &result.games, &files)?)
}

fn sent(shared: &Shared, spooled: Spooled, completed: Completed) {
    let result = &spooled.result;
    let voids = result.games.iter().filter(|game| !game.is_scored()).count();
    if completed == Completed::Accepted {
        shared.sent.blocks.fetch_add(1, SeqCst);
        shared.sent.games.fetch_add((result.games.len() - voids) as u64, SeqCst);
    }
    shared.notify(WorkerEvent::BlockCompleted {
        tournament: result.tournament.clone(),
        block: result.block,
        games: result.games.len(),
        voids,
        completed,
    });
    // Sent again by a later worker, it is a duplicate.
    let _ = spooled.remove();
}

fn refused(shared: &Shared, spooled: Spooled, reason: String) {
    let (worker, token) = (spooled.result.worker.clone(), spooled.result.token.clone());
    let (tournament, block) = (spooled.result.tournament.clone(), spooled.result.block);
    // The lease is still held if it is this worker's.
    let _ = shared.work.release(&worker, &[token]);
    let kept = spooled.refuse(&reason).ok().map(|path| path.display().to_string());
    shared.notify(WorkerEvent::ResultRefused { tournament, block, reason, kept });
}
