//! The outcome of a game: points, places and the reason for the end.

use crate::seat::{MAX_SEATS, Seat};
use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The points that a seat can have at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// The least: the points of a loss, if losses do not differ.
    pub least: f64,
    /// The most; greater than the least.
    pub most: f64,
    /// The constant sum of the points of all seats; `None` if it varies.
    pub sum: Option<f64>,
}

impl Scores {
    /// From 0 to 1, with the sum 1: one point for the winner, or a divided point.
    pub const ONE_POINT: Scores = Scores { least: 0.0, most: 1.0, sum: Some(1.0) };

    /// Maps points to the range from 0 (the least) to 1 (the most).
    pub fn share(self, points: f64) -> f64 {
        (points - self.least) / (self.most - self.least)
    }
}

/// The result of a finished game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The points of each seat, in seat order, as defined by [`crate::Game::scores`]. Usually 1 for
    /// a win, 0 for a loss and shares of 1 for a draw; in a team game every seat of the winning
    /// side has 1.
    pub scores: ArrayVec<f64, MAX_SEATS>,
    /// The place of each seat, in seat order, from 1; equal places have equal numbers (1, 2, 2, 4:
    /// "standard competition ranking").
    pub ranks: ArrayVec<u8, MAX_SEATS>,
    /// The reason for the end: a short word that the game defines, such as `caught`.
    pub reason: Cow<'static, str>,
}

impl Outcome {
    /// Returns the outcome in which the seats for which `won` holds share the first place with 1
    /// point each, and all others share the place after them with none.
    pub fn winners(
        seats: usize,
        reason: impl Into<Cow<'static, str>>,
        won: impl Fn(Seat) -> bool,
    ) -> Outcome {
        let winners = Seat::all(seats).filter(|&seat| won(seat)).count() as u8;
        Outcome {
            scores: Seat::all(seats).map(|s| if won(s) { 1.0 } else { 0.0 }).collect(),
            ranks: Seat::all(seats).map(|s| if won(s) { 1 } else { winners + 1 }).collect(),
            reason: reason.into(),
        }
    }

    /// Returns the outcome in which the seats for which `won` holds share the first place and one
    /// point, and all others share the place after them with none.
    pub fn sharers(
        seats: usize,
        reason: impl Into<Cow<'static, str>>,
        won: impl Fn(Seat) -> bool,
    ) -> Outcome {
        let mut outcome = Outcome::winners(seats, reason, won);
        let winners: f64 = outcome.scores.iter().sum();
        outcome.scores.iter_mut().filter(|points| **points > 0.0).for_each(|points| {
            *points /= winners;
        });
        outcome
    }

    /// Returns the outcome in which everyone shares the first place: a point divided equally.
    pub fn draw(seats: usize, reason: impl Into<Cow<'static, str>>) -> Outcome {
        Outcome {
            scores: Seat::all(seats).map(|_| 1.0 / seats as f64).collect(),
            ranks: Seat::all(seats).map(|_| 1).collect(),
            reason: reason.into(),
        }
    }
}
