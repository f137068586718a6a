//! Estimates of measured values with 95% confidence intervals, and their comparison with published
//! values. Pure arithmetic.

use crate::distribution::Distribution;
use botyard_league::score::{Interval, Score, Z};
use serde::Serialize;

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end of the interval. `None`: a single measurement has no interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The standard deviation of one measurement, if it does not follow from the value.
    pub deviation: Option<f64>,
    /// The number of measurements: games or searches.
    pub number: u64,
}

impl Estimate {
    /// Returns a share of points in percent, with Wilson's interval, if a game was played.
    pub fn percent(score: &Score) -> Option<Estimate> {
        let (share, interval) = (score.share()?, score.interval()?);
        Some(Estimate {
            value: 100.0 * share,
            low: Some(100.0 * interval.low),
            high: Some(100.0 * interval.high),
            deviation: None,
            number: score.games(),
        })
    }

    /// Returns the mean of non-negative measurements, from their number, their sum and the sum of
    /// their squares, with Student's interval. Returns `None` without measurements.
    pub fn mean(number: u64, sum: f64, sum_of_squares: f64) -> Option<Estimate> {
        let mean = Estimate::signed_mean(number, sum, sum_of_squares)?;
        Some(Estimate { low: mean.low.map(|low| low.max(0.0)), ..mean })
    }

    /// Returns the mean of measurements that are no sample: it has no interval.
    pub fn without_interval(number: u64, sum: f64) -> Option<Estimate> {
        let value = sum / number as f64;
        (number > 0).then_some(Estimate { value, low: None, high: None, deviation: None, number })
    }

    /// Returns the mean of measurements that may be negative, as [`Estimate::mean`].
    fn signed_mean(number: u64, sum: f64, sum_of_squares: f64) -> Option<Estimate> {
        if number == 0 {
            return None;
        }
        let n = number as f64;
        let mean = sum / n;
        let deviation =
            (number > 1).then(|| ((sum_of_squares - n * mean * mean).max(0.0) / (n - 1.0)).sqrt());
        let half = deviation.map(|deviation| student(number - 1) * deviation / n.sqrt());
        Some(Estimate {
            value: mean,
            low: half.map(|half| mean - half),
            high: half.map(|half| mean + half),
            deviation,
            number,
        })
    }

    /// Returns the mean of `number` measurements from the upper end of Student's interval, which has
    /// their standard deviation.
    pub(crate) fn mean_below(
        number: u64,
        value: f64,
        low: Option<f64>,
        high: Option<f64>,
    ) -> Estimate {
        let deviation = high
            .filter(|_| number > 1)
            .map(|high| (high - value) * (number as f64).sqrt() / student(number - 1));
        Estimate { value, low, high, deviation, number }
    }

    /// Returns the mean of a distribution's values, with Student's interval. Returns `None` without
    /// games.
    pub(crate) fn mean_of(distribution: &Distribution) -> Option<Estimate> {
        let moment = |power: i32| {
            let terms = distribution
                .counts()
                .map(|(value, count)| f64::from(value).powi(power) * f64::from(count));
            terms.sum()
        };
        Estimate::mean(distribution.games().into(), moment(1), moment(2))
    }

    /// Returns the geometric mean of positive measurements, from the mean of their logarithms. The
    /// deviation is that of the logarithms.
    pub fn geometric_mean(number: u64, sum: f64, sum_of_squares: f64) -> Option<Estimate> {
        let mean = Estimate::signed_mean(number, sum, sum_of_squares)?;
        Some(Estimate {
            value: mean.value.exp(),
            low: mean.low.map(f64::exp),
            high: mean.high.map(f64::exp),
            ..mean
        })
    }

    fn holds(&self, value: f64) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else { return false };
        // Allows for rounding: a mean of equal numbers has an interval of zero width.
        let slack = 1e-9 * value.abs();
        (low - slack..=high + slack).contains(&value)
    }
}

