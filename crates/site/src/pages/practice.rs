//! Practice of a team: games that its members play themselves, challenges, and whether others may play
//! against it.

use super::team::own_team;
use crate::competition::ladder::LadderEntrant;
use crate::competition::practice::{self, AN_HOUR, Challenge};
use crate::competition::tables::{IDLE, MOST as MOST_GAMES, levels};
use crate::people::{self, audit};
use crate::web::{Asked, Refusal, Reply, form, page};
use botyard_browser::level_bot;
use botyard_pages::pieces::{cell, moment, name, plain, row_name, table, text};
use botyard_protocol::printable;
use botyard_runner::secret_draws;
use botyard_runner::words::counted;
use maud::{Markup, html};

/// The most challenges on the page.
const MOST: u32 = 30;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let team = own_team(asked)?;
    let event = &asked.competition().event;
    let (for_people, opponents, used, all, is_allowed) =
        asked.database().transaction(|transaction| {
            Ok::<_, rusqlite::Error>((
                practice::for_people(transaction, event, team)?,
                practice::opponents(transaction, event, team)?,
                practice::within_an_hour(transaction, team)?,
                practice::of_team(transaction, team, MOST)?,
                practice::is_allowed(transaction, team)?,
            ))
        })?;
    let left = (AN_HOUR - used).max(0);
    let main = html! {
        (own_game(asked, team, &for_people)?)
        section aria-labelledby="challenge" {
            h2 id="challenge" { "Challenge a bot" }
            p {
                "Your version that plays meets a reference, or a bot whose team allows practice, with each seat once. "
                "These games count nowhere."
            }
            (form(asked, "/practice", &html! {
                p class="field" {
                    label for="opponent" { "Opponent" }
                    select id="opponent" name="opponent" required {
                        @for entrant in &opponents {
                            option value=(entrant.id) { (printable(&entrant.alias, 60)) }
                        }
                    }
                }
                p { button { "Play" } " " span class="note" { (counted(left.unsigned_abs(), "challenge")) " left in an hour" } }
            }))
        }
        section aria-labelledby="allow" {
            h2 id="allow" { "Practice against your bot" }
            (form(asked, "/practice/allow", &html! {
                @if is_allowed {
                    p { "Other teams and their members may practise against the version that plays." }
                    p { button name="allow" value="no" { "End that" } }
                } @else {
                    p { "Other teams may not practise against your bot." }
                    p { button name="allow" value="yes" { "Allow it" } }
                }
            }))
        }
        section aria-labelledby="games" {
            h2 id="games" { "Your challenges" }
            @if all.is_empty() { p { "None yet." } } @else { (rows(&all)) }
        }
    };
    Ok(page(asked, "Practice", &main))
}

/// Returns the section in which a member of a team begins or continues a game against a bot.
fn own_game(asked: &Asked<'_>, team: i64, bots: &[LadderEntrant]) -> Result<Markup, Refusal> {
    let running = asked.competition().tables.of(asked.visitor()?.person.id, team);
    Ok(html! {
        section aria-labelledby="own-game" {
            h2 id="own-game" { "Play against a bot yourself" }
            @if let Some(running) = running {
                p { "You play against " (name(&running.against)) "." }
                p { a href="/practice/play" { "Continue the game" } }
                (form(asked, "/practice/play/end", &html! { button { "End it" } }))
            } @else {
                p {
                    "The bot runs as in the ladder, with its clock; you have none. Level 1 is a beginner's, the highest "
                    "the strongest. The game counts nowhere and is "
                    "not stored. It ends after " (IDLE.as_secs() / 60) " minutes in which you do nothing. You play "
                    "one game at a time, and all people together " (MOST_GAMES) "."
                }
                (form(asked, "/practice/play", &html! {
                    p class="field" {
                        label for="bot" { "Bot" }
                        select id="bot" name="bot" required {
                            @for bot in bots {
                                option value=(bot.id) {
                                    (printable(&bot.alias, 60))
                                    @if bot.team == Some(team) { " (your own, version " (bot.version) ")" }
                                }
                            }
                            @for level in levels(asked.competition()) {
                                option value=(level_bot(level)) { "Level " (level) }
                            }
                        }
                    }
                    p class="field" {
                        label for="seat" { "Your seat" }
                        select id="seat" name="seat" required {
                            @for seat in &asked.competition().event.setup.seats { option { (seat) } }
                        }
                    }
                    p { button { "Begin the game" } }
                }))
            }
        }
    })
}

fn rows(all: &[Challenge]) -> Markup {
    let body = html! {
        @for challenge in all {
            tr role="row" {
                (row_name(&html! {
                    @for (number, bot) in challenge.bots.iter().skip(1).enumerate() {
                        @if number > 0 { ", " }
                        (name(bot))
                    }
                }))
                (plain("state", match challenge.state.as_str() {
                    "open" => "waits or is being played",
                    "dropped" => "could not be played",
                    state => state,
                }))
                (cell("games", &html! {
                    @for (id, points) in &challenge.games {
                        a href=(format!("/games/{id}")) { (text(id, 60)) }
                        @if let Some(points) = points { ": " (points) }
                        " "
                    }
                }))
                (cell("time", &moment(u64::try_from(challenge.at).unwrap_or_default())))
            }
        }
    };
    table("The newest first, with your points", &["against", "state", "games", "time"], &body)
}

pub(super) fn challenge(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, team) = (asked.visitor()?.person.id, own_team(asked)?);
    let opponent = asked.form.get("opponent").parse();
    let opponent: i64 = opponent.map_err(|_| Refusal::Wrong("Choose an opponent.".to_string()))?;
    let draws = secret_draws()?;
    let event = &asked.competition().event;
    asked.database().transaction(|transaction| {
        practice::challenge(transaction, event, (team, person), opponent, draws)
    })?;
    Ok(Reply::see("/practice"))
}

pub(super) fn allow(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, team) = (asked.visitor()?.person.id, own_team(asked)?);
    let is_allowed = asked.form.get("allow") == "yes";
    asked.database().transaction(|transaction| {
        practice::allow(transaction, team, is_allowed)?;
        let what = if is_allowed { "allowed practice" } else { "ended practice" };
        let name = people::team_name(transaction, team)?;
        audit::about(transaction, Some(person), (what, &name), "against the version that plays")
    })?;
    Ok(Reply::see("/practice"))
}
