//! Two players in symmetric seats: the model of Bradley and Terry (1952, "Rank analysis of
//! incomplete block designs: I. The method of paired comparisons"). The log-odds that i beats j are
//! strength(i) - strength(j); a draw counts as half a win for each.

use super::blocks::Kind;
use super::luce::{Alternative, Contest};

/// Returns the contest of a two-player game; none if a bot played itself.
pub fn contests(game: &Kind) -> Vec<Contest> {
    let ([first, second], [won, lost]) = (&game.seats[..], &game.points[..]) else {
        return Vec::new();
    };
    if first == second {
        return Vec::new();
    }
    let chosen = [(*first, *won), (*second, *lost)]
        .map(|(strength, points)| (Alternative { strength, seat: None }, points));
    vec![Contest { chosen: chosen.to_vec() }]
}
