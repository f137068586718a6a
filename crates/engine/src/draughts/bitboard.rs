//! Sets of squares as 32 bits, and the four diagonal directions as rotations of them.
//!
//! The bits are not in the order of the squares' numbers. Along one diagonal direction they are 1
//! apart and along the other 7 apart, modulo 32, so that a step in any direction is one rotation of
//! the whole board; numbering row by row would need a different shift in every other row. (Several
//! checkers programs use this idea, as "rotated bitboards".)

use super::square::Square;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A diagonal direction, as seen with White at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// A higher row and column.
    DownRight,
    /// A higher row, a lower column.
    DownLeft,
    /// A lower row and column.
    UpLeft,
    /// A lower row, a higher column.
    UpRight,
}

impl Direction {
    /// All directions. Black's men move in the first two, White's in the last two.
    pub const ALL: [Direction; 4] =
        [Direction::DownRight, Direction::DownLeft, Direction::UpLeft, Direction::UpRight];

    /// Returns the number of bits by which a step rotates to the left.
    const fn rotation(self) -> u32 {
        match self {
            Direction::DownRight => 1,
            Direction::DownLeft => 7,
            Direction::UpLeft => 32 - 1,
            Direction::UpRight => 32 - 7,
        }
    }

    /// Returns the change of row and column.
    const fn delta(self) -> (i8, i8) {
        match self {
            Direction::DownRight => (1, 1),
            Direction::DownLeft => (1, -1),
            Direction::UpLeft => (-1, -1),
            Direction::UpRight => (-1, 1),
        }
    }
}

/// The bit of each square, by the square's index.
const BITS: [u8; 32] = {
    let mut bits = [0; 32];
    let mut taken = 0u32;
    let mut index = 0;
    while index < 32 {
        let square = Square::from_index(index);
        let (row, column) = (square.row(), square.column());
        // One coordinate per diagonal: a step down right adds 1 to the first only, a step down left
        // adds 1 to the second only.
        let bit = ((row + column - 1) / 2 + 7 * ((row + 7 - column) / 2)) % 32;
        assert!(taken & (1 << bit) == 0, "every square has its own bit");
        taken |= 1 << bit;
        bits[index] = bit;
        index += 1;
    }
    bits
};

/// The square of each bit.
const SQUARES: [Square; 32] = {
    let mut squares = [Square::from_index(0); 32];
    let mut index = 0;
    while index < 32 {
        squares[BITS[index] as usize] = Square::from_index(index);
        index += 1;
    }
    squares
};

/// Returns the squares from which this number of steps in a direction stays on the board.
const fn room(direction: Direction, steps: i8) -> Bitboard {
    let (down, right) = direction.delta();
    let mut set = 0;
    let mut index = 0;
    while index < 32 {
        let square = Square::from_index(index);
        let row = square.row() as i8 + steps * down;
        let column = square.column() as i8 + steps * right;
        if 0 <= row && row < 8 && 0 <= column && column < 8 {
            set |= 1 << BITS[index];
        }
        index += 1;
    }
    Bitboard(set)
}

const fn rooms(steps: i8) -> [Bitboard; 4] {
    let mut rooms = [Bitboard::EMPTY; 4];
    let mut index = 0;
    while index < 4 {
        rooms[index] = room(Direction::ALL[index], steps);
        index += 1;
    }
    rooms
}

const ROOM_FOR_A_STEP: [Bitboard; 4] = rooms(1);
const ROOM_FOR_A_JUMP: [Bitboard; 4] = rooms(2);

