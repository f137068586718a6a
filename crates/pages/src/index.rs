//! The page with the standings.

use crate::board::{self, BoardRow};
use crate::chart::scale;
use crate::pieces::{document, fact, lines, moment, name, plain, row_name, table, text};
use crate::site::Site;
use botyard_league::schedule::{KnockoutPairing, KnockoutTable, SwissTable};
use botyard_league::standings::BotStanding;
use botyard_league::standings::words::{percent, remarks};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, html};

/// The maximum length of the rules, in characters: a rule may have the content of a file.
const RULES: usize = 400;

/// The maximum length of a line of a reason, in characters.
const LINE: usize = 1000;

/// The maximum number of bots of a crosstable.
const CROSSED: usize = 60;

pub(crate) fn page(site: &Site) -> String {
    let report = &site.report;
    let definition = &report.results.definition;
    let standings = &report.results.standings;
    let header = html! {
        h1 { (name(&definition.name)) }
        p {
            "Standings of " (printable(&standings.game, 60)) ", " (played(site))
            @if standings.void > 0 { ", " (counted(standings.void, "game")) " void" }
            @if let Some(began) = report.began { "; began " (moment(began)) }
        }
        p { a href="#about" { "Rules, clock, seed" } " " a href="#reading" { "How to read the figures" } }
    };
    let main = html! {
        (rejected(site))
        section id="standings" tabindex="-1" aria-labelledby="standings-title" {
            h2 id="standings-title" { "Standings" }
            p class="note" {
                "Bots with a common letter in \u{201c}group\u{201d} are not separated: the games do not show which "
                "of them is stronger."
            }
            (board::filters(&standings.bots, &|bot| bot.name.clone()))
            (rows(site))
        }
        section aria-labelledby="cross-title" {
            h2 id="cross-title" { "Crosstable" }
            @if standings.bots.len() <= CROSSED {
                (board::crosstable(standings, &|bot| html! {
                    a href=(site.files[bot.entrant]) { (name(site.name(bot.entrant))) }
                }))
            } @else { p { "The page of a bot has its results against each other one." } }
        }
        section id="about" tabindex="-1" aria-labelledby="about-title" {
            h2 id="about-title" { "About the tournament" }
            (about(site))
        }
        @if let Some(swiss) = &report.results.swiss { (swiss_table(site, swiss)) }
        @if let Some(knockout) = &report.results.knockout { (bracket(site, knockout)) }
        @if !report.results.replaced.is_empty() {
            section aria-labelledby="replaced-title" {
                h2 id="replaced-title" { "Replaced versions" }
                ul { @for old in &report.results.replaced {
                    li {
                        (name(&old.entrant.name)) " was replaced by " (name(&old.by)) ": "
                        (counted(old.score.games(), "game"))
                        @if old.score.share().is_some() { ", " (percent(old.score.share())) }
                        ", which no longer count"
                    }
                } }
            }
        }
        section id="reading" tabindex="-1" aria-labelledby="reading-title" {
            h2 id="reading-title" { "How to read the figures" }
            @for remark in remarks(standings) { p { (printable(&remark, LINE)) } }
            p {
                "Group: bots of which no two are separated, the longest runs in the order of the ratings. "
                "A bot may be in several."
            }
        }
    };
    let title = format!("Standings: {}", definition.name);
    document(&title, ("standings", "Skip to the standings"), &header, &main)
}

/// Returns the number of games, of those that are scheduled.
fn played(site: &Site) -> String {
    let standings = &site.report.results.standings;
    let least = if site.report.results.knockout.is_some() { "at least " } else { "" };
    match site.report.scheduled {
        Some(all) if all > standings.games => {
            format!("{} of {least}{}", standings.games, counted(all, "game"))
        }
        _ => counted(standings.games, "game"),
    }
}

/// Returns whether every game is known to have a result.
fn is_complete(site: &Site) -> bool {
    let report = &site.report;
    match &report.results.knockout {
        Some(knockout) => knockout.winner().is_some(),
        None => report.scheduled.is_some_and(|all| report.results.standings.games >= all),
    }
}

/// Returns the bots that the gate rejected, with the reasons.
fn rejected(site: &Site) -> Markup {
    let standings = &site.report.results.standings;
    let bots: Vec<&BotStanding> =
        standings.bots.iter().filter(|bot| !bot.gate_reason.is_empty()).collect();
    html! {
        @if !bots.is_empty() {
            section class="notice" aria-labelledby="gate-title" {
                h2 id="gate-title" { "Rejected by the gate: " (counted(bots.len() as u64, "bot")) }
                ul { @for bot in bots {
                    @let reason = bot.gate_reason.trim();
                    li {
                        a href=(site.files[bot.entrant]) { (name(site.name(bot.entrant))) } ": "
                        (text(reason.lines().next().unwrap_or_default(), 400))
                        @if reason.lines().count() > 1 {
                            details { summary { "Whole reason" } (lines(reason, LINE)) }
                        }
                    }
                } }
            }
        }
    }
}

fn rows(site: &Site) -> Markup {
    let standings = &site.report.results.standings;
    let (scale, has_points) = (scale(&standings.bots), standings.points.is_some());
    let body = html! { @for bot in &standings.bots {
        @let full = site.name(bot.entrant);
        (BoardRow {
            bot,
            named: html! {
                a href=(site.files[bot.entrant]) { (name(full)) }
                @if !bot.team.is_empty() { " " span class="team" { (name(&bot.team)) } }
                @if bot.gate_passed == Some(false) { " " span class="rejected" { "rejected" } }
            },
            searched: full,
            scale,
            has_points,
            trend: None,
            live: None,
        }.markup())
    } };
    let caption = "Each bot with its results. Intervals: 95%";
    html! { div id="bots" { (table(caption, &board::header(has_points, false), &body)) } }
}

