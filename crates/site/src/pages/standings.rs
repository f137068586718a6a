//! The standings of the ladder, live: aliases for students and guests, names for the staff.

use crate::ladder::{LadderEntrant, Standing};
use crate::people::Person;
use crate::role::Role;
use crate::site::Site;
use crate::web::{Asked, Feed, Message, Refusal, Reply, Step, notice, scripted_page};
use botyard_league::standings::BotStanding;
use botyard_league::standings::words::{
    faults, percent, percents, places, range, rank, rating, remarks,
};
use botyard_pages::chart::{rating_line, scale};
use botyard_pages::pieces::{
    cell, groups, moment_text, name, plain, row_name, table, won_drawn_lost,
};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, html};
use serde_json::json;
use std::collections::BTreeSet;

/// The longest name of a group in an address, in characters.
const GROUP: usize = 100;

/// The header of the table.
pub const HEADER: [&str; 9] =
    ["rank", "bot", "places", "group", "games", "won / drawn / lost", "share", "rating", "faults"];

pub fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let (standing, is_frozen) = asked.site.standing_for(person.role);
    let group = group_of(asked);
    let sections: BTreeSet<&str> = (standing.entrants.iter())
        .map(|entrant| entrant.section.as_str())
        .filter(|section| !section.is_empty())
        .collect();
    let events = match group.is_empty() {
        true => "/standings/events".to_string(),
        false => format!(
            "/standings/events?{}",
            form_urlencoded::Serializer::new(String::new()).append_pair("group", &group).finish()
        ),
    };
    let caption = "Each bot that plays now. Intervals: 95%";
    let main = html! {
        p { span id="time" role="status" { (time_in_words(&standing)) } }
        @if !asked.site.is_computed() { (notice("The site has just started: the standings are being computed.")) }
        @if is_frozen { (notice("The board is frozen: it shows the standings of that moment. Games are played on.")) }
        @else if asked.site.is_frozen() { (notice("Students see the board frozen, and you do not.")) }
        @if asked.site.final_round().is_some() { p { a href="/final" { "The final" } } }
        p class="note" {
            "Bots with a common letter in \u{201c}group\u{201d} are not separated: the games do not show which of "
            "them is stronger. Games of replaced versions do not count."
        }
        @if sections.len() > 1 {
            form method="get" action="/standings" class="filters" {
                label { "Group of the course " select name="group" {
                    option value="" { "all" }
                    @for section in &sections {
                        option value=(section) selected[**section == group] { (printable(section, 60)) }
                    }
                } }
                button { "Show" }
            }
        }
        @if standing.entrants.iter().any(|entrant| entrant.team.is_some()) {
            div id="bots" data-events=(events) { (table(caption, &HEADER, &rows(&standing, person, &group))) }
        } @else {
            p { "No version has passed the gate yet. The first one begins the ladder." }
        }
        section id="reading" aria-labelledby="reading-title" {
            h2 id="reading-title" { "How to read the figures" }
            @for remark in remarks(&standing.standings) { p { (printable(&remark, 1000)) } }
        }
    };
    Ok(scripted_page(asked, "Standings", &main, Some("/assets/standings.js")))
}

/// Returns the group of the course that is asked for; empty for all.
fn group_of(asked: &Asked<'_>) -> String {
    asked.query.get("group").chars().take(GROUP).collect()
}

fn time_in_words(standing: &Standing) -> String {
    let games = counted(standing.standings.games, "game");
    format!("{games}, as of {}", moment_text(u64::try_from(standing.at).unwrap_or_default()))
}

/// Returns the name of a bot for a visitor.
pub fn name_for<'a>(entrant: &'a LadderEntrant, person: &Person) -> &'a str {
    let is_own = entrant.team.is_some() && entrant.team == person.team;
    if person.role.is_staff() || is_own { &entrant.name } else { &entrant.alias }
}

/// Returns the rows as everybody may see them.
pub fn rows_for_all(standing: &Standing) -> Markup {
    let guest = Person { role: Role::Guest, ..Person::default() };
    rows(standing, &guest, "")
}

/// Returns the rows: that of the visitor's team first, as a copy.
pub fn rows(standing: &Standing, person: &Person, group: &str) -> Markup {
    let bots = &standing.standings.bots;
    let scale = scale(bots);
    let entrant = |bot: &BotStanding| standing.entrants.get(bot.entrant);
    let is_own = |bot: &BotStanding| {
        person.role == Role::Student
            && entrant(bot).is_some_and(|it| it.team.is_some() && it.team == person.team)
    };
    let is_shown = |bot: &BotStanding| {
        group.is_empty() || entrant(bot).is_some_and(|it| it.team.is_none() || it.section == group)
    };
    html! {
        @for bot in bots.iter().filter(|bot| is_own(bot)) {
            @if let Some(entrant) = entrant(bot) { (row(bot, entrant, person, scale, "own")) }
        }
        @for bot in bots.iter().filter(|bot| is_shown(bot)) {
            @if let Some(entrant) = entrant(bot) { (row(bot, entrant, person, scale, "")) }
        }
    }
}

fn row(
    bot: &BotStanding,
    entrant: &LadderEntrant,
    person: &Person,
    scale: (f64, f64),
    class: &str,
) -> Markup {
    let own = name_for(entrant, person);
    html! {
        tr role="row" class=[(!class.is_empty()).then_some(class)] {
            (plain("rank", rank(bot.rank)))
            (row_name(&html! {
                @match entrant.team {
                    Some(team) if super::team::may_see(person, team) => {
                        a href=(format!("/teams/{team}")) { (name(own)) }
                    }
                    _ => { (name(own)) }
                }
                @if entrant.team.is_some() { " " span class="team" { "v" (entrant.version) } }
                @else { " " span class="team" { "reference" } }
            }))
            (plain("places", places(bot)))
            (cell("group", &groups(bot)))
            (plain("games", bot.score.games))
            (plain("won / drawn / lost", won_drawn_lost(&bot.score)))
            (cell("share", &html! {
                (percent(bot.score.share))
                @if let Some(interval) = bot.block_interval.or(bot.score.interval) {
                    " " span class="interval" { (percents(Some(interval))) }
                }
            }))
            (cell("rating", &html! {
                (rating(bot.rating))
                @if bot.rating.is_some() { " " span class="interval" { (range(bot.rating)) } }
                (rating_line(bot, scale))
            }))
            (plain("faults", faults(bot)))
        }
    }
}

/// Sends the rows again whenever they were computed.
pub fn follow(asked: &Asked<'_>) -> Result<Feed, Refusal> {
    let (person, group) = (asked.visitor()?.person.clone(), group_of(asked));
    let mut sent = None;
    Ok(Box::new(move |site: &Site| {
        let (standing, _) = site.standing_for(person.role);
        let rows = rows(&standing, &person, &group).into_string();
        if sent.as_ref() == Some(&rows) {
            return Ok(Step::default());
        }
        let data = json!({ "rows": rows, "time": time_in_words(&standing) }).to_string();
        sent = Some(rows);
        let message = Message { kind: "standings", id: String::new(), data };
        Ok(Step { messages: vec![message], is_over: false })
    }))
}
