//! The game of the event: its description for everybody, its bundle as a file, and for the staff whether it is played.

use super::deadline::sent_reason;
use super::markdown::{LONGEST, markdown};
use crate::competition::game::{self, State, Status};
use crate::files::disk;
use crate::people::{Role, audit};
use crate::site::Site;
use crate::web::{Asked, Feed, Message, Refusal, Reply, Step, form, notice, page};
use axum::http::header;
use botyard_engine::registry::{self, GameInfo, digest_of, plain_name};
use botyard_pages::pieces::{cell, fact, moment, plain, row_name, table, text};
use botyard_runner::bots::bundle::Copies;
use botyard_runner::game_programs::loaded;
use maud::{Markup, html};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The digits of a digest that people compare.
const DIGITS: usize = 12;

/// The largest game that people get as a file, in bytes of its copy.
const LARGEST: u64 = 64 << 20;

/// Why nothing is resumed.
const BUILT_IN: &str = "The game of the event is built in, and is never paused.";

fn info(asked: &Asked<'_>) -> Result<GameInfo, Refusal> {
    registry::info(asked.competition().event.game())
        .map_err(|error| Refusal::Host(format!("The game is not loaded: {error}.")))
}

/// Returns the name of the game, with a link to its rules.
pub(super) fn link(asked: &Asked<'_>) -> Markup {
    html! { (plain_name(asked.competition().event.game())) " (" a href="/rules" { "rules of the game" } ")" }
}

/// Returns the state of a game in words, and which check is being made.
fn in_words(status: &Status) -> String {
    match status.state {
        State::Waiting if !status.reason.is_empty() => {
            format!("is being checked: {}", status.reason)
        }
        state => state.in_words().to_string(),
    }
}

/// Returns what everybody should know of the game at a glance.
pub(super) fn facts(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let event = &asked.competition().event;
    let info = info(asked)?;
    let yes = |is: bool| html! { (if is { "yes" } else { "no" }) };
    Ok(html! {
        (fact("about", &text(info.about, 300)))
        (fact("seats", &html! {
            (event.setup.seats.len()) ": "
            @for (number, seat) in event.setup.seats.iter().enumerate() {
                @if number > 0 { ", " }
                (text(seat, 60))
            }
        }))
        (fact("chance", &yes(info.chance)))
        (fact("hidden information", &yes(info.hidden)))
        @if info.simultaneous { (fact("simultaneous", &yes(true))) }
        @if let Some(digest) = digest_of(event.game()) {
            (fact("digest of the game", &html! { code { (digest.get(..DIGITS).unwrap_or(digest)) } }))
        }
    })
}

/// Returns the status of the game; `None` for a built-in one.
fn status(asked: &Asked<'_>) -> Result<Option<(i64, Status)>, Refusal> {
    let Some(game) = &asked.competition().event.game else { return Ok(None) };
    let status = asked.database().transaction(|it| game::status(it, game.event))?;
    Ok(status.map(|status| (game.event, status)))
}

/// Returns why nothing is played, for everybody; empty while games are.
pub(super) fn closed(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let words = match status(asked)?.map(|(_, status)| status.state) {
        None | Some(State::Open) => return Ok(html! {}),
        Some(State::Waiting) => {
            "The game of the event is being checked. Submissions wait until it has passed."
        }
        Some(State::Failed) => {
            "The event is not open yet: its game did not pass its checks, and is being mended. Submissions wait."
        }
        Some(State::Paused) => {
            "The event is paused: the program with the rules of the game failed, which is no team's fault. Nothing is \
             lost, and submissions wait."
        }
    };
    Ok(notice(words))
}

/// Returns whether the checks of the game are to come.
pub(super) fn is_being_checked(asked: &Asked<'_>) -> Result<bool, Refusal> {
    Ok(status(asked)?.is_some_and(|(_, status)| status.state == State::Waiting))
}

