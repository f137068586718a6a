//! Confidence intervals for places.
//!
//! Two bots are separated if the difference of their strengths, in units of its standard error,
//! exceeds the 95% quantile, over the resamples, of the largest of *all* such differences. Then
//! with a probability of 95% no pair is separated wrongly, however many there are. A bot's place is
//! at worst behind all but those separated below it, at best behind those separated above it:
//! intervals that hold for all bots simultaneously (Klein, Wright and Wieczorek 2020, "A joint
//! confidence region for an overall ranking of populations"; Mohamad, van Zwet, Solari and Goeman
//! 2021, "Simultaneous confidence intervals for ranks using the partitioning principle", where this
//! is the method of Tukey's honest significant difference; the maximum over resamples as in
//! Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for ranks with applications to mobility
//! across neighbourhoods and academic achievement across countries").
//!
//! The naive method, the 2.5% and 97.5% quantiles of a bot's place over the resamples, is wrong:
//! among equal bots it excludes true places.

use std::ops::Range;

/// Estimates with their resampled deviations.
#[derive(Clone, Copy, Debug)]
pub struct Strengths<'a> {
    /// One per bot.
    pub estimates: &'a [f64],
    /// For each resample, the deviation of each estimate.
    pub deviations: &'a [Vec<f64>],
    /// The component of each bot: bots of different components cannot be compared; `None` for a bot
    /// without a game.
    pub groups: &'a [Option<(usize, usize)>],
}

/// The comparisons of all pairs of bots.
#[derive(Clone, Debug)]
pub struct Separation {
    bots: usize,
    /// Whether each bot played: the others have no place and take none.
    played: Vec<bool>,
    /// The studentized difference, positive if the first is stronger; `None` if they cannot be
    /// compared.
    apart: Vec<Option<f64>>,
    errors: Vec<f64>,
    /// The largest studentized difference of each resample, ascending.
    largest: Vec<f64>,
}

impl Separation {
    /// Compares every bot with every other.
    pub fn new(strengths: &Strengths) -> Separation {
        let bots = strengths.estimates.len();
        let resamples = strengths.deviations.len();
        let mut apart = vec![None; bots * bots];
        let mut errors = vec![0.0; bots * bots];
        let mut largest = vec![0.0; resamples];
        for one in 0..bots {
            for other in 0..one {
                let comparable = strengths.groups[one].is_some()
                    && strengths.groups[one] == strengths.groups[other];
                let off = |deviation: &Vec<f64>| deviation[one] - deviation[other];
                let squares: f64 =
                    strengths.deviations.iter().map(|deviation| off(deviation).powi(2)).sum();
                let error = (squares / resamples.max(1) as f64).sqrt();
                if !comparable || error <= 0.0 {
                    continue;
                }
                for (largest, deviation) in largest.iter_mut().zip(strengths.deviations) {
                    *largest = f64::max(*largest, off(deviation).abs() / error);
                }
                let difference = (strengths.estimates[one] - strengths.estimates[other]) / error;
                apart[one * bots + other] = Some(difference);
                apart[other * bots + one] = Some(-difference);
                errors[one * bots + other] = error;
                errors[other * bots + one] = error;
            }
        }
        largest.sort_by(f64::total_cmp);
        let played = strengths.groups.iter().map(Option::is_some).collect();
        Separation { bots, played, apart, errors, largest }
    }

    /// Returns the standard error of the difference; 0 for two that cannot be compared.
    pub fn error(&self, one: usize, other: usize) -> f64 {
        self.errors[one * self.bots + other]
    }

    /// Returns the p-value, adjusted for all pairs: the probability that by chance alone some pair
    /// differs as much as these two; `None` if they cannot be compared.
    pub fn p(&self, one: usize, other: usize) -> Option<f64> {
        let apart = self.apart[one * self.bots + other]?.abs();
        let below = self.largest.partition_point(|&largest| largest < apart);
        Some((self.largest.len() - below + 1) as f64 / (self.largest.len() + 1) as f64)
    }

    /// Returns the critical value: the 95% quantile of the largest studentized difference over the
    /// resamples.
    pub fn critical(&self) -> f64 {
        let index = self.largest.len() * 95 / 100;
        self.largest.get(index).copied().unwrap_or(f64::INFINITY)
    }

    /// Returns whether the data exclude that the first is at most as strong as the other.
    pub fn stronger(&self, one: usize, other: usize) -> bool {
        self.apart[one * self.bots + other].is_some_and(|apart| apart > self.critical())
    }

