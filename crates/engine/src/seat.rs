//! Seats at the table, counted from 0 in the order in which the game names them.

use serde::{Deserialize, Serialize};

/// The largest number of seats in a game.
pub const MAX_SEATS: usize = 8;

/// A seat at the table: an index below [`MAX_SEATS`] into the game's list of seat names.
///
/// A seat makes decisions; it is not a pawn and not a bot: in Scotland Yard one seat may move five
/// detectives, and one bot may hold several seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// Returns the seat with this index.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`MAX_SEATS`].
    #[inline]
    pub const fn new(index: usize) -> Seat {
        assert!(index < MAX_SEATS, "a game has at most 8 seats");
        Seat(index as u8)
    }

    /// Returns the index in the game's list of seats, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the first `count` seats, in order.
    #[inline]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..count).map(Seat::new)
    }
}
