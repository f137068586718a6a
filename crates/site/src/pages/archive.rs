//! Archives: a class as one zip file to keep when it is over. It has what a backup has, from which
//! `botyard site restore` makes a class, and pages that need neither Botyard nor a server. The pages show
//! what a guest sees: aliases, no standard error, and of the final what was published.

use super::standings::{header, rows_for_all};
use crate::competition::event::Event;
use crate::competition::finals::{self, FinalRound};
use crate::competition::ladder::{self, Design, Standing};
use crate::competition::{Board, about, history};
use crate::files::backup::{self, Copied, PAGES};
use crate::files::course;
use crate::files::database::{self, Database};
use crate::files::zone::CourseZone;
use crate::people::audit;
use crate::web::{Asked, Refusal, Reply, streamed};
use axum::http::header;
use botyard_engine::registry::plain_name;
use botyard_league::PlayedGame;
use botyard_pages::games::read;
use botyard_pages::pieces::{
    cell, document, fact, moment, name, plain, row_name, table, text, whole_name, with_moments,
};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use botyard_runner::{Error, Programs};
use maud::{Markup, html};
use std::fs::File;
use std::io;
use std::path::Path;

/// The most games of a final that have a page: all replays are in the archive anyway.
const GAMES: usize = 2000;

/// What was archived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Archived {
    /// The files of the class.
    pub copied: Copied,
    /// The number of pages.
    pub pages: u64,
}

/// Archives the class in a directory in a new file, whether a site serves it or not.
///
/// # Errors
///
/// There is no class in the directory, the file exists, or either cannot be used.
pub fn archive(class: &Path, file: &Path, programs: &Programs) -> Result<Archived, Error> {
    let mut pages = 0;
    let copied = backup::write(class, file, |copy, writer| {
        let unwritten = |error: io::Error| {
            Error::host(format!("{} cannot be written: {error}", file.display()))
        };
        let whole = class
            .canonicalize()
            .map_err(|error| Error::host(format!("{} cannot be used: {error}", class.display())))?;
        writer.directory(PAGES).map_err(unwritten)?;
        let mut add = |name: &str, page: &str| {
            pages += 1;
            writer.text(&format!("{PAGES}/{name}"), page).map_err(unwritten)
        };
        write_pages(&whole, copy, programs, &mut add)
    })?;
    Ok(Archived { copied, pages })
}

/// What the pages show of an event.
struct Shown {
    course: String,
    /// What the event is called.
    title: String,
    /// The beginning of the names of its pages.
    prefix: String,
    event: Event,
    ladder: Standing,
    round: Option<FinalRound>,
    /// The games of the final, if its replays are published.
    games: Vec<PlayedGame>,
}

/// Writes the pages of a class whose database was copied: those of all events of all competitions.
/// Downloads an archive. It is written to a file without a name first, because the browser may be slow.
pub(super) fn download(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let share = asked.site.submissions.downloads.take(&person, 1).ok_or_else(|| {
        Refusal::TooMany("A file is being downloaded already. Try again in a minute.".to_string())
    })?;
    asked.database().transaction(|transaction| {
        audit::note(transaction, Some(person), "downloaded an archive of the class", "")
    })?;
    let (class, place) =
        (asked.site.class.directory.clone(), asked.site.class.directory.new_upload()?);
    let programs = asked.site.class.programs.clone();
    let reply = streamed("application/zip", move |writer| {
        let _share = share;
        let file = place.path().join("class.zip");
        archive(class.path(), &file, &programs).map_err(io::Error::other)?;
        let mut written = File::open(&file)?;
        drop(place);
        io::copy(&mut written, writer).map(drop)
    })?;
    let name = "attachment; filename=\"class.zip\"".to_string();
    Ok(reply.with(header::CONTENT_DISPOSITION, name))
}

