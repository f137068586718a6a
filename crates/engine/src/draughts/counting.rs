//! Counts the legal moves of a board without generating them, for the leaves of a bulk-counting
//! perft and for mobility in evaluations. Men are counted all together, kings' captures path by
//! path.

use super::bitboard::{Bitboard, Direction};
use super::board::{Board, backward, forward};
use super::movegen::{jump_squares, landing};
use super::movement::{Jump, Movement};

impl Board {
    /// Returns the number of the side's legal moves. Captures of different paths are different
    /// moves.
    #[inline(always)]
    pub fn count_moves<const WHITE: bool>(self, movement: Movement) -> u32 {
        let (own, other, empty) = (self.own::<WHITE>(), self.other::<WHITE>(), self.empty());
        let [one, two] = forward::<WHITE>();
        let open = [jump_squares(one, other, empty), jump_squares(two, other, empty)];
        let kings = own & self.kings;
        if !kings.is_empty() {
            return self.count_with_kings::<WHITE>(movement, open);
        }
        if !own.meets(open[0] | open[1]) {
            return both(own.step(one) & empty, own.step(two) & empty);
        }
        let captures = self.count_captures_of_men::<WHITE>(movement, open);
        if movement.compulsory_capture { captures } else { captures + self.count_steps::<WHITE>() }
    }

    #[inline(never)]
    fn count_with_kings<const WHITE: bool>(self, movement: Movement, open: [Bitboard; 2]) -> u32 {
        let (own, other, empty) = (self.own::<WHITE>(), self.other::<WHITE>(), self.empty());
        let kings = own & self.kings;
        let [three, four] = backward::<WHITE>();
        let back = [jump_squares(three, other, empty), jump_squares(four, other, empty)];
        let kings_capturing = kings & (open[0] | open[1] | back[0] | back[1]);
        if kings_capturing.is_empty() && !own.meets(open[0] | open[1]) {
            return self.count_steps::<WHITE>();
        }
        let mut captures = self.count_captures_of_men::<WHITE>(movement, open);
        if movement.jump == Jump::OnePiece {
            captures += both(kings & open[0], kings & open[1]);
            captures += both(kings & back[0], kings & back[1]);
        } else {
            for king in kings_capturing.singles() {
                captures += king_paths(king, other, empty | king);
            }
        }
        if movement.compulsory_capture { captures } else { captures + self.count_steps::<WHITE>() }
    }

    #[inline(always)]
    fn count_steps<const WHITE: bool>(self) -> u32 {
        let (own, empty) = (self.own::<WHITE>(), self.empty());
        let kings = own & self.kings;
        let [one, two] = forward::<WHITE>();
        let [three, four] = backward::<WHITE>();
        both(own.step(one) & empty, own.step(two) & empty)
            + both(kings.step(three) & empty, kings.step(four) & empty)
    }

    #[inline(always)]
    fn count_captures_of_men<const WHITE: bool>(
        self,
        movement: Movement,
        open: [Bitboard; 2],
    ) -> u32 {
        let men = self.own::<WHITE>() & !self.kings;
        let [one, two] = forward::<WHITE>();
        let jumpers = [men & open[0], men & open[1]];
        let landed = [landing(jumpers[0], one), landing(jumpers[1], two)];
        if movement.jump == Jump::OnePiece {
            return both(jumpers[0], jumpers[1]);
        }
        if !movement.promotion_ends_move {
            return self.count_captures_one_by_one::<WHITE>(movement);
        }
        if !(landed[0] | landed[1]).meets(open[0] | open[1]) {
            return both(landed[0], landed[1]);
        }
        men_paths::<WHITE>(landed[0], open) + men_paths::<WHITE>(landed[1], open)
    }

    /// Counts the captures of men under rules that crown them in the middle of a capture.
    #[inline(never)]
    fn count_captures_one_by_one<const WHITE: bool>(self, movement: Movement) -> u32 {
        let mut count = 0;
        let movement = Movement { compulsory_capture: true, ..movement };
        self.for_each_successor::<WHITE>(movement, |mv, _| {
            count += u32::from(mv.is_capture() && !self.kings.meets(mv.start_bit()));
        });
        count
    }
}

/// Counts the complete captures of men that have jumped to these squares, each square being one
/// path so far. `open` has the squares from which a jump is possible, by direction. It is the same
/// for all men at all times, because men never return to a square where they or their captures
/// were.
#[inline(never)]
fn men_paths<const WHITE: bool>(landed: Bitboard, open: [Bitboard; 2]) -> u32 {
    let [one, two] = forward::<WHITE>();
    let mut count = (landed & !(open[0] | open[1])).len();
    if landed.meets(open[0]) {
        count += men_paths::<WHITE>(landing(landed & open[0], one), open);
    }
    if landed.meets(open[1]) {
        count += men_paths::<WHITE>(landing(landed & open[1], two), open);
    }
    count
}

/// Counts the captures of one king on `at`.
fn king_paths(at: Bitboard, others: Bitboard, empty: Bitboard) -> u32 {
    let mut count = 0;
    for direction in Direction::ALL {
        if at.meets(jump_squares(direction, others, empty)) {
            // A jumped piece is not in `others` any more and not in `empty`: it still blocks.
            let over = at.rotated(direction);
            count += king_paths(over.rotated(direction), others & !over, empty).max(1);
        }
    }
    count
}

/// Counts the squares of two sets, in one word.
#[inline(always)]
fn both(one: Bitboard, two: Bitboard) -> u32 {
    (u64::from(one.bits()) | u64::from(two.bits()) << 32).count_ones()
}
