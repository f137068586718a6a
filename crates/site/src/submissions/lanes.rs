//! The cores of this host, shared between trials and games.
//!
//! A trial has a lane, which is a core of its own. One that takes long gives its lane back and continues beside the
//! others, so that a bot that sleeps delays no other; one whose games are played on other hosts has none, and takes one
//! when it comes back. While trials run or wait, the games of the ladder have a part of the cores, and all of them
//! otherwise.

use botyard_referee::Interrupt;
use botyard_runner::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a trial has a lane for itself. One check of a bot takes a few seconds.
const OWN_LANE: Duration = Duration::from_secs(20);

/// The most trials that continue without a lane.
const BESIDE: usize = 3;

/// The most trials whose games are played on other hosts.
const ELSEWHERE: usize = 12;

/// The part of the cores that games keep while trials wait.
const PART_OF_GAMES: usize = 4;

/// How often a trial that comes back looks for a free lane.
const LOOK: Duration = Duration::from_secs(1);

/// The cores that a host has in the tests of this crate: two lanes.
const CORES_OF_TESTS: usize = 4;

/// The lanes of a host.
#[derive(Debug)]
pub(crate) struct Lanes {
    /// The cores for trials and games: one is left to pages.
    cores: usize,
    /// When the trials that run began on this host, or came back to it, by submission.
    running: Mutex<BTreeMap<i64, Instant>>,
    /// Those of them whose games are played on other hosts.
    elsewhere: Mutex<BTreeSet<i64>>,
    /// Until when no trial begins, after a failure of the host.
    closed: Mutex<Option<Instant>>,
}

/// The lane of a trial, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Lane<'a> {
    lanes: &'a Lanes,
    submission: i64,
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        self.lanes.running().remove(&self.submission);
        self.lanes.set_elsewhere(self.submission, false);
    }
}

/// What games may use while trials run or wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GamesShare {
    /// The number of games at once.
    pub games: usize,
    /// How long they pause after having been played for some time, in parts of it.
    pub rest: u32,
}

impl Lanes {
    /// Returns the lanes of this host.
    pub(crate) fn of_this_host() -> Lanes {
        // Tests have the same lanes on every host.
        let of_tests = cfg!(test).then_some(CORES_OF_TESTS);
        let cores = || thread::available_parallelism().map_or(1, |cores| cores.get());
        Lanes::of(of_tests.unwrap_or_else(cores))
    }

