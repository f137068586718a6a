//! The standings as Markdown tables, with all Markdown and HTML syntax in texts escaped.

use super::Standings;
use super::shared_tables::{TextTable, head_to_head, roles, scores};
use super::words::{comparison, excused, faults, gate, milliseconds, remarks};

/// The maximum number of bots in the matrix: a larger one is unreadable.
const MATRIX: usize = 24;

pub(super) fn write(standings: &Standings) -> String {
    let mut text = format!("# Standings: {}\n\n", escaped(&standings.game));
    let mut all = scores(standings);
    all.header.extend(["faults", "void", "mean move", "longest", "gate"].map(String::from));
    let has_excused = standings.has_excused();
    all.header.extend(has_excused.then(|| "excused".to_string()));
    for (row, bot) in all.rows.iter_mut().zip(&standings.bots) {
        row.extend([
            faults(bot),
            bot.void.to_string(),
            milliseconds(bot.time.mean_us),
            milliseconds(bot.time.mean_us.map(|_| bot.time.longest_us as f64)),
            gate(bot).into(),
        ]);
        row.extend(has_excused.then(|| excused(&bot.time)));
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

/// Returns a text without any markup.
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
            // An address that some renderers would turn into a link.
            ':' | '@' => escaped.push_str(&format!("&#{};", character as u32)),
            other => escaped.push(other),
        }
    }
    escaped
}
