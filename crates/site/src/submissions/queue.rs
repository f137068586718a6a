//! The order in which versions that wait are tried, and when the turn of each comes.
//!
//! Those of which work was begun least often come first, because one of them may end the site. Then one of each team
//! in turn, and those that have waited longest, where a version counts as having come later by a multiple of the time
//! that its trial is expected to take and that trials of its team took within the last hour. So short trials come
//! first, and no wait is unlimited.

use crate::files::{Statements, now};
use rusqlite::Transaction;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

/// The expected time of a trial, before the class has had one.
const FIRST: Duration = Duration::from_secs(10);

/// How many trials of a class and of a team tell how long the next one takes.
const OF_CLASS: u32 = 30;
const OF_TEAM: u32 = 3;

/// For how long a version lets others pass, as a multiple of the time of its trials.
const PASSED: f64 = 10.0;

/// The longest time for which a version lets others pass, in seconds.
const LONGEST: f64 = 1800.0;

/// The time within which the trials of a team count, in seconds.
const RECENT: i64 = 3600;

/// A version that waits.
#[derive(Clone, Debug, PartialEq)]
struct Waiting {
    id: i64,
    attempts: i64,
    /// Whether another version of the team is being tried.
    has_another: bool,
    /// When it was submitted, in seconds since 1970.
    at: i64,
    expected: Duration,
    /// What trials of its team took within the last hour.
    used: Duration,
}

impl Waiting {
    /// Returns what decides its turn: the smaller, the earlier.
    fn turn(&self) -> (i64, bool, f64) {
        let passed = PASSED * (self.expected + self.used).as_secs_f64();
        (self.attempts, self.has_another, self.at as f64 + passed.min(LONGEST))
    }
}

/// The versions that wait and those that are tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    /// The versions that wait, in order, each with its expected time.
    waiting: Vec<(i64, Duration)>,
    /// The expected time of those that are tried.
    working: BTreeMap<i64, Duration>,
}

/// The place of a version that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its place, from 1.
    pub number: usize,
    /// How many wait.
    pub of: usize,
    /// When its verdict is expected.
    pub within: Duration,
}

impl Place {
    /// Returns it in words.
    pub(crate) fn in_words(self) -> String {
        format!(
            "waits: place {} of {}, a verdict {}",
            self.number,
            self.of,
            within_in_words(self.within)
        )
    }
}

/// Returns an expected time in words.
pub(crate) fn within_in_words(within: Duration) -> String {
    match within.as_secs() {
        0..=45 => "in less than a minute".to_string(),
        46..=90 => "in about a minute".to_string(),
        seconds => format!("in about {} minutes", seconds.div_ceil(60)),
    }
}

/// Returns how long a trial takes, in milliseconds: the average of the class's last ones.
fn of_class(transaction: &Transaction<'_>) -> rusqlite::Result<Duration> {
    let average: Option<f64> = transaction.value(
        "SELECT AVG(took_ms) FROM (SELECT took_ms FROM submissions WHERE took_ms IS NOT NULL \
         AND state IN ('accepted', 'rejected') ORDER BY id DESC LIMIT ?1)",
        [OF_CLASS],
    )?;
    Ok(average.map_or(FIRST, |ms| Duration::from_millis(ms as u64)))
}

/// The average time of the last trials of a version's team.
const OF_ITS_TEAM: &str = "(SELECT AVG(took_ms) FROM (SELECT took_ms FROM submissions AS its \
                           WHERE its.team = submissions.team AND took_ms IS NOT NULL \
                           AND its.state IN ('accepted', 'rejected') ORDER BY its.id DESC LIMIT ?1))";

