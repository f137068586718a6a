//! Exact tests of counts: whether something happens more often in one group of games than in another.

/// A count of games: those with a property, and all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of games with the property.
    pub with: u64,
    /// The number of all games.
    pub all: u64,
}

/// Returns the p-value of Fisher's exact test (R. A. Fisher, *The Design of Experiments*, 1935),
/// one-sided: the probability that at least as many games of `here` have the property if the games of
/// both groups have it with the same probability, given how many have it in all.
///
/// ```
/// use botyard_league::statistics::exact::{Count, fisher};
///
/// // Fisher's tea: R's fisher.test(matrix(c(3, 1, 1, 3), 2), alternative = "greater").
/// let p = fisher(Count { with: 3, all: 4 }, Count { with: 1, all: 4 });
/// assert!((p - 0.242_857_1).abs() < 1e-6);
/// ```
pub fn fisher(here: Count, elsewhere: Count) -> f64 {
    let with = here.with + elsewhere.with;
    let all = here.all.max(here.with) + elsewhere.all.max(elsewhere.with);
    let drawn = here.all.max(here.with);
    // The number with the property here lies between these.
    let least = (with + drawn).saturating_sub(all);
    let most = with.min(drawn);
    // The ratio of the probabilities of k + 1 and k in the hypergeometric distribution.
    let ratio = |k: u64| {
        let up = (with - k) as f64 * (drawn - k) as f64;
        // all - with - drawn may be negative, but not with k + 1 added, because k is at least `least`.
        let down = (k + 1) as f64 * ((all + k + 1) as f64 - (with + drawn) as f64);
        up / down
    };
    // From the mode, so that nothing overflows, and what underflows does not matter.
    let mode = ((with + 1) as f64 * (drawn + 1) as f64 / (all + 2) as f64) as u64;
    let mode = mode.clamp(least, most);
    let (mut sum, mut tail) = (0.0, 0.0);
    let mut add = |k: u64, weight: f64| {
        sum += weight;
        if k >= here.with {
            tail += weight;
        }
    };
    add(mode, 1.0);
    let mut weight = 1.0;
    for k in mode..most {
        weight *= ratio(k);
        add(k + 1, weight);
    }
    weight = 1.0;
    for k in (least..mode).rev() {
        weight /= ratio(k);
        add(k, weight);
    }
    (tail / sum).min(1.0)
}

/// Returns for each p-value whether its hypothesis is rejected by Holm's procedure (S. Holm, *A simple
/// sequentially rejective multiple test procedure*, 1979): with at most the probability `alpha` a true
/// one is among those that are rejected.
///
/// ```
/// use botyard_league::statistics::exact::holm;
///
/// assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
/// ```
pub fn holm(p_values: &[f64], alpha: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut rejected = vec![false; p_values.len()];
    for (left, &index) in (1..=order.len()).rev().zip(&order) {
        if p_values[index] > alpha / left as f64 {
            break;
        }
        rejected[index] = true;
    }
    rejected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(here: (u64, u64), elsewhere: (u64, u64)) -> f64 {
        let count = |(with, all)| Count { with, all };
        fisher(count(here), count(elsewhere))
    }

    /// Computed with exact fractions: sums of products of binomial coefficients.
    #[test]
    fn p_values_are_those_of_the_hypergeometric_distribution() {
        for (here, elsewhere, expected) in [
            ((3, 4), (1, 4), 0.242_857_142_857_142_85),
            ((10, 12), (3, 15), 0.001_560_700_557_873_797_9),
            ((0, 10), (5, 10), 1.0),
            ((5, 10), (0, 10), 0.016_253_869_969_040_248),
            ((12, 1000), (20, 9000), 3.167_520_676_306_025e-5),
            ((4, 4), (3, 3), 1.0),
            ((0, 0), (3, 30), 1.0),
            ((0, 5), (0, 5), 1.0),
        ] {
            let found = p(here, elsewhere);
            assert!((found - expected).abs() < 1e-9 * expected.max(1e-3), "{here:?}: {found}");
        }
    }

    #[test]
    fn large_counts_neither_overflow_nor_take_long() {
        assert!(p((50_000, 100_000), (400_000, 1_000_000)) < 1e-300);
        let even = p((50_000, 100_000), (500_000, 1_000_000));
        assert!((0.49..0.52).contains(&even), "{even}");
    }

    #[test]
    fn no_more_are_rejected_than_by_single_tests_and_none_without_evidence() {
        assert_eq!(holm(&[], 0.01), [false; 0]);
        assert_eq!(holm(&[0.02, 0.02], 0.03), [false, false]);
        assert_eq!(holm(&[0.01, 0.02], 0.03), [true, true]);
    }
}