fn about(site: &Site) -> Markup {
    let report = &site.report;
    let (results, standings) = (&report.results, &report.results.standings);
    let tiers: Vec<String> = (site.tiers.iter())
        .map(|tier| match tier.as_str() {
            "none" => "none".into(),
            tier => format!("tier {}", printable(tier, 20)),
        })
        .collect();
    let sandbox = if tiers.is_empty() { report.sandbox.clone() } else { tiers.join(", ") };
    let rejected = results.definition.rejected.len();
    let bots = standings.bots.len() - rejected;
    let seed = match (&results.definition.commitment, results.revealed()) {
        // A secret is never written without the flag in the store that it may be published.
        (None, _) if results.definition.draws.secret_digits().is_some() => html! { "a secret" },
        (None, _) if is_complete(site) => html! { "seed " (results.definition.draws.to_string()) },
        // Who knows the seed can compute the starts and the dice of games to come.
        (None, _) => html! { "a seed, which is shown here when every game has a result" },
        (Some(hash), None) => html! {
            "a secret, which is published when every game has a result. Its SHA-256: "
            code { (printable(hash, 100)) }
        },
        (Some(hash), Some(secret)) => html! {
            "the secret " code { (secret) } ", whose SHA-256 is " code { (printable(hash, 100)) }
        },
    };
    html! {
        dl class="facts" {
            (fact("Game", &html! { (printable(&standings.game, 60)) }))
            (fact("Rules", &html! { (printable(&report.rules, RULES)) }))
            (fact("Clock", &html! { (report.clock) }))
            (fact("Sandbox", &html! { (sandbox) }))
            (fact("Format", &html! { (report.format) }))
            (fact("Bots", &html! {
                (bots) @if rejected > 0 { ", and " (rejected) " rejected by the gate" }
            }))
            (fact("Games", &html! {
                (played(site))
                @if standings.void == 0 { ", none void" }
                @else { "; " (standings.void) " void, because the host failed" }
            }))
            (fact("Games drawn from", &seed))
            @if let Some(began) = report.began { (fact("Began", &moment(began))) }
            (fact("Botyard", &html! { (printable(&results.definition.version, 40)) }))
        }
    }
}

/// Returns a bot of the store by its name, with a link if it has a page.
fn stored_bot(site: &Site, bot: usize) -> Markup {
    let entrant = site.report.active.get(bot).copied().flatten();
    let full = name(site.report.results.name(bot));
    html! {
        @match entrant.and_then(|entrant| site.files.get(entrant)) {
            Some(file) => { a href=(file) { (full) } },
            None => { (full) },
        }
    }
}

fn swiss_table(site: &Site, swiss: &SwissTable) -> Markup {
    let header = ["place", "bot", "score", "Buchholz", "Sonneborn-Berger", "points", "byes"];
    let body = html! { @for (place, row) in swiss.places().into_iter().zip(&swiss.rows) {
        tr role="row" {
            (plain("place", place))
            (row_name(&stored_bot(site, row.bot)))
            (plain("score", format!("{} of {}", row.score, swiss.rounds)))
            (plain("Buchholz", row.buchholz))
            (plain("Sonneborn-Berger", row.sonneborn_berger))
            (plain("points", row.points))
            (plain("byes", row.byes))
        }
    } };
    html! {
        section aria-labelledby="swiss-title" {
            h2 id="swiss-title" { "Swiss table" }
            (table("Complete rounds", &header, &body))
        }
    }
}

fn bracket(site: &Site, bracket: &KnockoutTable) -> Markup {
    let last = bracket.rounds.len();
    html! {
        section aria-labelledby="bracket-title" {
            h2 id="bracket-title" { "Bracket" }
            @for (number, round) in (1..).zip(&bracket.rounds) {
                h3 { (round_name(number, last)) }
                ul { @for its in round { li { (pairing(site, its)) } } }
            }
            p {
                "Winner: "
                @match bracket.winner() {
                    Some(winner) => { (stored_bot(site, winner)) },
                    None => { "not decided" },
                }
            }
        }
    }
}

fn round_name(number: usize, last: usize) -> String {
    match last - number {
        0 => "Final".into(),
        1 => "Semi-finals".into(),
        _ => format!("Round {number}"),
    }
}

fn pairing(site: &Site, pairing: &KnockoutPairing) -> Markup {
    let entry = |bot: Option<usize>| match bot {
        Some(bot) => stored_bot(site, bot),
        None => html! { "?" },
    };
    let ([one, other], [first, second]) = (pairing.bots.map(entry), pairing.points);
    html! {
        @match (pairing.bots, pairing.winner) {
            ([Some(_), Some(_)], winner) => {
                (one) " " (first) " : " (second) " " (other) "; "
                @match winner {
                    Some(winner) if pairing.by_seed => {
                        "drawn: " (stored_bot(site, winner)) " advances as the better seed"
                    },
                    Some(winner) => { (stored_bot(site, winner)) " advances" },
                    None => { "not decided" },
                }
            },
            (_, Some(winner)) => { (stored_bot(site, winner)) " has a bye" },
            (_, None) => { (one) " against " (other) },
        }
    }
}