    /// Returns the lanes of a host with this number of cores.
    pub(crate) fn of(cores: usize) -> Lanes {
        Lanes {
            cores: cores.saturating_sub(1).max(1),
            running: Mutex::default(),
            elsewhere: Mutex::default(),
            closed: Mutex::default(),
        }
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<i64, Instant>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of lanes for trials.
    pub(crate) fn number(&self) -> usize {
        match self.cores {
            1 => 1,
            cores => cores - cores.div_ceil(PART_OF_GAMES),
        }
    }

    /// Returns the most trials that run at once, with those that have no lane any more, and with those whose games are
    /// played on other hosts, if there are any.
    pub(crate) fn most(&self, has_others: bool) -> usize {
        self.number() + BESIDE + if has_others { ELSEWHERE } else { 0 }
    }

    fn elsewhere(&self) -> MutexGuard<'_, BTreeSet<i64>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many threads look for trials: more while games are played on other hosts.
    pub(crate) fn looking(&self) -> usize {
        self.most(false) + self.elsewhere().len()
    }

    /// Notes whether the games of a trial are played on other hosts.
    pub(crate) fn set_elsewhere(&self, submission: i64, is_elsewhere: bool) {
        let mut elsewhere = self.elsewhere();
        match is_elsewhere {
            true => elsewhere.insert(submission),
            false => elsewhere.remove(&submission),
        };
    }

    /// Waits until a lane is free for a trial whose games were to be played on other hosts, and takes it.
    ///
    /// # Errors
    ///
    /// An interrupt.
    pub(crate) fn come_back(&self, submission: i64, interrupt: &Interrupt) -> Result<(), Error> {
        while !self.comes_back(submission) {
            if interrupt.is_raised_within(LOOK) {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    }

    /// Takes a lane for a trial that has none, if one is free. Returns whether it has one.
    fn comes_back(&self, submission: i64) -> bool {
        let mut running = self.running();
        if !self.elsewhere().contains(&submission) {
            return true;
        }
        let is_free = self.has_free(&running);
        if is_free {
            running.insert(submission, Instant::now());
            self.set_elsewhere(submission, false);
        }
        is_free
    }

    /// Returns for how long the trials have run that use this host.
    fn here(&self, running: &BTreeMap<i64, Instant>) -> Vec<Duration> {
        let elsewhere = self.elsewhere();
        let here = running.iter().filter(|(submission, _)| !elsewhere.contains(submission));
        here.map(|(_, began)| began.elapsed()).collect()
    }

    fn has_free(&self, running: &BTreeMap<i64, Instant>) -> bool {
        let closed = *self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        let here = self.here(running);
        let with_lane = here.iter().filter(|&&elapsed| elapsed < OWN_LANE).count();
        closed.is_none_or(|until| until <= Instant::now())
            && with_lane < self.number()
            && here.len() < self.most(false)
    }

    /// Returns whether a lane is free.
    pub(crate) fn is_any_free(&self) -> bool {
        self.has_free(&self.running())
    }

    /// Lets no trial begin for this time.
    pub(crate) fn close_for(&self, time: Duration) {
        let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        *closed = Some(Instant::now() + time);
    }

    /// Takes a lane for the submission that `next` returns, if one is free. No other trial begins meanwhile.
    ///
    /// # Errors
    ///
    /// Those of `next`.
    pub(crate) fn take<T, E>(
        &self,
        next: impl FnOnce() -> Result<Option<(i64, T)>, E>,
    ) -> Result<Option<(Lane<'_>, T)>, E> {
        let mut running = self.running();
        if !self.has_free(&running) {
            return Ok(None);
        }
        let Some((submission, taken)) = next()? else { return Ok(None) };
        running.insert(submission, Instant::now());
        Ok(Some((Lane { lanes: self, submission }, taken)))
    }

    /// Returns for how long the trials that run have run, since they came back if they did, by submission.
    pub(crate) fn elapsed(&self) -> BTreeMap<i64, Duration> {
        self.running().iter().map(|(&id, began)| (id, began.elapsed())).collect()
    }

    /// Returns what games may use: `None` for all cores, because no trial runs, and none waits.
    pub(crate) fn games_share(&self, any_waits: bool) -> Option<GamesShare> {
        if !any_waits && self.here(&self.running()).is_empty() {
            return None;
        }
        Some(match self.cores {
            // The one lane is that of trials, and games are played beside them for a part of the time.
            1 => GamesShare { games: 1, rest: PART_OF_GAMES as u32 - 1 },
            cores => GamesShare { games: cores.div_ceil(PART_OF_GAMES), rest: 0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(lanes: &Lanes, id: i64) -> Option<Lane<'_>> {
        let taken = lanes.take(|| Ok::<_, ()>(Some((id, ())))).expect("no error");
        taken.map(|(lane, ())| lane)
    }

    #[test]
    fn trials_have_the_cores_but_for_one_and_a_part_of_the_games() {
        let all = |cores| {
            let lanes = Lanes::of(cores);
            (lanes.number(), lanes.games_share(true).map(|share| (share.games, share.rest)))
        };
        assert_eq!(all(1), (1, Some((1, 3))));
        assert_eq!(all(2), (1, Some((1, 3))));
        assert_eq!(all(3), (1, Some((1, 0))));
        assert_eq!(all(4), (2, Some((1, 0))));
        assert_eq!(all(9), (6, Some((2, 0))));
        assert_eq!(Lanes::of(4).games_share(false), None, "games have all of them");
    }

    #[test]
    fn a_lane_is_one_trial_at_a_time_until_that_takes_long() {
        let lanes = Lanes::of(2);
        let first = take(&lanes, 1).expect("a lane");
        assert!(take(&lanes, 2).is_none());
        assert!(lanes.games_share(false).is_some());
        let long_ago = Instant::now().checked_sub(OWN_LANE).expect("this host has run for longer");
        lanes.running().insert(1, long_ago);
        let beside: Vec<Lane<'_>> = (2..9)
            .map_while(|id| {
                let lane = take(&lanes, id);
                lanes.running().entry(id).and_modify(|began| *began = long_ago);
                lane
            })
            .collect();
        assert_eq!(beside.len(), BESIDE, "no more than these continue without one");
        drop((first, beside));
        let first = take(&lanes, 1).expect("a lane");
        assert!(take(&lanes, 2).is_none());
        lanes.set_elsewhere(1, true);
        assert!(take(&lanes, 2).is_some(), "other hosts play the first");
        assert_eq!(lanes.games_share(false), None);
        drop(first);
        assert!(lanes.elsewhere().is_empty());
    }

    #[test]
    fn a_trial_that_comes_back_from_other_hosts_waits_for_a_lane() {
        let lanes = Lanes::of(2);
        let interrupt = Interrupt::new().expect("descriptors");
        let _first = take(&lanes, 1).expect("a lane");
        lanes.come_back(1, &interrupt).expect("it never left");
        let long_ago = Instant::now().checked_sub(OWN_LANE).expect("this host has run for longer");
        lanes.running().insert(1, long_ago);
        lanes.set_elsewhere(1, true);
        let second = take(&lanes, 2).expect("the lane of the first");
        interrupt.raise();
        assert!(matches!(lanes.come_back(1, &interrupt), Err(Error::Interrupted)));
        drop(second);
        lanes.come_back(1, &interrupt).expect("the lane is free");
        assert!(!lanes.is_any_free(), "it has the lane for itself");
    }
}
