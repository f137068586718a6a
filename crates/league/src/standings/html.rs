//! The standings as one self-contained page: no script, no external resources, and a content
//! security policy that forbids both in any case.

use super::html_pieces::{address, escaped, heat, rating_plot, table};
use super::shared_tables::{TextTable, roles, scores};
use super::words::{comparison, excused, faults, gate, milliseconds, percent, percents, remarks};
use super::{ReplayLink, Standings};
use std::fmt::Write;

/// The maximum number of bots in the matrix: its size grows with their square.
const MATRIX: usize = 120;

/// The style of the page: the colours and the type of the site and of the pages of a tournament. Tables
/// that are wider than the screen scroll, and everything else breaks its lines.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:light-dark(#1c2127,#e8eaed);--dim:light-dark(#5a6470,#9ba5b1);\
--rule:light-dark(#c9d0d8,#444c57);--paper:light-dark(#fff,#181b20);--ground:light-dark(#f3f6f4,#0f1214);\
--brand:light-dark(#17493e,#143a32);--link:light-dark(#1d5c4d,#7cc7b4)}\
body{font:15px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',Arial,sans-serif;margin:0 auto;\
max-width:76rem;padding:0 1rem 2.5rem;color:var(--ink);background:var(--ground);overflow-wrap:anywhere}\
h1{font-size:1.6rem;letter-spacing:-.02em;line-height:1.15;background:var(--brand);color:#e9f2ee;\
margin:0 -1rem 1rem;padding:1rem}h2{font-size:1.12rem;margin:1.6rem 0 .4rem}a{color:var(--link)}\
table{border-collapse:collapse;margin:.6rem 0;font-variant-numeric:tabular-nums;display:block;\
width:fit-content;max-width:100%;overflow-x:auto;background:var(--paper);border:1px solid var(--rule);\
border-radius:8px}th,td{padding:.28em .7em;text-align:right;border-bottom:1px solid var(--rule);\
white-space:nowrap}thead th{color:var(--dim);font-weight:600}th.text,td.text{text-align:left;\
white-space:normal;overflow-wrap:break-word;min-width:6em}td.heat{text-align:center;color:#111}\
p{max-width:80ch}pre{overflow-x:auto;max-width:100%}svg{max-width:100%;height:auto}\
svg text{font-size:12px;fill:currentColor}svg .name{text-anchor:end}\
svg .tick{text-anchor:middle;opacity:.7}svg .grid{stroke:var(--rule)}\
svg .interval{stroke:var(--link);stroke-width:3}svg circle{fill:var(--ink)}\
@media(max-width:600px){body{padding:0 .7rem 2rem}h1{margin:0 -.7rem .8rem;padding:.8rem .7rem;\
font-size:1.3rem}th,td{padding:.25em .45em}ul{padding-left:1.2em}}";

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
