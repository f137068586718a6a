//! The comparison of each worker with its peers: what a host causes should happen to the games of all
//! workers with the same probability, because blocks are given to workers as they ask, whatever their
//! bots.
//!
//! Each worker and each [`Measure`] is Fisher's exact test, one-sided, of the worker's games against
//! those of all others; Holm's procedure corrects for the number of tests. With the probability
//! [`ALPHA`] at most, a worker is named that does not differ.

use crate::status::WorkerStatus;
use botyard_league::statistics::exact::{Count, fisher, holm};
use serde::Serialize;

/// The probability that any worker is named that does not differ from its peers.
pub const ALPHA: f64 = 0.01;

/// What may happen to a game because of its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The game was void.
    Voids,
    /// A bot lost by time.
    Timeouts,
    /// A bot could not be started, ended or ran out of memory.
    Crashes,
    /// A block had another result when another worker played it: see
    /// [`set_recheck`](crate::Queue::set_recheck).
    Rechecks,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 4] =
        [Measure::Voids, Measure::Timeouts, Measure::Crashes, Measure::Rechecks];

    /// Returns its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Measure::Voids => "voids",
            Measure::Timeouts => "timeouts",
            Measure::Crashes => "crashes",
            Measure::Rechecks => "rechecks",
        }
    }

    /// Returns how many games of a worker have it.
    fn of(self, worker: &WorkerStatus) -> Count {
        let with = match self {
            Measure::Voids => worker.voids,
            Measure::Timeouts => worker.timeouts,
            Measure::Crashes => worker.crashes,
            Measure::Rechecks => worker.rechecks_differ,
        };
        let all = match self {
            Measure::Voids => worker.games,
            Measure::Timeouts | Measure::Crashes => worker.games.saturating_sub(worker.voids),
            Measure::Rechecks => worker.rechecked,
        };
        Count { with, all }
    }
}

/// A worker that differs from its peers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The name of the worker.
    pub worker: String,
    /// What happens more often to its games.
    pub measure: Measure,
    /// The part of its games (of [`Measure::Rechecks`]: blocks) to which it happened.
    pub share: f64,
    /// The part of the games of all other workers.
    pub share_of_peers: f64,
    /// The p-value of the test.
    pub p: f64,
}

/// Returns the workers that differ from their peers, with the smallest p-value first.
pub fn differences(workers: &[WorkerStatus]) -> Vec<Difference> {
    let mut tested = Vec::new();
    for measure in Measure::ALL {
        let mut all = Count::default();
        for count in workers.iter().map(|worker| measure.of(worker)) {
            all = Count { with: all.with + count.with, all: all.all + count.all };
        }
        for worker in workers {
            let here = measure.of(worker);
            let elsewhere = Count { with: all.with - here.with, all: all.all - here.all };
            if here.all > 0 && elsewhere.all > 0 {
                let share = |count: Count| count.with as f64 / count.all as f64;
                tested.push(Difference {
                    worker: worker.name.clone(),
                    measure,
                    share: share(here),
                    share_of_peers: share(elsewhere),
                    p: fisher(here, elsewhere),
                });
            }
        }
    }
    let p_values: Vec<f64> = tested.iter().map(|it| it.p).collect();
    let mut named: Vec<Difference> = holm(&p_values, ALPHA)
        .into_iter()
        .zip(tested)
        .filter_map(|(is_named, difference)| is_named.then_some(difference))
        .collect();
    named.sort_by(|one, other| one.p.total_cmp(&other.p));
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(name: &str, games: u64, voids: u64, timeouts: u64) -> WorkerStatus {
        WorkerStatus {
            name: name.into(),
            about: serde_json::Value::Null,
            silent_ms: 0,
            leases: 0,
            games,
            voids,
            expired: 0,
            timeouts,
            crashes: 0,
            rechecked: 0,
            rechecks_differ: 0,
        }
    }

    #[test]
    fn a_worker_that_loses_on_time_more_often_is_named_and_chance_is_not() {
        let named = |workers: &[WorkerStatus]| -> Vec<(String, Measure)> {
            differences(workers).into_iter().map(|it| (it.worker, it.measure)).collect()
        };
        let even = [worker("a", 500, 1, 9), worker("b", 480, 0, 12), worker("c", 510, 2, 7)];
        assert_eq!(named(&even), []);
        let slow = [worker("a", 500, 1, 9), worker("b", 480, 0, 60), worker("c", 510, 2, 7)];
        assert_eq!(named(&slow), [("b".to_string(), Measure::Timeouts)]);
        let sick = [worker("a", 500, 30, 9), worker("b", 480, 0, 12), worker("c", 510, 2, 7)];
        assert_eq!(named(&sick), [("a".to_string(), Measure::Voids)]);
        // One without peers cannot differ from them.
        assert_eq!(named(&[worker("a", 500, 100, 100), worker("b", 0, 0, 0)]), []);
        // Every block of a worker that invents its games differs, and those of others only beside it.
        let of_rechecks = |name, rechecked, rechecks_differ| WorkerStatus {
            rechecked,
            rechecks_differ,
            ..worker(name, 500, 0, 0)
        };
        let all = [("a", 60, 20), ("b", 60, 20), ("c", 40, 40)];
        let all = all.map(|(name, rechecked, differ)| of_rechecks(name, rechecked, differ));
        assert_eq!(named(&all), [("c".to_string(), Measure::Rechecks)]);
        // Three of three are no evidence beside three of nine.
        assert_eq!(named(&[worker("a", 3, 0, 3), worker("b", 9, 0, 3)]), []);
    }
}
