//! The events of a course: teachers make them, edit their files, open and close them, and put them in order.

use crate::competition::event::{self, EventFile, NEW};
use crate::competition::file_settings::SETTINGS;
use crate::competition::history::Why;
use crate::competition::{Course, about};
use crate::error::SiteError;
use crate::files::course;
use crate::people::{Role, audit};
use crate::submissions;
use crate::web::{Asked, Refusal, Reply, form, notice, page};
use axum::http::StatusCode;
use botyard_pages::pieces::{cell, name, row_name, table};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::html;
use std::fs;

/// The longest title or name of a course, in characters.
const TITLE: usize = 60;

/// Returns an error in a file of a class in words, with its line.
pub(super) fn in_words(error: &botyard_runner::Error) -> Refusal {
    Refusal::Wrong(error.message().text(event::name))
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    listed(asked, "", &[])
}

/// Shows the list; what was typed stays in the form.
fn listed(asked: &Asked<'_>, why: &str, typed: &[(&str, &str)]) -> Result<Reply, Refusal> {
    let is_teacher = asked.visitor()?.person.role >= Role::Teacher;
    let mut all = asked.database().transaction(about::all)?;
    all.retain(|one| is_teacher || one.state != Course::Draft);
    let value =
        |field: &str| typed.iter().find(|(name, _)| *name == field).map_or("", |(_, value)| value);
    let body = html! {
        @for one in &all {
            @let competition = asked.site.competitions.find(one.id);
            @let title = competition.as_ref().map_or_else(|| one.shown().to_string(), |it| it.title());
            tr role="row" {
                (row_name(&html! {
                    @if competition.is_some() { a href=(format!("/e/{}/event", one.slug)) { (name(&title)) } }
                    @else { (name(&title)) }
                }))
                (cell("game", &html! {
                    @if let Some(it) = &competition { (botyard_engine::registry::plain_name(it.event.game())) }
                }))
                (cell("state", &html! { (one.state.as_str()) }))
                (cell("pages", &html! {
                    @if competition.is_some() {
                        a href=(format!("/e/{}/standings", one.slug)) { "standings" }
                        " " a href=(format!("/e/{}/rules", one.slug)) { "rules" }
                    }
                    @if is_teacher { " " a href=(format!("/events/{}", one.slug)) { "edit" } }
                }))
            }
        }
    };
    let main = html! {
        @if !why.is_empty() { (notice(why)) }
        section aria-labelledby="all" {
            h2 id="all" { "Events of the course" }
            (table("In the order of the pages", &["event", "game", "state", "pages"], &body))
        }
        @if is_teacher {
            section aria-labelledby="new" {
                h2 id="new" { "A new event" }
                p {
                    "It begins as a draft with a file of its own: no student sees it until you open it. Its people and "
                    "their passwords are those of the course; its versions, ladder, final and grades are its own."
                }
                (form(asked, "/events", &html! {
                    p class="field" {
                        label for="title" { "Title" }
                        input id="title" name="title" type="text" maxlength=(TITLE) autocomplete="off" required value=(value("title"));
                    }
                    p class="field" {
                        label for="slug" { "Name in addresses" }
                        input id="slug" name="slug" type="text" autocomplete="off" required value=(value("slug"))
                            aria-describedby="slug-hint";
                        span class="note" id="slug-hint" { "small letters, digits and hyphens, as in spring-cup" }
                    }
                    p class="field" {
                        label for="from" { "File" }
                        select id="from" name="from" {
                            option value="" { "that of a new class" }
                            @for one in &all {
                                option value=(one.slug) selected[value("from") == one.slug] { "a copy of " (printable(one.shown(), TITLE)) }
                            }
                        }
                    }
                    p { button { "Make the event" } }
                }))
            }
            section aria-labelledby="course" {
                h2 id="course" { "The course" }
                (form(asked, "/course", &html! {
                    p class="field" {
                        label for="course-name" { "Name" }
                        input id="course-name" name="name" type="text" maxlength=(TITLE) autocomplete="off" required
                            value=(asked.course());
                    }
                    p { button { "Rename the course" } }
                }))
            }
        }
    };
    let reply = page(asked, "Events", &main);
    Ok(if why.is_empty() { reply } else { reply.status(StatusCode::BAD_REQUEST) })
}

/// Returns a text that a person typed, without what cannot be seen.
fn sent_text(asked: &Asked<'_>, field: &str, what: &str) -> Result<String, SiteError> {
    let sent = printable(asked.form.get(field).trim(), TITLE + 1);
    match sent.chars().count() {
        0 => Err(SiteError::wrong(format!("State {what}."))),
        length if length > TITLE => {
            Err(SiteError::wrong(format!("Expected {what} of at most {TITLE} characters.")))
        }
        _ => Ok(sent),
    }
}

