//! The number of won, lost and drawn positions of a class.

use super::value::{DRAW, UNKNOWN};
use std::ops::AddAssign;

/// Counts of positions, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won.
    pub wins: u64,
    /// Lost.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// The most plies to the end of a won or lost game with best play.
    pub longest: u8,
}

impl Tally {
    /// Counts the positions of a table.
    pub(super) fn new(values: &[u8]) -> Tally {
        let mut tally = Tally::default();
        for &value in values {
            match value {
                DRAW | UNKNOWN => tally.draws += 1,
                plies => {
                    tally.longest = tally.longest.max(plies);
                    *if plies % 2 == 1 { &mut tally.wins } else { &mut tally.losses } += 1;
                }
            }
        }
        tally
    }

    /// Returns the number of positions counted.
    pub const fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

/// Adds the counts of another class.
impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.longest = self.longest.max(other.longest);
    }
}
