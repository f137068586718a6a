//! The page of a bot.

use crate::chart::{rating_curve, share_curve};
use crate::games::{ShownFault, ShownGame};
use crate::pieces::{
    SCORE_HEADER, cell, document, fact, groups, lines, name, plain, row_name, score_cells, table,
    text, whole_name, won_drawn_lost,
};
use crate::site::Site;
use botyard_league::scale::SeatResult;
use botyard_league::standings::BotStanding;
use botyard_league::standings::words::{
    excused, faults, milliseconds, own_points, percent, percents, places, range, rank, rating,
};
use botyard_league::{PlayedGame, Verdict};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, html};

/// The maximum length of a message and of a line of a bot, in characters.
const EVIDENCE: usize = 2000;

pub(crate) fn page(site: &Site, bot: &BotStanding) -> String {
    let full = site.name(bot.entrant);
    let tournament = &site.report.results.definition.name;
    let header = html! {
        h1 { (name(full)) }
        p { a href="../index.html#standings" { "Standings of " (name(tournament)) } }
    };
    let has_games = bot.score.games > 0;
    let main = html! {
        @if !bot.gate_reason.is_empty() {
            section class="notice" aria-labelledby="gate-title" {
                h2 id="gate-title" { "Rejected by the gate" }
                (lines(bot.gate_reason.trim(), EVIDENCE))
            }
        }
        section id="results" tabindex="-1" aria-labelledby="results-title" {
            h2 id="results-title" { "Results" }
            (facts(site, bot, full))
        }
        @if has_games {
            (opponents(site, bot))
            (seats(site, bot))
            (rating_over_games(site, bot))
            (curve(site, bot))
        }
        (fault_list(site, bot))
        (games(site, bot))
    };
    let title = format!("{}: {tournament}", printable(full, 60));
    document(&title, ("results", "Skip to the results"), &header, &main)
}

fn facts(site: &Site, bot: &BotStanding, full: &str) -> Markup {
    let played = site.report.results.standings.bots.iter().filter(|bot| bot.score.games > 0);
    let played = played.count();
    let interval = bot.block_interval.or(bot.score.interval);
    let has_games = bot.score.games > 0;
    html! {
        dl class="facts" {
            @if printable(full, 60) != full { (fact("Full name", &whole_name(full))) }
            @if !bot.team.is_empty() { (fact("Team", &name(&bot.team))) }
            @if !bot.version.is_empty() { (fact("Version", &name(&bot.version))) }
            (fact("Rank", &html! {
                (rank(bot.rank)) @if bot.rank.is_some() { " of " (played) }
            }))
            (fact("Places", &html! {
                (places(bot)) @if bot.rank_low.is_some() { " (95%, for all bots at once)" }
            }))
            (fact("Group", &groups(bot)))
            (fact("Games", &html! {
                (bot.score.games)
                @if has_games { ", " (won_drawn_lost(&bot.score)) " won, drawn and lost" }
            }))
            (fact("Share", &html! {
                (percent(bot.score.share)) @if has_games { " (95%: " (percents(interval)) ")" }
            }))
            @if bot.score.points.is_some() {
                (fact("Points", &html! { (own_points(bot.score.points)) " a game" }))
            }
            (fact("Rating", &html! {
                (rating(bot.rating)) @if bot.rating.is_some() { " (95%: " (range(bot.rating)) ")" }
            }))
            (fact("Faults", &html! { (faults(bot)) }))
            (fact("Void", &html! { (counted(bot.void, "game")) }))
            @if let Some(mean) = bot.time.mean_us {
                (fact("Time", &html! {
                    (milliseconds(Some(mean))) " a decision, " (milliseconds(Some(bot.time.longest_us as f64))) " the longest"
                    @if let Some(cpu) = bot.time.cpu_us { "; CPU time " (milliseconds(Some(cpu as f64))) }
                    @if bot.time.excused_us > 0 { "; excused " (excused(&bot.time)) }
                }))
            }
            @if !bot.sha256.is_empty() { (fact("SHA-256", &html! { code { (bot.sha256) } })) }
        }
    }
}

