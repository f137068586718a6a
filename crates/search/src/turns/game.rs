//! What the search must know of a game: whose step it is, what a step gains, and what a position at
//! the horizon is worth. All values are seen from one and the same side, the maximiser's.

use crate::value::INFINITE;
use std::ops::RangeInclusive;

/// Who chooses the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// The side that wants the value to be high.
    Maximiser,
    /// The side that wants it to be low.
    Minimiser,
}

/// Bounds that say nothing.
pub const UNBOUNDED: RangeInclusive<i32> = -INFINITE..=INFINITE;

/// A game of two sides that have opposite aims, with nothing hidden and no chance.
///
/// The value of a line is the sum of the gains of its steps and of [`TurnGame::evaluate`] at its
/// end. Sums stay within 16 bits, less [`INFINITE`]'s distance from their ends.
pub trait TurnGame {
    /// A position: small, because a search copies it and never undoes a step.
    type Position: Copy;
    /// A step.
    type Move: Copy + Eq;

    /// Who chooses the next step; `None` where a line ends.
    fn chooser(&self, position: &Self::Position) -> Option<Chooser>;

    /// How many turns lie behind a position, counted from anywhere. No step makes it fewer, and
    /// an endless line increases it without limit.
    fn turn(&self, position: &Self::Position) -> u32;

    /// Calls `f` with every step, in an order that depends on the position alone: at least one
    /// where somebody chooses.
    fn for_each_move(&self, position: &Self::Position, f: impl FnMut(Self::Move));

    /// The position after a step, and what the maximiser gains by it.
    fn make(&self, position: &Self::Position, mv: Self::Move) -> (Self::Position, i32);

    /// What a position is worth where a line ends, gains aside.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// A number that stands for the position and all that its value depends on: equal ones have
    /// equal keys, others almost never.
    fn key(&self, position: &Self::Position) -> u64;

    /// A number that stands for the step in a transposition table: in one position, different
    /// steps have different ones. Below [`u32::MAX`].
    fn move_id(&self, mv: Self::Move) -> u32;

    /// How early a step should be tried: the higher, the earlier. Below 2^30 either way.
    fn promise(&self, position: &Self::Position, mv: Self::Move) -> i32;

    /// Between what the value of a position lies of which this many turns, at least one, are still
    /// to be searched. It must be true, and cheap; [`UNBOUNDED`] is always true.
    fn bounds(&self, _position: &Self::Position, _turns: u32) -> RangeInclusive<i32> {
        UNBOUNDED
    }
}
