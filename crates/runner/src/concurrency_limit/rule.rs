//! The rule by which the number of games at once follows the waits of bots. It reads no clock.

use botyard_protocol::ClockKind;
use serde::Serialize;
use std::time::Duration;

/// How much bots must have wanted a core before it is judged how long they waited, in microseconds.
const WANTED_US: u64 = 1_000_000;

/// How long no bot may have waited much before more games are played at once. Doubled whenever more
/// games proved too many.
const CALM: Duration = Duration::from_secs(10);

/// The longest such time.
const LONGEST_CALM: Duration = Duration::from_secs(160);

/// The share of the time in which they want a core that bots may wait for one.
pub(crate) fn most_waited(clock: ClockKind) -> f64 {
    match clock {
        ClockKind::Wall => 0.25,
        // Waiting is not charged, but the backstop is wall-clock time.
        ClockKind::Cpu => 0.75,
    }
}

/// What some decisions show of the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// How long bots waited for a core, in microseconds.
    pub waited_us: u64,
    /// How long they used one in the same decisions, in microseconds.
    pub used_us: u64,
}

impl Load {
    fn add(&mut self, other: Load) {
        self.waited_us = self.waited_us.saturating_add(other.waited_us);
        self.used_us = self.used_us.saturating_add(other.used_us);
    }

    fn wanted_us(self) -> u64 {
        self.waited_us.saturating_add(self.used_us)
    }

    /// Returns the share of the time in which a core was wanted that was waited; 0 if none was.
    fn waited(self) -> f64 {
        self.waited_us as f64 / self.wanted_us().max(1) as f64
    }
}

/// A change of the number of games at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ConcurrencyChange {
    /// The number before.
    pub before: usize,
    /// The number from now on.
    pub after: usize,
    /// The share of the time in which bots wanted a core that they waited for one.
    pub waited: f64,
}

impl ConcurrencyChange {
    /// Returns whether the host is overloaded: fewer games are played at once.
    pub fn is_overload(&self) -> bool {
        self.after < self.before
    }

    /// Describes the change, as a sentence without a full stop.
    pub fn in_words(&self) -> String {
        let ConcurrencyChange { before, after, waited } = self;
        let games = if *before == 1 { "game" } else { "games" };
        let waited = waited * 100.0;
        let why =
            if self.is_overload() { "this host is overloaded" } else { "this host is less loaded" };
        format!(
            "{why}: {before} {games} at once became {after} (bots waited for {waited:.0}% of the time in which \
             they wanted a core)"
        )
    }
}

/// The state of the rule. Times are since its beginning.
#[derive(Debug)]
pub(super) struct Rule {
    most: usize,
    allowed: usize,
    /// The load since the last judgement, of games that began after the last change.
    load: Load,
    changed: Duration,
    /// Since when no judgement found much waiting.
    calm_since: Duration,
    calm: Duration,
    was_raised: bool,
    last: Option<ConcurrencyChange>,
    waited: Option<f64>,
}

impl Rule {
    pub(super) fn new(most: usize) -> Rule {
        let most = most.max(1);
        Rule {
            most,
            allowed: most,
            load: Load::default(),
            changed: Duration::ZERO,
            calm_since: Duration::ZERO,
            calm: CALM,
            was_raised: false,
            last: None,
            waited: None,
        }
    }

    pub(super) fn allowed(&self) -> usize {
        self.allowed
    }

    pub(super) fn is_lowered(&self) -> bool {
        self.allowed < self.most
    }

    pub(super) fn last_change(&self) -> Option<ConcurrencyChange> {
        self.last
    }

    /// Returns the share of the time in which bots wanted a core that they waited for one, as it was
    /// judged last.
    pub(super) fn waited(&self) -> Option<f64> {
        self.waited
    }

    /// Adds the load at `now` of a game that began at `began`.
    pub(super) fn add(
        &mut self,
        began: Duration,
        now: Duration,
        load: Load,
        clock: ClockKind,
    ) -> Option<ConcurrencyChange> {
        // Most of an earlier game was played beside another number of games.
        if began < self.changed {
            return None;
        }
        self.load.add(load);
        let (waited, most_waited) = (self.load.waited(), most_waited(clock));
        if self.load.wanted_us() >= WANTED_US {
            self.load = Load::default();
            self.waited = Some(waited);
            if waited > most_waited / 2.0 {
                self.calm_since = now;
            }
            if waited > most_waited && self.allowed > 1 {
                if self.was_raised {
                    self.calm = (self.calm * 2).min(LONGEST_CALM);
                }
                self.was_raised = false;
                // The number of bots that would have had what they wanted, if others want as much.
                let fitting = self.allowed as f64 * (1.0 - waited) / (1.0 - most_waited);
                return self.change((fitting as usize).clamp(1, self.allowed - 1), waited, now);
            }
        }
        let is_calm = waited <= most_waited / 2.0 && now - self.calm_since.min(now) >= self.calm;
        if self.is_lowered() && is_calm {
            self.was_raised = true;
            let more = self.allowed.div_ceil(2);
            return self.change((self.allowed + more).min(self.most), waited, now);
        }
        None
    }

