//! What a number of games can show: the edge over an even score that a test with 5% two-sided error
//! finds with a probability of 80%, games being won or lost. Draws, and blocks that cancel the luck
//! of the start, make it better.

/// The normal quantiles of 97.5% and of 80%.
const QUANTILES: f64 = 1.959_963_984_540_054 + 0.841_621_233_572_914_2;

/// How many games show an edge: a win share of 0.5 + `edge` instead of 0.5. `None` unless 0 <
/// `edge` <= 0.5.
///
/// ```
/// use botyard_league::statistics::power::games_to_show;
///
/// assert_eq!([0.10, 0.05, 0.02].map(games_to_show), [Some(197), Some(785), Some(4906)]);
/// ```
pub fn games_to_show(edge: f64) -> Option<u64> {
    (edge > 0.0 && edge <= 0.5).then(|| (0.25 * (QUANTILES / edge).powi(2)).ceil() as u64)
}

/// The edge that so many games show; `None` where they cannot show even that one wins always.
///
/// ```
/// use botyard_league::statistics::power::edge_shown;
///
/// assert!((edge_shown(785).unwrap() - 0.05).abs() < 1e-4);
/// assert_eq!(edge_shown(7), None);
/// ```
pub fn edge_shown(games: u64) -> Option<f64> {
    let edge = 0.5 * QUANTILES / (games as f64).sqrt();
    (games > 0 && edge <= 0.5).then_some(edge)
}
