//! The tables of both the page and the Markdown, as texts that are not yet escaped.

use super::Standings;
use super::words::{own_points, percent, percents, places, range, rank, rating};

/// A table of texts.
pub(super) struct TextTable {
    /// The column headers.
    pub header: Vec<String>,
    /// The cells, row after row.
    pub rows: Vec<Vec<String>>,
    /// The number of leading columns with words rather than numbers.
    pub words: usize,
}

/// Returns places, points and ratings: a row per bot.
pub(super) fn scores(standings: &Standings) -> TextTable {
    let header = [
        "rank", "places", "bot", "version", "games", "won", "drawn", "lost", "share", "95%",
        "rating", "95%",
    ];
    let mut header = header.map(String::from).to_vec();
    let seats = standings.seats.iter();
    if standings.points.is_some() {
        header.push("points".into());
        header.extend(seats.clone().map(|seat| format!("points as {seat}")));
    }
    header.extend(seats.map(|seat| format!("as {seat}")));
    let rows = standings.bots.iter().map(|bot| {
        let mut row = vec![
            rank(bot.rank),
            places(bot),
            bot.name.clone(),
            bot.version.clone(),
            bot.score.games.to_string(),
            bot.score.wins.to_string(),
            bot.score.draws.to_string(),
            bot.score.losses.to_string(),
            percent(bot.score.share),
            percents(bot.block_interval.or(bot.score.interval)),
            rating(bot.rating),
            range(bot.rating),
        ];
        if standings.points.is_some() {
            row.push(own_points(bot.score.points));
            row.extend(bot.by_seat.iter().map(|score| own_points(score.points)));
        }
        row.extend(bot.by_seat.iter().map(|score| percent(score.share)));
        row
    });
    TextTable { header, rows: rows.collect(), words: 4 }
}

/// Returns the head to head table. Rows and columns are numbered, since names are too long for
/// columns.
pub(super) fn head_to_head(standings: &Standings) -> TextTable {
    let mut header = vec!["no".to_string(), "bot".to_string()];
    header.extend((1..=standings.bots.len()).map(|number| number.to_string()));
    let rows = (1..).zip(standings.bots.iter().zip(&standings.head_to_head));
    let rows = rows.map(|(number, (bot, scores)): (usize, _)| {
        let mut row = vec![number.to_string(), bot.name.clone()];
        row.extend(scores.iter().map(|score| percent(score.share)));
        row
    });
    TextTable { header, rows: rows.collect(), words: 2 }
}

/// Returns the ratings in each role; `None` without roles.
pub(super) fn roles(standings: &Standings) -> Option<TextTable> {
    let mut header = vec!["bot".to_string()];
    let roles = standings.seats.iter().take(2);
    header.extend(roles.flat_map(|role| [format!("as {role}"), "95%".into()]));
    let rows = standings.bots.iter().filter_map(|bot| {
        let mut row = vec![bot.name.clone()];
        let both = bot.role_ratings?;
        row.extend(both.iter().flat_map(|&role| [rating(Some(role)), range(Some(role))]));
        Some(row)
    });
    let rows: Vec<Vec<String>> = rows.collect();
    (!rows.is_empty()).then_some(TextTable { header, rows, words: 1 })
}
