//! The share of the points of each bot after each of its games: how a result came about, and how much
//! the later games still moved it.

use crate::played_game::{PlayedGame, Verdict};
use crate::scale::{Part, Scale};
use crate::score::{Interval, Score};
use crate::statistics::blocks::readable;

/// The share of a bot after some of its games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharePoint {
    /// The number of its games so far.
    pub games: u64,
    /// Its share of their points, 0 to 1.
    pub share: f64,
    /// Wilson's interval of the share for this number of games alone, treating games as independent.
    /// It does not hold for all points at once.
    pub interval: Interval,
}

/// Returns for each of this number of bots its share after each of its games that count, in the order
/// of the games as given. The last point of a bot is its score in the standings.
pub fn share_histories(bots: usize, games: &[PlayedGame], scale: Scale) -> Vec<Vec<SharePoint>> {
    let mut scores = vec![Score::default(); bots];
    let mut histories = vec![Vec::new(); bots];
    for game in games.iter().filter(|game| readable(bots, game, scale)) {
        let Verdict::Scored { points, places } = &game.verdict else { continue };
        for (seat, &bot) in game.seats.iter().enumerate() {
            let part = scale.part(points, places, seat);
            scores[bot].add_part(part.unwrap_or_else(|| Part::of_share(0.0)), 1);
        }
        for (seat, &bot) in game.seats.iter().enumerate() {
            // Once, even for a bot that held two seats.
            if game.seats[..seat].contains(&bot) {
                continue;
            }
            if let (Some(share), Some(interval)) = (scores[bot].share(), scores[bot].interval()) {
                histories[bot].push(SharePoint { games: scores[bot].games(), share, interval });
            }
        }
    }
    histories
}
