//! A thread of a worker, which plays one game at a time.

use crate::block_source::{BlockSource, Unseen};
use crate::events::WorkerEvent;
use crate::open_tournaments::{NotOpened, OpenTournament};
use crate::shared::Shared;
use botyard_queue::Lease;
use botyard_runner::{Error, run_on};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

/// How long a thread waits for a block before it looks for something else to do.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often a thread that may not begin a block looks whether it may.
const LOOK: Duration = Duration::from_millis(20);

/// The pause of the worker after a failure of its host, so that other workers get the blocks.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// After this many failures in a row, the worker ends.
const MOST_FAILURES: u32 = 10;

/// Plays blocks until the worker ends. Threads are numbered from 0.
pub(crate) fn play(shared: &Shared, number: usize, failures: &AtomicU32) {
    let mut leases: VecDeque<Lease> = VecDeque::new();
    while !shared.is_stopping() {
        if shared.calibrations.is_due(number) {
            shared.calibrations.measure(shared);
            continue;
        }
        if shared.calibrations.is_first() || (leases.is_empty() && !shared.may_begin(number)) {
            std::thread::sleep(LOOK);
            continue;
        }
        if leases.is_empty() {
            leases.extend(shared.claims.next(shared, 1, PATIENCE));
        }
        let Some(lease) = leases.front() else { continue };
        let opened = match shared.tournaments.open(&*shared.work, lease) {
            Ok((opened, is_new)) => {
                if is_new {
                    shared.notify(WorkerEvent::TournamentOpened {
                        tournament: opened.id.clone(),
                        bots: opened.plan.bots.len(),
                        sandbox: opened.plan.tier.to_string(),
                        warnings: opened
                            .plan
                            .warnings
                            .iter()
                            .map(|it| it.text(shared.tournaments.programs().name))
                            .collect(),
                    });
                }
                opened
            }
            Err(error) => {
                let id = lease.tournament.clone();
                let (its, others) = leases.drain(..).partition(|it| it.tournament == id);
                leases = others;
                give_back(shared, &Vec::from(its).iter().collect::<Vec<_>>());
                match error {
                    NotOpened::Refused(reason) => refuse(shared, &id, reason),
                    NotOpened::Host(reason) => failed(shared, failures, reason),
                }
                continue;
            }
        };
        let (its, others) = leases.drain(..).partition(|it| it.tournament == opened.id);
        leases = others;
        leases.extend(session(shared, &opened, number, Vec::from(its), failures));
    }
}

/// Plays blocks of one tournament, as long as there are some. Returns leases of others.
fn session(
    shared: &Shared,
    opened: &OpenTournament,
    number: usize,
    leases: Vec<Lease>,
    failures: &AtomicU32,
) -> Vec<Lease> {
    let mut source = BlockSource::new(shared, opened, number, leases);
    loop {
        let (ended, given_up) = (source.ended, source.given_up);
        let stopped = match shared.interrupt(number) {
            Ok(interrupt) => run_on(&opened.plan, number, &mut source, &mut Unseen, &interrupt),
            Err(error) => Ok(Some(Error::host(error))),
        };
        let stop = match stopped {
            Ok(None) => {
                if source.ended > ended {
                    failures.store(0, SeqCst);
                }
                break;
            }
            Ok(Some(stop)) | Err(stop) => stop,
        };
        // The worker ends, and gives back the leases itself.
        if shared.is_stopping() {
            break;
        }
        if let Some(reason) = source.host_failure.take() {
            // Its copies of the bots are fetched or checked again.
            shared.tournaments.forget(&opened.id);
            give_back(shared, &source.unplayed());
            failed(shared, failures, reason);
            break;
        }
        if source.given_up > given_up {
            // A game stayed void. The others of its block are played, and the worker rests afterwards.
            source.begin_again();
            shared.claims.delay(AFTER_FAILURE);
            continue;
        }
        give_back(shared, &source.unplayed());
        match stop {
            Error::Usage(reason) => {
                refuse(shared, &opened.id, reason.text(shared.tournaments.programs().name))
            }
            stop => {
                failed(shared, failures, stop.message().text(shared.tournaments.programs().name))
            }
        }
        break;
    }
    std::mem::take(&mut source.others)
}

/// Gives back leases whose blocks are not played here.
fn give_back(shared: &Shared, leases: &[&Lease]) {
    let tokens: Vec<String> = leases.iter().map(|lease| lease.token.clone()).collect();
    tokens.iter().for_each(|token| shared.leases.ended(token));
    if !tokens.is_empty() {
        // If this fails, the leases expire.
        let _ = shared.work.release(shared.name(), &tokens);
    }
}

/// Leaves a tournament to other workers.
fn refuse(shared: &Shared, id: &str, reason: String) {
    if shared.tournaments.refuse(id, &reason) {
        shared.introduce();
        shared.notify(WorkerEvent::TournamentRefused { tournament: id.to_string(), reason });
    }
}

/// Records a failure of the host.
fn failed(shared: &Shared, failures: &AtomicU32, reason: String) {
    shared.notify(WorkerEvent::GamesFailed { reason: reason.clone() });
    if failures.fetch_add(1, SeqCst) + 1 >= MOST_FAILURES {
        shared
            .fail(format!("games failed {MOST_FAILURES} times in a row, the last time: {reason}"));
    }
    shared.claims.delay(AFTER_FAILURE);
}
