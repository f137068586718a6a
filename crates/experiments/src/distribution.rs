//! Distributions of whole numbers over games, such as the rounds in which games ended: how many games
//! had each value, the peaks, and bars as text.

use botyard_league::score::Z;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Bars of one character: the height in eighths, with a space for none.
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The number of games with each value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Distribution {
    counts: BTreeMap<u32, u32>,
}

impl FromIterator<u32> for Distribution {
    fn from_iter<I: IntoIterator<Item = u32>>(values: I) -> Distribution {
        let mut counts = BTreeMap::new();
        for value in values {
            *counts.entry(value).or_default() += 1;
        }
        Distribution { counts }
    }
}

impl Distribution {
    /// Returns the number of games.
    pub fn games(&self) -> u32 {
        self.counts.values().sum()
    }

    /// Returns the number of games with this value.
    pub fn count(&self, value: u32) -> u32 {
        self.counts.get(&value).copied().unwrap_or(0)
    }

    /// Returns the values that occur, in ascending order, each with its number of games.
    pub fn counts(&self) -> impl Iterator<Item = (u32, u32)> {
        self.counts.iter().map(|(&value, &count)| (value, count))
    }

    /// Returns the range from the least to the greatest value of these distributions. `None`: there
    /// is no game.
    pub fn range<'a>(
        all: impl IntoIterator<Item = &'a Distribution>,
    ) -> Option<RangeInclusive<u32>> {
        let values = all.into_iter().flat_map(|one| one.counts.keys().copied());
        let bounds = |(low, high): (u32, u32), value: u32| (low.min(value), high.max(value));
        let (low, high) = values.map(|value| (value, value)).reduce(|a, b| bounds(a, b.0))?;
        Some(low..=high)
    }

    /// Returns the peaks in ascending order.
    ///
    /// A value is a peak if the lowest count between it and any more frequent value, on either side,
    /// is below its own count by more than chance: 1.96 standard deviations of the difference, with
    /// both as Poisson counts. Beyond the least and the greatest value there are no games, so the most
    /// frequent value of four games or more is a peak.
    pub fn peaks(&self) -> Vec<u32> {
        // One zero stands for the values between two that occur.
        let mut values: Vec<u32> = Vec::new();
        let mut counts = Vec::new();
        for (value, count) in self.counts() {
            if values.last().is_some_and(|last| value - last > 1) {
                values.push(value - 1);
                counts.push(0);
            }
            values.push(value);
            counts.push(count);
        }
        // The lowest count on the way to a more frequent value, of which the first one found wins.
        let saddle = |own: u32, way: &mut dyn Iterator<Item = u32>, equal_wins: bool| {
            let mut lowest = own;
            for count in way {
                if count > own || equal_wins && count == own {
                    return lowest;
                }
                lowest = lowest.min(count);
            }
            0
        };
        let is_peak = |&index: &usize| {
            let own = counts[index];
            let below = saddle(own, &mut counts[..index].iter().rev().copied(), true);
            let above = saddle(own, &mut counts[index + 1..].iter().copied(), false);
            let base = below.max(above);
            f64::from(own - base) > Z * (f64::from(own) + f64::from(base)).sqrt()
        };
        (0..counts.len()).filter(is_peak).map(|index| values[index]).collect()
    }

    /// Returns a bar for each value of a range, the most frequent one full, as one line of text. With
    /// more than `most` values, each bar stands for the same number of adjacent values.
    pub fn bars(&self, range: RangeInclusive<u32>, most: usize) -> String {
        let bins = self.bins(range, most);
        let highest = bins.iter().max().copied().unwrap_or(0).max(1);
        let bar = |&count: &u64| BARS[(count * 8).div_ceil(highest) as usize];
        bins.iter().map(bar).collect()
    }

    fn bins(&self, range: RangeInclusive<u32>, most: usize) -> Vec<u64> {
        let values = u64::from(range.end() - range.start()) + 1;
        let wide = values.div_ceil(most.max(1) as u64).max(1);
        let mut bins = vec![0; values.div_ceil(wide) as usize];
        for (value, count) in self.counts().filter(|(value, _)| range.contains(value)) {
            bins[(u64::from(value - range.start()) / wide) as usize] += u64::from(count);
        }
        bins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a distribution from the counts of 1, 2 and so on.
    fn of(counts: &[u32]) -> Distribution {
        (1..).zip(counts).flat_map(|(value, &count)| (0..count).map(move |_| value)).collect()
    }

    #[test]
    fn a_peak_is_above_the_way_to_every_higher_one_by_more_than_chance() {
        for (counts, expected) in [
            (&[][..], &[][..]),
            (&[3], &[]),
            (&[4], &[1]),
            (&[0, 4], &[2]),
            (&[5, 5, 5], &[1]),
            (&[10, 100, 10, 40, 10], &[2, 4]),
            // 25 and 15 differ by 10, which is less than 1.96 times the root of 40.
            (&[10, 100, 15, 25, 10], &[2]),
            (&[10, 100, 60, 90, 10], &[2, 4]),
            (&[10, 90, 60, 60, 100], &[2, 5]),
            (&[60, 0, 0, 60], &[1, 4]),
            (&[60, 0, 40, 0, 0, 60], &[1, 3, 6]),
            (&[4, 8, 40, 113, 175, 142, 112, 103, 80, 28, 44, 56, 6, 6, 53], &[5, 12, 15]),
        ] {
            assert_eq!(of(counts).peaks(), expected, "{counts:?}");
        }
    }

    #[test]
    fn bars_are_relative_to_the_most_frequent_value() {
        let found = of(&[0, 1, 4, 8, 0, 2]);
        assert_eq!((found.games(), found.count(4), found.count(9)), (15, 8, 0));
        assert_eq!(Distribution::range([&found, &of(&[1])]), Some(1..=6));
        assert_eq!(Distribution::range([&of(&[])]), None);
        assert_eq!(found.bars(1..=7, 60), " ▁▄█ ▂ ");
        // Bins of two: 1, 12, 2.
        assert_eq!(found.bars(1..=6, 3), "▁█▂");
        assert_eq!(found.bars(1..=6, 4), "▁█▂");
        assert_eq!(of(&[]).bars(1..=3, 60), "   ");
    }
}
