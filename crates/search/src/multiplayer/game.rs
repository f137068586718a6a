//! What the search must know of a game: who decides, what can happen, and what a position is worth
//! to each player.
//!
//! Values are whole numbers, so that every algorithm finds the very same value however it orders and
//! prunes: the mean over the outcomes of chance is rounded down to a whole number at each chance
//! node, whatever their order. They lie in the range that the game names, within 16 bits: with
//! 30,000 for a certain win a unit is a thirtieth of a thousandth.

use crate::SearchRng;
use crate::player::{Player, Values};
use std::ops::RangeInclusive;

/// The largest value that a range may have, and the smallest with the other sign.
pub const MOST_VALUE: i32 = 32_000;

/// Who decides in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// This player chooses a move.
    Player(Player),
    /// One of a few outcomes is drawn: [`MultiplayerGame::for_each_outcome`] lists them.
    Chance,
    /// One of very many outcomes is drawn: [`MultiplayerGame::sample`] draws some of them.
    DenseChance,
    /// Nobody: the game is over.
    Over,
}

/// What depth counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Every move of a player.
    Decisions,
    /// Turns, which may be of several moves each: see [`MultiplayerGame::turn`].
    Turns,
}

impl Unit {
    /// Both, by the names used in options.
    pub const ALL: [(&'static str, Unit); 2] =
        [("actions", Unit::Decisions), ("turns", Unit::Turns)];
}

/// How much deeper a position is to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// How many units; 0 at the horizon.
    pub left: u32,
    /// What is counted.
    pub unit: Unit,
}

/// A game of one to eight players with nothing hidden, in which chance may have a hand.
///
/// A turn may be a sequence of moves of the same player, and chance may come between any of them.
pub trait MultiplayerGame {
    /// A position: small, because a search copies it and never undoes a move.
    type Position: Copy;
    /// A move.
    type Move: Copy + Eq;

    /// How many players there are.
    fn players(&self) -> usize;

    /// Who decides.
    fn actor(&self, position: &Self::Position) -> Actor;

    /// How many turns lie behind a position, counted from anywhere. No move and no outcome makes it
    /// fewer. What chance brings at the end of a turn may belong to it or to the next one.
    fn turn(&self, position: &Self::Position) -> u32;

    /// Calls `f` with every move worth searching of the player that is to move: at least one, in an
    /// order that depends on the position alone.
    fn for_each_move(&self, position: &Self::Position, f: impl FnMut(Self::Move));

    /// The position after a move.
    fn make(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Calls `f` with every outcome of a chance node of few outcomes: how likely it is, in parts of
    /// the sum over all of them, and the position after it. At least one; each part is at least
    /// 1, their sum below 2^31.
    fn for_each_outcome(&self, _position: &Self::Position, _f: impl FnMut(u32, Self::Position)) {}

    /// Draws the position after a chance node of very many outcomes.
    fn sample(&self, position: &Self::Position, _rng: &mut SearchRng) -> Self::Position {
        *position
    }

    /// Between what the value of any position to one player lies, within [`MOST_VALUE`]. The ends are
    /// for games that are certainly lost or won.
    fn range(&self) -> RangeInclusive<i32>;

    /// What the values of a position to all players together never exceed. `None`: nobody knows.
    fn most_sum(&self) -> Option<i32> {
        None
    }

    /// What a position is worth to a player as it stands, be it over or not.
    fn value(&self, position: &Self::Position, player: Player) -> i32;

    /// What a position is worth to every player.
    fn values(&self, position: &Self::Position) -> Values {
        let mut values = Values::default();
        for player in Player::all(self.players()) {
            values[player.index()] = self.value(position, player);
        }
        values
    }

    /// Bounds of the value to a player of a position that is searched `depth` deeper. They must
    /// be true, and cheap; the default is the whole range.
    fn bounds(
        &self,
        _position: &Self::Position,
        _seat: Player,
        _depth: Depth,
    ) -> RangeInclusive<i32> {
        self.range()
    }

    /// Whether a position at the horizon may be evaluated as it stands; where not, the search continues.
    ///
    /// The default judges wherever a player is to move: what chance will bring is waited for. A game
    /// whose evaluation already counts with what chance will bring may say otherwise, and so may
    /// one in which captures are under way.
    fn may_judge(&self, position: &Self::Position) -> bool {
        !matches!(self.actor(position), Actor::Chance | Actor::DenseChance)
    }

    /// A number that stands for the position and all that its value depends on: equal ones have
    /// equal keys, others almost never. Samples depend on it as well.
    fn key(&self, position: &Self::Position) -> u64;

    /// A number that stands for the move in a transposition table: in one position, different
    /// moves have different ones. Below [`u32::MAX`].
    fn move_id(&self, mv: Self::Move) -> u32;

    /// How early a move should be tried: the higher, the earlier. Below 2^30 either way.
    fn promise(&self, _position: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// The same position with another player to move, as if those between had passed: what best-reply
    /// search asks for. `None` where that makes no sense, as for a player that is out of the game.
    fn hand_over(&self, _position: &Self::Position, _seat: Player) -> Option<Self::Position> {
        None
    }
}
