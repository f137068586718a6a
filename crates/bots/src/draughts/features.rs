//! The inputs of the learned evaluation: which piece is on which square, which side has the move, and
//! whether there are kings. Everything is seen from the side to move, with its own back row at the
//! bottom, so that one set of weights serves both colours.

use super::region::Region;
use botyard_engine::draughts::{Board, Colour, Position, Square};

/// The kinds of pieces, as the side to move sees them, in the order of the inputs.
pub(super) const KINDS: usize = 4;
const SQUARES: usize = 32;
/// The first of the two inputs of which one is always on: the opposition (which side has the move).
const THE_MOVE: usize = KINDS * SQUARES;
/// The number of inputs of a stage.
pub(super) const STAGE_INPUTS: usize = THE_MOVE + 2;
/// The number of stages of the game: without kings, and with.
pub(super) const STAGES: usize = 2;
/// The number of inputs: every stage has its own, because a man beside kings is another thing than
/// one among men.
pub const INPUTS: usize = STAGES * STAGE_INPUTS;

/// Every other row: the squares from which a side's pieces make an odd number of steps to the
/// squares of the other rows.
const SYSTEM: Region = Region::new(&[1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28]);

/// Returns the stage of the game: 0 without kings, 1 with.
#[inline(always)]
pub(super) fn stage(board: Board) -> usize {
    usize::from(!(board.kings(Colour::Black) | board.kings(Colour::White)).is_empty())
}

/// Returns the input, within those of a stage, of a piece of this kind (own men, the other side's
/// men, own kings, the other side's kings) on a square, if `own` is the side to move.
pub(super) const fn piece(kind: usize, own: Colour, square: Square) -> usize {
    let seen = match own {
        Colour::Black => square.index(),
        Colour::White => SQUARES - 1 - square.index(),
    };
    kind * SQUARES + seen
}

/// Returns the input, within those of a stage, that says whether the side to move has the move:
/// with as many pieces on both sides, that side runs out of moves last.
#[inline(always)]
pub(super) fn the_move(board: Board, own: Colour) -> usize {
    let system = (board.of(own) | board.of(own.other())) & SYSTEM.of(own);
    THE_MOVE + system.len() as usize % 2
}

/// Calls `f` with every input that is on.
pub fn for_each_input(position: &Position, mut f: impl FnMut(usize)) {
    let (board, own) = (position.board(), position.turn());
    let other = own.other();
    let first = stage(board) * STAGE_INPUTS;
    let kinds = [board.men(own), board.men(other), board.kings(own), board.kings(other)];
    for (kind, set) in kinds.into_iter().enumerate() {
        set.into_iter().for_each(|square| f(first + piece(kind, own, square)));
    }
    f(first + the_move(board, own));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(fen: &str) -> Vec<usize> {
        let mut inputs = Vec::new();
        for_each_input(&fen.parse().unwrap(), |input| inputs.push(input));
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn turning_the_board_round_changes_nothing() {
        for (black, white) in [
            ("B:W21-32:B1-12", "W:W21-32:B1-12"),
            ("B:W18,27,K3:B10,11,K32", "W:W23,22,K1:B15,6,K30"),
            ("B:WK28:BK1,K2", "W:WK32,K31:BK5"),
        ] {
            assert_eq!(inputs(black), inputs(white), "{black}");
        }
    }

    #[test]
    fn every_piece_is_an_input_and_so_is_the_move() {
        assert_eq!(inputs("B:W30:B1"), [0, 32 + 29, THE_MOVE + 1]);
        let with_kings = [64 + 4, 96 + 29, THE_MOVE].map(|input| STAGE_INPUTS + input);
        assert_eq!(inputs("B:WK30:BK5"), with_kings);
        assert_eq!(inputs("B:W21-32:B1-12").len(), 25);
        assert!(inputs("W:WK32,5:B28,K1").iter().all(|&input| input < INPUTS));
    }
}
