//! The parts of the page: escaped text, addresses, tables, and the plot of the ratings.

use super::shared_tables::TextTable;
use super::{BotStanding, words};
use std::fmt::Write;

/// Escapes a text for an element or a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Returns the URL of a file beside the page: every reserved byte, first of all the colon of a
/// scheme, is percent-encoded, and it never starts with a slash.
pub(super) fn address(path: &str) -> String {
    let mut address = String::from("./");
    for byte in path.trim_start_matches('/').bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                address.push(byte.into());
            }
            other => {
                let _ = write!(address, "%{other:02X}");
            }
        }
    }
    address
}

/// Returns a table of texts; words are left-aligned.
pub(super) fn table(table: &TextTable) -> String {
    let mut html = String::from("<table><thead><tr>");
    let class = |column: usize| if column < table.words { " class=\"text\"" } else { "" };
    for (column, cell) in table.header.iter().enumerate() {
        let _ = write!(html, "<th{}>{}</th>", class(column), escaped(cell));
    }
    html.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(html, "<td{}>{}</td>", class(column), escaped(cell));
        }
        html.push_str("</tr>\n");
    }
    html + "</tbody></table>\n"
}

/// Returns a plot of the ratings as points with their intervals, one line per bot.
pub(super) fn rating_plot(bots: &[BotStanding]) -> String {
    const ROW: f64 = 24.0;
    const NAMES: f64 = 220.0;
    const WIDTH: f64 = 520.0;
    let rated = || bots.iter().filter_map(|bot| Some((bot, bot.rating?)));
    let low = rated().map(|(_, rating)| rating.low).fold(0.0, f64::min);
    let high = rated().map(|(_, rating)| rating.high).fold(0.0, f64::max);
    let span = (high - low).max(1.0);
    let x = |value: f64| NAMES + (value - low) / span * WIDTH;
    let height = ROW * (rated().count() as f64 + 1.0);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {} {height}\" width=\"{}\" role=\"img\" aria-label=\"Ratings with intervals\">\n",
        NAMES + WIDTH + 20.0,
        NAMES + WIDTH + 20.0
    );
    let step = grid_step(span);
    let mut line = (low / step).ceil() * step;
    while line <= high {
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"0\" y2=\"{1:.0}\"/>\
             <text class=\"tick\" x=\"{0:.1}\" y=\"{2:.0}\">{3}</text>",
            x(line),
            height - ROW,
            height - 6.0,
            words::points(line)
        );
        line += step;
    }
    for (index, (bot, rating)) in rated().enumerate() {
        let y = ROW * (index as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text class=\"name\" x=\"{:.0}\" y=\"{:.0}\">{}</text>\
             <line class=\"interval\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.0}\" y2=\"{y:.0}\"/>\
             <circle cx=\"{:.1}\" cy=\"{y:.0}\" r=\"4\"/>",
            NAMES - 12.0,
            y + 4.0,
            escaped(&botyard_protocol::printable(&bot.name, 28)),
            x(rating.low),
            x(rating.high),
            x(rating.value)
        );
    }
    svg + "</svg>\n"
}

/// Returns a round distance between grid lines, for about six lines.
fn grid_step(span: f64) -> f64 {
    let rough = span / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough);
    power * factor.unwrap_or(10.0)
}

/// Returns the background colour of a share: red below a half, blue above, paler towards it.
pub(super) fn heat(share: f64) -> String {
    let strength = (2.0 * (share - 0.5)).clamp(-1.0, 1.0);
    let pale = (255.0 - 130.0 * strength.abs()).round();
    if strength < 0.0 {
        format!("rgb(255,{pale},{pale})")
    } else {
        format!("rgb({pale},{pale},255)")
    }
}
