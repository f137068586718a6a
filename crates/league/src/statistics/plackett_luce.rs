//! More than two players: the Plackett-Luce model of the finishing order (Plackett 1975, "The
//! analysis of permutations"). The first is chosen from all, the second from the rest, and so on; a
//! worth is exp(strength of the bot + term of its seat).
//!
//! A tie counts as the mean over all orders of the tied players, which for two players is half a
//! win for each.

use super::blocks::Kind;
use super::luce::{Alternative, Contest};

/// Returns the contests of a game of any number of seats. The parameters of the seats start at
/// `seat_terms`, if there are any.
pub fn contests(game: &Kind, seat_terms: Option<usize>) -> Vec<Contest> {
    let alternative = |seat: usize| Alternative {
        strength: game.seats[seat],
        seat: seat_terms.map(|first| first + seat),
    };
    let mut contests = Vec::new();
    let mut places = game.places.clone();
    places.sort_unstable();
    places.dedup();
    for place in places {
        let at_place = |ahead: &dyn Fn(u32) -> bool| -> Vec<usize> {
            (0..game.seats.len()).filter(|&seat| ahead(game.places[seat])).collect()
        };
        let tied = at_place(&|other| other == place);
        let behind = at_place(&|other| other > place);
        // Every subset of the tied players that may have finished before, weighted equally among
        // subsets of its size.
        for gone in 0..1u32 << tied.len() {
            let here = |index: &usize| gone & (1 << index) == 0;
            let left: Vec<usize> = (0..tied.len()).filter(here).map(|index| tied[index]).collect();
            if left.is_empty() || left.len() + behind.len() < 2 {
                continue;
            }
            let weight = 1.0 / ways(tied.len(), left.len()) / left.len() as f64;
            let mut chosen: Vec<(Alternative, f64)> =
                left.iter().map(|&seat| (alternative(seat), weight)).collect();
            chosen.extend(behind.iter().map(|&seat| (alternative(seat), 0.0)));
            contests.push(Contest { chosen });
        }
    }
    contests
}

/// Returns the binomial coefficient.
fn ways(all: usize, chosen: usize) -> f64 {
    (0..chosen).map(|index| (all - index) as f64 / (index + 1) as f64).product()
}
