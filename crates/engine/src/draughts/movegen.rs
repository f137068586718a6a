//! Move generation: a callback generator that stores nothing, and queries that need no moves (is
//! there a legal move, can the side capture).
//!
//! Men are by far the most frequent pieces, and most captures take one piece: both have fast paths,
//! with a single check for kings and for captures that continue.

use super::bitboard::{Bitboard, Direction};
use super::board::{Board, backward, forward, king_row};
use super::movement::{Jump, Movement};
use super::moves::Move;

/// Returns the squares from which a jump in this direction is open, occupied or not.
#[inline(always)]
pub(super) fn jump_squares(direction: Direction, over: Bitboard, empty: Bitboard) -> Bitboard {
    (empty.rotated_back(direction) & over).rotated_back(direction).with_room_to_jump(direction)
}

/// Returns the square where a jump from here ends.
#[inline(always)]
pub(super) fn landing(from: Bitboard, direction: Direction) -> Bitboard {
    from.rotated(direction).rotated(direction)
}

impl Board {
    /// Returns the side's pieces that can capture.
    #[inline(always)]
    pub fn capturers<const WHITE: bool>(self) -> Bitboard {
        let (own, other, empty) = (self.own::<WHITE>(), self.other::<WHITE>(), self.empty());
        let open = |[one, two]: [Direction; 2]| {
            jump_squares(one, other, empty) | jump_squares(two, other, empty)
        };
        let capturers = own & open(forward::<WHITE>());
        let kings = own & self.kings;
        if kings.is_empty() { capturers } else { capturers | kings & open(backward::<WHITE>()) }
    }

    /// Returns whether the side has a legal move.
    #[inline]
    pub fn can_move<const WHITE: bool>(self) -> bool {
        let (own, empty) = (self.own::<WHITE>(), self.empty());
        let steps = |pieces: Bitboard, [one, two]: [Direction; 2]| {
            (pieces.step(one) | pieces.step(two)).meets(empty)
        };
        steps(own, forward::<WHITE>())
            || steps(own & self.kings, backward::<WHITE>())
            || !self.capturers::<WHITE>().is_empty()
    }

    /// Calls `f` with every legal move of the side, captures first.
    #[inline(always)]
    pub fn for_each_move<const WHITE: bool>(self, movement: Movement, mut f: impl FnMut(Move)) {
        self.for_each_successor::<WHITE>(movement, |mv, _| f(mv));
    }

    /// Calls `f` with every legal move of the side, captures first, and the board after it.
    #[inline(always)]
    pub fn for_each_successor<const WHITE: bool>(
        self,
        movement: Movement,
        mut f: impl FnMut(Move, Board),
    ) {
        if !self.capturers::<WHITE>().is_empty() {
            self.for_each_capture::<WHITE>(movement, &mut f);
            if movement.compulsory_capture {
                return;
            }
        }
        self.for_each_step::<WHITE>(&mut f);
    }

    /// Returns whether the side has no kings and no captures, so that its moves are steps of men
    /// only.
    #[inline(always)]
    pub(super) fn only_men_step<const WHITE: bool>(self) -> bool {
        !self.own::<WHITE>().meets(self.kings) && self.capturers::<WHITE>().is_empty()
    }

    /// Returns the boards after the steps of the side's men in one direction.
    #[inline(always)]
    pub(super) fn after_steps_of_men<const WHITE: bool>(
        self,
        direction: Direction,
    ) -> impl Iterator<Item = Board> {
        let men = self.own::<WHITE>() & !self.kings;
        (men.step(direction) & self.empty())
            .singles()
            .map(move |to| self.after_step_of_man::<WHITE>(to.rotated_back(direction), to))
    }

    #[inline(always)]
    fn for_each_step<const WHITE: bool>(self, f: &mut impl FnMut(Move, Board)) {
        let kings = self.own::<WHITE>() & self.kings;
        let [one, two] = forward::<WHITE>();
        self.for_each_step_of_men::<WHITE>(one, f);
        self.for_each_step_of_men::<WHITE>(two, f);
        if !kings.is_empty() {
            for direction in Direction::ALL {
                for to in (kings.step(direction) & self.empty()).singles() {
                    let from = to.rotated_back(direction);
                    let after = self.after::<WHITE>(from, to, Bitboard::EMPTY, to);
                    f(Move::step(from, direction), after);
                }
            }
        }
    }

