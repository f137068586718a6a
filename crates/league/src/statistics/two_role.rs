//! Two seats with different roles. A bot has a strength in each role, and logit P(i in the first
//! role beats j in the second) = x(i) - d(j) + mu, where the x and the d have mean 0 and mu is the
//! advantage of the first role under these rules.
//!
//! This is a Bradley-Terry model of twice as many players, each bot once per role; mu is the
//! difference between the means of the two halves.

use super::blocks::Kind;
use super::luce::{Alternative, Contest};

/// Returns the contest of a game of two roles. The parameters of the first role are those of the
/// bots; those of the second follow.
pub fn contests(game: &Kind, bots: usize) -> Vec<Contest> {
    let ([first, second], [won, lost]) = (&game.seats[..], &game.points[..]) else {
        return Vec::new();
    };
    let chosen = [(*first, *won), (bots + *second, *lost)]
        .map(|(strength, points)| (Alternative { strength, seat: None }, points));
    vec![Contest { chosen: chosen.to_vec() }]
}
