//! The clock of the database is set while leases are held: the only clock that a queue reads.

use super::Open;
use super::fixtures::*;
use crate::{Completed, Hold, Queue, Request};
use std::time::Duration;

/// How far the clock is set.
const JUMP: Duration = Duration::from_secs(7200);

/// How long leases last.
const TTL: Duration = Duration::from_secs(120);

/// More than statements of one transaction are apart.
const MOMENT: Duration = Duration::from_secs(60);

/// The workers, whom no other test has.
const WORKERS: [&str; 4] = ["clock/anna", "clock/ben", "clock/carl", "clock/dora"];

/// Sets the clock, as the queue sees it: what was written before is later or earlier now.
fn set_clock(queue: &Queue, by_ms: i64) {
    let shift = queue.transaction(|statements| {
        for (table, column, own) in [
            ("blocks", "expires_at", "tournament = 'jump'"),
            ("leases", "claimed_at", "tournament = 'jump'"),
            ("workers", "last_seen", "name LIKE 'clock/%'"),
        ] {
            let sql = format!("UPDATE {table} SET {column} = {column} - $1 WHERE {own}");
            statements.execute(&sql, &[by_ms.into()])?;
        }
        Ok(())
    });
    shift.expect("the rows are changed");
}

/// A clock that is set forward ends leases that no worker renews, and the block is played elsewhere. One
/// that is set back makes none last longer than it may. No block has two results.
pub(super) fn a_clock_that_is_set_loses_no_block(open: Open<'_>) {
    let games = games("jump", 2, &ALL, 2);
    let queue = open();
    queue.add("jump", &tournament("jump", 2, &ALL, 2), &schedule(&games)).expect("add");
    let jump = JUMP.as_millis() as i64;
    let claim = |worker: &str| {
        let request = Request {
            worker: worker.into(),
            blocks: 1,
            ttl: TTL,
            tournament: Some("jump".into()),
            except: Vec::new(),
        };
        queue.claim(&request).expect("claim")
    };
    let complete = |worker: &str, lease: &crate::Lease| {
        let results = results(&games, lease);
        queue.complete(worker, &lease.token, &results, &[], &schedule(&games)).expect("complete")
    };
    let renew = |worker: &str, lease: &crate::Lease| {
        queue.heartbeat(worker, std::slice::from_ref(&lease.token), TTL).expect("beat").len()
    };
    let [anna, ben, carl, dora] = WORKERS;
    let [first, second] = [anna, ben].map(|worker| claim(worker).remove(0));
    set_clock(&queue, jump);
    // A worker that renews before another claims keeps its lease.
    assert_eq!(renew(anna, &first), 1);
    let again = claim(carl).remove(0);
    assert_eq!(again.block, second.block, "it expired by the clock");
    assert_eq!((renew(ben, &second), complete(ben, &second)), (0, Completed::Late));
    set_clock(&queue, -jump);
    assert!(claim(dora).is_empty(), "no lease ends before its time");
    // One lease is renewed, and the worker with the other one is dead: both end in time.
    assert_eq!(renew(anna, &first), 1);
    // A moment more: a busy host may stop between two statements of a transaction.
    set_clock(&queue, (TTL + MOMENT).as_millis() as i64);
    assert_eq!(claim(dora).len(), 1);
    assert_eq!(claim(dora).len(), 1);
    for (worker, lease) in [(anna, &first), (carl, &again)] {
        assert_eq!(complete(worker, lease), Completed::Late);
    }
    let status = queue.status("jump").expect("status");
    assert_eq!((status.games, status.blocks.leased), (0, 2));
    queue.hold("jump", Hold::Held).expect("hold");
}
