//! Integer arithmetic of means over outcomes. All values are those of the searching player.

/// Bounds of a mean, tightened as its parts become known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    /// The sum of all weights.
    pub(super) total: i64,
    /// The weighted sums of the lower and upper bounds of the parts.
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Mean {
    pub(super) const fn new() -> Mean {
        Mean { total: 0, least: 0, most: 0 }
    }

    /// Adds a part, given its bounds.
    pub(super) const fn add(&mut self, weight: u32, low: i32, high: i32) {
        self.total += weight as i64;
        self.least += weight as i64 * low as i64;
        self.most += weight as i64 * high as i64;
    }

    /// Replaces the bounds of a part that was added.
    pub(super) const fn tighten(&mut self, weight: u32, now: (i32, i32), before: (i32, i32)) {
        self.least += weight as i64 * (now.0 as i64 - before.0 as i64);
        self.most += weight as i64 * (now.1 as i64 - before.1 as i64);
    }

    /// Returns the lower bound of the mean.
    pub(super) const fn low(&self) -> i32 {
        self.least.div_euclid(self.total) as i32
    }

    /// Returns the upper bound of the mean.
    pub(super) const fn high(&self) -> i32 {
        self.most.div_euclid(self.total) as i32
    }

    /// Returns the greatest value of a part with these bounds for which the mean is at most `low`
    /// whatever the other parts are; its lower bound minus one if there is none.
    pub(super) const fn fails_low(&self, low: i32, weight: u32, bounds: (i32, i32)) -> i32 {
        let others = self.most - weight as i64 * bounds.1 as i64;
        let most = ((low as i64 + 1) * self.total - 1 - others).div_euclid(weight as i64);
        clamp(most, bounds)
    }

    /// Returns the least value of a part with these bounds for which the mean is at least `high`
    /// whatever the other parts are; its upper bound plus one if there is none.
    pub(super) const fn fails_high(&self, high: i32, weight: u32, bounds: (i32, i32)) -> i32 {
        let others = self.least - weight as i64 * bounds.0 as i64;
        // Divides and rounds up.
        let least = -(others - high as i64 * self.total).div_euclid(weight as i64);
        clamp(least, bounds)
    }
}

/// Clamps to at most one beyond the bounds.
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

    /// Exhaustive over all values of two parts of different weights.
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
