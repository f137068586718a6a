//! What two-sided search must know of a game: a few functions on small positions, and an evaluation
//! apart from them.

/// Whether a position may be judged as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tension {
    /// Nothing is going on: an evaluation means something.
    Quiet,
    /// The side to move may play noisy moves (captures) and may leave them.
    Noisy,
    /// Every legal move is noisy, as where captures are compulsory.
    Forced,
}

/// The result of a position with best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Nobody can force a win.
    Draw,
    /// The side to move wins in this many plies.
    Win(u32),
    /// The side to move loses in this many plies.
    Loss(u32),
}

/// A game of two sides that move in turn, with nothing hidden and no chance, in which the side
/// that cannot move has lost.
pub trait TwoSidedGame {
    /// A position: small, because a search copies it and never undoes a move.
    type Position: Copy;
    /// A move.
    type Move: Copy + Eq;

    /// How many values [`TwoSidedGame::history_slot`] has.
    const HISTORY_SLOTS: usize;

    /// Calls `f` with every legal move, in an order that depends on the position alone.
    fn for_each_move(&self, position: &Self::Position, f: impl FnMut(Self::Move));

    /// The position after a legal move; the other side is to move in it.
    fn make(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Whether there is a legal move.
    fn can_move(&self, position: &Self::Position) -> bool;

    /// Whether the position may be judged as it stands.
    fn tension(&self, position: &Self::Position) -> Tension;

    /// Whether the other side could play a noisy move if it were to move: then a position may not
    /// be worth what it looks.
    fn is_threatened(&self, position: &Self::Position) -> bool;

    /// How noisy a move is (how many pieces it captures); 0 for a quiet one.
    fn noise(&self, mv: Self::Move) -> u32;

    /// Whether a move can be taken back in later moves. After any other one no earlier position
    /// comes back, and the count of plies without progress begins again.
    fn is_reversible(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// A number that stands for the position, the side to move included: equal positions have equal
    /// keys, others almost never.
    fn key(&self, position: &Self::Position) -> u64;

    /// A number that stands for the move in a transposition table: in one position, different
    /// moves have different ones. Below [`u32::MAX`].
    fn move_id(&self, mv: Self::Move) -> u32;

    /// Where the history heuristic counts a quiet move: below [`TwoSidedGame::HISTORY_SLOTS`].
    fn history_slot(&self, position: &Self::Position, mv: Self::Move) -> usize;

    /// How good the position is for the side to move, in the evaluation's own unit; a search cuts
    /// it to [`crate::value::MOST_EVALUATION`] either way.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// The result of the position where it is known without a search, as from endgame tables. The
    /// search asks this of every position but the root.
    #[inline(always)]
    fn known(&self, _position: &Self::Position) -> Option<Exact> {
        None
    }
}

/// How good positions of one kind are. An evaluation knows no search, so that any one goes with
/// any other.
pub trait Evaluator<P> {
    /// How good the position is for the side to move, in a unit of the evaluator's own.
    fn evaluate(&self, position: &P) -> i32;
}
