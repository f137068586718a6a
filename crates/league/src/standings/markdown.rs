//! The standings as Markdown tables. Whatever Markdown or HTML take for a sign of theirs is
//! escaped.

use super::Standings;
use super::shared_tables::{TextTable, head_to_head, roles, scores};
use super::words::{comparison, faults, gate, milliseconds, remarks};

/// The most bots of which the matrix is written: beyond nobody can read it.
const MATRIX: usize = 24;

pub fn write(standings: &Standings) -> String {
    let mut text = format!("# Standings: {}\n\n", escaped(&standings.game));
    let mut all = scores(standings);
    all.header.extend(["faults", "void", "mean move", "longest", "gate"].map(String::from));
    for (row, bot) in all.rows.iter_mut().zip(&standings.bots) {
        row.extend([
            faults(bot),
            bot.void.to_string(),
            milliseconds(bot.time.mean_us),
            milliseconds(bot.time.mean_us.map(|_| bot.time.longest_us as f64)),
            gate(bot).into(),
        ]);
    }
    table(&mut text, &all);
    if let Some(roles) = roles(standings) {
        text.push_str("\n## By role\n\n");
        table(&mut text, &roles);
    }
    if standings.bots.len() <= MATRIX {
        text.push_str("\n## Head to head\n\n");
        table(&mut text, &head_to_head(standings));
    }
    text.push('\n');
    for found in &standings.neighbours {
        let [upper, lower] = found.bots.map(|bot| escaped(&standings.bots[bot].name));
        text.push_str(&format!("* {upper} / {lower}: {}\n", comparison(found)));
    }
    for remark in remarks(standings) {
        text.push_str(&format!("\n{}\n", escaped(&remark)));
    }
    text
}

fn table(text: &mut String, table: &TextTable) {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    text.push_str(&line(&table.header));
    text.push_str(&format!("|{}\n", " --- |".repeat(table.header.len())));
    table.rows.iter().for_each(|row| text.push_str(&line(row)));
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
