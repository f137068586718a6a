//! The default evaluation of `alpha-beta`: material, the squares of the pieces, and men close to
//! crowning. A man is worth 100. The terms are common knowledge of checkers programs; the weights
//! were set by hand and are not tuned.

use super::men_sums::MenSums;
use super::region::Region;
use botyard_engine::draughts::{Bitboard, Board, Colour, Direction, Position};
use botyard_search::two_sided::Evaluator;

/// Material and position.
#[derive(Clone, Copy, Debug)]
pub struct Positional {
    /// Evaluations are multiples of this, 1 to 50. Coarse ones need fewer null windows.
    pub grain: i32,
}

impl Default for Positional {
    fn default() -> Positional {
        Positional { grain: 4 }
    }
}

const MAN: i32 = 100;
const KING: i32 = 130;
/// The extra value of an advantage in material on an empty board: the side that is ahead should
/// exchange.
const EXCHANGE: i32 = 250;
/// The value of having the move.
const TO_MOVE: i32 = 3;

const CENTRE: Region = Region::new(&[10, 11, 14, 15, 18, 19, 22, 23]);
const INNER_CENTRE: Region = Region::new(&[14, 15, 18, 19]);
const EDGE: Region = Region::new(&[5, 12, 13, 20, 21, 28]);
/// Men on these two squares of the back row make it hard for the enemy to crown.
const BRIDGE: [Region; 2] = [Region::new(&[1]), Region::new(&[3])];
/// A man on this row is about to be crowned.
const SIXTH_ROW: Region = Region::row(5);
const SEVENTH_ROW: Region = Region::row(6);
/// Squares on which a man is stuck behind one defender.
const DOG_HOLE: [Region; 2] = [Region::new(&[28]), Region::new(&[32])];
/// The corners in which a pursued king is safe.
const DOUBLE_CORNERS: Region = Region::new(&[1, 5, 28, 32]);
const SINGLE_CORNERS: Region = Region::new(&[4, 29]);
impl Evaluator<Position> for Positional {
    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        let board = position.board();
        let (own, other) = (position.turn(), position.turn().other());
        let [own_men, other_men] = [own, other].map(|colour| MenSums::new(board, colour));
        let [own_kings, other_kings] = [own, other].map(|colour| count_few(board.kings(colour)));
        let mine = MAN * own_men.count + KING * own_kings;
        let theirs = MAN * other_men.count + KING * other_kings;
        let all_men = own_men.count + other_men.count;
        let pieces = all_men + own_kings + other_kings;
        let mut value = mine - theirs + TO_MOVE;
        // The maximum avoids a division by zero; positions have at least one piece.
        value += EXCHANGE * (mine - theirs) / (mine + theirs).max(1);
        value += own_men.place - other_men.place;
        // Men should stay back while the board is full and advance when it is empty.
        value += (own_men.advance - other_men.advance) * (18 - pieces) / 4;
        value += back_row(board, own, own_men, other_men.count);
        value -= back_row(board, other, other_men, own_men.count);
        value += place(board, own) - place(board, other);
        if mine != theirs && pieces <= 10 {
            let weaker = if mine < theirs { own } else { other };
            let hides = (board.kings(weaker) & DOUBLE_CORNERS.of(weaker)).len() as i32;
            let caught = (board.kings(weaker) & SINGLE_CORNERS.of(weaker)).len() as i32;
            let safety = 20 * hides - 10 * caught;
            value += if weaker == own { safety } else { -safety };
        }
        value / self.grain * self.grain
    }
}

/// Counts the squares of a set that is usually empty.
#[inline(always)]
fn count_few(set: Bitboard) -> i32 {
    if set.is_empty() { 0 } else { set.len() as i32 }
}

/// Returns the value of a side's back row: it keeps the enemy's men from crowning, as long as there
/// are any.
#[inline(always)]
fn back_row(board: Board, colour: Colour, men: MenSums, enemy_men: i32) -> i32 {
    let guards = board.of(colour);
    let bridge = BRIDGE.iter().all(|square| guards.meets(square.of(colour)));
    (2 * men.back_row + if bridge { 10 } else { 0 }) * enemy_men.min(6) / 6
}

/// Returns the value of a side's other placements: men about to crown, kings.
#[inline(always)]
fn place(board: Board, colour: Colour) -> i32 {
    let (men, kings) = (board.men(colour), board.kings(colour));
    let enemy = colour.other();
    let mut value = 0;

    // A man before an open square of the king row is as good as crowned.
    let forward = match colour {
        Colour::Black => [Direction::DownLeft, Direction::DownRight],
        Colour::White => [Direction::UpLeft, Direction::UpRight],
    };
    let about = men & SEVENTH_ROW.of(colour);
    if !about.is_empty() {
        let free = forward.map(|direction| about.step(direction) & board.empty());
        value += 12 * (free[0] | free[1]).len().min(about.len()) as i32;
    }
    let near = men & SIXTH_ROW.of(colour);
    if !near.is_empty() && board.of(enemy).len() <= 6 {
        let free = forward.map(|direction| near.step(direction) & board.empty());
        value += 4 * (free[0] | free[1]).len().min(near.len()) as i32;
    }
    if men.meets(DOG_HOLE[0].of(colour)) && board.of(enemy).meets(DOG_HOLE[1].of(colour)) {
        value -= 10;
    }

    if !kings.is_empty() {
        let centre = (kings & CENTRE.of(colour)).len() + (kings & INNER_CENTRE.of(colour)).len();
        value += 4 * centre as i32 - 4 * (kings & EDGE.of(colour)).len() as i32;
        // A king that cannot move is half a king.
        let steps = Direction::ALL
            .into_iter()
            .fold(Bitboard::EMPTY, |reached, direction| reached | kings.step(direction));
        if !steps.meets(board.empty()) {
            value -= KING / 3;
        }
    }
    value
}