fn write_pages(
    class: &Path,
    copy: &Path,
    programs: &Programs,
    add: &mut dyn FnMut(&str, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    let all = collect(class, copy, programs)?;
    let zone = Database::open(copy)?.write(CourseZone::load)?;
    with_moments(zone.writer(), || write_shown(class, &all, add))
}

fn write_shown(
    class: &Path,
    all: &[Shown],
    add: &mut dyn FnMut(&str, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    for shown in all {
        let mut links = Vec::new();
        for game in shown.games.iter().take(GAMES) {
            let read = read(class, 0, game, true);
            if let (Some(page), Some(html)) = (&read.game.page, &read.html) {
                let file = page.rsplit('/').next().unwrap_or(page);
                add(&format!("games/{file}"), html)?;
                links.push((game, file.to_string()));
            }
        }
        add(&format!("{}ladder.html", shown.prefix), &ladder_page(shown))?;
        if let Some(round) = &shown.round {
            add(&format!("{}final.html", shown.prefix), &final_page(shown, round, &links))?;
        }
    }
    add("index.html", &index(all))
}

/// Reads all events: those in force in the order of their competitions, each followed by those before it.
fn collect(class: &Path, copy: &Path, programs: &Programs) -> Result<Vec<Shown>, Error> {
    let database = Database::open(copy)?;
    let (course, competitions) =
        database.write(|transaction| Ok((course::name(transaction)?, about::all(transaction)?)))?;
    let folder = || class.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let course = course.unwrap_or_else(folder);
    let mut all = Vec::new();
    for about in competitions {
        let (in_force, events) = database.write(|transaction| {
            let in_force = history::in_force(transaction, about.id)?.map(|event| event.id);
            Ok((in_force, history::all(transaction, about.id)?))
        })?;
        let (now, before): (Vec<_>, Vec<_>) =
            events.into_iter().partition(|event| Some(event.id) == in_force);
        for stored in now.into_iter().chain(before) {
            let is_in_force = Some(stored.id) == in_force;
            let number = stored.id;
            let event = Event::of_class(class, &database, programs, (&about.file, stored))?;
            let prefix = match all.is_empty() {
                true => String::new(),
                false => format!("{}-{number}-", about.slug),
            };
            let name = match about.title.is_empty() {
                true => event.name().unwrap_or_else(|| plain_name(event.game())).to_string(),
                false => about.title.clone(),
            };
            let title = match is_in_force {
                true => name,
                false => format!("{name}, event {number}, which ended"),
            };
            all.push(of_event(&database, event, is_in_force, (course.clone(), title, prefix))?);
        }
    }
    match all.is_empty() {
        true => Err(Error::usage(format!("{} has begun no event yet", class.display()))),
        false => Ok(all),
    }
}

fn of_event(
    database: &Database,
    event: Event,
    is_in_force: bool,
    (course, title, prefix): (String, String, String),
) -> Result<Shown, Error> {
    let (entrants, games, state) = database.write(|transaction| {
        Ok((
            match is_in_force {
                true => ladder::of_event(transaction, &event)?,
                false => ladder::at_the_end(transaction, event.id)?,
            },
            ladder::games_of_event(transaction, event.id, None)?,
            finals::state(transaction, &event)?,
        ))
    })?;
    let ladder = Standing::of_games(&event, Design::Ladder, entrants, &games, database::now())?;
    let (mut round, mut games) = (None, Vec::new());
    if let Some(state) = state.filter(|state| state.has_standings) {
        let part = &state.event;
        let (entrants, played) = database.write(|transaction| {
            let entrants = ladder::of_final(transaction, part.id)?;
            let played = ladder::games_of_event(transaction, part.id, None)?;
            Ok((entrants, played))
        })?;
        let final_standing =
            Standing::of_games(part, Design::Final, entrants, &played, database::now())?;
        let board = Board::of(final_standing);
        if state.has_replays {
            games = played;
        }
        round = Some(FinalRound { state, board });
    }
    Ok(Shown { course, title, prefix, event, ladder, round, games })
}

/// Returns a page with a title.
fn framed(shown: &Shown, title: &str, main: &Markup) -> String {
    let course = printable(&shown.course, 60);
    let header = html! { p class="course" { (course) } h1 { (title) } };
    document(&format!("{title} \u{2013} {course}"), ("main", "Skip to the content"), &header, main)
}

fn index(all: &[Shown]) -> String {
    let main = html! {
        @for shown in all {
            @if all.len() > 1 { h2 { (name(&shown.title)) } }
            (conditions(shown))
        }
    };
    all.first().map(|shown| framed(shown, "The class", &main)).unwrap_or_default()
}

/// What is known of an event.
fn conditions(shown: &Shown) -> Markup {
    let Shown { event, ladder, round, prefix, .. } = shown;
    let is_released = round.as_ref().is_some_and(|round| round.state.has_replays);
    let secrets = round.iter().map(|round| ("final", &round.state.event));
    let secrets = [("ladder", event)].into_iter().chain(secrets);
    html! {
        dl class="facts" {
            (fact("game", &html! { (plain_name(event.game())) }))
            (fact("archived", &moment(u64::try_from(ladder.at).unwrap_or_default())))
            (fact("ladder", &html! {
                a href=(format!("{prefix}ladder.html")) { (counted(ladder.standings.games, "game")) }
            }))
            @if let Some(round) = round {
                (fact("final", &html! {
                    a href=(format!("{prefix}final.html")) { (counted(round.board.standing.standings.games, "game")) }
                }))
            }
            @for (of, event) in secrets {
                @if let Some(hash) = &event.commitment { (fact(&format!("{of}: hash"), &html! { code { (hash) } })) }
                @if let Some(secret) = event.secret().filter(|_| is_released) {
                    (fact(&format!("{of}: secret"), &html! { code { (secret) } }))
                }
            }
        }
        h2 { "Conditions" }
        pre { (printable_lines(&event.setup.text)) }
    }
}

/// Returns a text of several lines whose characters are all visible.
fn printable_lines(text: &str) -> String {
    text.lines().map(|line| printable(line, 1000) + "\n").collect()
}

fn standings(standing: &Standing, caption: &str) -> Markup {
    table(caption, &header(standing), &rows_for_all(standing))
}

fn ladder_page(shown: &Shown) -> String {
    let main = html! {
        p { a href="index.html" { "The class" } }
        (standings(&shown.ladder, "The ladder. Intervals: 95%"))
    };
    framed(shown, "Ladder", &main)
}

fn final_page(shown: &Shown, round: &FinalRound, links: &[(&PlayedGame, String)]) -> String {
    let entrants = &round.board.standing.entrants;
    let alias = |id: usize| {
        let found = entrants.iter().find(|entrant| entrant.id == id as i64);
        found.map_or("a disqualified version", |entrant| entrant.alias.as_str())
    };
    let rows = html! {
        @for (game, file) in links {
            tr role="row" {
                (row_name(&html! {
                    a href=(format!("games/{file}")) { (text(file.trim_end_matches(".html"), 60)) }
                }))
                (cell("bots", &html! {
                    @for (place, &seat) in game.seats.iter().enumerate() {
                        @if place > 0 { ", " }
                        (name(alias(seat)))
                    }
                }))
                (plain("block", game.block))
            }
        }
    };
    let main = html! {
        p { a href="index.html" { "The class" } }
        (standings(&round.board.standing, "The final. Intervals: 95%"))
        @if shown.games.len() > links.len() {
            p class="note" {
                (links.len()) " of " (shown.games.len()) " games have a page; the directory "
                (whole_name("replays")) " has all."
            }
        }
        @if !links.is_empty() {
            h2 { "Games" }
            (table("In the order of blocks", &["game", "bots", "block"], &rows))
        }
    };
    framed(shown, "Final", &main)
}
