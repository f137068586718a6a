//! Statistical power: the edge over an even share of the points that a two-sided test at the 5%
//! level detects with 80% probability, for games without draws. Draws, and blocks that cancel the
//! luck of the start, improve it.

use crate::score::Z;

/// The normal quantiles of 97.5% and of 80%.
const QUANTILES: f64 = Z + 0.841_621_233_572_914_2;

/// Returns the number of games, with this number of seats, needed to detect an edge over the even
/// share, 0.5 for two. `None` if there is no such edge.
///
/// ```
/// use botyard_league::statistics::power::games_to_show;
///
/// let needed = [0.10, 0.05, 0.02].map(|edge| games_to_show(edge, 2));
/// assert_eq!(needed, [Some(197), Some(785), Some(4906)]);
/// ```
pub fn games_to_show(edge: f64, seats: u64) -> Option<u64> {
    let even = even_share(seats)?;
    let possible = edge > 0.0 && even + edge <= 1.0;
    possible.then(|| (even * (1.0 - even) * (QUANTILES / edge).powi(2)).ceil() as u64)
}

/// Returns the edge over the even share that this number of games can detect; `None` if even a
/// certain winner would not be detected.
///
/// ```
/// use botyard_league::statistics::power::edge_shown;
///
/// assert!((edge_shown(785, 2).unwrap() - 0.05).abs() < 1e-4);
/// assert_eq!(edge_shown(7, 2), None);
/// ```
pub fn edge_shown(games: u64, seats: u64) -> Option<f64> {
    let even = even_share(seats)?;
    let edge = QUANTILES * (even * (1.0 - even) / games as f64).sqrt();
    (games > 0 && even + edge <= 1.0).then_some(edge)
}

fn even_share(seats: u64) -> Option<f64> {
    (seats > 1).then(|| 1.0 / seats as f64)
}
