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
///
/// A game states its moves and the keys of its positions. The other functions have defaults, which
/// suit a small game that is searched to its end.
pub trait TwoSidedGame {
    /// A position. Keep it small: search copies it and never undoes a move.
    type Position: Copy;
    /// A move.
    type Move: Copy + Eq;

    /// The number of values of [`TwoSidedGame::history_slot`], at least 1.
    const HISTORY_SLOTS: usize = 1 << 10;

    /// Calls `f` with every legal move, in an order that depends only on the position.
    fn for_each_move(&self, position: &Self::Position, f: impl FnMut(Self::Move));

    /// Returns the position after a legal move; the other side is to move in it.
    fn make(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Returns the hash key of the position, including the side to move: equal positions have equal
    /// keys, others almost never.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns the number of the move in a transposition table. In one position, different moves
    /// have different numbers. Below [`u32::MAX`].
    fn move_id(&self, mv: Self::Move) -> u32;

    /// Returns whether there is a legal move. The default generates all of them.
    fn can_move(&self, position: &Self::Position) -> bool {
        let mut can_move = false;
        self.for_each_move(position, |_| can_move = true);
        can_move
    }

    /// Returns the static evaluation for the side to move, in a unit of its own; search clamps it
    /// to plus or minus [`crate::value::MOST_EVALUATION`]. The default is 0: nothing is known of a
    /// position in which the game is not over.
    fn evaluate(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// Returns whether the position may be evaluated statically. The default is for games without
    /// noisy moves.
    fn tension(&self, _position: &Self::Position) -> Tension {
        Tension::Quiet
    }

    /// Returns whether the other side would have a noisy move if it were to move. Then the
    /// evaluation may be misleading. The default is for games without noisy moves.
    fn is_threatened(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Returns the noisiness of a move (the number of pieces it captures); 0, the default, for a
    /// quiet move.
    fn noise(&self, _mv: Self::Move) -> u32 {
        0
    }

    /// Returns whether a move is reversible. After an irreversible move no earlier position can
    /// recur, and the count of plies without progress restarts. Only draw rules ask for it
    /// ([`super::DrawRules`]). The default is that every move is: each earlier position is compared.
    fn is_reversible(&self, _position: &Self::Position, _mv: Self::Move) -> bool {
        true
    }

    /// Returns the slot of a quiet move in the history heuristic: below
    /// [`TwoSidedGame::HISTORY_SLOTS`]. The default is the number of the move; moves may share a
    /// slot.
    fn history_slot(&self, _position: &Self::Position, mv: Self::Move) -> usize {
        self.move_id(mv) as usize % Self::HISTORY_SLOTS
    }

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
