//! A transposition table that several threads read and write at the same time, without locks (Hyatt
//! and Mann 2002). An entry is two words, and the key is stored XORed with the data: if two threads
//! have written one word each, the entry has the key of neither and is not found. What it returns
//! may depend on the timing of the threads; [`TranspositionTable`](crate::TranspositionTable) does
//! not.

use crate::table::{Bound, Known};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

const NO_MOVE: u32 = u32::MAX;
const BUCKET: usize = 4;
/// The largest age. Ages are 1 to this number, in turn; an entry that was never written has age 0.
const LAST_AGE: u8 = 63;

/// The data of an entry in one word, from the lowest bit: best move (32), value (16), depth (8),
/// bound (2), age (6). An entry that was never written is 0.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Data(u64);

impl Data {
    fn new(known: Known, best: u32, age: u8) -> Data {
        let value = known.value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let depth = known.depth.clamp(0, u8::MAX.into()) as u8;
        let bound: u64 = match known.bound {
            Bound::Lower => 0,
            Bound::Upper => 1,
            Bound::Exact => 2,
        };
        let words = [u64::from(value as u16) << 32, u64::from(depth) << 48, bound << 56];
        Data(words.iter().fold(u64::from(best) | u64::from(age) << 58, |all, word| all | word))
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn best(self) -> u32 {
        self.0 as u32
    }

    const fn value(self) -> i16 {
        (self.0 >> 32) as i16
    }

    const fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }

    const fn bound(self) -> Bound {
        match self.0 >> 56 & 3 {
            0 => Bound::Lower,
            1 => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    const fn age(self) -> u8 {
        (self.0 >> 58) as u8
    }
}

#[derive(Default)]
struct Entry {
    /// The key, XORed with the data.
    key: AtomicU64,
    data: AtomicU64,
}

impl Entry {
    /// Returns the data, if they are those of this key.
    #[inline(always)]
    fn of(&self, key: u64) -> Option<Data> {
        // Relaxed: each word is checked against the other, and nothing else depends on their order.
        let data = self.data.load(Ordering::Relaxed);
        let is_right = self.key.load(Ordering::Relaxed) ^ data == key && data != 0;
        is_right.then_some(Data(data))
    }
}

/// A cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket {
    entries: [Entry; BUCKET],
}

/// A transposition table for several threads.
pub(crate) struct SharedTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl SharedTable {
    /// Returns an empty table of at most this many MiB, rounded down to a power of two; at least
    /// one bucket.
    pub(crate) fn new(mebibytes: usize) -> SharedTable {
        let buckets = (mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let buckets = (0..1_usize << buckets.ilog2()).map(|_| Bucket::default()).collect();
        SharedTable { buckets, age: AtomicU8::new(1) }
    }

    /// Starts a new search of all threads: ages all present entries.
    pub(crate) fn next_search(&self) {
        let age = self.age.load(Ordering::Relaxed) % LAST_AGE + 1;
        self.age.store(age, Ordering::Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        // The number of buckets is a power of two.
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    /// Returns the entry of the position with this key.
    ///
    /// Not inlined, like [`SharedTable::put`]: a search with one thread has another table, and is faster
    /// without this code in the function of a node.
    #[inline(never)]
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let data = self.bucket(key).entries.iter().find_map(|entry| entry.of(key))?;
        Some(Known {
            value: data.value().into(),
            depth: data.depth().into(),
            bound: data.bound(),
            best: (data.best() != NO_MOVE).then_some(data.best()),
        })
    }

    /// Stores a search result. Without a new best move, the known best move stays.
    #[inline(never)]
    pub(crate) fn put(&self, key: u64, known: Known) {
        let age = self.age.load(Ordering::Relaxed);
        let entries = &self.bucket(key).entries;
        let (mut victim, mut kept) = (&entries[0], NO_MOVE);
        let mut least = i32::MAX;
        for entry in entries {
            if let Some(data) = entry.of(key) {
                (victim, kept) = (entry, data.best());
                break;
            }
            // An old entry is replaced before any of this search.
            let data = Data(entry.data.load(Ordering::Relaxed));
            let worth = match data {
                _ if data.is_empty() => i32::MIN,
                _ if data.age() == age => data.depth().into(),
                _ => i32::from(data.depth()) - 512,
            };
            if worth < least {
                (least, victim) = (worth, entry);
            }
        }
        let data = Data::new(known, known.best.unwrap_or(kept), age);
        victim.key.store(key ^ data.0, Ordering::Relaxed);
        victim.data.store(data.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn known(depth: i32, best: Option<u32>) -> Known {
        Known { value: -29_990, depth, bound: Bound::Upper, best }
    }

    #[test]
    fn memory_is_bounded() {
        for mebibytes in [0, 1, 3, 16] {
            let bytes = SharedTable::new(mebibytes).buckets.len() * size_of::<Bucket>();
            assert!(bytes <= (mebibytes << 20).max(64) && bytes * 2 > mebibytes << 20);
        }
    }

    #[test]
    fn stored_entries_are_found() {
        let table = SharedTable::new(1);
        assert_eq!(table.get(0), None);
        table.put(0, known(3, Some(7)));
        assert_eq!(table.get(0), Some(known(3, Some(7))));
        table.put(0, known(2, None));
        assert_eq!(table.get(0), Some(known(2, Some(7))), "the known move is kept");
        for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
            let all = Known { value: 20_001, depth: 255, bound, best: Some(NO_MOVE - 1) };
            table.put(u64::MAX, all);
            assert_eq!(table.get(u64::MAX), Some(all));
        }
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let table = SharedTable::new(0);
        for (key, depth) in [(1, 5), (2, 3), (3, 9), (4, 0)] {
            table.put(key, known(depth, None));
        }
        table.put(5, known(1, None));
        assert_eq!(
            [1, 2, 3, 4, 5].map(|key| table.get(key).is_some()),
            [true, true, true, false, true]
        );
        table.next_search();
        for key in 6..10 {
            table.put(key, known(0, None));
        }
        assert_eq!([1, 2, 3, 5].map(|key| table.get(key)), [None; 4]);
        assert!((6..10).all(|key| table.get(key).is_some()));
        // Ages recur, but none is that of an empty entry.
        for _ in 0..200 {
            table.next_search();
            assert!((1..=LAST_AGE).contains(&table.age.load(Ordering::Relaxed)));
        }
    }

    #[test]
    fn entries_of_which_another_thread_wrote_half_are_not_found() {
        let table = SharedTable::new(0);
        table.put(1, known(5, Some(1)));
        let entry = &table.buckets[0].entries[0];
        let other = Data::new(known(6, Some(2)), 2, 1);
        entry.data.store(other.0, Ordering::Relaxed);
        assert_eq!([1, 2].map(|key| table.get(key)), [None, None]);
        entry.key.store(2 ^ other.0, Ordering::Relaxed);
        assert_eq!([1, 2].map(|key| table.get(key)), [None, Some(known(6, Some(2)))]);
    }

    #[test]
    fn threads_never_read_what_belongs_to_another_key() {
        let table = SharedTable::new(0);
        // One bucket: all keys compete for four entries.
        let of = |key: u64| Known {
            value: (key * 37 % 20_000) as i32,
            depth: (key % 200) as i32,
            bound: Bound::Lower,
            best: Some(key as u32),
        };
        thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..20_000 {
                        let key = (round * 7 + thread * 3) % 23;
                        table.put(key, of(key));
                        let other = (round * 5 + thread) % 23;
                        assert!(table.get(other).is_none_or(|known| known == of(other)));
                    }
                });
            }
        });
    }
}
