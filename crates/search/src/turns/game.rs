//! The interface between a game of multi-step turns and its search: the side to choose, the gain of
//! a step, and the evaluation at the horizon. All values are those of one fixed side, the
//! maximiser.

use crate::value::INFINITE;
use std::ops::RangeInclusive;

/// The side that chooses the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// The maximiser.
    Maximiser,
    /// The minimiser.
    Minimiser,
}

/// The trivial bounds.
pub const UNBOUNDED: RangeInclusive<i32> = -INFINITE..=INFINITE;

/// A two-sided zero-sum game without hidden information or chance.
///
/// The value of a line is the sum of the gains of its steps plus [`TurnGame::evaluate`] at its end.
/// Sums must stay within plus or minus [`INFINITE`], which fits 16 bits.
pub trait TurnGame {
    /// A position. Keep it small: search copies it and never undoes a step.
    type Position: Copy;
    /// A step.
    type Move: Copy + Eq;

    /// Returns the side that chooses the next step; `None` at the end of a line.
    fn chooser(&self, position: &Self::Position) -> Option<Chooser>;

    /// Returns the number of turns before a position, from an arbitrary origin. It never decreases
    /// along a line, and grows without limit along an infinite one.
    fn turn(&self, position: &Self::Position) -> u32;

    /// Calls `f` with every step, in an order that depends only on the position; at least one if a
    /// side is to choose.
    fn for_each_move(&self, position: &Self::Position, f: impl FnMut(Self::Move));

    /// Returns the position after a step, and the maximiser's gain.
    fn make(&self, position: &Self::Position, mv: Self::Move) -> (Self::Position, i32);

    /// Returns the static evaluation at the end of a line, excluding gains.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// Returns the hash key of the position and of everything that its value depends on: equal
    /// positions have equal keys, others almost never.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns the number of the step in a transposition table. In one position, different steps
    /// have different numbers. Below [`u32::MAX`].
    fn move_id(&self, mv: Self::Move) -> u32;

    /// Returns the move ordering score: steps with higher scores are tried first. Absolute value
    /// below 2^30.
    fn promise(&self, position: &Self::Position, mv: Self::Move) -> i32;

    /// Returns bounds of the value of a position with this many turns (at least one) left to
    /// search. They must be correct, and cheap to compute; [`UNBOUNDED`] is always correct.
    fn bounds(&self, _position: &Self::Position, _turns: u32) -> RangeInclusive<i32> {
        UNBOUNDED
    }
}
