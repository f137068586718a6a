//! The evaluation of the bot `mtdf-2007`, by Janáček (2007, 4.5): men, kings, men that can still
//! crown, the defence of the back row, kings that hold a corner, and the difference in material,
//! which weighs most. The thesis lists these features without weights and without definitions: the
//! numbers here, and that only double corners count, are ours.

use super::region::Region;
use botyard_engine::draughts::{Bitboard, Board, Colour, Direction, Position};
use botyard_search::two_sided::Evaluator;

/// The evaluation of 2007, in single points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Janacek2007;

const MAN: i32 = 100;
const KING: i32 = 200;
/// A man with a path to the king row over empty squares.
const CAN_CROWN: i32 = 10;
/// A man at home on the back row.
const DEFENDER: i32 = 10;
/// A king in a double corner.
const HOLDS_CORNER: i32 = 15;
/// For the side with more material, by the difference.
const DIFFERENCE: i32 = 200;

const BACK_ROW: Region = Region::row(0);
const KING_ROW: Region = Region::row(7);
const CORNERS: Region = Region::new(&[1, 5, 28, 32]);

impl Evaluator<Position> for Janacek2007 {
    fn evaluate(&self, position: &Position) -> i32 {
        let board = position.board();
        let (own, other) = (position.turn(), position.turn().other());
        let [mine, theirs] = [own, other].map(|colour| {
            MAN * board.men(colour).len() as i32 + KING * board.kings(colour).len() as i32
        });
        mine - theirs + DIFFERENCE * (mine - theirs) / (mine + theirs).max(1) + features(board, own)
            - features(board, other)
    }
}

fn features(board: Board, colour: Colour) -> i32 {
    let men = board.men(colour);
    let corner = (board.kings(colour) & CORNERS.of(colour)).len() as i32;
    CAN_CROWN * can_crown(board, colour)
        + DEFENDER * (men & BACK_ROW.of(colour)).len() as i32
        + HOLDS_CORNER * corner
}

/// Returns the number of men with a path to the king row over empty squares.
fn can_crown(board: Board, colour: Colour) -> i32 {
    let back = match colour {
        Colour::Black => [Direction::UpLeft, Direction::UpRight],
        Colour::White => [Direction::DownLeft, Direction::DownRight],
    };
    // From the king row backwards, row by row.
    let mut open = KING_ROW.of(colour) & board.empty();
    let mut reached = Bitboard::EMPTY;
    while !open.is_empty() {
        let before = back.map(|direction| open.step(direction));
        let before = before[0] | before[1];
        reached |= before & board.men(colour);
        open = before & board.empty();
    }
    reached.len() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_that_can_crown() {
        for (fen, black, white) in [
            ("B:W21-32:B1-12", 0, 0),
            ("B:W32:B28,27", 1, 0),
            ("B:W29,30:B25", 0, 1),
            ("W:W13:B6", 1, 1),
        ] {
            let board = fen.parse::<Position>().unwrap().board();
            let counted = [Colour::Black, Colour::White].map(|c| can_crown(board, c));
            assert_eq!(counted, [black, white], "{fen}");
        }
    }
}
