//! The pairs of a test, in the order of their numbers: the decision must not depend on which games
//! ended first.

use botyard_league::scale::Part;
use std::collections::BTreeMap;

/// Pairs of games, some of which have ended.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    waiting: BTreeMap<u32, [Option<Game>; 2]>,
    taken: u32,
}

/// The points of the new version in a game. `None`: the game has no result.
type Game = Option<Part>;

impl Pairs {
    /// Adds the result of a game of this pair, counted from 1.
    pub(super) fn add(&mut self, pair: u32, rotation: u32, points: Game) {
        let games = self.waiting.entry(pair).or_default();
        games[usize::from(rotation > 0)] = Some(points);
    }

    /// Takes the next pair if both of its games have ended. The inner value is `None` if one of
    /// them has no result, so that the pair does not count.
    pub(super) fn take(&mut self) -> Option<Option<[Part; 2]>> {
        let next = self.taken + 1;
        let [Some(first), Some(second)] = *self.waiting.get(&next)? else { return None };
        self.waiting.remove(&next);
        self.taken = next;
        Some(first.zip(second).map(|(first, second)| [first, second]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_whole_and_in_order() {
        let part = Part::of_share;
        let mut pairs = Pairs::default();
        pairs.add(2, 0, Some(part(1.0)));
        pairs.add(2, 1, Some(part(0.5)));
        pairs.add(1, 1, Some(part(0.0)));
        assert_eq!(pairs.take(), None);
        pairs.add(1, 0, None);
        assert_eq!(pairs.take(), Some(None), "a game of the first has no result");
        assert_eq!(pairs.take(), Some(Some([1.0, 0.5].map(part))));
        assert_eq!(pairs.take(), None);
    }
}
