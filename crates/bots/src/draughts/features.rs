//! The features of the learned evaluation: patterns of men in windows of eight squares, and a few
//! sums over the whole board. Everything is seen from the side to move, with its own back row at
//! the bottom, so that one set of weights serves both colours.
//!
//! Training and play use the same function, [`Features::for_each`], so they cannot differ.

use super::region::Region;
use botyard_engine::draughts::{Bitboard, Board, Colour, Direction, Position, Square};

/// The number of squares in a pattern.
const SQUARES: usize = 8;
/// The number of states of a pattern: each square empty or with a man of either side.
const STATES: usize = 3usize.pow(SQUARES as u32);
/// The number of patterns: a multiple of [`LANES`].
const PATTERNS: usize = 16;
/// The number of pattern indices in a word.
const LANES: usize = 4;
const WORDS: usize = PATTERNS / LANES;

const MEN: usize = PATTERNS * STATES;
const KINGS: usize = MEN + 1;
const LEAD: usize = KINGS + 1;
const ONLY_KING: usize = LEAD + 1;
const KING_MOBILITY: usize = ONLY_KING + 1;
const MAN_MOBILITY: usize = KING_MOBILITY + 1;
const STUCK_KINGS: usize = MAN_MOBILITY + 1;
const THE_MOVE: usize = STUCK_KINGS + 1;
const TO_MOVE: usize = THE_MOVE + 1;
const SAFE_CORNER: usize = TO_MOVE + 1;
const SINGLE_CORNER: usize = SAFE_CORNER + 1;
const KING_SQUARES: usize = SINGLE_CORNER + 1;

/// The number of features.
pub(super) const FEATURES: usize = KING_SQUARES + 32;
/// The feature that counts men; it sets the scale in men.
pub(super) const MEN_FEATURE: usize = MEN;
/// The feature that counts kings.
pub(super) const KINGS_FEATURE: usize = KINGS;

/// The corners in which a pursued king is safe.
const DOUBLE_CORNERS: Region = Region::new(&[1, 5, 28, 32]);
const SINGLE_CORNERS: Region = Region::new(&[4, 29]);
/// Every other row: the squares from which a side's pieces make an odd number of steps to the
/// squares of the other rows.
const SYSTEM: Region = Region::new(&[1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28]);

/// Turns positions into features. Holds the tables by which a bitboard becomes the indices of
/// patterns, a byte at a time.
#[derive(Clone)]
pub(super) struct Features {
    /// By colour of the side to move, byte of the bitboard and value of the byte: the contribution
    /// of its men to each pattern's index, if they are the side's own.
    tables: Box<[[[[u64; WORDS]; 256]; 4]; 2]>,
}

impl Features {
    pub(super) fn new() -> Features {
        let mut tables = Box::new([[[[0; WORDS]; 256]; 4]; 2]);
        for (pattern, squares) in patterns().iter().enumerate() {
            let (word, shift) = (pattern / LANES, pattern % LANES * 16);
            for (place, &number) in squares.iter().enumerate() {
                for colour in Colour::ALL {
                    let index = if colour == Colour::Black { number - 1 } else { 32 - number };
                    let bits = Bitboard::of(Square::from_index(index)).bits();
                    let (byte, bit) = (bits.trailing_zeros() / 8, bits.trailing_zeros() % 8);
                    for value in (0..256).filter(|value| value >> bit & 1 == 1) {
                        tables[colour as usize][byte as usize][value][word] +=
                            3u64.pow(place as u32) << shift;
                    }
                }
            }
        }
        Features { tables }
    }

    /// Calls `f` with every feature that is not 0 and its value.
    #[inline(always)]
    pub(super) fn for_each(&self, position: &Position, mut f: impl FnMut(usize, i32)) {
        let board = position.board();
        let (own, other) = (position.turn(), position.turn().other());
        let tables = &self.tables[own as usize];
        let own_bytes = board.men(own).bits().to_le_bytes();
        let other_bytes = board.men(other).bits().to_le_bytes();
        let mut indices = [0; WORDS];
        for byte in 0..4 {
            let mine = &tables[byte][usize::from(own_bytes[byte])];
            let theirs = &tables[byte][usize::from(other_bytes[byte])];
            for word in 0..WORDS {
                // An empty square is 0, an own man 1 and one of the other side 2.
                indices[word] += mine[word] + 2 * theirs[word];
            }
        }
        for pattern in 0..PATTERNS {
            let index = indices[pattern / LANES] >> (pattern % LANES * 16) & 0xffff;
            f(pattern * STATES + index as usize, 1);
        }
        sums(board, own, other, f);
    }
}

