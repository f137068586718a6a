//! The score of a bot over many games: wins, draws, losses, its share of the points, and the
//! confidence interval of that share. Pure arithmetic, without bots or games.

use crate::scale::{Part, SeatResult};
use serde::Serialize;

/// The standard normal quantile for a two-sided interval of 95%.
pub const Z: f64 = 1.959_963_984_540_054;

/// The score of a bot over some games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Games in which it had the whole point, or was first alone.
    pub wins: u64,
    /// Games in which it had a part of the point, or was first with others.
    pub draws: u64,
    /// Games in which it had nothing, or was not first.
    pub losses: u64,
    sum: f64,
    sum_of_squares: f64,
    /// The sum of the game's own points, if they are not shares.
    own_sum: Option<f64>,
}

/// A 95% confidence interval of a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower bound, 0 to 1.
    pub low: f64,
    /// The upper bound, 0 to 1.
    pub high: f64,
}

impl Score {
    /// Counts a game in which it had `points`, 0 to 1.
    pub fn add(&mut self, points: f64) {
        self.add_times(points, 1);
    }

    /// Counts this number of games, each with `points`, 0 to 1.
    pub fn add_times(&mut self, points: f64, games: u64) {
        self.add_part(Part::of_share(points), games);
    }

    /// Counts this number of games, each with these times.
    pub fn add_part(&mut self, Part { share, result, points }: Part, games: u64) {
        *match result {
            SeatResult::Won => &mut self.wins,
            SeatResult::Drawn => &mut self.draws,
            SeatResult::Lost => &mut self.losses,
        } += games;
        self.sum += share * games as f64;
        self.sum_of_squares += share * share * games as f64;
        if let Some(points) = points {
            *self.own_sum.get_or_insert(0.0) += points * games as f64;
        }
    }

    /// Returns the number of games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the mean of the game's own points; `None` without a game, or if the points are
    /// shares.
    pub fn points(&self) -> Option<f64> {
        Some(self.own_sum? / self.games() as f64)
    }

    /// Returns the mean of the shares, 0 to 1; `None` without a game.
    pub fn share(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.sum / self.games() as f64)
    }

    /// Returns the 95% interval of [`Score::share`]; `None` without a game.
    ///
    /// Wilson's score interval (Wilson 1927, "Probable inference, the law of succession, and
    /// statistical inference"), whose binomial variance p(1 - p) is replaced by the variance of the
    /// points as they came. Without draws the two are equal, so this *is* Wilson's interval; with
    /// draws it is narrower, as it should be, and it never shrinks to nothing.
    ///
    /// The games are assumed to be independent. Those of a block share their start, so if a start
    /// favours a seat, the interval is rather too wide than too narrow.
    pub fn interval(&self) -> Option<Interval> {
        Some(Interval::of_share(self.share()?, self.variance()?, self.games() as f64))
    }

    /// Returns the variance of the points of one game; `None` without a game.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.share()?;
        Some((self.sum_of_squares / self.games() as f64 - mean * mean).max(0.0))
    }
}

impl Interval {
    /// Returns Wilson's interval for a share of wins, 0 to 1, counted elsewhere in `games` games, 1
    /// or more.
    pub fn wilson(share: f64, games: u64) -> Interval {
        Interval::of_share(share, share * (1.0 - share), games as f64)
    }

    /// Returns the interval of [`Score::interval`] for the mean and the variance of `n` points.
    pub fn of_share(mean: f64, variance: f64, n: f64) -> Interval {
        let k = Z * Z / n;
        let centre = (mean + k / 2.0) / (1.0 + k);
        let half = (k * variance + k * k / 4.0).sqrt() / (1.0 + k);
        Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u64, draws: u64, losses: u64) -> Score {
        let mut score = Score::default();
        (0..wins).for_each(|_| score.add(1.0));
        (0..draws).for_each(|_| score.add(0.5));
        (0..losses).for_each(|_| score.add(0.0));
        score
    }

    /// Newcombe 1998, "Two-sided confidence intervals for the single proportion: comparison of
    /// seven methods", table I, method 3 (score, without correction for continuity).
    #[test]
    fn without_draws_it_is_the_published_wilson_interval() {
        for (wins, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = score(wins, 0, games - wins).interval().unwrap();
            assert!((found.low - low).abs() < 5e-5, "{wins} of {games}: {found:?}");
            assert!((found.high - high).abs() < 5e-5, "{wins} of {games}: {found:?}");
            let counted = Interval::wilson(wins as f64 / games as f64, games);
            assert!((counted.low - found.low).abs() + (counted.high - found.high).abs() < 1e-12);
        }
    }

    #[test]
    fn draws_narrow_the_interval_but_never_to_nothing() {
        let width = |score: Score| {
            let Interval { low, high } = score.interval().unwrap();
            assert!(low <= score.share().unwrap() && score.share().unwrap() <= high);
            high - low
        };
        assert!(width(score(50, 0, 50)) > width(score(25, 50, 25)));
        assert!(width(score(25, 50, 25)) > width(score(0, 100, 0)));
        // Four draws leave room for anything between 0.255 and 0.745: half of k / (1 + k) a side.
        assert!((width(score(0, 4, 0)) - 0.48990).abs() < 1e-5);
    }

    #[test]
    fn bounds_are_shares_and_mirror_each_other() {
        for (wins, draws, losses) in [(1, 0, 0), (0, 0, 1), (3, 1, 0), (7, 2, 40), (0, 0, 1000)] {
            let found = score(wins, draws, losses).interval().unwrap();
            let mirror = score(losses, draws, wins).interval().unwrap();
            assert!(0.0 <= found.low && found.low < found.high && found.high <= 1.0);
            assert!((found.low - (1.0 - mirror.high)).abs() < 1e-12);
        }
        assert_eq!(score(0, 0, 0).interval(), None);
        assert_eq!(score(0, 0, 0).share(), None);
    }

    #[test]
    fn points_count_as_won_drawn_or_lost() {
        let mut found = Score::default();
        for points in [1.0, 0.5, 1.0 / 3.0, 0.0, 1.0] {
            found.add(points);
        }
        assert_eq!((found.wins, found.draws, found.losses), (2, 2, 1));
        assert!((found.share().unwrap() - 17.0 / 30.0).abs() < 1e-12);
    }
}
