//! A set of stations as bits: 256 stations need no heap.

use super::station::Station;
use smallvec::{SmallVec, smallvec};

/// A set of the stations of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StationSet {
    words: SmallVec<[u64; 4]>,
}

impl StationSet {
    /// Makes an empty set, for a board with this many stations.
    pub fn empty(stations: usize) -> StationSet {
        StationSet { words: smallvec![0; stations.div_ceil(64)] }
    }

    /// Adds a station; does nothing if the board does not have it.
    #[inline]
    pub fn insert(&mut self, station: Station) {
        if let Some(word) = self.words.get_mut(station.index() / 64) {
            *word |= 1 << (station.index() % 64);
        }
    }

    /// Removes a station.
    #[inline]
    pub fn remove(&mut self, station: Station) {
        if let Some(word) = self.words.get_mut(station.index() / 64) {
            *word &= !(1 << (station.index() % 64));
        }
    }

    /// Returns whether a station is in the set.
    #[inline]
    pub fn contains(&self, station: Station) -> bool {
        self.words
            .get(station.index() / 64)
            .is_some_and(|word| word >> (station.index() % 64) & 1 != 0)
    }

    /// Removes all stations.
    #[inline]
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Returns the number of stations in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether no station is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns the stations in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Station> + '_ {
        self.words.iter().enumerate().flat_map(|(place, &word)| {
            let bits = std::iter::successors((word != 0).then_some(word), |rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            });
            bits.map(move |rest| Station::from_index(place * 64 + rest.trailing_zeros() as usize))
        })
    }
}

impl Extend<Station> for StationSet {
    fn extend<T: IntoIterator<Item = Station>>(&mut self, stations: T) {
        // Decided once, not per station: whether the words are on the heap.
        let words = self.words.as_mut_slice();
        for station in stations {
            if let Some(word) = words.get_mut(station.index() / 64) {
                *word |= 1 << (station.index() % 64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn is_a_set(changes in proptest::collection::vec((1u16..=300, any::<bool>()), 0..400)) {
            let mut bits = StationSet::empty(300);
            let mut model = BTreeSet::new();
            for (number, add) in changes {
                let station = Station::new(number).unwrap();
                if add {
                    bits.insert(station);
                    model.insert(station);
                } else {
                    bits.remove(station);
                    model.remove(&station);
                }
                prop_assert_eq!(bits.contains(station), add);
            }
            prop_assert_eq!(bits.len(), model.len());
            prop_assert_eq!(bits.is_empty(), model.is_empty());
            prop_assert!(bits.iter().eq(model));
        }
    }

    #[test]
    fn stations_off_the_board_are_never_in_it() {
        let mut set = StationSet::empty(64);
        set.insert(Station::new(65).unwrap());
        set.remove(Station::new(65).unwrap());
        assert!(set.is_empty());
        assert!(!set.contains(Station::new(65).unwrap()));
    }
}
