//! The standings as Markdown tables. Whatever Markdown or HTML take for a sign of theirs is
//! escaped.

use super::Standings;
use super::words::{comparison, faults, gate, milliseconds, percent, percents, places};
use super::words::{range, rating, remarks};

/// The most bots of which the matrix is written: beyond nobody can read it.
const MATRIX: usize = 24;

pub fn write(standings: &Standings) -> String {
    let mut text = format!("# Standings: {}\n\n", escaped(&standings.game));
    let mut header: Vec<String> = [
        "rank", "places", "bot", "version", "games", "won", "drawn", "lost", "share", "95%",
        "rating", "95%",
    ]
    .map(String::from)
    .to_vec();
    header.extend(standings.seats.iter().map(|seat| format!("as {seat}")));
    header.extend(["faults", "void", "mean move", "longest", "gate"].map(String::from));
    let rows = standings.bots.iter().map(|bot| {
        let mut row = vec![
            bot.rank.to_string(),
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
        row.extend(bot.by_seat.iter().map(|score| percent(score.share)));
        row.extend([
            faults(bot),
            bot.void.to_string(),
            milliseconds(bot.time.mean_us),
            milliseconds(bot.time.mean_us.map(|_| bot.time.longest_us as f64)),
            gate(bot).into(),
        ]);
        row
    });
    table(&mut text, &header, rows);
    if standings.bots.iter().any(|bot| bot.role_ratings.is_some()) {
        text.push_str("\n## By role\n\n");
        let roles = standings.seats.iter().take(2);
        let mut header = vec!["bot".to_string()];
        header.extend(roles.flat_map(|role| [format!("as {role}"), "95%".into()]));
        let rows = standings.bots.iter().filter_map(|bot| {
            let mut row = vec![bot.name.clone()];
            let both = bot.role_ratings?;
            row.extend(both.iter().flat_map(|&role| [rating(Some(role)), range(Some(role))]));
            Some(row)
        });
        table(&mut text, &header, rows);
    }
    if standings.bots.len() <= MATRIX {
        text.push_str("\n## Head to head\n\n");
        matrix(&mut text, standings);
    }
    text.push('\n');
    for (pair, found) in standings.bots.windows(2).zip(&standings.neighbours) {
        let [upper, lower] = [&pair[0], &pair[1]].map(|bot| escaped(&bot.name));
        text.push_str(&format!("* {upper} / {lower}: {}\n", comparison(found)));
    }
    for remark in remarks(standings) {
        text.push_str(&format!("\n{}\n", escaped(&remark)));
    }
    text
}

fn matrix(text: &mut String, standings: &Standings) {
    let mut header = vec!["against".to_string()];
    header.extend(standings.bots.iter().map(|bot| bot.name.clone()));
    let rows = standings.bots.iter().zip(&standings.head_to_head).map(|(bot, scores)| {
        let mut row = vec![bot.name.clone()];
        row.extend(scores.iter().map(|score| percent(score.share)));
        row
    });
    table(text, &header, rows);
}

fn table(text: &mut String, header: &[String], rows: impl Iterator<Item = Vec<String>>) {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    text.push_str(&line(header));
    text.push_str(&format!("|{}\n", " --- |".repeat(header.len())));
    rows.for_each(|row| text.push_str(&line(&row)));
}

/// A text of which nothing is taken for markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '!' | '|' | '~' => {
                escaped.extend(['\\', character]);
            }
            // An address that some readers would make a link of.
            ':' | '@' => escaped.push_str(&format!("&#{};", character as u32)),
            other => escaped.push(other),
        }
    }
    escaped
}