/// A set of squares.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u32);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All squares.
    pub const FULL: Bitboard = Bitboard(u32::MAX);
    /// The squares 29 to 32, where Black's men are crowned.
    pub const BLACK_KING_ROW: Bitboard = Bitboard::row(7);
    /// The squares 1 to 4, where White's men are crowned.
    pub const WHITE_KING_ROW: Bitboard = Bitboard::row(0);

    /// One square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << BITS[square.index()])
    }

    /// Returns the squares of a row, 0 to 7.
    #[inline]
    const fn row(row: usize) -> Bitboard {
        let mut set = 0;
        let mut index = 4 * row;
        while index < 4 * row + 4 {
            set |= 1 << BITS[index];
            index += 1;
        }
        Bitboard(set)
    }

    /// Makes the set with these 32 bits, in this module's order: the inverse of [`Bitboard::bits`].
    #[inline]
    pub const fn from_bits(bits: u32) -> Bitboard {
        Bitboard(bits)
    }

    /// Returns the 32 bits, in this module's order. Useful as a key; see [`Bitboard::numbered`] for
    /// the order of the squares' numbers.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the set with square n at bit n - 1.
    #[inline]
    pub fn numbered(self) -> u32 {
        self.into_iter().fold(0, |bits, square| bits | 1 << square.index())
    }

    /// Makes the set with square n at bit n - 1.
    #[inline]
    pub fn from_numbered(bits: u32) -> Bitboard {
        Square::all().filter(|square| bits >> square.index() & 1 == 1).collect()
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether a square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & (1 << BITS[square.index()]) != 0
    }

    /// Returns whether the two sets have a square in common.
    #[inline]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the squares one step from these; steps off the board are dropped.
    #[inline(always)]
    pub const fn step(self, direction: Direction) -> Bitboard {
        Bitboard(self.0 & ROOM_FOR_A_STEP[direction as usize].0).rotated(direction)
    }

    /// Returns the squares of the set from which a jump in this direction stays on the board.
    #[inline(always)]
    pub(super) const fn with_room_to_jump(self, direction: Direction) -> Bitboard {
        Bitboard(self.0 & ROOM_FOR_A_JUMP[direction as usize].0)
    }

    /// One step without a check for the edge: for squares that are known to be away from it.
    #[inline(always)]
    pub(super) const fn rotated(self, direction: Direction) -> Bitboard {
        Bitboard(self.0.rotate_left(direction.rotation()))
    }

    /// One step backwards without a check for the edge: undoes [`Bitboard::rotated`].
    #[inline(always)]
    pub(super) const fn rotated_back(self, direction: Direction) -> Bitboard {
        Bitboard(self.0.rotate_right(direction.rotation()))
    }

    /// Splits a set into sets of one square each, in the order of the bits.
    #[inline(always)]
    pub(super) fn singles(mut self) -> impl Iterator<Item = Bitboard> {
        std::iter::from_fn(move || {
            (self.0 != 0).then(|| {
                let lowest = self.0 & self.0.wrapping_neg();
                self.0 ^= lowest;
                Bitboard(lowest)
            })
        })
    }

    /// Returns the position of the lowest bit, 0 to 31; 32 for the empty set.
    #[inline(always)]
    pub(super) const fn lowest(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// Makes the set of the square whose bit has this position, modulo 32.
    #[inline(always)]
    pub(super) const fn single(place: u32) -> Bitboard {
        Bitboard(1 << (place & 31))
    }

    /// Returns the square of a set that has just one; otherwise the square of the lowest bit.
    #[inline]
    pub(super) const fn square(self) -> Square {
        SQUARES[(self.0.trailing_zeros() & 31) as usize]
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

/// The squares of a set, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares {
    set: Bitboard,
    next: usize,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        while self.next < Square::COUNT {
            let square = Square::from_index(self.next);
            self.next += 1;
            if self.set.contains(square) {
                return Some(square);
            }
        }
        None
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares { set: self, next: 0 }
    }
}

/// The numbers of the squares.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_one_row_and_one_column() {
        for direction in Direction::ALL {
            let (down, right) = direction.delta();
            for square in Square::all() {
                let (row, column) = (square.row() as i8 + down, square.column() as i8 + right);
                let expected = u8::try_from(row)
                    .ok()
                    .zip(u8::try_from(column).ok())
                    .and_then(|(row, column)| Square::at(row, column));
                let stepped = Bitboard::of(square).step(direction);
                assert_eq!(stepped.into_iter().next(), expected, "{square} {direction:?}");
                assert_eq!(stepped.len(), expected.iter().count() as u32);
            }
        }
    }

    #[test]
    fn numbered_bits_and_back() {
        for square in Square::all() {
            assert_eq!(Bitboard::of(square).numbered(), 1 << square.index());
            assert_eq!(Bitboard::of(square).square(), square);
        }
        assert_eq!(Bitboard::from_numbered(0xdead_beef).numbered(), 0xdead_beef);
        assert_eq!(format!("{:?}", Bitboard::WHITE_KING_ROW), "{1, 2, 3, 4}");
        assert_eq!(format!("{:?}", Bitboard::BLACK_KING_ROW), "{29, 30, 31, 32}");
    }
}
