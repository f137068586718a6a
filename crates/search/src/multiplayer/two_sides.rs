//! An adapter: any [`TwoSidedGame`] as a two-player game, zero-sum. Draws that depend on the
//! history are ignored.

use super::game::{Actor, MultiplayerGame};
use crate::player::Player;
use crate::two_sided::{Exact, Tension, TwoSidedGame};
use crate::value::{DRAW, MOST_EVALUATION, UNKNOWN_PLIES, WIN, lost_at};
use std::ops::RangeInclusive;

/// A game of two sides that move in turn.
#[derive(Clone, Copy, Debug)]
pub struct TwoSides<'a, G>(pub &'a G);

/// A position and the player to move.
#[derive(Clone, Copy, Debug)]
pub struct Sided<P> {
    /// The position.
    pub position: P,
    /// The player to move.
    pub to_move: Player,
    /// The number of moves since the root.
    moves: u32,
}

impl<P> Sided<P> {
    /// Returns the root of a search.
    pub const fn root(position: P, to_move: Player) -> Sided<P> {
        Sided { position, to_move, moves: 0 }
    }
}

/// The ordering score of a noisy move.
const NOISY: i32 = 1 << 10;

impl<G: TwoSidedGame> TwoSides<'_, G> {
    /// Returns the result if it is known. Not used at the root, where a move is needed.
    fn known(&self, sided: &Sided<G::Position>) -> Option<i32> {
        if !self.0.can_move(&sided.position) {
            return Some(lost_at(0));
        }
        let exact = self.0.known(&sided.position).filter(|_| sided.moves > 0)?;
        Some(match exact {
            Exact::Draw => DRAW,
            Exact::Win(plies) => -lost_at(plies),
            Exact::Loss(plies) => lost_at(plies),
            Exact::Won => -lost_at(UNKNOWN_PLIES),
            Exact::Lost => lost_at(UNKNOWN_PLIES),
        })
    }
}

impl<G: TwoSidedGame> MultiplayerGame for TwoSides<'_, G> {
    type Position = Sided<G::Position>;
    type Move = G::Move;

    fn players(&self) -> usize {
        2
    }

    fn actor(&self, sided: &Self::Position) -> Actor {
        match self.known(sided) {
            Some(_) => Actor::Over,
            None => Actor::Player(sided.to_move),
        }
    }

    fn turn(&self, sided: &Self::Position) -> u32 {
        sided.moves
    }

    fn for_each_move(&self, sided: &Self::Position, f: impl FnMut(G::Move)) {
        self.0.for_each_move(&sided.position, f);
    }

    fn make(&self, sided: &Self::Position, mv: G::Move) -> Self::Position {
        Sided {
            position: self.0.make(&sided.position, mv),
            to_move: Player::new(1 - sided.to_move.index()),
            moves: sided.moves + 1,
        }
    }

    fn range(&self) -> RangeInclusive<i32> {
        -WIN..=WIN
    }

    fn most_sum(&self) -> Option<i32> {
        Some(0)
    }

    fn value(&self, sided: &Self::Position, player: Player) -> i32 {
        let to_mover = self.known(sided).unwrap_or_else(|| {
            self.0.evaluate(&sided.position).clamp(-MOST_EVALUATION, MOST_EVALUATION)
        });
        if player == sided.to_move { to_mover } else { -to_mover }
    }

    fn may_judge(&self, sided: &Self::Position) -> bool {
        self.0.tension(&sided.position) != Tension::Forced
    }

    fn key(&self, sided: &Self::Position) -> u64 {
        self.0.key(&sided.position)
    }

    fn move_id(&self, mv: G::Move) -> u32 {
        self.0.move_id(mv)
    }

    fn promise(&self, _sided: &Self::Position, mv: G::Move) -> i32 {
        NOISY * self.0.noise(mv) as i32
    }
}