    #[inline(always)]
    fn for_each_step_of_men<const WHITE: bool>(
        self,
        direction: Direction,
        f: &mut impl FnMut(Move, Board),
    ) {
        let men = self.own::<WHITE>() & !self.kings;
        for to in (men.step(direction) & self.empty()).singles() {
            let from = to.rotated_back(direction);
            f(Move::step(from, direction), self.after_step_of_man::<WHITE>(from, to));
        }
    }

    #[inline(always)]
    fn for_each_capture<const WHITE: bool>(
        self,
        movement: Movement,
        f: &mut impl FnMut(Move, Board),
    ) {
        let (other, empty) = (self.other::<WHITE>(), self.empty());
        let [one, two] = forward::<WHITE>();
        let open = [jump_squares(one, other, empty), jump_squares(two, other, empty)];
        // A crowned man has no forward jump, so it always stops.
        let goes_on = match movement {
            Movement { jump: Jump::OnePiece, .. } => Bitboard::EMPTY,
            Movement { promotion_ends_move: true, .. } => open[0] | open[1],
            Movement { promotion_ends_move: false, .. } => open[0] | open[1] | king_row::<WHITE>(),
        };
        self.for_each_capture_of_men::<WHITE>(movement, one, open[0], goes_on, f);
        self.for_each_capture_of_men::<WHITE>(movement, two, open[1], goes_on, f);
        for king in (self.own::<WHITE>() & self.kings & self.capturers::<WHITE>()).singles() {
            let path = Move::capture_from(king);
            Capture::new::<WHITE>(self, movement, king).go_on::<WHITE>(
                king,
                true,
                Bitboard::EMPTY,
                path,
                f,
            );
        }
    }

    /// Generates captures of men that begin in one direction. `goes_on` has the squares where the
    /// capture may continue after the first jump.
    #[inline(always)]
    fn for_each_capture_of_men<const WHITE: bool>(
        self,
        movement: Movement,
        direction: Direction,
        open: Bitboard,
        goes_on: Bitboard,
        f: &mut impl FnMut(Move, Board),
    ) {
        for from in (self.own::<WHITE>() & !self.kings & open).singles() {
            let over = from.rotated(direction);
            let to = over.rotated(direction);
            let path = Move::capture_from(from).then_jump(direction);
            if to.meets(goes_on) {
                let is_king = to.meets(king_row::<WHITE>());
                Capture::new::<WHITE>(self, movement, from)
                    .go_on::<WHITE>(to, is_king, over, path, f);
            } else {
                f(path, self.after::<WHITE>(from, to, over, to & king_row::<WHITE>()));
            }
        }
    }
}

/// A capture that is being generated: the data that do not change while the piece jumps.
struct Capture {
    board: Board,
    movement: Movement,
    from: Bitboard,
    /// Includes the piece's own square, so that a king may return to it.
    empty: Bitboard,
}

impl Capture {
    #[inline(always)]
    fn new<const WHITE: bool>(board: Board, movement: Movement, from: Bitboard) -> Capture {
        Capture { board, movement, from, empty: board.empty() | from }
    }

    /// Jumps from `at` in every possible direction, as far as the rules allow.
    #[inline(never)]
    fn go_on<const WHITE: bool>(
        &self,
        at: Bitboard,
        is_king: bool,
        captured: Bitboard,
        path: Move,
        f: &mut impl FnMut(Move, Board),
    ) {
        // Captured pieces stay until the end: they block, and cannot be jumped again.
        let over = self.board.other::<WHITE>() & !captured;
        let mut through = true;
        for direction in Direction::ALL {
            let is_open = at.meets(jump_squares(direction, over, self.empty));
            if !is_open || !is_king && backward::<WHITE>().contains(&direction) {
                continue;
            }
            through = false;
            let (captured, to) = (captured | at.rotated(direction), landing(at, direction));
            let path = path.then_jump(direction);
            let crowned = !is_king && to.meets(king_row::<WHITE>());
            let is_king = is_king || crowned;
            if self.movement.jump == Jump::OnePiece || crowned && self.movement.promotion_ends_move
            {
                f(path, self.after::<WHITE>(to, is_king, captured));
            } else {
                self.go_on::<WHITE>(to, is_king, captured, path, f);
            }
        }
        if through && path.is_capture() {
            f(path, self.after::<WHITE>(at, is_king, captured));
        }
    }

    #[inline(always)]
    fn after<const WHITE: bool>(&self, to: Bitboard, is_king: bool, captured: Bitboard) -> Board {
        let crown = if is_king { to } else { Bitboard::EMPTY };
        self.board.after::<WHITE>(self.from, to, captured, crown)
    }
}