/// The comparison of our value with the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The published value is in our 95% interval.
    Within,
    /// It is outside, but both are samples, and the difference can be chance (95%).
    Compatible,
    /// Ours is higher, by more than chance.
    Higher,
    /// Ours is lower, by more than chance.
    Lower,
}

impl Verdict {
    /// Describes the verdict on our value.
    pub fn in_words(self) -> &'static str {
        match self {
            Verdict::Within => "source within ours",
            Verdict::Compatible => "beyond, may be chance",
            Verdict::Higher => "ours is higher",
            Verdict::Lower => "ours is lower",
        }
    }
}

/// Compares a share in percent with a published share from `games` games. If their number is not
/// known, the published share is taken as exact.
///
/// The interval of the difference is Newcombe's, from the two Wilson intervals (Newcombe 1998,
/// "Interval estimation for the difference between independent proportions", method 10).
pub(crate) fn compare_percent(
    ours: &Estimate,
    published: f64,
    games: Option<u32>,
) -> Option<Verdict> {
    let (low, high) = (ours.low?, ours.high?);
    if ours.holds(published) {
        return Some(Verdict::Within);
    }
    let theirs = match games {
        Some(games) => Interval::wilson(published / 100.0, games.into()),
        None => Interval { low: published / 100.0, high: published / 100.0 },
    };
    let (below, above) = difference(
        (ours.value / 100.0, Interval { low: low / 100.0, high: high / 100.0 }),
        (published / 100.0, theirs),
    );
    Some(verdict(below, above))
}

/// Compares a mean with a published one. Sources state at best the number of their games and never
/// their spread, which is assumed to be ours.
pub(crate) fn compare_mean(ours: &Estimate, published: f64, games: Option<u32>) -> Option<Verdict> {
    if ours.holds(published) {
        return Some(Verdict::Within);
    }
    let theirs = games.map_or(0.0, |games| 1.0 / f64::from(games));
    let error = ours.deviation? * (1.0 / ours.number as f64 + theirs).sqrt();
    let half = student(ours.number.checked_sub(1)?) * error;
    let difference = ours.value - published;
    Some(verdict(difference - half, difference + half))
}

fn verdict(low: f64, high: f64) -> Verdict {
    if low > 0.0 {
        Verdict::Higher
    } else if high < 0.0 {
        Verdict::Lower
    } else {
        Verdict::Compatible
    }
}

/// Returns the interval of the first share less the second.
fn difference(first: (f64, Interval), second: (f64, Interval)) -> (f64, f64) {
    let ((p, a), (q, b)) = (first, second);
    let below = ((p - a.low).powi(2) + (b.high - q).powi(2)).sqrt();
    let above = ((a.high - p).powi(2) + (q - b.low).powi(2)).sqrt();
    (p - q - below, p - q + above)
}

