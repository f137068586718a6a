//! Regions of the board for both sides: a region is defined from Black's side, and White's is the
//! rotated one.

use botyard_engine::draughts::{Bitboard, Colour, Square};

/// A set of squares for each side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region([Bitboard; 2]);

impl Region {
    /// Returns the squares with these numbers for Black, and 33 minus these numbers for White.
    pub(super) const fn new(numbers: &[usize]) -> Region {
        let (mut black, mut white) = (0, 0);
        let mut index = 0;
        while index < numbers.len() {
            black |= Bitboard::of(Square::from_index(numbers[index] - 1)).bits();
            white |= Bitboard::of(Square::from_index(32 - numbers[index])).bits();
            index += 1;
        }
        Region([Bitboard::from_bits(black), Bitboard::from_bits(white)])
    }

    /// Returns a row, 0 to 7, counted from the side's own back row.
    pub(super) const fn row(row: usize) -> Region {
        let first = 4 * row + 1;
        Region::new(&[first, first + 1, first + 2, first + 3])
    }

    /// Returns the squares of a side's region.
    #[inline(always)]
    pub(super) const fn of(&self, colour: Colour) -> Bitboard {
        self.0[colour as usize]
    }
}
