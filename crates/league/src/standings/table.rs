//! The standings as plain text for a terminal: no borders, no colours, truncated names.

use super::Standings;
use super::shared_tables::head_to_head;
use super::words::{
    NOTHING, comparison, excused, faults, milliseconds, own_points, percent, percents, places,
};
use super::words::{range, rank, rating, remarks};
use crate::plain_table::plain_table;
use botyard_protocol::printable;
use comfy_table::Table;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The maximum length of a name in a table, in characters.
const SHORT: usize = 24;

/// The maximum number of bots in the matrix: a larger one is wider than a terminal.
const MATRIX: usize = 10;

/// The width to which remarks are wrapped, in characters.
const WIDTH: usize = 96;

pub(super) fn write(standings: &Standings) -> String {
    let mut text = format!("{}\n", scores(standings));
    text.push_str(&format!("\n{}\n", by_seat(standings)));
    text.push_str(&format!("\n{}\n", faults_and_time(standings)));
    if (2..=MATRIX).contains(&standings.bots.len()) {
        text.push_str(&format!("\n{}\n", matrix(standings)));
    }
    if standings.neighbours.len() <= 40 && !standings.neighbours.is_empty() {
        text.push('\n');
        for found in &standings.neighbours {
            let name = |bot: usize| printable(&standings.bots[bot].name, SHORT);
            let [upper, lower] = found.bots.map(name);
            text.push_str(&format!("{upper} / {lower}: {}\n", comparison(found)));
        }
    }
    text.push('\n');
    remarks(standings).iter().for_each(|remark| text.push_str(&wrapped(remark)));
    text
}

fn scores(standings: &Standings) -> Table {
    let mut header =
        vec!["rank", "places", "bot", "games", "share", "95%", "rating", "95%", "faults"];
    if standings.points.is_some() {
        header.insert(4, "points");
    }
    let mut table = empty(&header);
    for bot in &standings.bots {
        let mut row = vec![
            rank(bot.rank),
            places(bot),
            printable(&bot.name, SHORT),
            bot.score.games.to_string(),
            percent(bot.score.share),
            percents(bot.block_interval.or(bot.score.interval)),
            rating(bot.rating),
            range(bot.rating),
            match bot.fault_count() {
                0 => NOTHING.into(),
                count => count.to_string(),
            },
        ];
        if standings.points.is_some() {
            row.insert(4, own_points(bot.score.points));
        }
        table.add_row(row);
    }
    table
}

fn by_seat(standings: &Standings) -> Table {
    let roles = standings.bots.iter().any(|bot| bot.role_ratings.is_some());
    let mut header = vec!["bot".to_string(), "won".into(), "drawn".into(), "lost".into()];
    for seat in &standings.seats {
        header.push(format!("as {}", printable(seat, SHORT)));
        if roles {
            header.extend(["rating".into(), "95%".into()]);
        }
    }
    let mut table = empty(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for bot in &standings.bots {
        let mut row = vec![printable(&bot.name, SHORT)];
        row.extend([bot.score.wins, bot.score.draws, bot.score.losses].map(|n| n.to_string()));
        for (seat, score) in bot.by_seat.iter().enumerate() {
            row.push(percent(score.share));
            if roles {
                let in_role = bot.role_ratings.and_then(|both| both.get(seat).copied());
                row.extend([rating(in_role), range(in_role)]);
            }
        }
        table.add_row(row);
    }
    table
}

fn faults_and_time(standings: &Standings) -> Table {
    let mut header = vec!["bot", "void", "mean move", "longest", "processor", "faults"];
    let has_excused = standings.has_excused();
    header.extend(has_excused.then_some("excused"));
    let mut table = empty(&header);
    for bot in &standings.bots {
        let moved = bot.time.mean_us.is_some();
        let mut row = vec![
            printable(&bot.name, SHORT),
            bot.void.to_string(),
            milliseconds(bot.time.mean_us),
            milliseconds(moved.then_some(bot.time.longest_us as f64)),
            milliseconds(bot.time.cpu_us.map(|us| us as f64)),
            printable(&faults(bot), 48),
        ];
        row.extend(has_excused.then(|| excused(&bot.time)));
        table.add_row(row);
    }
    table
}

fn matrix(standings: &Standings) -> Table {
    let numbered = head_to_head(standings);
    let mut table = empty(&numbered.header.iter().map(String::as_str).collect::<Vec<_>>());
    for row in numbered.rows {
        table.add_row(row.iter().map(|cell| printable(cell, SHORT)));
    }
    table
}

fn empty(header: &[&str]) -> Table {
    plain_table(header, |column| header[column] == "bot")
}

/// Wrapped between words, which are never broken.
fn wrapped(text: &str) -> String {
    let options = Options::new(WIDTH)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(text, options) + "\n"
}
