//! A few pieces from the side to move's point of view: its own men move towards the high squares,
//! whatever its colour. Bit n - 1 is square n, so that stored data do not depend on the order of
//! the bits in a [`Bitboard`].

use super::material;
use crate::draughts::bitboard::Bitboard;
use crate::draughts::board::Board;
use crate::draughts::colour::Colour;
use crate::draughts::square::Square;

/// Men and kings, those of the side to move first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) men: [u32; 2],
    pub(super) kings: [u32; 2],
}

impl Seen {
    /// Makes it from a board with this side to move.
    #[inline]
    pub(super) fn new(board: Board, turn: Colour) -> Seen {
        let sides = [turn, turn.other()];
        let numbered = |set: Bitboard| {
            let bits = set.singles().fold(0, |bits, one| bits | 1u32 << one.square().index());
            if turn == Colour::White { bits.reverse_bits() } else { bits }
        };
        Seen {
            men: sides.map(|colour| numbered(board.men(colour))),
            kings: sides.map(|colour| numbered(board.kings(colour))),
        }
    }

    /// Returns the board on which the side to move is Black.
    #[inline]
    pub(super) fn board(self) -> Board {
        let [black, white] = [0, 1].map(|side| bitboard(self.men[side] | self.kings[side]));
        Board { black, white, kings: bitboard(self.kings[0] | self.kings[1]) }
    }

    /// Returns whether the side to move has no pieces.
    #[inline(always)]
    pub(super) const fn has_lost(self) -> bool {
        self.men[0] | self.kings[0] == 0
    }

    /// Returns the slot of its class.
    #[inline]
    pub(super) fn slot(self) -> usize {
        let count = |sets: [u32; 2]| sets.map(|set| set.count_ones() as u8);
        material::slot(count(self.men), count(self.kings))
    }
}

fn bitboard(mut bits: u32) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    while bits != 0 {
        set |= Bitboard::of(Square::from_index(bits.trailing_zeros() as usize));
        bits &= bits - 1;
    }
    set
}
