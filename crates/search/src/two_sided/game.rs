//! The interface between a two-sided game and its search: a few functions on small positions, and a
//! separate evaluation.

/// Whether a position may be evaluated statically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tension {
    /// No noisy moves: the evaluation is meaningful.
    Quiet,
    /// The side to move may play noisy moves (captures), or a quiet move instead.
    Noisy,
    /// Every legal move is noisy, as where captures are compulsory.
    Forced,
}

/// The result of a position under perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// A draw: neither side can force a win.
    Draw,
    /// The side to move wins in this many plies.
    Win(u32),
    /// The side to move loses in this many plies.
    Loss(u32),
    /// The side to move wins, in an unknown number of plies.
    Won,
    /// The side to move loses, in an unknown number of plies.
    Lost,
}

/// A game of two sides that move in turn, without hidden information or chance, in which the side
/// that cannot move has lost.
pub trait TwoSidedGame {
    /// A position. Keep it small: search copies it and never undoes a move.
    type Position: Copy;
    /// A move.
    type Move: Copy + Eq;

    /// The number of values of [`TwoSidedGame::history_slot`].
    const HISTORY_SLOTS: usize;

    /// Calls `f` with every legal move, in an order that depends only on the position.
    fn for_each_move(&self, position: &Self::Position, f: impl FnMut(Self::Move));

    /// Returns the position after a legal move; the other side is to move in it.
    fn make(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Returns whether there is a legal move.
    fn can_move(&self, position: &Self::Position) -> bool;

    /// Returns whether the position may be evaluated statically.
    fn tension(&self, position: &Self::Position) -> Tension;

    /// Returns whether the other side would have a noisy move if it were to move. Then the
    /// evaluation may be misleading.
    fn is_threatened(&self, position: &Self::Position) -> bool;

    /// Returns the noisiness of a move (the number of pieces it captures); 0 for a quiet move.
    fn noise(&self, mv: Self::Move) -> u32;

    /// Returns whether a move is reversible. After an irreversible move no earlier position can
    /// recur, and the count of plies without progress restarts.
    fn is_reversible(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// Returns the hash key of the position, including the side to move: equal positions have equal
    /// keys, others almost never.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns the number of the move in a transposition table. In one position, different moves
    /// have different numbers. Below [`u32::MAX`].
    fn move_id(&self, mv: Self::Move) -> u32;

    /// Returns the slot of a quiet move in the history heuristic: below
    /// [`TwoSidedGame::HISTORY_SLOTS`].
    fn history_slot(&self, position: &Self::Position, mv: Self::Move) -> usize;

    /// Returns the static evaluation for the side to move, in a unit of its own; search clamps it
    /// to plus or minus [`crate::value::MOST_EVALUATION`].
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// Returns the result of the position if it is known without search, as from endgame tables.
    /// The search asks for every position except the root.
    #[inline(always)]
    fn known(&self, _position: &Self::Position) -> Option<Exact> {
        None
    }
}

/// An evaluation of positions, independent of the search.
pub trait Evaluator<P> {
    /// Returns the static evaluation for the side to move, in a unit of the evaluator's own.
    fn evaluate(&self, position: &P) -> i32;
}
