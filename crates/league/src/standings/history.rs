//! The share of the points of each bot after each of its games, and its rating after parts of the
//! tournament: how a result came about, and how much the later games still moved it.

use super::gather::elo;
use crate::played_game::{GameKind, PlayedGame, Verdict};
use crate::scale::{Part, Scale};
use crate::score::{Interval, Score};
use crate::statistics::blocks::{Blocks, readable};
use crate::statistics::{Estimate, Estimates, Prior};

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

/// The rating of a bot after a part of the tournament.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingPoint {
    /// The number of its games so far.
    pub games: u64,
    /// Its rating in Elo points with its interval, as the standings of these games have it.
    pub rating: Estimate,
}

/// The minimum number of blocks of which ratings are computed: resamples of one block are all alike.
const LEAST_BLOCKS: usize = 2;

/// Returns for each of this number of bots its rating after parts of the tournament: the first blocks,
/// in the order of their numbers, in at most `parts` steps. The last step is the whole tournament. A
/// part after which not all bots that played can be compared has no ratings, and a part without a game
/// of a bot replaces the point before it. Every step costs as much as the standings of its games.
pub fn rating_histories(
    kind: GameKind,
    bots: usize,
    games: &[PlayedGame],
    parts: usize,
) -> Vec<Vec<RatingPoint>> {
    let mut histories: Vec<Vec<RatingPoint>> = vec![Vec::new(); bots];
    let counts = |game: &&PlayedGame| readable(bots, game, kind.scale);
    let mut games: Vec<PlayedGame> = games.iter().filter(counts).cloned().collect();
    games.sort_by_key(|game| game.block);
    let mut blocks: Vec<u32> = games.iter().map(|game| game.block).collect();
    blocks.dedup();
    let mut before = 0;
    for part in 1..=parts {
        let number = blocks.len() * part / parts;
        if number < LEAST_BLOCKS || number == before {
            continue;
        }
        before = number;
        let last = blocks[number - 1];
        let until = games.partition_point(|game| game.block <= last);
        let estimates = Estimates::new(
            kind.seats,
            bots,
            &Blocks::new(bots, &games[..until], kind.scale),
            // Any draws of the resamples are as good as others.
            0,
            Prior::Weak,
        );
        if !estimates.connected {
            continue;
        }
        for (bot, history) in histories.iter_mut().enumerate() {
            let Some(rating) = estimates.strengths[bot].map(elo) else { continue };
            let its = games[..until].iter().filter(|game| game.seats.contains(&bot));
            let games = its.count() as u64;
            match history.last_mut() {
                Some(last) if last.games == games => last.rating = rating,
                _ => history.push(RatingPoint { games, rating }),
            }
        }
    }
    histories
}
