//! A transposition table (Greenblatt, Eastlake and Crocker 1967): a cache of search results by
//! position. Its size is fixed. In a full bucket, entries of earlier searches are replaced first,
//! then shallow ones.

/// The meaning of a stored value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// A lower bound: the search failed high.
    Lower,
    /// An upper bound: the search failed low.
    Upper,
    /// The exact value.
    #[default]
    Exact,
}

/// The table entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The value for the side to move, relative to this position; within 16 bits.
    pub value: i32,
    /// The depth of the search below it, in plies, 0 to 255.
    pub depth: i32,
    /// The meaning of the value.
    pub bound: Bound,
    /// The number of the best move, if one was found.
    pub best: Option<u32>,
}

const NO_MOVE: u32 = u32::MAX;
const BUCKET: usize = 4;

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    best: u32,
    value: i16,
    depth: u8,
    bound: Bound,
}

/// A cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket {
    entries: [Entry; BUCKET - 1],
    /// The generation (search) of each entry, modulo 256; 0 for none.
    ages: [u8; BUCKET - 1],
}

/// A transposition table.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: u8,
}

impl TranspositionTable {
    /// Returns an empty table of at most this many MiB, rounded down to a power of two; at least
    /// one bucket.
    pub fn new(mebibytes: usize) -> TranspositionTable {
        let buckets = (mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let buckets = 1 << buckets.ilog2();
        TranspositionTable { buckets: vec![Bucket::default(); buckets], age: 1 }
    }

    /// Returns the size of the entries in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Starts a new search: ages all present entries.
    pub fn next_search(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or(1);
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        // The number of buckets is a power of two.
        key as usize & (self.buckets.len() - 1)
    }

    /// Returns the entry of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        let bucket = &self.buckets[self.index(key)];
        let place = (0..BUCKET - 1)
            .find(|&place| bucket.entries[place].key == key && bucket.ages[place] != 0)?;
        let Entry { best, value, depth, bound, .. } = bucket.entries[place];
        Some(Known {
            value: value.into(),
            depth: depth.into(),
            bound,
            best: (best != NO_MOVE).then_some(best),
        })
    }

    /// Stores a search result. Without a new best move, the known best move stays.
    #[inline]
    pub fn put(&mut self, key: u64, known: Known) {
        let (index, age) = (self.index(key), self.age);
        let bucket = &mut self.buckets[index];
        let mut victim = 0;
        let mut least = i32::MAX;
        for place in 0..BUCKET - 1 {
            let (entry, written) = (&bucket.entries[place], bucket.ages[place]);
            if written != 0 && entry.key == key {
                victim = place;
                break;
            }
            // An old entry is replaced before any of this search.
            let worth = i32::from(entry.depth) - if written == age { 0 } else { 512 };
            if worth < least {
                (least, victim) = (worth, place);
            }
        }
        let entry = &mut bucket.entries[victim];
        let kept = if bucket.ages[victim] != 0 && entry.key == key { entry.best } else { NO_MOVE };
        *entry = Entry {
            key,
            best: known.best.unwrap_or(kept),
            value: known.value.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            depth: known.depth.clamp(0, u8::MAX.into()) as u8,
            bound: known.bound,
        };
        bucket.ages[victim] = age;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(depth: i32, best: Option<u32>) -> Known {
        Known { value: -29_990, depth, bound: Bound::Upper, best }
    }

    #[test]
    fn memory_is_bounded() {
        for mebibytes in [0, 1, 3, 16] {
            let bytes = TranspositionTable::new(mebibytes).bytes();
            assert!(bytes <= (mebibytes << 20).max(64) && bytes * 2 > mebibytes << 20);
        }
    }

    #[test]
    fn stored_entries_are_found() {
        let mut table = TranspositionTable::new(1);
        assert_eq!(table.get(0), None);
        table.put(0, known(3, Some(7)));
        assert_eq!(table.get(0), Some(known(3, Some(7))));
        table.put(0, known(2, None));
        assert_eq!(table.get(0), Some(known(2, Some(7))), "the known move is kept");
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let mut table = TranspositionTable::new(0);
        for (key, depth) in [(1, 5), (2, 3), (3, 9)] {
            table.put(key, known(depth, None));
        }
        table.put(4, known(1, None));
        assert_eq!([1, 2, 3, 4].map(|key| table.get(key).is_some()), [true, false, true, true]);
        table.next_search();
        table.put(5, known(0, None));
        table.put(6, known(0, None));
        table.put(7, known(0, None));
        assert_eq!([1, 3, 4].map(|key| table.get(key)), [None; 3]);
        assert!([5, 6, 7].iter().all(|&key| table.get(key).is_some()));
    }
}
