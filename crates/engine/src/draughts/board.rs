//! The pieces on the board: 12 bytes, without side to move or key. Generating and counting moves
//! needs no more; play and search use [`super::Position`].

use super::bitboard::{Bitboard, Direction};
use super::colour::Colour;
use super::square::Square;

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its side.
    pub colour: Colour,
    /// Whether it is crowned.
    pub is_king: bool,
}

/// The pieces of both sides.
///
/// Functions with a const parameter `WHITE` are for the side that it names, so that a move
/// generator or a search does not branch on the colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) black: Bitboard,
    pub(super) white: Bitboard,
    pub(super) kings: Bitboard,
}

impl Board {
    /// The start of a game: twelve men each.
    pub const START: Board =
        Board { black: squares(1, 12), white: squares(21, 32), kings: Bitboard::EMPTY };

    /// Returns the pieces of one side.
    #[inline]
    pub const fn of(self, colour: Colour) -> Bitboard {
        match colour {
            Colour::Black => self.black,
            Colour::White => self.white,
        }
    }

    /// Returns the men of one side.
    #[inline]
    pub fn men(self, colour: Colour) -> Bitboard {
        self.of(colour) & !self.kings
    }

    /// Returns the kings of one side.
    #[inline]
    pub fn kings(self, colour: Colour) -> Bitboard {
        self.of(colour) & self.kings
    }

    /// Returns the empty squares.
    #[inline(always)]
    pub fn empty(self) -> Bitboard {
        !(self.black | self.white)
    }

    /// Returns the piece on a square.
    pub fn piece(self, square: Square) -> Option<Piece> {
        let is_king = self.kings.contains(square);
        Colour::ALL
            .into_iter()
            .find(|&colour| self.of(colour).contains(square))
            .map(|colour| Piece { colour, is_king })
    }

    /// Returns the pieces of the side to move.
    #[inline(always)]
    pub(super) const fn own<const WHITE: bool>(self) -> Bitboard {
        if WHITE { self.white } else { self.black }
    }

    /// Returns the pieces of the other side.
    #[inline(always)]
    pub(super) const fn other<const WHITE: bool>(self) -> Bitboard {
        if WHITE { self.black } else { self.white }
    }

    /// Returns the board after one of the side's pieces has moved and captured these pieces.
    /// `crown` is the destination if the piece is a king there, and empty otherwise.
    #[inline(always)]
    pub(super) fn after<const WHITE: bool>(
        self,
        from: Bitboard,
        to: Bitboard,
        captured: Bitboard,
        crown: Bitboard,
    ) -> Board {
        let own = (self.own::<WHITE>() ^ from) | to;
        let other = self.other::<WHITE>() ^ captured;
        Board::of_sides::<WHITE>(own, other, (self.kings & !(from | captured)) | crown)
    }

    /// Returns the board after one of the side's men has made a step.
    #[inline(always)]
    pub(super) fn after_step_of_man<const WHITE: bool>(
        self,
        from: Bitboard,
        to: Bitboard,
    ) -> Board {
        let own = self.own::<WHITE>() ^ (from | to);
        Board::of_sides::<WHITE>(own, self.other::<WHITE>(), self.kings | to & king_row::<WHITE>())
    }

    #[inline(always)]
    const fn of_sides<const WHITE: bool>(own: Bitboard, other: Bitboard, kings: Bitboard) -> Board {
        if WHITE {
            Board { black: other, white: own, kings }
        } else {
            Board { black: own, white: other, kings }
        }
    }
}

/// Returns the directions in which the side's men move.
#[inline(always)]
pub(super) const fn forward<const WHITE: bool>() -> [Direction; 2] {
    if WHITE {
        [Direction::UpLeft, Direction::UpRight]
    } else {
        [Direction::DownRight, Direction::DownLeft]
    }
}

/// Returns the directions in which only the side's kings move.
#[inline(always)]
pub(super) const fn backward<const WHITE: bool>() -> [Direction; 2] {
    if WHITE {
        [Direction::DownRight, Direction::DownLeft]
    } else {
        [Direction::UpLeft, Direction::UpRight]
    }
}

/// Returns the row where the side's men are crowned.
#[inline(always)]
pub(super) const fn king_row<const WHITE: bool>() -> Bitboard {
    if WHITE { Bitboard::WHITE_KING_ROW } else { Bitboard::BLACK_KING_ROW }
}

/// Returns the squares with numbers from `first` to `last`.
const fn squares(first: usize, last: usize) -> Bitboard {
    let mut bits = 0;
    let mut number = first;
    while number <= last {
        bits |= Bitboard::of(Square::from_index(number - 1)).bits();
        number += 1;
    }
    Bitboard::from_bits(bits)
}