/// Returns what the staff sees of a game whose rules are a program.
pub(super) fn on_desk(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let Some((event, status)) = status(asked)? else { return Ok(html! {}) };
    let log = asked.database().transaction(|it| game::log_after(it, event, 0))?;
    let note = asked.competition().event.game.as_ref().and_then(|game| game.note.as_deref());
    let is_teacher = asked.visitor()?.person.role >= Role::Teacher;
    let last = log.last().map_or(0, |(number, _)| *number);
    let is_checked = status.state == State::Waiting;
    let events = is_checked.then(|| format!("/rules/events?from={last}"));
    let button = |words: &str| {
        form(
            asked,
            "/rules/resume",
            &html! {
                p class="field" {
                    label for="game-reason" { "Reason" }
                    input id="game-reason" name="reason" type="text" autocomplete="off" required;
                }
                p { button { (words) } }
            },
        )
    };
    let checks = html! {
        pre id="log" class="log" tabindex="0" data-events=[events] {
            @for (_, text) in &log { (text) }
        }
    };
    Ok(html! {
        section aria-labelledby="game" {
            h2 id="game" { "The game" }
            p {
                (link(asked)) ": "
                strong { "it " span id="state" role="status" { (in_words(&status)) } }
                ", since " (moment(u64::try_from(status.at).unwrap_or_default())) "."
            }
            @if !status.reason.is_empty() && !is_checked { (notice(&status.reason)) }
            @if let Some(note) = note { (notice(note)) }
            @match status.state {
                State::Failed => {
                    p {
                        "No version is tried and no game is played. The list says what to do about each finding: mend "
                        "the game in its directory and start the site again, which copies and checks it."
                    }
                    @if is_teacher { (button("Check it again")) }
                }
                State::Paused => {
                    p {
                        "No team is to blame: games that were being played are played again, and no attempt of a "
                        "version counts. Resume the event if the cause has passed. A mended program is another game, "
                        "with which a new event begins: change the game and event.toml, and start the site again."
                    }
                    @if is_teacher { (button("Resume the event")) }
                }
                State::Waiting | State::Open => {}
            }
            @match status.state {
                State::Open | State::Paused => details { summary { "Its checks" } (checks) },
                State::Waiting | State::Failed => (checks),
            }
        }
    })
}

/// Resumes an event whose program failed, or checks a game again that did not pass.
pub(super) fn resume(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let reason = sent_reason(asked)?;
    let Some((event, _)) = status(asked)? else { return Err(Refusal::Wrong(BUILT_IN.to_string())) };
    asked.database().transaction(|transaction| {
        if game::resume(transaction, event)? {
            audit::note(transaction, Some(person), "resumed the event", &reason)?;
        } else if game::check_again(transaction, event)? {
            audit::note(transaction, Some(person), "had the game checked again", &reason)?;
        }
        Ok::<_, rusqlite::Error>(())
    })?;
    asked.site.class.announce();
    Ok(Reply::see("/desk"))
}

/// Follows the checks of the game until they are made.
pub(super) fn follow(asked: &Asked<'_>) -> Result<Feed, Refusal> {
    let Some((event, _)) = status(asked)? else {
        return Ok(Box::new(|_: &Site| Ok(Step { is_over: true, ..Step::default() })));
    };
    let from = if asked.last_event.is_empty() { asked.query.get("from") } else { asked.last_event };
    let mut last: i64 = from.parse().unwrap_or(0);
    let mut shown = None;
    Ok(Box::new(move |site: &Site| {
        let (parts, status) = site.class.database.transaction(|transaction| {
            let parts = game::log_after(transaction, event, last)?;
            Ok::<_, rusqlite::Error>((parts, game::status(transaction, event)?))
        })?;
        let mut step = Step::default();
        for (number, text) in parts {
            last = number;
            let data = Value::from(text).to_string();
            step.messages.push(Message { kind: "log", id: number.to_string(), data });
        }
        let words = status.as_ref().map(in_words);
        if words != shown {
            let data = Value::from(words.clone().unwrap_or_default()).to_string();
            step.messages.push(Message { kind: "state", id: String::new(), data });
            shown = words;
        }
        if status.is_none_or(|status| status.state != State::Waiting) {
            step.is_over = true;
            step.messages.push(Message { kind: "over", id: String::new(), data: "over".into() });
        }
        Ok(step)
    }))
}