fn opponents(site: &Site, bot: &BotStanding) -> Markup {
    let standings = &site.report.results.standings;
    let position = standings.bots.iter().position(|other| other.entrant == bot.entrant);
    let scores = position.and_then(|position| standings.head_to_head.get(position));
    let scores = standings.bots.iter().zip(scores.into_iter().flatten());
    let mut header = vec!["opponent"];
    header.extend(SCORE_HEADER);
    let body = html! { @for (other, score) in scores.filter(|(_, score)| score.games > 0) {
        tr role="row" {
            (row_name(&link(site, other.entrant)))
            (score_cells(score, score.interval))
        }
    } };
    html! {
        section aria-labelledby="opponents-title" {
            h2 id="opponents-title" { "By opponent" }
            @if standings.seats.len() > 2 {
                p class="note" { "A game is won against an opponent by finishing ahead of it." }
            }
            (table("Results against each opponent", &header, &body))
        }
    }
}

fn seats(site: &Site, bot: &BotStanding) -> Markup {
    let standings = &site.report.results.standings;
    let mut header = vec!["seat"];
    header.extend(SCORE_HEADER);
    if bot.role_ratings.is_some() {
        header.extend(["rating", "95% of the rating"]);
    }
    let of_seat = |seat: usize| bot.role_ratings.and_then(|both| both.get(seat).copied());
    let body = html! { @for (seat, (title, score)) in standings.seats.iter().zip(&bot.by_seat).enumerate() {
        tr role="row" {
            (row_name(&html! { (printable(title, 60)) }))
            (score_cells(score, score.interval))
            @if bot.role_ratings.is_some() {
                (plain("rating", rating(of_seat(seat))))
                (plain("95% of the rating", range(of_seat(seat))))
            }
        }
    } };
    html! {
        section aria-labelledby="seats-title" {
            h2 id="seats-title" { "By seat" }
            (table("Results in each seat", &header, &body))
        }
    }
}

fn rating_over_games(site: &Site, bot: &BotStanding) -> Markup {
    let history = &site.ratings[bot.entrant];
    html! {
        @if history.len() > 1 {
            section aria-labelledby="ratings-title" {
                h2 id="ratings-title" { "Rating over its games" }
                figure {
                    (rating_curve(history))
                    figcaption {
                        "Each point is the rating that the standings would have had after a part of the blocks, in "
                        "the order of the schedule, with its 95% interval as a band. The dashed line is the mean of "
                        "all bots that had played. Ratings come from the same games of all bots, so a point also "
                        "moves with what its opponents did, and the intervals do not hold for all points at once."
                    }
                }
            }
        }
    }
}

fn curve(site: &Site, bot: &BotStanding) -> Markup {
    let history = &site.histories[bot.entrant];
    html! {
        @if history.len() > 1 {
            section aria-labelledby="curve-title" {
                h2 id="curve-title" { "Share over its games" }
                figure {
                    (share_curve(history, site.report.results.standings.seats.len()))
                    figcaption {
                        "The line is the share of the points of the first games, in the order of the schedule; "
                        "games at the same time may have ended in another order. The band is the 95% interval "
                        "(Wilson) for each number of games alone, with games as independent; it does not hold for "
                        "all numbers at once, and the interval above, from blocks, may differ. The dashed line is "
                        "an even share. This is no rating: opponents met early may be weaker or stronger."
                    }
                }
            }
        }
    }
}

fn fault_list(site: &Site, bot: &BotStanding) -> Markup {
    let header = ["game", "seat", "fault", "message", "line"];
    let shown: Vec<(&ShownGame, &PlayedGame)> = site.games_of(bot).collect();
    let body = html! { @for &(shown, game) in &shown {
        @for fault in shown.faults.iter().filter(|fault| game.seats.get(fault.seat) == Some(&bot.entrant)) {
            tr role="row" { (fault_cells(site, shown, game, fault)) }
        }
        @if shown.faults.is_empty() {
            // Its replay is missing: the store has the kinds.
            @for &(seat, kind) in game.faults.iter().filter(|&&(seat, _)| game.seats.get(seat) == Some(&bot.entrant)) {
                tr role="row" {
                    (row_name(&game_link(shown, game)))
                    (plain("seat", seat_name(site, seat)))
                    (plain("fault", kind.as_str()))
                    (cell("message", &text(shown.problem.as_deref().unwrap_or("the game has no replay"), 300)))
                    (plain("line", ""))
                }
            }
        }
    } };
    let has_rows = !body.0.is_empty();
    html! {
        @if bot.fault_count() > 0 {
            section id="faults" aria-labelledby="faults-title" {
                h2 id="faults-title" { "Faults" }
                p { (faults(bot)) }
                @if site.left_out > 0 {
                    p class="note" {
                        "Not every game with a fault is listed. "
                        code { "botyard tournament page --games all" } " lists them all."
                    }
                }
                @if has_rows { (table("Faults with their evidence", &header, &body)) }
            }
        }
    }
}

