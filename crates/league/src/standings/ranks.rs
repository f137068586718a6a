//! The ranks by score (the share of the points, and the tie-breaks) and by rating.

use crate::score::Score;
use crate::statistics::ranks::Separation;
use std::collections::BTreeMap;

/// A smaller difference of shares is rounding: points are sums of halves and thirds.
const PRECISION: f64 = 1e9;

/// Returns each bot's rank from 1, `None` for a bot without a game that counts.
///
/// Bots are ranked by the share of their points. Among bots with the same share, the one that finished
/// ahead of its opponents more often is first, then the one with the higher share of the games that
/// these bots played against each other, if all of them have met. Bots that are still equal share the
/// rank, and the ranks after them are skipped (1, 2, 2, 4).
///
/// `against[bot][other]` counts how often `bot` finished ahead of `other`. In a game of two seats that
/// is the score itself, so only the games between the tied bots separate them.
pub(super) fn by_score(scores: &[&Score], against: &[&[Score]]) -> Vec<Option<usize>> {
    let mut groups: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (bot, score) in scores.iter().enumerate() {
        if let Some(share) = score.share() {
            let ahead = total_share(against[bot].iter()).unwrap_or(0.0);
            groups.entry([rounded(share), rounded(ahead)]).or_default().push(bot);
        }
    }
    let mut ranks = vec![None; scores.len()];
    let mut better = 0;
    for tied in groups.values().rev() {
        let met = |bot: usize, other: usize| bot == other || against[bot][other].games() > 0;
        let all_met = tied.iter().all(|&bot| tied.iter().all(|&other| met(bot, other)));
        let mutual = |bot: usize| match all_met {
            true => total_share(tied.iter().map(|&other| &against[bot][other])).map(rounded),
            false => None,
        };
        for &bot in tied {
            let ahead = tied.iter().filter(|&&other| mutual(other) > mutual(bot)).count();
            ranks[bot] = Some(1 + better + ahead);
        }
        better += tied.len();
    }
    ranks
}

/// Returns each bot's rank from 1 in the order of the ratings, `None` for a bot without one.
///
/// A bot shares the rank of the one before it if the games separate it from no bot of that rank. The
/// ranks after them are skipped (1, 2, 2, 4).
pub(super) fn by_rating(
    bots: usize,
    by_strength: &[usize],
    separation: &Separation,
) -> Vec<Option<usize>> {
    let mut ranks = vec![None; bots];
    let mut first = 0;
    for (place, &bot) in by_strength.iter().enumerate() {
        if by_strength[first..place].iter().any(|&other| separation.stronger(other, bot)) {
            first = place;
        }
        ranks[bot] = Some(1 + first);
    }
    ranks
}

fn rounded(share: f64) -> i64 {
    (share * PRECISION).round() as i64
}

/// Returns the share of the points of all these scores together; `None` without a game.
fn total_share<'a>(scores: impl Iterator<Item = &'a Score>) -> Option<f64> {
    let weighted = scores.filter_map(|score| Some((score.share()?, score.games() as f64)));
    let (points, games) =
        weighted.fold((0.0, 0.0), |(sum, all), (share, games)| (sum + share * games, all + games));
    (games > 0.0).then(|| points / games)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(points: &[f64]) -> Score {
        let mut score = Score::default();
        points.iter().for_each(|&points| score.add(points));
        score
    }

    /// Ranks by rows, each with the scores of a bot against the others.
    fn ranks(rows: &[Vec<Score>]) -> Vec<Option<usize>> {
        let totals: Vec<Score> = rows
            .iter()
            .map(|row| {
                let mut total = Score::default();
                row.iter().for_each(|score| {
                    score.share().into_iter().for_each(|s| total.add_times(s, score.games()));
                });
                total
            })
            .collect();
        let totals: Vec<&Score> = totals.iter().collect();
        by_score(&totals, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn the_games_between_tied_bots_separate_them_and_equals_share_the_rank() {
        let none = || score(&[]);
        // Bots 0 and 1 have two points of three each, and 1 beat 0; 2 and 3 drew and lost to others.
        let rows = [
            vec![none(), score(&[0.0]), score(&[1.0]), score(&[1.0])],
            vec![score(&[1.0]), none(), score(&[0.0]), score(&[1.0])],
            vec![score(&[0.0]), score(&[1.0]), none(), score(&[0.5])],
            vec![score(&[0.0]), score(&[0.0]), score(&[0.5]), none()],
            vec![none(), none(), none(), none()],
        ];
        assert_eq!(ranks(&rows), [Some(2), Some(1), Some(3), Some(4), None]);
        // A cycle: nothing separates the three.
        let cycle = [
            vec![none(), score(&[1.0]), score(&[0.0]), score(&[1.0])],
            vec![score(&[0.0]), none(), score(&[1.0]), score(&[1.0])],
            vec![score(&[1.0]), score(&[0.0]), none(), score(&[1.0])],
            vec![score(&[0.0]), score(&[0.0]), score(&[0.0]), none()],
        ];
        assert_eq!(ranks(&cycle), [Some(1), Some(1), Some(1), Some(4)]);
    }

    #[test]
    fn games_between_tied_bots_decide_only_where_all_of_them_met() {
        let none = || score(&[]);
        // A gauntlet: 1 and 2 met only bot 0, and both drew.
        let rows = [
            vec![none(), score(&[0.5]), score(&[0.5])],
            vec![score(&[0.5]), none(), none()],
            vec![score(&[0.5]), none(), none()],
        ];
        assert_eq!(ranks(&rows), [Some(1), Some(1), Some(1)]);
    }

    #[test]
    fn finishing_order_separates_bots_with_the_same_points() {
        // One game of three: 0 won, 1 finished before 2; the points of 1 and 2 are the same.
        let against = [
            vec![score(&[]), score(&[1.0]), score(&[1.0])],
            vec![score(&[0.0]), score(&[]), score(&[1.0])],
            vec![score(&[0.0]), score(&[0.0]), score(&[])],
        ];
        let points = [score(&[1.0]), score(&[0.0]), score(&[0.0])];
        let points: Vec<&Score> = points.iter().collect();
        let against: Vec<&[Score]> = against.iter().map(Vec::as_slice).collect();
        assert_eq!(by_score(&points, &against), [Some(1), Some(2), Some(3)]);
    }
}
