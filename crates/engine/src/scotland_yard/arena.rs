//! The constants of a game that every step of a search reads: the board and the rules of movement,
//! in a form that is quick to look up. They never change during a game.

use super::board::Board;
use super::rules::{
    AllStuck, Collision, Handover, LimitUnit, OntoDetective, Order, Reveals, Rules, Stuck,
};
use std::sync::Arc;

/// The board and the resolved rules of movement.
#[derive(Clone, Debug)]
pub struct Arena {
    board: Arc<Board>,
    reveals: Box<[u64]>,
    pub(super) limit: u16,
    pub(super) limit_unit: LimitUnit,
    pub(super) fixed_order: bool,
    pub(super) handover_to_x: bool,
    pub(super) x_may_blunder: bool,
    pub(super) stuck: Stuck,
    pub(super) all_stuck_wins: bool,
    pub(super) nobody_follows: bool,
}

impl Arena {
    /// Makes the arena of resolved rules.
    pub(super) fn new(rules: &Rules, board: Arc<Board>) -> Arena {
        let moves: &[u16] = match &rules.reveals {
            Reveals::At(moves) => moves,
            Reveals::Every(_) => unreachable!("resolved rules have a list"),
        };
        let last = moves.iter().copied().max().unwrap_or(0);
        let mut reveals = vec![0u64; usize::from(last) / 64 + 1];
        for &number in moves {
            reveals[usize::from(number) / 64] |= 1 << (number % 64);
        }
        Arena {
            board,
            reveals: reveals.into(),
            limit: rules.limit,
            limit_unit: rules.limit_unit,
            fixed_order: rules.order == Order::Fixed,
            handover_to_x: rules.handover == Handover::X,
            x_may_blunder: rules.x_onto_detective == OntoDetective::Loses,
            stuck: rules.stuck,
            all_stuck_wins: rules.all_stuck == AllStuck::XWins,
            nobody_follows: rules.agent_collision == Collision::PreMoveStrict,
        }
    }

    /// Returns the board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns whether Mr. X's station is revealed after his move with this number, from 1.
    #[inline]
    pub fn reveals(&self, x_move: u16) -> bool {
        self.reveals
            .get(usize::from(x_move) / 64)
            .is_some_and(|word| word >> (x_move % 64) & 1 != 0)
    }
}
