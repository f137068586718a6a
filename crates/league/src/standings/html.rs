//! The standings as one self-contained page: no script, no external resources, and a content
//! security policy that forbids both in any case.

use super::html_pieces::{address, escaped, heat, rating_plot, table};
use super::shared_tables::{TextTable, roles, scores};
use super::words::{comparison, excused, faults, gate, milliseconds, percent, percents, remarks};
use super::{ReplayLink, Standings};
use std::fmt::Write;

/// The maximum number of bots in the matrix: its size grows with their square.
const MATRIX: usize = 120;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;\
color:#1c1c1c;background:#fff}h1,h2{font-weight:600}table{border-collapse:collapse;margin:1em 0;\
font-variant-numeric:tabular-nums;display:block;overflow-x:auto}th,td{padding:.25em .7em;text-align:right;\
border-bottom:1px solid #ddd;white-space:nowrap}th.text,td.text{text-align:left;white-space:normal;\
overflow-wrap:anywhere;min-width:6em}td.heat{text-align:center;color:#111}\
pre{white-space:pre-wrap}svg{max-width:100%;height:auto}svg text{font-size:12px;fill:currentColor}\
svg .name{text-anchor:end}svg .tick{text-anchor:middle;opacity:.7}svg .grid{stroke:#ccc}\
svg .interval{stroke:#3b6fb6;stroke-width:3}svg circle{fill:#1d3f73}code{overflow-wrap:anywhere}\
@media(prefers-color-scheme:dark){body{color:#e4e4e4;background:#161616}th,td{border-color:#3a3a3a}\
a{color:#8ab4f8}svg .grid{stroke:#444}svg circle{fill:#bcd3f5}}";

pub(super) fn write(standings: &Standings, above: &str, below: &str) -> String {
    let title = format!("Standings: {}", escaped(&standings.game));
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    html.push_str(&plain(above));
    html.push_str(&table(&scores(standings)));
    for remark in remarks(standings) {
        let _ = writeln!(html, "<p>{}</p>", escaped(&remark));
    }
    if standings.bots.iter().any(|bot| bot.rating.is_some()) {
        html.push_str("<h2>Ratings</h2>\n");
        html.push_str(&rating_plot(&standings.bots));
    }
    if let Some(roles) = roles(standings) {
        html.push_str("<h2>By role</h2>\n");
        html.push_str(&table(&roles));
    }
    if standings.bots.len() <= MATRIX {
        html.push_str("<h2>Head to head</h2>\n");
        html.push_str(&matrix(standings));
    }
    html.push_str("<h2>Neighbours</h2>\n<ul>\n");
    for found in &standings.neighbours {
        let [upper, lower] = found.bots.map(|bot| escaped(&standings.bots[bot].name));
        let _ = writeln!(html, "<li>{upper} / {lower}: {}</li>", escaped(&comparison(found)));
    }
    html.push_str("</ul>\n<h2>Faults and time</h2>\n");
    html.push_str(&faults_and_time(standings));
    if !standings.replays.is_empty() {
        html.push_str("<h2>Replays</h2>\n");
        html.push_str(&replays(standings));
    }
    html.push_str(&plain(below));
    html + "</body></html>\n"
}

fn plain(text: &str) -> String {
    match text.trim_matches('\n') {
        "" => String::new(),
        text => format!("<pre>{}</pre>\n", escaped(text)),
    }
}

fn matrix(standings: &Standings) -> String {
    let mut html = String::from("<table><thead><tr><th>no</th><th class=\"text\">bot</th>");
    for (number, bot) in (1..).zip(&standings.bots) {
        let _ = write!(html, "<th title=\"{}\">{number}</th>", escaped(&bot.name));
    }
    html.push_str("</tr></thead><tbody>\n");
    for (number, (bot, scores)) in (1..).zip(standings.bots.iter().zip(&standings.head_to_head)) {
        let name = escaped(&bot.name);
        let _ = write!(html, "<tr><td>{number}</td><td class=\"text\">{name}</td>");
        for score in scores {
            let Some(share) = score.share else {
                html.push_str("<td></td>");
                continue;
            };
            let _ = write!(
                html,
                "<td class=\"heat\" style=\"background:{}\" title=\"{} of {} games, 95%: {}\">{:.0}</td>",
                heat(share),
                percent(score.share),
                score.games,
                percents(score.interval),
                share * 100.0
            );
        }
        html.push_str("</tr>\n");
    }
    html + "</tbody></table>\n"
}

/// The place of the excused time among the columns, where there is any.
const EXCUSED: usize = 6;

fn faults_and_time(standings: &Standings) -> String {
    let mut header = vec![
        "bot",
        "team",
        "faults",
        "void",
        "mean move",
        "longest",
        "processor",
        "gate",
        "SHA-256",
    ];
    let has_excused = standings.has_excused();
    if has_excused {
        header.insert(EXCUSED, "excused");
    }
    let rows = standings.bots.iter().map(|bot| {
        let mut row = vec![
            bot.name.clone(),
            bot.team.clone(),
            faults(bot),
            bot.void.to_string(),
            milliseconds(bot.time.mean_us),
            milliseconds(bot.time.mean_us.map(|_| bot.time.longest_us as f64)),
            milliseconds(bot.time.cpu_us.map(|us| us as f64)),
            gate(bot).into(),
            bot.sha256.get(..12).unwrap_or(&bot.sha256).to_string(),
        ];
        if has_excused {
            row.insert(EXCUSED, excused(&bot.time));
        }
        row
    });
    let header = header.into_iter().map(String::from).collect();
    table(&TextTable { header, rows: rows.collect(), words: 3 })
}

fn replays(standings: &Standings) -> String {
    let mut html = String::from("<ul>\n");
    for link in &standings.replays {
        let _ = writeln!(
            html,
            "<li><a href=\"{}\">block {}</a>: {}</li>",
            escaped(&address(&link.replay)),
            link.block,
            escaped(&players(standings, link))
        );
    }
    html + "</ul>\n"
}

/// Returns the bots by seat and their points: `one 1, other 0 (fault)`.
fn players(standings: &Standings, link: &ReplayLink) -> String {
    let player = |(seat, &bot): (usize, &usize)| {
        let name = standings.bots.get(bot).map_or("", |bot| bot.name.as_str());
        let points = match &link.points {
            Some(points) => format!(" {}", points.get(seat).copied().unwrap_or(0.0)),
            None => String::new(),
        };
        let fault = if link.faults.contains(&seat) { " (fault)" } else { "" };
        format!("{name}{points}{fault}")
    };
    let players: Vec<String> = link.seats.iter().enumerate().map(player).collect();
    let void = if link.points.is_none() { "; void" } else { "" };
    players.join(", ") + void
}
