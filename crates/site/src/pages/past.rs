//! The events of a competition that have ended: each has its standings, its final, its games and its secrets.

use super::final_games;
use super::standings::{header, rows_for};
use crate::competition::event::Event;
use crate::competition::history::{self, Played};
use crate::competition::ladder::{self, Design, Standing};
use crate::competition::{finals, freezes};
use crate::files::now;
use crate::web::{Asked, Refusal, Reply, page};
use botyard_pages::pieces::{cell, fact, moment, row_name, table};
use botyard_protocol::printable;
use maud::{Markup, html};

/// Returns a list of the events that have ended; nothing if there is none.
pub(super) fn section(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let competition = asked.competition();
    let events = asked.database().transaction(|transaction| {
        let mut found = Vec::new();
        for event in history::all(transaction, competition.id)? {
            let played: Played = history::played(transaction, event.id)?;
            found.push((event, played));
        }
        Ok::<_, rusqlite::Error>(found)
    })?;
    let body = html! {
        @for (event, played) in events.iter().filter(|(event, _)| event.id != competition.event.id) {
            tr role="row" {
                (row_name(&html! { a href=(format!("/event/past/{}", event.id)) { "event " (event.id) } }))
                (cell("began", &moment(u64::try_from(event.began_at).unwrap_or_default())))
                (cell("has", &html! { (played.in_words()) }))
            }
        }
    };
    Ok(html! {
        @if events.len() > 1 {
            section aria-labelledby="past" {
                h2 id="past" { "Earlier events" }
                (table("The newest first. The event in force is not among them", &["event", "began", "has"], &body))
            }
        }
    })
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let is_staff = person.role.is_staff();
    let (id, site) = (asked.number("event")?, asked.site);
    let stored = asked.database().transaction(|transaction| {
        let all = history::all(transaction, asked.competition().id)?;
        Ok::<_, rusqlite::Error>(all.into_iter().find(|event| event.id == id))
    })?;
    let stored = stored.ok_or(Refusal::NotFound)?;
    if id == asked.competition().event.id {
        return Ok(Reply::see("/event"));
    }
    let class = &site.class;
    let (began_at, file) = (stored.began_at, asked.competition().about().file.clone());
    let (path, programs) = (class.directory.path(), &class.programs);
    let event = Event::of_class(path, &class.database, programs, (&file, stored))?;
    let (entrants, games, state, is_frozen) = class.database.read(|transaction| {
        Ok((
            ladder::at_the_end(transaction, id)?,
            ladder::games_of_event(transaction, id, None)?,
            finals::state(transaction, &event)?,
            freezes::in_force(transaction, id)?.is_some(),
        ))
    })?;
    let is_released = state.as_ref().is_some_and(|state| state.has_replays);
    let ladder = Standing::of_games(&event, Design::Ladder, entrants, &games, now())?;
    let state = state.filter(|state| state.has_standings || is_staff);
    let round = match &state {
        Some(state) => {
            let part = &state.event;
            let (entrants, games) = class.database.read(|transaction| {
                let entrants = ladder::of_final(transaction, part.id)?;
                Ok((entrants, ladder::games_of_event(transaction, part.id, None)?))
            })?;
            let standing = Standing::of_games(part, Design::Final, entrants, &games, now())?;
            Some((part, standing, games))
        }
        None => None,
    };
    let named = |id: usize| {
        let all = round.as_ref().map(|(_, standing, _)| &standing.entrants[..]).unwrap_or_default();
        let found = all.iter().find(|entrant| entrant.id == id as i64);
        found.map_or("a disqualified version".to_string(), |it| {
            super::standings::name_for(it, person).to_string()
        })
    };
    let main = html! {
        section aria-labelledby="conditions" {
            h2 id="conditions" { "Conditions" }
            dl class="facts" {
                (fact("game", &html! { (botyard_engine::registry::plain_name(event.game())) }))
                (fact("began", &moment(u64::try_from(began_at).unwrap_or_default())))
                (secret("ladder", &event, is_released))
                @if let Some((part, ..)) = &round { (secret("final", part, is_released)) }
            }
            details { summary { "The file" } pre { (printable_lines(&event.setup.text)) } }
            p { a href="/event" { "The event in force" } }
        }
        @if let Some((_, standing, games)) = &round {
            section aria-labelledby="final" {
                h2 id="final" { "The final" }
                (table("Intervals: 95%", &header(standing), &rows_for(standing, person)))
                @if is_released || is_staff {
                    h3 { "Games" }
                    (final_games::list(asked, games, &named, &|number| format!("{}?page={number}#final", asked.path)))
                }
            }
        }
        section aria-labelledby="ladder" {
            h2 id="ladder" { "The ladder" }
            @if is_frozen && !is_staff {
                p { "The board was frozen when this event ended." }
            } @else {
                (table("The newest versions. Intervals: 95%", &header(&ladder), &rows_for(&ladder, person)))
            }
        }
    };
    Ok(page(asked, &format!("Event {id}"), &main))
}

fn secret(of: &str, event: &Event, is_released: bool) -> Markup {
    html! {
        @if let Some(hash) = &event.commitment { (fact(&format!("{of}: hash"), &html! { code { (hash) } })) }
        @if let Some(secret) = event.secret().filter(|_| is_released) {
            (fact(&format!("{of}: secret"), &html! { code { (secret) } }))
        }
    }
}

fn printable_lines(text: &str) -> String {
    text.lines().map(|line| printable(line, 1000) + "\n").collect()
}