fn fault_cells(site: &Site, shown: &ShownGame, game: &PlayedGame, fault: &ShownFault) -> Markup {
    let (seat, ShownFault { fault, fatal, .. }) = (fault.seat, fault);
    let at = match fault.turn {
        0 => "before the first move".to_string(),
        turn => format!("at move {turn}"),
    };
    html! {
        (row_name(&game_link(shown, game)))
        (plain("seat", seat_name(site, seat)))
        (cell("fault", &html! {
            (fault.kind.as_str()) ", " (at) @if !fatal { ", forgiven" }
        }))
        (cell("message", &text(&fault.message, EVIDENCE)))
        (cell("line", &html! {
            @if let Some(got) = &fault.got { code { (text(got, EVIDENCE)) } }
        }))
    }
}

fn games(site: &Site, bot: &BotStanding) -> Markup {
    let header = ["game", "seats", "result"];
    let with_page = || site.games_of(bot).filter(|(shown, _)| shown.page.is_some());
    let body = html! { @for (shown, game) in with_page() {
        tr role="row" {
            (row_name(&game_link(shown, game)))
            (cell("seats", &holders(site, game)))
            (plain("result", result(site, bot, game)))
        }
    } };
    html! {
        @if with_page().next().is_some() {
            section aria-labelledby="games-title" {
                h2 id="games-title" { "Games with a page" }
                (table("Recorded games that open in a browser", &header, &body))
            }
        }
    }
}

/// Returns the seats of a game with their bots and points.
fn holders(site: &Site, game: &PlayedGame) -> Markup {
    let points = |seat: usize| match &game.verdict {
        Verdict::Scored { points, .. } => points.get(seat).copied(),
        Verdict::Void => None,
    };
    html! { @for (seat, &bot) in game.seats.iter().enumerate() {
        @if seat > 0 { "; " }
        (seat_name(site, seat)) ": " (name(site.name(bot)))
        @if let Some(points) = points(seat) { " " (points) }
    } }
}

/// Returns how a game ended for a bot, in the first of its seats.
fn result(site: &Site, bot: &BotStanding, game: &PlayedGame) -> String {
    let Verdict::Scored { points, places } = &game.verdict else { return "void".into() };
    let Some(seat) = game.seats.iter().position(|&holder| holder == bot.entrant) else {
        return String::new();
    };
    let part = site.report.kind.scale.part(points, places, seat);
    let word = part.map_or("", |part| match part.result {
        SeatResult::Won => "won",
        SeatResult::Drawn => "drawn",
        SeatResult::Lost => "lost",
    });
    match places.get(seat) {
        Some(place) if game.seats.len() > 2 => format!("{word}, place {place}"),
        _ => word.into(),
    }
}

fn seat_name(site: &Site, seat: usize) -> String {
    let seats = &site.report.results.standings.seats;
    seats.get(seat).map_or_else(|| format!("seat {}", seat + 1), |title| printable(title, 60))
}

/// Returns the block of a game, as a link if it has a page.
fn game_link(shown: &ShownGame, game: &PlayedGame) -> Markup {
    let words = format!("block {}", game.block);
    html! {
        @match &shown.page {
            Some(page) => { a href=(format!("../{page}")) { (words) } },
            None => { (words) },
        }
        @if !shown.id.is_empty() { " " span class="id" { (printable(&shown.id, 80)) } }
    }
}

fn link(site: &Site, entrant: usize) -> Markup {
    html! { a href=(format!("../{}", site.files[entrant])) { (name(site.name(entrant))) } }
}
