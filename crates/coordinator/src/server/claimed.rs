//! When leases were claimed, to compare with the time that their games took: a game that is longer than
//! its lease has been held was not played for it.
//!
//! Both times are those of monotonic clocks, so that no clock that is set is in the way. But a host may
//! have slept meanwhile: such a result is reported, and not refused.

use botyard_league::store::StoredGame;
use botyard_queue::Lease;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most leases that are remembered.
const LEASES: usize = 100_000;

/// The difference that clocks of two hosts may have.
const SLACK: Duration = Duration::from_secs(2);

/// When leases were claimed, by token, as far as it is known: not before the coordinator was started.
#[derive(Debug, Default)]
pub(super) struct ClaimTimes(Mutex<HashMap<String, Instant>>);

impl ClaimTimes {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers leases that are claimed now.
    pub(super) fn add(&self, leases: &[Lease]) {
        let mut times = self.lock();
        if times.len() + leases.len() > LEASES {
            times.clear();
        }
        for lease in leases {
            times.entry(lease.token.clone()).or_insert_with(Instant::now);
        }
    }

    /// Forgets a lease, and returns how long it was held.
    pub(super) fn take(&self, token: &str) -> Option<Duration> {
        self.lock().remove(token).map(|claimed| claimed.elapsed())
    }
}

/// Returns the first game that took longer than its lease was held, as an index, and its time.
pub(super) fn too_long(games: &[StoredGame], held: Duration) -> Option<(usize, Duration)> {
    let times = games.iter().map(|stored| {
        let wall = stored.game.uses.iter().fold(0u64, |sum, it| sum.saturating_add(it.wall_us));
        Duration::from_micros(wall)
    });
    times.enumerate().find(|(_, time)| *time > held + SLACK)
}
