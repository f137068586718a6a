//! Selection and ordering of attacks for search. Most attacks are hopeless, and a narrow tree can
//! be searched deeper.

use crate::dice_wars::win_and_hold_probability;
use arrayvec::ArrayVec;
use botyard_engine::dice_wars::{Area, MAX_DICE, Map, Position, win_probability};

/// An attack or a transfer, and how promising it is: the higher, the better.
pub(crate) type Promising = (Area, Area, f64);

/// A filter of attacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidates {
    /// Attacks with a lower probability are left out, unless they are made with eight dice; 0 to 1.
    pub least_chance: f64,
    /// The number of most promising attacks that are kept; 1 to [`Candidates::MOST`].
    pub width: usize,
}

impl Candidates {
    /// The largest value of `width`.
    pub const MOST: usize = 64;

    /// Returns the attacks of the player to move that pass the filter, most promising first, by the
    /// probability to win and hold, doubled out of the largest region.
    pub(crate) fn attacks(
        &self,
        map: &Map,
        position: &Position,
    ) -> ArrayVec<Promising, { Candidates::MOST }> {
        let seat = position.to_move();
        let own = position.areas_of(seat);
        let region = position.largest_region_of(map, seat);
        let width = self.width.clamp(1, Candidates::MOST);
        let mut kept: ArrayVec<Promising, { Candidates::MOST }> = ArrayVec::new();
        position.for_each_attack(map, |from, to| {
            let chance = win_probability(position.dice(from), position.dice(to));
            if chance < self.least_chance && position.dice(from) < MAX_DICE {
                return;
            }
            let weight = if region.contains(from) { 2.0 } else { 1.0 };
            let value = weight * win_and_hold_probability(map, position, from, to, own);
            keep_best(&mut kept, width, (from, to, value));
        });
        kept
    }
}

/// Adds to the best `width` (at least 1), best first. Equal ones keep their order.
pub(crate) fn keep_best(
    kept: &mut ArrayVec<Promising, { Candidates::MOST }>,
    width: usize,
    new: Promising,
) {
    let place = kept.partition_point(|&(_, _, other)| other >= new.2);
    if place < width {
        kept.truncate(width - 1);
        kept.insert(place, new);
    }
}
