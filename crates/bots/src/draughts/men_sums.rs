//! Sums over a side's men that an evaluation needs at every leaf, all computed together: eight
//! squares are looked up at a time, and four small sums share a word.

use super::region::Region;
use botyard_engine::draughts::{Bitboard, Board, Colour};

const CENTRE: Region = Region::new(&[10, 11, 14, 15, 18, 19, 22, 23]);
const INNER_CENTRE: Region = Region::new(&[14, 15, 18, 19]);
const EDGE: Region = Region::new(&[5, 12, 13, 20, 21, 28]);
/// The rows beyond a side's third.
const UPPER_ROWS: [Region; 4] = [Region::row(3), Region::row(4), Region::row(5), Region::row(6)];

/// The sums over the men of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MenSums {
    /// The number of men.
    pub(super) count: i32,
    /// The values of their squares: 3 in the centre, 5 in the middle of it, -2 on the edge.
    pub(super) place: i32,
    /// The number on the back row.
    pub(super) back_row: i32,
    /// The number of rows that they have advanced beyond the third, in total.
    pub(super) advance: i32,
}

/// Added to each man's place, so that no sum is negative.
const PLACE_OFFSET: i32 = 2;

/// The bits of each sum.
const LANE: u32 = 16;

/// By colour, byte of the bitboard and value of the byte.
static SUMS: [[[u64; 256]; 4]; 2] = {
    let mut sums = [[[0; 256]; 4]; 2];
    let mut index = 0;
    while index < 2 * 4 * 256 {
        let (colour, byte, bits) = (index / 1024, index / 256 % 4, index % 256);
        let mut place = 0;
        while place < 8 {
            if bits >> place & 1 == 1 {
                let square = Bitboard::from_bits(1 << (8 * byte + place));
                sums[colour][byte][bits] += man(Colour::ALL[colour], square);
            }
            place += 1;
        }
        index += 1;
    }
    sums
};

/// Returns the contribution of one man.
const fn man(colour: Colour, square: Bitboard) -> u64 {
    let mut place = PLACE_OFFSET;
    if square.meets(CENTRE.of(colour)) {
        place += 3;
    }
    if square.meets(INNER_CENTRE.of(colour)) {
        place += 2;
    }
    if square.meets(EDGE.of(colour)) {
        place -= 2;
    }
    let back_row = square.meets(Region::row(0).of(colour)) as u64;
    let mut advance = 0;
    let mut row = 0;
    while row < UPPER_ROWS.len() {
        if square.meets(UPPER_ROWS[row].of(colour)) {
            advance = row as u64 + 1;
        }
        row += 1;
    }
    1 | (place as u64) << LANE | back_row << (2 * LANE) | advance << (3 * LANE)
}

impl MenSums {
    /// Returns the sums over a side's men.
    #[inline(always)]
    pub(super) fn new(board: Board, colour: Colour) -> MenSums {
        let bytes = board.men(colour).bits().to_le_bytes();
        let table = &SUMS[colour as usize];
        let sum = table[0][usize::from(bytes[0])]
            + table[1][usize::from(bytes[1])]
            + table[2][usize::from(bytes[2])]
            + table[3][usize::from(bytes[3])];
        let lane = |lane: u32| (sum >> (lane * LANE) & 0xffff) as i32;
        let count = lane(0);
        MenSums {
            count,
            place: lane(1) - PLACE_OFFSET * count,
            back_row: lane(2),
            advance: lane(3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_engine::draughts::Position;

    #[test]
    fn sums_of_known_positions() {
        for (fen, black, white) in [
            ("B:W21-32:B1-12", [12, -4 + 6, 4, 0], [12, -4 + 6, 4, 0]),
            ("B:WK14:B15,16", [2, 5, 0, 2], [0, 0, 0, 0]),
            ("B:W8,26:B25,K4", [1, 0, 0, 4], [2, 0, 0, 4]),
            ("B:W18,13:B28", [1, -2, 0, 4], [2, 5 - 2, 0, 1 + 2]),
        ] {
            let position: Position = fen.parse().unwrap();
            for (colour, expected) in [(Colour::Black, black), (Colour::White, white)] {
                let sums = MenSums::new(position.board(), colour);
                let sums = [sums.count, sums.place, sums.back_row, sums.advance];
                assert_eq!(sums, expected, "{fen} {colour:?}");
            }
        }
    }
}
