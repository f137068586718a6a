//! A cache of evaluations: the same actions in another order lead to the same positions, and the
//! next decision evaluates many positions of the last one again.

use super::evaluation::{Evaluator, Shares};
use botyard_engine::dice_wars::{Map, Position};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

/// The number of slots of [`Cached`].
const SLOTS: usize = 1 << 13;

/// A small table of values of positions, in which later ones replace earlier ones.
#[derive(Clone, Debug)]
pub(in crate::dice_wars) struct EvaluationCache<V> {
    slots: Box<[(u64, V)]>,
    map: Option<Map>,
}

/// Returns a hash of a position: equal for equal positions, and almost never for others.
pub(in crate::dice_wars) fn position_key(position: &Position) -> u64 {
    let mut mixer = Mixer(0);
    position.hash(&mut mixer);
    // 0 is the key of empty slots.
    mixer.finish() | 1
}

impl<V: Copy + Default> EvaluationCache<V> {
    /// Makes an empty table with this number of slots, a power of two.
    pub(super) fn new(slots: usize) -> EvaluationCache<V> {
        debug_assert!(slots.is_power_of_two());
        EvaluationCache { slots: vec![(0, V::default()); slots].into_boxed_slice(), map: None }
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 40) as usize & (self.slots.len() - 1)
    }

    /// Clears the table unless it was for this map.
    pub(super) fn clear_for(&mut self, map: &Map) {
        let is_same = |known: &Map| {
            known.areas() == map.areas()
                && map.all().iter().all(|area| known.neighbours(area) == map.neighbours(area))
        };
        if !self.map.as_ref().is_some_and(is_same) {
            self.slots.fill((0, V::default()));
            self.map = Some(map.clone());
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<V> {
        let (known, value) = self.slots[self.slot(key)];
        (known == key).then_some(value)
    }

    pub(super) fn put(&mut self, key: u64, value: V) {
        let slot = self.slot(key);
        self.slots[slot] = (key, value);
    }
}

/// An evaluator with a cache for one map. Its values are those of the inner evaluator.
#[derive(Clone, Debug)]
pub(in crate::dice_wars) struct Cached<E> {
    evaluator: E,
    judged: RefCell<EvaluationCache<Shares>>,
}

impl<E: Evaluator> Cached<E> {
    pub(in crate::dice_wars) fn new(evaluator: E) -> Cached<E> {
        Cached { evaluator, judged: RefCell::new(EvaluationCache::new(SLOTS)) }
    }

    /// Sets the map of all following positions, which do not contain their map.
    pub(in crate::dice_wars) fn begin(&mut self, map: &Map) {
        self.judged.get_mut().clear_for(map);
    }
}

impl<E: Evaluator> Evaluator for Cached<E> {
    fn check(&self, map: &Map, position: &Position) -> Result<(), String> {
        self.evaluator.check(map, position)
    }

    fn shares(&self, map: &Map, position: &Position) -> Shares {
        let key = position_key(position);
        if let Some(shares) = self.judged.borrow().get(key) {
            return shares;
        }
        let shares = self.evaluator.shares(map, position);
        self.judged.borrow_mut().put(key, shares);
        shares
    }
}

/// A hash of few instructions. Collisions are not chosen by an attacker.
struct Mixer(u64);

/// An odd number with irregular bits: 2^64 divided by the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Mixer {
    fn mix(&mut self, word: u64) {
        let mixed = u128::from(self.0 ^ word ^ MULTIPLIER) * u128::from(MULTIPLIER);
        self.0 = ((mixed >> 64) as u64 ^ mixed as u64).rotate_left(23);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.mix(u64::from_le_bytes(word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        if !rest.is_empty() {
            self.mix(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(byte.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