    /// Returns the best and the worst place, from 1, that the data allow a bot among those that
    /// played; `None` for a bot that did not play.
    pub fn places(&self, bot: usize) -> Option<(usize, usize)> {
        let count = |condition: &dyn Fn(usize) -> bool| {
            (0..self.bots).filter(|&other| condition(other)).count()
        };
        let above = count(&|other| self.stronger(other, bot));
        let below = count(&|other| self.stronger(bot, other));
        let played = self.played.iter().filter(|&&played| played).count();
        self.played[bot].then(|| (1 + above, played - below))
    }

    /// Returns the groups of bots that are not separated: the maximal runs of bots in this order, by
    /// strength, of which no two are separated. Groups may overlap.
    pub fn groups(&self, order: &[usize]) -> Vec<Range<usize>> {
        let apart = |one, other| self.stronger(one, other) || self.stronger(other, one);
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut reached = 0;
        for first in 0..order.len() {
            // What follows `first` in the run before it is a run too.
            let mut end = reached.max(first + 1);
            while end < order.len() && (first..end).all(|at| !apart(order[at], order[end])) {
                end += 1;
            }
            if end > reached {
                groups.push(first..end);
                reached = end;
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separated_bots_exclude_places() {
        // Two equal bots at the top, one far below; standard errors of about 1.
        let deviations: Vec<Vec<f64>> = (0..200)
            .map(|n| (0..3).map(|bot| (f64::from(n * (bot + 2))).sin()).collect())
            .collect();
        let groups = [Some((0, 0)); 3];
        let estimates = [10.0, 10.3, 0.0];
        let strengths =
            Strengths { estimates: &estimates, deviations: &deviations, groups: &groups };
        let separation = Separation::new(&strengths);
        let places: Vec<_> = (0..3).map(|bot| separation.places(bot)).collect();
        assert_eq!(places, [Some((1, 2)), Some((1, 2)), Some((3, 3))]);
        assert!(separation.p(0, 1).unwrap() > 0.5 && separation.p(0, 2).unwrap() < 0.01);
        assert!(separation.stronger(0, 2) && !separation.stronger(2, 0));

        // A bot that cannot be compared with any other may have any place, and so may they.
        let groups = [Some((0, 0)), Some((0, 0)), Some((1, 1))];
        let apart = Separation::new(&Strengths { groups: &groups, ..strengths });
        assert!((0..3).all(|bot| apart.places(bot) == Some((1, 3))));
        assert_eq!((apart.p(0, 2), apart.error(0, 2)), (None, 0.0));

        // A bot that did not play has no place, and does not change those of others.
        let groups = [Some((0, 0)), None, Some((0, 0))];
        let absent = Separation::new(&Strengths { groups: &groups, ..strengths });
        let places: Vec<_> = (0..3).map(|bot| absent.places(bot)).collect();
        assert_eq!(places, [Some((1, 1)), None, Some((2, 2))]);
    }

    #[test]
    fn groups_are_the_maximal_runs_without_a_separated_pair() {
        // Standard errors of 1 in every pair, and a critical value of about 2.
        let strengths = |estimates: &[f64]| {
            let bots = estimates.len();
            let deviations: Vec<Vec<f64>> = (0..400)
                .map(|n| (0..bots).map(|bot| f64::from(n * (bot as i32 + 3)).sin()).collect())
                .collect();
            let groups = vec![Some((0, 0)); bots];
            let strengths = Strengths { estimates, deviations: &deviations, groups: &groups };
            Separation::new(&strengths)
        };
        // Each bot is separated from the one after the next.
        let chain = strengths(&[3.0, 1.5, 0.0, -1.5, -3.0]);
        assert!(!chain.stronger(0, 1) && chain.stronger(0, 2), "{chain:?}");
        assert_eq!(chain.groups(&[0, 1, 2, 3, 4]), [0..2, 1..3, 2..4, 3..5]);
        assert_eq!(chain.groups(&[4, 2, 0]), [0..1, 1..2, 2..3]);
        let equal = strengths(&[0.1, 0.0, -0.1]).groups(&[0, 1, 2]);
        assert_eq!((equal.len(), equal.first()), (1, Some(&(0..3))));
        assert_eq!(strengths(&[90.0, 0.0, -0.1, -0.2]).groups(&[0, 1, 2, 3]), [0..1, 1..4]);
        assert!(chain.groups(&[]).is_empty());
    }
}
