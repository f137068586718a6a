//! A game that a person plays in the browser, on the page of `botyard play`: its script and style are files here,
//! and its commands are forms.

use super::team::own_team;
use crate::competition::tables::{Chosen, Seated, Tables};
use crate::web::{Asked, Flow, Refusal, Reply, form};
use axum::http::{StatusCode, header};
use botyard_browser::{LEVEL, Refused};
use botyard_connections::bye;
use botyard_pages::pieces::name;
use botyard_protocol::printable;
use botyard_viewer::PlayParts;
use futures_util::StreamExt;
use futures_util::stream::once;
use maud::{DOCTYPE, PreEscaped, html};
use serde_json::json;
use std::sync::{Arc, LazyLock};

/// The parts of the page.
static PARTS: LazyLock<PlayParts> = LazyLock::new(PlayParts::new);

/// What only the site has on this page.
const STYLE: &str = include_str!("../../assets/play.css");

/// Where a page is that has no game.
const PRACTICE: &str = "/practice";

/// What is said of games that have ended.
const GONE: &str = "This game has ended: begin another one on the page Practice.";

/// Returns the table of the visitor; `None` if there is none.
fn own_table(asked: &Asked<'_>) -> Result<Option<Arc<Seated>>, Refusal> {
    Ok(asked.competition().tables.of(asked.visitor()?.person.id, own_team(asked)?))
}

/// Returns the script of the page.
pub(super) fn script(_: &Asked<'_>) -> Result<Reply, Refusal> {
    Ok(Reply::file("text/javascript; charset=utf-8", PARTS.script.clone().into_bytes()))
}

/// Returns the style of the page.
pub(super) fn style(_: &Asked<'_>) -> Result<Reply, Refusal> {
    let style = format!("{}{STYLE}", PARTS.style);
    Ok(Reply::file("text/css; charset=utf-8", style.into_bytes()))
}

/// Returns the opponent in a field: the number of an entrant, or a level as bots are written.
fn chosen(field: &str) -> Option<Chosen> {
    match field.split_once(':') {
        Some((LEVEL, level)) => Some(Chosen::Level(level.parse().ok()?)),
        _ => Some(Chosen::Entrant(field.parse().ok()?)),
    }
}

pub(super) fn begin(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, team) = (asked.visitor()?.person.id, own_team(asked)?);
    let chosen = chosen(asked.form.get("bot"));
    let chosen = chosen.ok_or_else(|| Refusal::Wrong("Choose a bot.".to_string()))?;
    Tables::open(asked.competition(), (team, person), chosen, asked.form.get("seat"))?;
    Ok(Reply::see("/practice/play"))
}

pub(super) fn end(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    asked.competition().tables.end(asked.visitor()?.person.id);
    Ok(Reply::see(PRACTICE))
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let Some(seated) = own_table(asked)? else { return Ok(Reply::see(PRACTICE)) };
    let data = json!({
        "token": asked.form_token(),
        "form": true,
        "one_seat": true,
        "events": asked.at("/practice/play/events"),
        "do": asked.at("/practice/play/do"),
        "replay": asked.at("/practice/play/replay"),
        "gone": GONE,
    });
    let course = printable(asked.course(), 60);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "A game \u{2013} " (course) }
                link rel="stylesheet" href="/assets/play.css";
                script type="module" src="/assets/play.js" {}
            }
            body {
                (PreEscaped(PARTS.skip))
                nav aria-label="Site" class="choices site" {
                    a href=(PRACTICE) { "Practice" }
                    span { "Against " (name(&seated.against)) }
                    (form(asked, "/practice/play/end", &html! { button { "End the game" } }))
                }
                (PreEscaped(PARTS.body))
                (PreEscaped(PlayParts::data(&data.to_string())))
                noscript { p { "This page needs JavaScript." } }
            }
        }
    };
    Ok(Reply::html(page.into_string()))
}

pub(super) fn events(asked: &Asked<'_>) -> Result<Flow, Refusal> {
    Ok(match own_table(asked)? {
        Some(seated) => seated.table.events().boxed(),
        None => once(async { bye() }).boxed(),
    })
}

pub(super) fn command(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let Some(seated) = own_table(asked)? else {
        return Ok(Reply::text(StatusCode::CONFLICT, GONE));
    };
    let done = seated.table.carry_out(asked.form.whole("command").as_bytes());
    Ok(match done {
        Ok(()) => {
            Reply::file("text/plain; charset=utf-8", Vec::new()).status(StatusCode::NO_CONTENT)
        }
        Err(Refused::Unreadable(why)) => Reply::text(StatusCode::BAD_REQUEST, &why),
        Err(Refused::Impossible(why)) => Reply::text(StatusCode::CONFLICT, &why),
        Err(Refused::Ended) => Reply::text(StatusCode::CONFLICT, GONE),
    })
}

pub(super) fn replay(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let Some(seated) = own_table(asked)? else { return Ok(Reply::see(PRACTICE)) };
    match seated.table.replay() {
        // The page has a policy of its own, which allows its script by its hash.
        Some(Ok(page)) => Ok(Reply::file("text/html; charset=utf-8", page.into_bytes())
            .with(header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'")),
        Some(Err(problem)) => Err(Refusal::Host(problem)),
        None => Err(Refusal::Wrong("The game is not over.".to_string())),
    }
}
