//! The number of won, lost and drawn positions of a class.

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
    /// The most plies to the end of a won or lost game with best play; `None` if the tables have
    /// only results.
    pub longest: Option<u8>,
}

impl Tally {
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