impl Queue {
    /// Reads the queue.
    pub(crate) fn read(transaction: &Transaction<'_>) -> rusqlite::Result<Queue> {
        let of_class = of_class(transaction)?;
        let time = |ms: Option<f64>| ms.map_or(of_class, |ms| Duration::from_millis(ms as u64));
        let sql = format!(
            "SELECT id, attempts, EXISTS (SELECT 1 FROM submissions AS its \
             WHERE its.team = submissions.team AND its.state = 'working'), at, {OF_ITS_TEAM}, \
             (SELECT TOTAL(took_ms) FROM submissions AS its WHERE its.team = submissions.team \
             AND ended_at > ?2) FROM submissions WHERE state = 'queued'"
        );
        let since = now() - RECENT;
        let mut waiting = transaction.rows(&sql, (OF_TEAM, since), |row| {
            Ok(Waiting {
                id: row.get(0)?,
                attempts: row.get(1)?,
                has_another: row.get(2)?,
                at: row.get(3)?,
                expected: time(row.get(4)?),
                used: Duration::from_millis(row.get::<_, f64>(5)? as u64),
            })
        })?;
        waiting.sort_by(|one, other| {
            let ((a, b, c), (x, y, z)) = (one.turn(), other.turn());
            (a, b).cmp(&(x, y)).then(c.total_cmp(&z)).then(one.id.cmp(&other.id))
        });
        let sql = format!("SELECT id, {OF_ITS_TEAM} FROM submissions WHERE state = 'working'");
        let working =
            transaction.rows(&sql, [OF_TEAM], |row| Ok((row.get(0)?, time(row.get(1)?))))?;
        let waiting = waiting.into_iter().map(|one| (one.id, one.expected)).collect();
        Ok(Queue { waiting, working: working.into_iter().collect() })
    }

    /// Returns the versions that wait, in order.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = i64> + '_ {
        self.waiting.iter().map(|(id, _)| *id)
    }

    /// Returns the place of a version that waits, where this many are tried at once, and those that are have been
    /// for so long.
    pub(crate) fn place(
        &self,
        id: i64,
        lanes: usize,
        elapsed: &BTreeMap<i64, Duration>,
    ) -> Option<Place> {
        let index = self.waiting().position(|its| its == id)?;
        let left = self.working.iter().map(|(id, expected)| {
            expected.saturating_sub(elapsed.get(id).copied().unwrap_or_default())
        });
        // When each lane is free. Trials that have none continue beside the others.
        let mut free: Vec<Duration> = left.collect();
        free.sort();
        let mut free: BinaryHeap<Reverse<Duration>> =
            free.into_iter().rev().take(lanes).map(Reverse).collect();
        while free.len() < lanes.max(1) {
            free.push(Reverse(Duration::ZERO));
        }
        let mut within = Duration::ZERO;
        for (_, expected) in &self.waiting[..=index] {
            let Reverse(begin) = free.pop().unwrap_or_default();
            within = begin + *expected;
            free.push(Reverse(within));
        }
        Some(Place { number: index + 1, of: self.waiting.len(), within })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(id: i64, at: i64, expected: u64, used: u64) -> Waiting {
        let (expected, used) = (Duration::from_secs(expected), Duration::from_secs(used));
        Waiting { id, attempts: 0, has_another: false, at, expected, used }
    }

    #[test]
    fn short_trials_come_first_and_no_long_one_waits_for_ever() {
        let long = waiting(1, 0, 60, 0);
        assert!(waiting(2, 400, 5, 0).turn() < long.turn());
        assert!(waiting(3, 600, 5, 0).turn() > long.turn(), "it has waited for ten minutes");
        let busy = waiting(4, 0, 5, 100_000);
        assert!(waiting(5, 1800, 5, 0).turn() > busy.turn(), "it has waited for half an hour");
        let second = Waiting { has_another: true, ..waiting(6, 0, 1, 0) };
        assert!(second.turn() > waiting(7, 1000, 60, 0).turn(), "one of each team in turn");
    }

    #[test]
    fn the_place_says_when_a_verdict_is_expected() {
        let seconds = Duration::from_secs;
        let queue = Queue {
            waiting: vec![(7, seconds(10)), (8, seconds(20)), (9, seconds(30))],
            working: BTreeMap::from([(5, seconds(10))]),
        };
        let elapsed = BTreeMap::from([(5, seconds(4))]);
        let place = |id, lanes| queue.place(id, lanes, &elapsed).map(|it| (it.number, it.within));
        assert_eq!(place(7, 1), Some((1, seconds(16))));
        assert_eq!(place(9, 1), Some((3, seconds(66))));
        assert_eq!(place(9, 2), Some((3, seconds(40))));
        assert_eq!(place(5, 1), None, "it does not wait");
        let place = queue.place(9, 1, &elapsed).expect("it waits");
        assert_eq!(place.in_words(), "waits: place 3 of 3, a verdict in about a minute");
        assert_eq!(within_in_words(seconds(100)), "in about 2 minutes");
    }
}
