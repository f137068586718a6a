//! The interface between a multi-player game and its search: the actor, the moves and outcomes, and
//! the value of a position to each player.
//!
//! Values are integers, so that every algorithm finds exactly the same value with any move ordering
//! and pruning: the mean over chance outcomes is rounded down to an integer at each chance node,
//! independent of their order. They lie in the range that the game declares, within 16 bits: with
//! 30,000 for a certain win, a unit is 1/30,000.

use crate::SearchRng;
use crate::player::{Player, Values};
use std::ops::RangeInclusive;

/// The maximum absolute value of the ends of a range.
pub const MOST_VALUE: i32 = 32_000;

/// The actor in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The player that chooses a move.
    Player(Player),
    /// A chance node with few outcomes: [`MultiplayerGame::for_each_outcome`] lists them.
    Chance,
    /// A chance node with very many outcomes: [`MultiplayerGame::sample`] draws some of them.
    DenseChance,
    /// None: the game is over.
    Over,
}

/// The unit of depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Every move of a player.
    Decisions,
    /// Turns, each of one or more moves: see [`MultiplayerGame::turn`].
    Turns,
}

impl Unit {
    /// Both, by their names in options.
    pub const ALL: [(&'static str, Unit); 2] =
        [("actions", Unit::Decisions), ("turns", Unit::Turns)];
}

/// The remaining depth of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// The number of units; 0 at the horizon.
    pub left: u32,
    /// The unit.
    pub unit: Unit,
}

/// A game of one to eight players without hidden information, with or without chance.
///
/// A turn may be a sequence of moves of the same player, with chance between any of them.
pub trait MultiplayerGame {
    /// A position. Keep it small: search copies it and never undoes a move.
    type Position: Copy;
    /// A move.
    type Move: Copy + Eq;

    /// Returns the number of players.
    fn players(&self) -> usize;

    /// Returns the actor.
    fn actor(&self, position: &Self::Position) -> Actor;

    /// Returns the number of turns before a position, from an arbitrary origin. It never decreases.
    /// Chance at the end of a turn may belong to that turn or to the next.
    fn turn(&self, position: &Self::Position) -> u32;

    /// Calls `f` with every move worth searching for the player to move: at least one, in an order
    /// that depends only on the position.
    fn for_each_move(&self, position: &Self::Position, f: impl FnMut(Self::Move));

    /// Returns the position after a move.
    fn make(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Calls `f` with every outcome of a chance node with few outcomes: its weight and the position
    /// after it. The probability is the weight over the sum of all weights. There is at least one
    /// outcome; each weight is at least 1, and their sum is below 2^31.
    fn for_each_outcome(&self, _position: &Self::Position, _f: impl FnMut(u32, Self::Position)) {}

    /// Draws the position after a chance node with very many outcomes.
    fn sample(&self, position: &Self::Position, _rng: &mut SearchRng) -> Self::Position {
        *position
    }

    /// Returns the bounds of the value of any position to one player, within [`MOST_VALUE`]. The
    /// ends stand for a certain loss and a certain win.
    fn range(&self) -> RangeInclusive<i32>;

    /// Returns an upper bound of the sum of the values of a position to all players; `None` if it
    /// is unknown.
    fn most_sum(&self) -> Option<i32> {
        None
    }

    /// Returns the static evaluation of a position for a player, or the result if the game is over.
    fn value(&self, position: &Self::Position, player: Player) -> i32;

    /// Returns the static evaluation for every player.
    fn values(&self, position: &Self::Position) -> Values {
        let mut values = Values::default();
        for player in Player::all(self.players()) {
            values[player.index()] = self.value(position, player);
        }
        values
    }

    /// Returns bounds of the value to a player of a position searched to depth `depth`. They must
    /// be correct, and cheap to compute. The default is the whole range.
    fn bounds(
        &self,
        _position: &Self::Position,
        _seat: Player,
        _depth: Depth,
    ) -> RangeInclusive<i32> {
        self.range()
    }

    /// Returns whether a position at the horizon may be evaluated; if not, the search continues.
    ///
    /// By default, positions in which a player is to move are evaluated, and chance nodes are
    /// searched. Override it in a game whose evaluation already includes the coming chance outcome,
    /// or to search captures at the horizon.
    fn may_judge(&self, position: &Self::Position) -> bool {
        !matches!(self.actor(position), Actor::Chance | Actor::DenseChance)
    }

    /// Returns the hash key of the position and of everything that its value depends on: equal
    /// positions have equal keys, others almost never. Samples depend on it as well.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns the number of the move in a transposition table. In one position, different moves
    /// have different numbers. Below [`u32::MAX`].
    fn move_id(&self, mv: Self::Move) -> u32;

    /// Returns the move ordering score: moves with higher scores are tried first. Absolute value
    /// below 2^30.
    fn promise(&self, _position: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// Returns the same position with another player to move, as if those between had passed, for
    /// best-reply search. `None` if impossible, as for a player that is eliminated.
    fn hand_over(&self, _position: &Self::Position, _seat: Player) -> Option<Self::Position> {
        None
    }
}
