//! The ratings of a team's versions over time.

use super::standing::Standing;
use crate::files::Statements;
use rusqlite::{OptionalExtension, Transaction, params};
use std::collections::BTreeMap;

/// A rating at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RatingAt {
    /// When, in seconds since 1970.
    pub at: i64,
    /// The version of the team's bot.
    pub version: i64,
    /// The rating in Elo points.
    pub rating: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Returns whether a rating after this number of games is worth keeping: a twentieth of them is new.
fn is_new(games: i64, last: Option<i64>) -> bool {
    last.is_none_or(|last| (games - last).abs() >= 4.max(last / 20))
}

/// Keeps the ratings of the versions of teams that have changed.
pub(crate) fn keep(transaction: &Transaction<'_>, standing: &Standing) -> rusqlite::Result<()> {
    for entrant in standing.entrants.iter().filter(|entrant| entrant.team.is_some()) {
        let Some(bot) = standing.of(entrant.id) else { continue };
        let Some(rating) = bot.rating else { continue };
        let games = i64::try_from(bot.score.games).unwrap_or(i64::MAX);
        let last: Option<i64> = transaction
            .value(
                "SELECT games FROM ratings WHERE entrant = ?1 ORDER BY number DESC LIMIT 1",
                [entrant.id],
            )
            .optional()?;
        if !is_new(games, last) {
            continue;
        }
        transaction.change(
            "INSERT INTO ratings(entrant, number, at, games, rating, low, high) SELECT ?1, \
             COALESCE(MAX(number), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM ratings WHERE entrant = ?1",
            params![entrant.id, standing.at, games, rating.value, rating.low, rating.high],
        )?;
    }
    Ok(())
}

/// Returns the ratings of a team in an event until a moment, the earliest first.
pub(crate) fn of_team(
    transaction: &Transaction<'_>,
    event: i64,
    team: i64,
    until: i64,
) -> rusqlite::Result<Vec<RatingAt>> {
    transaction.rows(
        "SELECT ratings.at, version, rating, low, high FROM ratings \
         JOIN entrants ON entrants.id = entrant JOIN submissions ON submissions.id = submission \
         WHERE entrants.event = ?1 AND submissions.team = ?2 AND ratings.at <= ?3 \
         ORDER BY ratings.at, version, number",
        [event, team, until],
        |row| {
            Ok(RatingAt {
                at: row.get(0)?,
                version: row.get(1)?,
                rating: row.get(2)?,
                low: row.get(3)?,
                high: row.get(4)?,
            })
        },
    )
}

/// The days of a trend.
const DAYS: i64 = 14;

/// Returns the last rating of each of the last days before a moment, by team.
pub(crate) fn trends(
    transaction: &Transaction<'_>,
    event: i64,
    until: i64,
) -> rusqlite::Result<BTreeMap<i64, Vec<(u64, f64)>>> {
    // With MAX, the other columns are those of the same row.
    let rows: Vec<(i64, i64, f64)> = transaction.rows(
        "SELECT submissions.team, MAX(ratings.at), rating FROM ratings \
         JOIN entrants ON entrants.id = entrant JOIN submissions ON submissions.id = submission \
         WHERE entrants.event = ?1 AND ratings.at <= ?2 AND ratings.at > ?3 \
         GROUP BY submissions.team, ratings.at / 86400 ORDER BY submissions.team, ratings.at",
        [event, until, until - DAYS * 86400],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let mut trends: BTreeMap<i64, Vec<(u64, f64)>> = BTreeMap::new();
    for (team, at, rating) in rows {
        trends.entry(team).or_default().push((u64::try_from(at).unwrap_or_default(), rating));
    }
    Ok(trends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_kept_when_a_part_of_the_games_is_new() {
        assert!(is_new(2, None));
        assert!(!is_new(5, Some(2)));
        assert!(is_new(6, Some(2)));
        assert!(!is_new(1049, Some(1000)) && is_new(1050, Some(1000)));
        // Games with a replaced opponent no longer count.
        assert!(is_new(900, Some(1000)));
    }
}