pub(super) fn rename_course(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let named = sent_text(asked, "name", "a name of the course")?;
    asked.database().transaction(|transaction| {
        course::set_name(transaction, &named)?;
        let detail = format!("from {:?} to {named:?}", asked.course());
        audit::note(transaction, Some(person), "renamed the course", &detail)
    })?;
    asked.site.class.show_course(&named);
    Ok(Reply::see("/events"))
}

pub(super) fn make(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    match made(asked) {
        Ok(slug) => Ok(Reply::see(format!("/events/{slug}"))),
        Err(SiteError::Wrong(why)) => {
            let typed = ["title", "slug", "from"].map(|field| (field, asked.form.get(field)));
            listed(asked, &why, &typed)
        }
        Err(error) => Err(error.into()),
    }
}

fn made(asked: &Asked<'_>) -> Result<String, SiteError> {
    let person = asked.visitor.map(|visitor| visitor.person.id);
    let title = sent_text(asked, "title", "a title of the event")?;
    let (slug, from) = (asked.form.get("slug").trim(), asked.form.get("from"));
    let directory = &asked.site.class.directory;
    asked.database().transaction(|transaction| {
        let text = match from {
            "" => NEW.to_string(),
            from => {
                let source = about::named(transaction, from)?
                    .ok_or_else(|| SiteError::wrong(format!("There is no event {from:?}.")))?;
                EventFile::read(directory, &source)?.text
            }
        };
        let added = about::add(transaction, slug, &title)?;
        let path = directory.path().join(&added.file);
        if path.exists() {
            return Err(SiteError::wrong(format!(
                "The file {} exists already: choose another name, or move the file away.",
                added.file
            )));
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        botyard_league::atomic_file::replace(&path, text.as_bytes())?;
        let detail = format!("{title} ({slug}) with the file {}", added.file);
        audit::note(transaction, person, "made an event", &detail)?;
        Ok(added.slug)
    })
}

/// Returns the event that the address names.
fn named(asked: &Asked<'_>) -> Result<about::About, Refusal> {
    let slug = asked.parts.get("slug");
    asked.database().transaction(|it| about::named(it, slug))?.ok_or(Refusal::NotFound)
}

pub(super) fn edit(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let about = named(asked)?;
    let text = EventFile::read(&asked.site.class.directory, &about)?.text;
    Ok(edited(asked, &about, &text, ""))
}

/// Shows the page of an event that is edited, with this text of its file.
fn edited(asked: &Asked<'_>, about: &about::About, text: &str, why: &str) -> Reply {
    let address = |action: &str| format!("/events/{}/{action}", about.slug);
    let all = asked.database().transaction(about::all).unwrap_or_default();
    let is_first = all.first().is_some_and(|first| first.id == about.id);
    let act = |action: &str, words: &str| {
        form(asked, &address("state"), &html! { button name="do" value=(action) { (words) } })
    };
    let main = html! {
        @if !why.is_empty() { (notice(why)) }
        section aria-labelledby="state" {
            h2 id="state" { "State" }
            p {
                @match about.state {
                    Course::Draft => { "A draft: teachers alone see it. When it opens, teams may submit, and it is played." }
                    Course::Open => { "Open: teams may submit, and it is played." }
                    Course::Closed => { "Closed: it is shown, and nothing is submitted or played." }
                }
            }
            @match about.state {
                Course::Draft => { (act("open", "Open the event")) }
                Course::Open => {
                    (act("close", "Close the event"))
                    p class="note" { "Versions that wait or are tried are cancelled, and their pages say why." }
                }
                Course::Closed => { (act("open", "Open it again")) }
            }
            @if !is_first { (act("up", "Move it before the one above")) }
            (form(asked, &address("title"), &html! {
                p class="field" {
                    label for="title" { "Title" }
                    input id="title" name="title" type="text" maxlength=(TITLE) autocomplete="off" required value=(about.title);
                }
                p { button { "Change the title" } }
            }))
            p { a href="/events" { "All events" } }
        }
        section aria-labelledby="settings" {
            h2 id="settings" { "Usual settings" }
            (form(asked, &address("settings"), &html! {
                @for setting in &SETTINGS {
                    @let id = setting.name();
                    p class="field" {
                        label for=(id) { (setting.label) }
                        input id=(id) name=(id) type="text" autocomplete="off" value=(setting.value(text));
                    }
                }
                p class="note" { "Empty: not in the file, so the default." }
                p { button { "Save the settings" } }
            }))
        }
        section aria-labelledby="file" {
            h2 id="file" { "The whole file" }
            (form(asked, &address("file"), &html! {
                p class="field" {
                    label for="text" { (about.file) }
                    textarea id="text" name="text" class="file wide" rows="24" cols="80" spellcheck="false" { (text) }
                }
                p { button { "Save the file" } }
            }))
            @if about.state != Course::Draft {
                p class="note" {
                    "What changes games is not taken up at once: the page of the event asks first. Other changes apply "
                    "at once."
                }
            }
        }
    };
    let reply = page(asked, &format!("Edit {}", about.shown()), &main);
    if why.is_empty() { reply } else { reply.status(StatusCode::BAD_REQUEST) }
}

pub(super) fn save_settings(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let about = named(asked)?;
    let mut text = EventFile::read(&asked.site.class.directory, &about)?.text;
    for setting in &SETTINGS {
        let sent = printable(asked.form.get(&setting.name()).trim(), 200);
        text = setting.with_value(&text, &sent);
    }
    save(asked, &about, &text)
}

pub(super) fn save_file(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let about = named(asked)?;
    // Browsers send the lines of a form with other ends.
    let text = asked.form.get("text").replace("\r\n", "\n");
    save(asked, &about, &text)
}

/// Stores the file of an event if it has no errors; else shows them, and keeps what was typed.
fn save(asked: &Asked<'_>, about: &about::About, text: &str) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let class = &asked.site.class;
    let place = event::Place::of(class);
    if let Err(error) = event::check_text(place, about, text) {
        return Ok(edited(asked, about, text, &error.message().text(event::name)));
    }
    let before = EventFile::read(&class.directory, about)?.text;
    if before != text {
        let detail = format!("{}: {}", about.file, event::changes_in_words(&before, text));
        let path = class.directory.path().join(&about.file);
        asked.database().transaction(|transaction| {
            audit::note(transaction, Some(person), "edited the file of an event", &detail)?;
            botyard_league::atomic_file::replace(&path, text.as_bytes())?;
            Ok::<_, SiteError>(())
        })?;
    }
    apply_harmless(asked, about, person)?;
    Ok(Reply::see(match about.state {
        Course::Draft => format!("/events/{}", about.slug),
        _ => format!("/e/{}/event", about.slug),
    }))
}

/// Applies the settings of a file that change no games.
fn apply_harmless(asked: &Asked<'_>, about: &about::About, person: i64) -> Result<(), Refusal> {
    let site = asked.site;
    let Some(competition) = site.competitions.find(about.id) else { return Ok(()) };
    if competition.pending()?.is_some_and(|pending| pending.keeps_games) {
        let why = Why { person: Some(person), reason: "" };
        let opened =
            site.competitions.open_again(&site.class, &site.submissions, about.clone(), why);
        opened.map_err(|error| in_words(&error))?;
    }
    Ok(())
}

pub(super) fn rename(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (about, person) = (named(asked)?, asked.visitor()?.person.id);
    let title = sent_text(asked, "title", "a title of the event")?;
    asked.database().transaction(|transaction| {
        about::set_title(transaction, about.id, &title)?;
        let detail = format!("from {:?} to {title:?}", about.shown());
        audit::note(transaction, Some(person), "renamed an event", &detail)
    })?;
    asked.site.competitions.reload(&asked.site.class)?;
    Ok(Reply::see(format!("/events/{}", about.slug)))
}

/// Why versions are cancelled when their event closes.
const CLOSED: &str = "The event was closed before there was a verdict. If it opens again, submit this version again.";

/// Closes an event. Versions without a verdict are cancelled.
fn close(asked: &Asked<'_>, about: &about::About, person: i64) -> Result<(), Refusal> {
    asked.database().transaction(|transaction| {
        about::set_state(transaction, about.id, Course::Closed)?;
        let cancelled = submissions::cancel_all(transaction, about.id, (person, CLOSED))?;
        let cancelled = match cancelled {
            0 => String::new(),
            number => format!(": {} without a verdict cancelled", counted(number, "version")),
        };
        let detail = format!("{}{cancelled}", about.shown());
        audit::note(transaction, Some(person), "closed an event", &detail)
    })?;
    Ok(asked.site.submissions.end_trials()?)
}

pub(super) fn change_state(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (about, person) = (named(asked)?, asked.visitor()?.person.id);
    let site = asked.site;
    let set = |state: Course, what: &str| {
        asked.database().transaction(|transaction| {
            about::set_state(transaction, about.id, state)?;
            audit::note(transaction, Some(person), what, about.shown())
        })
    };
    match (asked.form.get("do"), about.state) {
        ("open", Course::Draft) => {
            let opened = about::About { state: Course::Open, ..about.clone() };
            let why = Why { person: Some(person), reason: "" };
            let opened = site.competitions.open_again(&site.class, &site.submissions, opened, why);
            if let Err(error) = opened {
                let text = EventFile::read(&site.class.directory, &about)?.text;
                return Ok(edited(asked, &about, &text, &error.message().text(event::name)));
            }
            set(Course::Open, "opened an event")?;
        }
        ("open", Course::Closed) => set(Course::Open, "opened an event again")?,
        ("close", Course::Open) => close(asked, &about, person)?,
        ("up", _) => asked.database().transaction(|transaction| {
            about::move_up(transaction, about.id)?;
            audit::note(transaction, Some(person), "moved an event up", about.shown())
        })?,
        _ => return Err(Refusal::Wrong("The event has another state now.".to_string())),
    }
    site.competitions.reload(&site.class)?;
    Ok(Reply::see("/events"))
}