/// Returns the quantile of Student's distribution for a two-sided 95% interval with this many
/// degrees of freedom: from the usual table up to 30, and beyond by the expansion of Cornish and
/// Fisher, which is exact there to five digits.
fn student(degrees: u64) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    match usize::try_from(degrees).ok().and_then(|degrees| TABLE.get(degrees.checked_sub(1)?)) {
        Some(&quantile) => quantile,
        None if degrees == 0 => f64::INFINITY,
        None => {
            let n = degrees as f64;
            let z2 = Z * Z;
            Z + Z * (z2 + 1.0) / (4.0 * n) + Z * (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / (96.0 * n * n)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(wins: u32, games: u32) -> Estimate {
        let mut score = Score::default();
        (0..games).for_each(|game| score.add(f64::from(game < wins)));
        Estimate::percent(&score).unwrap()
    }

    /// Newcombe 1998, table II, method 10.
    #[test]
    fn the_difference_of_two_shares_is_the_published_one() {
        for (wins, games, other_wins, other_games, low, high) in [
            (56, 70, 48, 80, 0.0524, 0.3339),
            (9, 10, 3, 10, 0.1705, 0.8090),
            (5, 56, 0, 29, -0.0381, 0.1926),
            (0, 10, 0, 20, -0.1611, 0.2775),
        ] {
            let share = |wins: u32, games: u32| {
                let share = f64::from(wins) / f64::from(games);
                (share, Interval::wilson(share, games.into()))
            };
            let found = difference(share(wins, games), share(other_wins, other_games));
            assert!((found.0 - low).abs() < 5e-5, "{wins} of {games}: {found:?}");
            assert!((found.1 - high).abs() < 5e-5, "{wins} of {games}: {found:?}");
        }
    }

    #[test]
    fn shares_are_within_beyond_by_chance_or_different() {
        let ours = percent(20, 100);
        for (published, games, expected) in [
            (22.4, Some(1000), Verdict::Within),
            (13.5, Some(1000), Verdict::Within),
            (30.0, Some(20), Verdict::Compatible),
            (30.0, Some(10_000), Verdict::Lower),
            (30.0, None, Verdict::Lower),
            (9.0, Some(1000), Verdict::Higher),
        ] {
            let found = compare_percent(&ours, published, games);
            assert_eq!(found, Some(expected), "{published} of {games:?}: {ours:?}");
        }
    }

    #[test]
    fn a_mean_has_students_interval() {
        // 2, 4, 9: mean 5, standard deviation 3.6056, t(2) = 4.303.
        let found = Estimate::mean(3, 15.0, 101.0).unwrap();
        assert_eq!((found.value, found.number), (5.0, 3));
        assert!((found.high.unwrap() - (5.0 + 4.303 * 13f64.sqrt() / 3f64.sqrt())).abs() < 1e-9);
        assert_eq!(found.low, Some(0.0), "nothing that is measured is negative");
        // 9, 10, 11: standard deviation 1.
        let found = Estimate::mean(3, 30.0, 302.0).unwrap();
        assert!((found.low.unwrap() - (10.0 - 4.303 / 3f64.sqrt())).abs() < 1e-9);
        assert_eq!(Estimate::mean(0, 0.0, 0.0), None);
        let found = Estimate::signed_mean(3, 3.0, 29.0).unwrap();
        assert!(found.low.unwrap() < -5.0, "a logarithm may be negative");
        // Of 1/4, 4 and 8.
        let logarithms = [0.25_f64, 4.0, 8.0].map(f64::ln);
        let squares = logarithms.iter().map(|logarithm| logarithm * logarithm).sum();
        let found = Estimate::geometric_mean(3, logarithms.iter().sum(), squares).unwrap();
        assert!((found.value - 2.0).abs() < 1e-9 && found.low.unwrap() > 0.0);
        let one = Estimate::mean(1, 3.0, 9.0).unwrap();
        assert_eq!((one.value, one.low, one.high), (3.0, None, None));
        assert_eq!(compare_mean(&one, 4.0, Some(10)), None);
    }

    #[test]
    fn means_are_within_beyond_by_chance_or_different() {
        // 100 values, mean 10, standard deviation 2 (about).
        let ours = Estimate::mean(100, 1000.0, 10_400.0).unwrap();
        for (published, games, expected) in [
            (10.3, Some(250), Verdict::Within),
            (10.48, Some(50), Verdict::Compatible),
            (10.48, None, Verdict::Lower),
            (11.0, Some(250), Verdict::Lower),
            (9.0, Some(250), Verdict::Higher),
        ] {
            assert_eq!(compare_mean(&ours, published, games), Some(expected), "{published}");
        }
    }

    #[test]
    fn students_quantiles_go_on_where_the_table_ends() {
        for (degrees, expected) in
            [(1, 12.706), (30, 2.042), (31, 2.0395), (60, 2.0003), (120, 1.9799)]
        {
            assert!((student(degrees) - expected).abs() < 1e-4, "{degrees}: {}", student(degrees));
        }
        assert!(student(1_000_000) > Z && student(0).is_infinite());
    }
}
