//! Perft: the number of move sequences of a given length from a position. It finds errors of a move
//! generator, and measures its speed. Only the rules of movement apply here: no draws, no limits.

use super::board::{Board, forward};
use super::colour::Colour;
use super::movement::Movement;
use super::moves::Move;
use super::position::Position;
use crate::perft::Perft;

pub use crate::perft::Counting;

/// A position whose sequences are counted under these rules of movement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) position: Position,
    pub(super) movement: Movement,
    pub(super) counting: Counting,
}

impl Perft for Start {
    fn position(&self) -> String {
        self.position.to_string()
    }

    fn count(&self, depth: u32) -> u64 {
        perft(&self.position, self.movement, depth, self.counting)
    }

    fn moves(&self) -> Vec<(String, Box<dyn Perft>)> {
        let after = |(mv, position)| -> (String, Box<dyn Perft>) {
            (Move::to_string(&mv), Box::new(Start { position, ..*self }))
        };
        moves(&self.position, self.movement, self.counting).into_iter().map(after).collect()
    }
}

/// Returns the number of sequences of `depth` plies; 1 for a depth of 0.
///
/// The last ply is counted and not generated.
///
/// ```
/// use botyard_engine::draughts::{Counting, Movement, Position, perft};
/// assert_eq!(perft(&Position::START, Movement::ENGLISH, 6, Counting::Paths), 36_768);
/// ```
pub fn perft(position: &Position, movement: Movement, depth: u32, counting: Counting) -> u64 {
    if depth == 0 {
        return 1;
    }
    let board = position.board();
    match (counting, position.turn()) {
        (Counting::Paths, Colour::Black) => paths::<false>(board, movement, depth),
        (Counting::Paths, Colour::White) => paths::<true>(board, movement, depth),
        (Counting::Effects, Colour::Black) => effects::<false>(board, movement, depth),
        (Counting::Effects, Colour::White) => effects::<true>(board, movement, depth),
    }
}

/// Returns each legal move and the perft after it; the sum is [`perft`] of `depth`. With
/// [`Counting::Effects`] the first of several moves with the same effect represents all.
///
/// Empty if `depth` is 0.
pub fn divide(
    position: &Position,
    movement: Movement,
    depth: u32,
    counting: Counting,
) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let below = |(mv, after)| (mv, perft(&after, movement, depth - 1, counting));
    moves(position, movement, counting).into_iter().map(below).collect()
}

/// Returns each legal move with the position after it.
fn moves(position: &Position, movement: Movement, counting: Counting) -> Vec<(Move, Position)> {
    let mut moves: Vec<(Move, Position)> = Vec::new();
    position.for_each_move(movement, |mv| {
        let after = position.make(mv);
        if counting == Counting::Paths
            || !moves.iter().any(|(known, same)| {
                *same == after && (known.from(), known.to()) == (mv.from(), mv.to())
            })
        {
            moves.push((mv, after));
        }
    });
    moves
}

/// `depth` is at least 1.
fn paths<const WHITE: bool>(board: Board, movement: Movement, depth: u32) -> u64 {
    match depth {
        1 => return board.count_moves::<WHITE>(movement).into(),
        2 => return last_two_plies::<WHITE>(board, movement),
        _ => {}
    }
    let mut total = 0;
    board.for_each_successor::<WHITE>(movement, |_, after| {
        total += if WHITE {
            paths::<false>(after, movement, depth - 1)
        } else {
            paths::<true>(after, movement, depth - 1)
        };
    });
    total
}

/// [`paths`] of depth 2, where most of the time is spent. The most frequent positions, in which
/// only men can move and none can capture, are handled in a simple loop.
fn last_two_plies<const WHITE: bool>(board: Board, movement: Movement) -> u64 {
    let mut total = 0;
    if board.only_men_step::<WHITE>() {
        let [one, two] = forward::<WHITE>();
        for after in board.after_steps_of_men::<WHITE>(one) {
            total += replies::<WHITE>(after, movement);
        }
        for after in board.after_steps_of_men::<WHITE>(two) {
            total += replies::<WHITE>(after, movement);
        }
    } else {
        board.for_each_successor::<WHITE>(movement, |_, after| {
            total += replies::<WHITE>(after, movement);
        });
    }
    total.into()
}

/// Returns the number of replies to a move of the side.
#[inline(always)]
fn replies<const WHITE: bool>(after: Board, movement: Movement) -> u32 {
    if WHITE { after.count_moves::<false>(movement) } else { after.count_moves::<true>(movement) }
}

/// `depth` is at least 1.
fn effects<const WHITE: bool>(board: Board, movement: Movement, depth: u32) -> u64 {
    let mut total = 0;
    // Moves have the same effect iff they start on the same square and the boards after them are
    // equal: then they end on the same square.
    let mut captures: Vec<(Move, Board)> = Vec::new();
    board.for_each_successor::<WHITE>(movement, |mv, after| {
        if mv.is_capture() {
            let same = |known: &(Move, Board)| known.1 == after && known.0.from() == mv.from();
            if captures.iter().any(same) {
                return;
            }
            captures.push((mv, after));
        }
        total += match depth {
            1 => 1,
            _ if WHITE => effects::<false>(after, movement, depth - 1),
            _ => effects::<true>(after, movement, depth - 1),
        };
    });
    total
}