#[inline(always)]
fn sums(board: Board, own: Colour, other: Colour, mut f: impl FnMut(usize, i32)) {
    let count = |set: Bitboard| set.len() as i32;
    let [own_men, other_men] = [own, other].map(|colour| board.men(colour));
    let [own_kings, other_kings] = [own, other].map(|colour| board.kings(colour));
    let men = count(own_men) - count(other_men);
    f(MEN, men);
    f(TO_MOVE, 1);
    f(MAN_MOBILITY, man_mobility(board, own, own_men) - man_mobility(board, other, other_men));
    let mut lead = 3 * men;
    if !(own_kings | other_kings).is_empty() {
        let kings = count(own_kings) - count(other_kings);
        lead += 4 * kings;
        f(KINGS, kings);
        f(ONLY_KING, i32::from(other_kings.is_empty()) - i32::from(own_kings.is_empty()));
        let [mine, theirs] = [own_kings, other_kings].map(|kings| king_mobility(board, kings));
        f(KING_MOBILITY, mine - theirs);
        f(STUCK_KINGS, i32::from(mine == 0) - i32::from(theirs == 0));
        for square in own_kings {
            f(KING_SQUARES + seen_from(own, square), 1);
        }
        for square in other_kings {
            f(KING_SQUARES + seen_from(other, square), -1);
        }
        if lead != 0 {
            let (weaker, sign) = if lead < 0 { (own_kings, 1) } else { (other_kings, -1) };
            f(SAFE_CORNER, sign * count(weaker & DOUBLE_CORNERS.of(own)));
            f(SINGLE_CORNER, sign * count(weaker & SINGLE_CORNERS.of(own)));
        }
    }
    let all = board.of(own) | board.of(other);
    if lead != 0 {
        f(LEAD, 32 * lead / count(all));
    } else {
        // With equal forces, the side with the move runs out of moves last (the opposition).
        let has_the_move = count(all & SYSTEM.of(own)) % 2 == 1;
        f(THE_MOVE, if has_the_move { 1 } else { -1 });
    }
}

/// Returns the number of a square, from 0, as a side sees it.
#[inline(always)]
fn seen_from(colour: Colour, square: Square) -> usize {
    match colour {
        Colour::Black => square.index(),
        Colour::White => 31 - square.index(),
    }
}

/// Returns the number of squares that a side's men can step to.
#[inline(always)]
fn man_mobility(board: Board, colour: Colour, men: Bitboard) -> i32 {
    let forward = match colour {
        Colour::Black => [Direction::DownLeft, Direction::DownRight],
        Colour::White => [Direction::UpLeft, Direction::UpRight],
    };
    let steps = men.step(forward[0]) | men.step(forward[1]);
    (steps & board.empty()).len() as i32
}

/// Returns the number of squares that these kings can step to.
#[inline(always)]
fn king_mobility(board: Board, kings: Bitboard) -> i32 {
    let steps = Direction::ALL.map(|direction| kings.step(direction));
    ((steps[0] | steps[1] | steps[2] | steps[3]) & board.empty()).len() as i32
}

/// Returns the squares of each pattern, as Black sees them: all pairs of neighbouring rows, and
/// windows of four rows and two squares in each.
fn patterns() -> [[usize; SQUARES]; PATTERNS] {
    let rows = (0..7).map(|row| std::array::from_fn(|place| 4 * row + place + 1));
    let windows = [0, 2, 4].into_iter().flat_map(|row| {
        (0..3).map(move |column| {
            std::array::from_fn(|place| 4 * (row + place / 2) + column + place % 2 + 1)
        })
    });
    let all: Vec<[usize; SQUARES]> = rows.chain(windows).collect();
    all.try_into().expect("seven pairs of rows and nine windows are sixteen patterns")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(fen: &str) -> Vec<(usize, i32)> {
        let mut found = Vec::new();
        let position = fen.parse().unwrap();
        Features::new().for_each(&position, |feature, value| found.push((feature, value)));
        found.retain(|&(_, value)| value != 0);
        found.sort();
        found
    }

    #[test]
    fn turning_the_board_round_changes_nothing() {
        for (black, white) in [
            ("B:W21-32:B1-12", "W:W21-32:B1-12"),
            ("B:W18,27,K3:B10,11,K32", "W:W23,22,K1:B15,6,K30"),
            ("B:WK28:BK1,K2", "W:WK32,K31:BK5"),
        ] {
            assert_eq!(features(black), features(white), "{black}");
        }
    }

    #[test]
    fn features_are_in_range_and_patterns_tell_men_apart() {
        for fen in ["B:W21-32:B1-12", "W:W18,27,K3:B10,11,K32", "W:W5:B28", "B:WK1,K2:BK32"] {
            assert!(features(fen).iter().all(|&(feature, _)| feature < FEATURES), "{fen}");
        }
        let patterns = |fen: &str| {
            let found = features(fen).into_iter().filter(|&(feature, _)| feature < MEN);
            found.map(|(feature, _)| feature).collect::<Vec<_>>()
        };
        assert_ne!(patterns("B:W30:B1"), patterns("B:W30:B2"));
        assert_ne!(patterns("B:W14,30:B1"), patterns("B:W30:B1,14"));
        assert_eq!(patterns("B:W30:B1"), patterns("B:W30,K20:B1,K10"), "kings are not in them");
    }
}
