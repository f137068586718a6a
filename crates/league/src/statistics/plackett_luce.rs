//! More than two players: the model of Plackett and Luce over the order in which they finish
//! (Plackett 1975, "The analysis of permutations"). The first is chosen from all, the second from
//! the rest, and so on; a worth is exp(strength of the bot + term of its seat).
//!
//! Those who share a place count as the mean over all orders among them, of which a draw of two as
//! half a win for each is the smallest case.

use super::blocks::Kind;
use super::luce::{Alternative, Contest};

/// What a game of any number of seats tells. The seats' parameters begin at `seat_terms`, where
/// there are any.
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
        // Every set of those who may have gone before within the tie, each as likely as any other
        // of its size.
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

/// In how many ways `chosen` of `all` can be taken.
fn ways(all: usize, chosen: usize) -> f64 {
    (0..chosen).map(|index| (all - index) as f64 / (index + 1) as f64).product()
}