    fn change(&mut self, after: usize, waited: f64, now: Duration) -> Option<ConcurrencyChange> {
        let before = std::mem::replace(&mut self.allowed, after);
        (self.load, self.changed, self.calm_since) = (Load::default(), now, now);
        self.last = Some(ConcurrencyChange { before, after, waited });
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A game of a second whose bots wanted a core for half a second.
    fn load(waited_percent: u64) -> Load {
        Load { waited_us: 5_000 * waited_percent, used_us: 5_000 * (100 - waited_percent) }
    }

    /// Plays games, one a second, and returns the seconds and the numbers of games after each change.
    fn course(
        rule: &mut Rule,
        clock: ClockKind,
        from: u64,
        percents: &[(u64, u64)],
    ) -> Vec<(u64, usize)> {
        let games = percents.iter().flat_map(|&(games, percent)| (0..games).map(move |_| percent));
        let changes = (from..).zip(games).filter_map(|(at, percent)| {
            let change = rule.add(seconds(at), seconds(at + 1), load(percent), clock)?;
            Some((at + 1, change.after))
        });
        changes.collect()
    }

    #[test]
    fn fewer_games_are_played_while_bots_wait_and_more_when_they_do_not() {
        use ClockKind::{Cpu, Wall};
        for (most, clock, percents, expected) in [
            // A quiet host, and one whose bots wait for less than the limit.
            (4, Wall, &[(100, 0)][..], &[][..]),
            (4, Wall, &[(100, 24)], &[]),
            // One game, which cannot become fewer.
            (1, Wall, &[(100, 99)], &[]),
            // As many as fit, judged when bots wanted a core for a second.
            (4, Wall, &[(2, 84)], &[(2, 1)]),
            (8, Wall, &[(2, 50)], &[(2, 5)]),
            (4, Wall, &[(2, 26)], &[(2, 3)]),
            (4, Wall, &[(1, 99)], &[]),
            // One spike among quiet games.
            (4, Wall, &[(2, 0), (1, 40), (50, 0)], &[]),
            // The CPU clock does not charge waits.
            (4, Cpu, &[(100, 70)], &[]),
            (4, Cpu, &[(2, 90)], &[(2, 1)]),
            // More again, after ten quiet seconds each.
            (4, Wall, &[(2, 84), (40, 0)], &[(2, 1), (12, 2), (22, 3), (32, 4)]),
            // Not while bots wait for more than half of the limit.
            (4, Wall, &[(2, 84), (40, 20)], &[(2, 1)]),
            // Later each time that more proved too many.
            (
                2,
                Wall,
                &[(2, 84), (10, 0), (2, 84), (20, 0), (2, 84), (39, 0)],
                &[(2, 1), (12, 2), (14, 1), (34, 2), (36, 1)],
            ),
        ] {
            let mut rule = Rule::new(most);
            let found = course(&mut rule, clock, 0, percents);
            assert_eq!(found, expected, "{most} {clock:?} {percents:?}");
            assert_eq!(rule.allowed(), expected.last().map_or(most, |&(_, games)| games));
        }
    }

    #[test]
    fn games_that_began_before_a_change_say_nothing_about_it() {
        let mut rule = Rule::new(8);
        let wall = ClockKind::Wall;
        assert_eq!(course(&mut rule, wall, 0, &[(2, 50)]), [(2, 5)]);
        for _ in 0..20 {
            assert_eq!(rule.add(seconds(1), seconds(3), load(90), wall), None);
        }
        assert_eq!(course(&mut rule, wall, 3, &[(2, 90)]), [(5, 1)]);
    }

    #[test]
    fn games_without_a_measured_decision_are_quiet() {
        let mut rule = Rule::new(2);
        let wall = ClockKind::Wall;
        assert_eq!(course(&mut rule, wall, 0, &[(2, 80)]), [(2, 1)]);
        let none = Load::default();
        assert_eq!(rule.add(seconds(10), seconds(11), none, wall), None);
        let change = rule.add(seconds(11), seconds(12), none, wall);
        assert_eq!(change, Some(ConcurrencyChange { before: 1, after: 2, waited: 0.0 }));
    }

    #[test]
    fn a_change_is_described_with_its_figure() {
        let change = ConcurrencyChange { before: 4, after: 1, waited: 0.84 };
        assert_eq!(
            change.in_words(),
            "this host is overloaded: 4 games at once became 1 (bots waited for 84% of the time in which they \
             wanted a core)"
        );
        assert!(!ConcurrencyChange { before: 1, after: 2, waited: 0.0 }.is_overload());
    }
}
