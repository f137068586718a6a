//! Zobrist keys (Zobrist 1970, "A new hashing method with application for game playing"): the
//! exclusive or of a random number for each piece on each square, and one for the side to move.
//!
//! The numbers come from SplitMix64 (Steele, Lea and Flood 2014) at compile time and never change,
//! so files indexed by keys stay valid.

use super::bitboard::Bitboard;
use super::board::Board;
use super::colour::Colour;

/// By colour, crown and the position of the square's bit.
const PIECES: [[[u64; 32]; 2]; 2] = {
    let mut numbers = [[[0; 32]; 2]; 2];
    let mut index = 0;
    while index < 128 {
        numbers[index / 64][index / 32 % 2][index % 32] = split_mix(index as u64 + 1);
        index += 1;
    }
    numbers
};

/// The number of a position with White to move.
pub(super) const WHITE_TO_MOVE: u64 = split_mix(129);

const fn split_mix(index: u64) -> u64 {
    let mut z = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the number of a piece on a set's one square.
#[inline(always)]
pub(super) fn piece(colour: Colour, is_king: bool, square: Bitboard) -> u64 {
    PIECES[colour as usize][usize::from(is_king)][(square.lowest() & 31) as usize]
}

/// Returns the key of a board with this side to move, computed from scratch.
pub(super) const fn key(board: Board, turn: Colour) -> u64 {
    let (black, white, kings) = (board.black.bits(), board.white.bits(), board.kings.bits());
    let mut key = if matches!(turn, Colour::White) { WHITE_TO_MOVE } else { 0 };
    let mut place = 0;
    while place < 32 {
        let is_king = (kings >> place & 1) as usize;
        if black >> place & 1 == 1 {
            key ^= PIECES[Colour::Black as usize][is_king][place];
        }
        if white >> place & 1 == 1 {
            key ^= PIECES[Colour::White as usize][is_king][place];
        }
        place += 1;
    }
    key
}
