//! The shaped rewards of Sova 2021 (5.3.1): the value of a playout depends on how near the detectives
//! were in every round, and on how soon the capture came.

use crate::scotland_yard::{BoardTables, UNREACHABLE};
use botyard_engine::Game;
use botyard_engine::scotland_yard::{Detective, Kinds, Position, ScotlandYard, Station};

/// The exploration constant of the thesis (5.4), for sums of rewards.
const EXPLORATION: f64 = 200.0;
/// The value of a capture for each move that it comes before the hundredth.
const CAPTURE: f64 = 50.0;
const CAPTURE_BEFORE: f64 = 100.0;
const ESCAPE: f64 = -1000.0;

/// The rewards of one game, scaled to the range from 0 to 1.
///
/// Each step of a detective is worth `-d`, where `d` is its distance to Mr. X, or `-(d + 10) * 5`
/// if it is too far to catch him in the remaining rounds; a capture after `m` rounds is worth
/// `(100 - m) * 50`, an escape -1000. The text has the moves "in the simulation" for `m`; here they are
/// the rounds of the game. The reward of a playout is the sum. A node of rounds has the sum over its
/// playouts (5.4), unless the mean is asked for; one of plies has their mean.
#[derive(Clone, Copy, Debug)]
pub struct Shaping {
    rounds: u16,
    kinds: Kinds,
    least: f64,
    range: f64,
}

impl Shaping {
    /// Returns the rewards of a game on this board.
    pub fn new(game: &ScotlandYard, tables: &BoardTables) -> Shaping {
        let rules = game.rules();
        // There are at least as many X moves as rounds.
        let rounds = rules.limit;
        let kinds = rules.detective_tickets.kinds();
        let reachable = |&moves: &u8| moves != UNREACHABLE;
        let most = game
            .board()
            .stations()
            .filter_map(|from| tables.row(kinds, from).iter().copied().filter(reachable).max())
            .max();
        let farthest = f64::from(most.unwrap_or(0));
        let steps = f64::from(rounds) * f64::from(rules.detectives);
        let least = ESCAPE - steps * (farthest + 10.0) * 5.0;
        Shaping { rounds, kinds, least, range: CAPTURE * CAPTURE_BEFORE - least }
    }

    /// The exploration constant of the thesis, for rewards that are not scaled.
    pub(super) const UNSCALED_EXPLORATION: f64 = EXPLORATION;

    /// Returns the exploration constant of the thesis, scaled as the rewards are.
    pub fn exploration(&self) -> f64 {
        EXPLORATION / self.range
    }

    /// Returns the value of the detective's step that led to this position.
    #[inline]
    pub(super) fn step(&self, tables: &BoardTables, after: &Position, detective: Detective) -> f64 {
        let Some(at) = after.pawns().get(detective) else { return 0.0 };
        let kinds = after.tickets_of(detective).kinds();
        let moves = tables.row(kinds, after.mr_x())[at.index()];
        let left = self.rounds.saturating_sub(after.round());
        nearness(moves, left)
    }

    /// Returns the value of a detective's distance to Mr. X with this many rounds left.
    #[inline]
    pub(super) fn distance(
        &self,
        tables: &BoardTables,
        mr_x: Station,
        detective: Station,
        left: u16,
    ) -> f64 {
        nearness(tables.row(self.kinds, mr_x)[detective.index()], left)
    }

    /// Returns the value of the end of a playout, not scaled.
    #[inline]
    pub(super) fn end(caught: bool, rounds: u16) -> f64 {
        if caught { (CAPTURE_BEFORE - f64::from(rounds)) * CAPTURE } else { ESCAPE }
    }

    /// Returns the reward of the detectives, 0 to 1, for a game that ended in this position.
    /// `steps` is the sum of the values of their steps.
    #[inline]
    pub(super) fn reward(&self, end: &Position, mr_x_wins: bool, steps: f64) -> f64 {
        let last = Shaping::end(!mr_x_wins, end.round());
        ((last + steps - self.least) / self.range).clamp(0.0, 1.0)
    }
}

fn nearness(moves: u8, left: u16) -> f64 {
    let far = f64::from(moves);
    if u16::from(moves) > left { -(far + 10.0) * 5.0 } else { -far }
}
