//! The arithmetic of means over outcomes. All values are those of the player that searches.

/// Bounds of a mean, while more and more becomes known of its parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    /// The sum of all weights.
    pub(super) total: i64,
    /// The sums of weight times least and most possible value.
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Mean {
    pub(super) const fn new() -> Mean {
        Mean { total: 0, least: 0, most: 0 }
    }

    /// One more part, of which bounds are known.
    pub(super) const fn add(&mut self, weight: u32, low: i32, high: i32) {
        self.total += weight as i64;
        self.least += weight as i64 * low as i64;
        self.most += weight as i64 * high as i64;
    }

    /// The bounds of a part that was added are now these and were those.
    pub(super) const fn tighten(&mut self, weight: u32, now: (i32, i32), before: (i32, i32)) {
        self.least += weight as i64 * (now.0 as i64 - before.0 as i64);
        self.most += weight as i64 * (now.1 as i64 - before.1 as i64);
    }

    /// The least that the mean can be.
    pub(super) const fn low(&self) -> i32 {
        self.least.div_euclid(self.total) as i32
    }

    /// The most that the mean can be.
    pub(super) const fn high(&self) -> i32 {
        self.most.div_euclid(self.total) as i32
    }

    /// The greatest value of a part with these bounds with which the mean is `low` at most, whatever
    /// the others are; one less than its least value where there is none.
    pub(super) const fn fails_low(&self, low: i32, weight: u32, bounds: (i32, i32)) -> i32 {
        let others = self.most - weight as i64 * bounds.1 as i64;
        let most = ((low as i64 + 1) * self.total - 1 - others).div_euclid(weight as i64);
        clamp(most, bounds)
    }

    /// The least value of a part with these bounds with which the mean is `high` at least, whatever
    /// the others are; one more than its greatest value where there is none.
    pub(super) const fn fails_high(&self, high: i32, weight: u32, bounds: (i32, i32)) -> i32 {
        let others = self.least - weight as i64 * bounds.0 as i64;
        // Division rounded up.
        let least = -(others - high as i64 * self.total).div_euclid(weight as i64);
        clamp(least, bounds)
    }
}

/// Cuts to one beyond the bounds either way.
const fn clamp(value: i64, (low, high): (i32, i32)) -> i32 {
    if value < low as i64 {
        low - 1
    } else if value > high as i64 {
        high + 1
    } else {
        value as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By trying all values of two parts of different weights.
    #[test]
    fn the_limits_of_a_part_are_exact() {
        let bounds = [(-4, 5), (-3, 3)];
        let weights = [3, 4];
        let mean = |a: i32, b: i32| (i64::from(a) * 3 + i64::from(b) * 4).div_euclid(7) as i32;
        let mut parts = Mean::new();
        for (weight, (low, high)) in weights.into_iter().zip(bounds) {
            parts.add(weight, low, high);
        }
        assert_eq!((parts.low(), parts.high()), (mean(-4, -3), mean(5, 3)));
        for limit in -6..=6 {
            let truth =
                |fails: &dyn Fn(i32) -> bool| (-4..=5).filter(|&a| fails(a)).collect::<Vec<_>>();
            let low = parts.fails_low(limit, 3, bounds[0]);
            let all_low = truth(&|a| (-3..=3).all(|b| mean(a, b) <= limit));
            assert_eq!((-4..=5).filter(|&a| a <= low).collect::<Vec<_>>(), all_low, "{limit}");
            let high = parts.fails_high(limit, 3, bounds[0]);
            let all_high = truth(&|a| (-3..=3).all(|b| mean(a, b) >= limit));
            assert_eq!((-4..=5).filter(|&a| a >= high).collect::<Vec<_>>(), all_high, "{limit}");
        }
    }
}
