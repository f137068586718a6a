//! What a visitor looks at first: the deadline, the newest version, the place with its neighbours, and
//! the last games.

use crate::competition::ladder::{ChosenGames, LadderEntrant, games_of};
use crate::files::now;
use crate::pages::standings::{name_for, own_of};
use crate::pages::team::state_in_words;
use crate::pages::team_games::{Outcome, opponents};
use crate::submissions::{self, State, deadlines};
use crate::web::{Asked, Refusal};
use botyard_league::standings::BotStanding;
use botyard_league::standings::words::{places, range, rank, rating};
use botyard_pages::pieces::{cell, fact, moment_text, name, plain, row_name, table, text};
use maud::{Markup, html};

/// The last games that are drawn.
const DRAWN: u32 = 4;

/// Returns the end of submissions: of the visitor's team, or else of all.
pub(super) fn deadline(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let team = asked.visitor()?.person.team;
    // No team has this number: the deadline without an extension.
    let competition = asked.competition().id;
    let until = asked.database().transaction(|transaction| {
        deadlines::of_team(transaction, competition, team.unwrap_or(-1))
    })?;
    Ok(html! {
        section aria-labelledby="deadline" {
            h2 id="deadline" { "Submissions" }
            @match until {
                None => { p { "There is no deadline." } }
                Some(until) => {
                    @let seconds = u64::try_from(until).unwrap_or_default();
                    p {
                        @if until > now() { "End: " } @else { "Ended: " }
                        strong { time datetime=(instant(seconds)) data-until { (moment_text(seconds)) } }
                    }
                }
            }
        }
    })
}

/// Returns a moment as scripts read it.
fn instant(seconds: u64) -> String {
    let moment = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    humantime::format_rfc3339_seconds(moment).to_string()
}

/// Returns the state of the newest version of a team, and what to do next.
pub(super) fn version(asked: &Asked<'_>, team: i64) -> Result<Markup, Refusal> {
    let competition = asked.competition().id;
    let (newest, active) = asked.database().transaction(|transaction| {
        let newest = submissions::of_team_in(transaction, team, competition)?.into_iter().next();
        let active = submissions::active(transaction, team, competition)?;
        Ok::<_, rusqlite::Error>((newest, active))
    })?;
    let waits = newest.as_ref().filter(|newest| newest.state == State::Queued);
    let waits = match waits {
        Some(newest) => asked.site.submissions.place(newest.id)?,
        None => None,
    };
    let next = match &newest {
        None => "Submit a first version.",
        Some(newest) if newest.state == State::Rejected => {
            "Mend the cause, and submit again. The version before plays on."
        }
        Some(newest) if matches!(newest.state, State::Queued | State::Working) => {
            "Wait for its trial: the page of the version follows it."
        }
        Some(_) => "Look at the games that were lost last, and improve.",
    };
    Ok(html! {
        section aria-labelledby="version" {
            h2 id="version" { "My version" }
            @if let Some(newest) = &newest {
                dl class="facts" {
                    (fact("newest", &html! {
                        a href=(format!("/submissions/{}", newest.id)) { "version " (newest.version) }
                        ": " (state_in_words(newest, active))
                    }))
                    @if let Some(place) = &waits { (fact("place", &html! { (place.in_words()) })) }
                    @if newest.state == State::Rejected {
                        (fact("cause", &text(newest.reason.lines().next().unwrap_or_default(), 300)))
                    }
                }
            }
            p {
                (next) " "
                @match &newest {
                    Some(newest) if newest.state == State::Accepted => {
                        a href=(format!("/teams/{team}")) { "Results of my team" } " \u{b7} "
                        a href="/practice" { "Practice" } " \u{b7} "
                    }
                    Some(_) => {}
                    None => { a href="/rules#home" { "How to make a bot" } " \u{b7} " }
                }
                a href="/team#submit" { "Submit a version" }
            }
        }
    })
}

/// Returns the place of the visitor's bot between its neighbours; the first places for the others.
pub(super) fn place(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let person = &asked.visitor()?.person;
    let (standing, is_frozen) = asked.competition().boards().ladder_for(person.role);
    let bots: Vec<(&BotStanding, &LadderEntrant)> = (standing.standings.bots.iter())
        .filter_map(|bot| Some((bot, standing.entrants.get(bot.entrant)?)))
        .filter(|(bot, _)| bot.rating.is_some())
        .collect();
    let own = own_of(&standing, person).map(|own| own.id);
    let position = bots.iter().position(|(_, entrant)| Some(entrant.id) == own);
    let last_three = bots.len().saturating_sub(3);
    let first = position.map_or(0, |position| position.saturating_sub(1).min(last_three));
    let shown = bots.iter().skip(first).take(3);
    let body = html! {
        @for (bot, entrant) in shown {
            tr role="row" class=[(Some(entrant.id) == own).then_some("own")] {
                (plain("rank", rank(bot.rank)))
                (row_name(&name(name_for(entrant, person))))
                (plain("places", places(bot)))
                (cell("rating", &html! {
                    (rating(bot.rating)) " " span class="interval" { (range(bot.rating)) }
                }))
            }
        }
    };
    let caption = match position {
        Some(_) => "My bot and its neighbours. Intervals: 95%",
        None => "The first places. Intervals: 95%",
    };
    Ok(html! {
        @if !bots.is_empty() {
            section aria-labelledby="place" {
                h2 id="place" { "Standings" }
                @if is_frozen { p class="note" { "The board is frozen." } }
                (table(caption, &["rank", "bot", "places", "rating"], &body))
                p { a href="/standings" { "All " (bots.len()) " bots" } }
            }
        }
    })
}

/// Returns the last games of the visitor's bot, each with its final position.
pub(super) fn last_games(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let person = &asked.visitor()?.person;
    let (standing, _) = asked.competition().boards().ladder_for(person.role);
    let Some(own) = own_of(&standing, person) else { return Ok(html! {}) };
    let chosen = ChosenGames { most: DRAWN, ..ChosenGames::default() };
    let games =
        asked.database().transaction(|transaction| games_of(transaction, own.id, chosen))?;
    Ok(html! {
        @if !games.is_empty() {
            section aria-labelledby="last" {
                h2 id="last" { "Last games" }
                ul class="positions wide" { @for game in &games {
                    @let picture = format!("/games/{}/position.svg", game.id);
                    li {
                        a href=(format!("/games/{}", game.id)) {
                            img class="by-day" src=(picture) alt="final position" loading="lazy" width="180" height="180";
                            img class="by-night" src=(format!("{picture}?theme=dark")) alt="final position"
                                loading="lazy" width="180" height="180";
                            span { (Outcome::of(&game.game, game.seat).mark()) " against " (opponents(&standing, person, game)) }
                        }
                    }
                } }
            }
        }
    })
}