/// The page with the rules.
pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let event = &asked.competition().event;
    let (info, name) = (info(asked)?, plain_name(event.game()));
    let program = loaded(event.game());
    let readme = program.as_ref().and_then(|program| readme(&program.directory));
    let presets = html! {
        @for (preset, _) in &info.presets {
            tr role="row" { (row_name(&text(preset.name, 60))) (cell("about", &text(preset.about, 300))) }
        }
    };
    let main = html! {
        (closed(asked)?)
        section aria-labelledby="game" {
            h2 id="game" { "The game" }
            dl class="facts" { (fact("game", &text(name, 60))) (facts(asked)?) }
            @if !info.scoring.is_empty() { p { "Points: " (text(info.scoring, 600)) } }
        }
        @if let Some(readme) = &readme {
            section aria-labelledby="readme" {
                h2 id="readme" { "From its author" }
                div class="prose" { (markdown(readme)) }
            }
        }
        (parameters(asked, &info))
        @if info.presets.len() > 1 {
            section aria-labelledby="presets" {
                h2 id="presets" { "Presets" }
                (table("Named sets of rules", &["preset", "about"], &presets))
            }
        }
        section aria-labelledby="home" {
            h2 id="home" { "At home" }
            @if program.is_some() {
                p {
                    "The same program has the rules at home: " a href="/rules/bundle" { (name) ".tar.gz" } " and "
                    a href="/event.toml" { "event.toml" } ", in one directory with your bot " code { "mybot" } ":"
                }
                pre tabindex="0" { (at_home(name)) }
            } @else {
                p {
                    a href="/event.toml" { "event.toml" } " has the conditions. The first command makes a bot that plays: "
                    "change it, and submit its directory as a zip archive on the page " i { "My team" } "."
                }
                pre tabindex="0" {
                    "botyard new mybot --language python --game " (name) "\n"
                    "botyard match " (name) " ./mybot random\n"
                    "botyard check mybot --game " (name) "\n"
                }
            }
        }
    };
    Ok(page(asked, &format!("Rules of {name}"), &main))
}

/// Returns the commands with which a student plays the game at home.
fn at_home(name: &str) -> String {
    format!(
        "tar xzf {name}.tar.gz\nbotyard match ./{name} ./mybot random\nbotyard check mybot --game ./{name}\n\
         botyard play ./{name} random\n"
    )
}

/// Returns the rules of the event's games.
fn parameters(asked: &Asked<'_>, info: &GameInfo) -> Markup {
    let setup = &asked.competition().event.setup;
    let wanted = setup.file.rules.as_ref().map(|rules| rules.value.as_str());
    let preset = info.presets.iter().find(|(preset, _)| wanted.is_none_or(|it| it == preset.name));
    let Some((preset, rules)) = preset else { return html! {} };
    let mut rules = rules.as_object().cloned().unwrap_or_default();
    for (rule, value) in &setup.rules {
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str()));
        rules.insert(rule.clone(), value);
    }
    let body = html! {
        @for (rule, value) in &rules {
            tr role="row" { (row_name(&text(rule, 60))) (plain("value", shortened(&value.to_string()))) }
        }
    };
    html! {
        @if !rules.is_empty() {
            section aria-labelledby="parameters" {
                h2 id="parameters" { "Parameters" }
                (table(&format!("Rules of this event: {}", preset.name), &["rule", "value"], &body))
            }
        }
    }
}

/// Returns the beginning of a value, such as a whole map.
fn shortened(value: &str) -> String {
    const MOST: usize = 200;
    match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_string(),
    }
}

/// Returns the README of a game, if it has one that can be shown.
fn readme(directory: &Path) -> Option<String> {
    let path = directory.join("README.md");
    let about = fs::symlink_metadata(&path).ok()?;
    let is_shown = about.is_file() && about.len() <= LONGEST as u64;
    is_shown
        .then(|| fs::read(&path).ok())?
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The bundle of the game as a file: the copy with which the event is played.
pub(super) fn bundle(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let event = &asked.competition().event;
    let files = event.game.as_ref().and_then(|game| game.bundle.files.as_deref());
    // Everybody has a game that is built in.
    let Some(files) = files else { return Ok(Reply::see("/rules")) };
    let (name, copies) = (plain_name(event.game()), asked.site.class.directory.bundles());
    if disk::size(&copies.join(files)) > LARGEST {
        let most = LARGEST >> 20;
        return Err(Refusal::Wrong(format!(
            "The game has more than {most} MiB: ask your teacher for a copy."
        )));
    }
    let packed = Copies::pack_for_people(&copies, files, name);
    let packed =
        packed.map_err(|error| Refusal::Host(format!("The game cannot be packed: {error}.")))?;
    Ok(Reply::file("application/gzip", packed)
        .with(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.tar.gz\"")))
}
