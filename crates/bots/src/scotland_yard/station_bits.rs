//! A set of stations in four words, for tracking Mr. X's candidates in playouts. The engine's
//! `StationSet` is for boards of any size; this one is `Copy`.

use botyard_engine::random::{Rng, below};
use botyard_engine::scotland_yard::Station;

/// A set of the first [`StationBits::MOST`] stations of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StationBits([u64; 4]);

impl StationBits {
    /// The largest number of stations of a board.
    pub const MOST: usize = 256;

    /// Adds a station.
    ///
    /// # Panics
    ///
    /// If it is not one of the first 256.
    #[inline]
    pub fn insert(&mut self, station: Station) {
        self.0[station.index() / 64] |= 1 << (station.index() % 64);
    }

    /// Removes a station.
    ///
    /// # Panics
    ///
    /// If it is not one of the first 256.
    #[inline]
    pub fn remove(&mut self, station: Station) {
        self.0[station.index() / 64] &= !(1 << (station.index() % 64));
    }

    /// Returns whether a station is in the set.
    ///
    /// # Panics
    ///
    /// If it is not one of the first 256.
    #[inline]
    pub fn contains(&self, station: Station) -> bool {
        self.0[station.index() / 64] >> (station.index() % 64) & 1 != 0
    }

    /// Returns the intersection of two sets.
    #[inline]
    #[must_use]
    pub fn and(self, other: StationBits) -> StationBits {
        StationBits(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Returns the union of two sets.
    #[inline]
    #[must_use]
    pub fn or(self, other: StationBits) -> StationBits {
        StationBits(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Returns the stations of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn without(self, other: StationBits) -> StationBits {
        StationBits(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Returns the number of stations.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Returns the set as bits: that of a station is bit `index % 64` of word `index / 64`.
    #[inline]
    pub const fn words(self) -> [u64; 4] {
        self.0
    }

    /// Returns the stations in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Station> + use<> {
        let words = self.0;
        (0..4).flat_map(move |place| {
            let mut rest = words[place];
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    Station::from_index(place * 64 + bit)
                })
            })
        })
    }

    /// Draws a station uniformly; `None` if the set is empty.
    #[inline]
    pub fn choose<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Station> {
        let count = self.len();
        if count == 0 {
            return None;
        }
        let mut skip = below(rng, count);
        for (place, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if skip >= here {
                skip -= here;
                continue;
            }
            let mut rest = word;
            for _ in 0..skip {
                rest &= rest - 1;
            }
            return Some(Station::from_index(place * 64 + rest.trailing_zeros() as usize));
        }
        None
    }
}

impl FromIterator<Station> for StationBits {
    fn from_iter<T: IntoIterator<Item = Station>>(stations: T) -> StationBits {
        let mut set = StationBits::default();
        for station in stations {
            set.insert(station);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::Stream;

    #[test]
    fn is_a_set() {
        let numbers = [1, 64, 65, 128, 129, 199, 256];
        let stations = numbers.map(|number| Station::new(number).unwrap());
        let mut set: StationBits = stations.into_iter().collect();
        assert!(set.iter().eq(stations));
        assert_eq!(set.len(), 7);
        set.remove(stations[3]);
        assert!(!set.contains(stations[3]) && set.contains(stations[4]));
        let first: StationBits = stations[..4].iter().copied().collect();
        assert!(set.and(first).iter().eq(stations[..3].iter().copied()));
        assert!(set.or(first).iter().eq(stations));
        assert!(StationBits::default().is_empty());
    }

    #[test]
    fn every_station_is_equally_likely() {
        let set: StationBits =
            [3, 70, 71, 200].map(|n| Station::new(n).unwrap()).into_iter().collect();
        let mut stream = Stream::new(1, "test");
        let mut counts = [0u32; 4];
        for _ in 0..8000 {
            let drawn = set.choose(stream.rng()).unwrap();
            counts[set.iter().position(|station| station == drawn).unwrap()] += 1;
        }
        // Chi-squared with 3 degrees of freedom: 16.3 is the 0.1% point.
        let chi2: f64 = counts.iter().map(|&n| (f64::from(n) - 2000.0).powi(2) / 2000.0).sum();
        assert!(chi2 < 16.3, "{counts:?}");
        assert_eq!(StationBits::default().choose(stream.rng()), None);
    }
}
