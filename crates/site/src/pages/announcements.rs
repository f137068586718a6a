//! Announcements: the newest on the first page, all of them on a page of their own, where teachers write them.

use super::deadline::sent_reason;
use super::markdown::markdown;
use crate::people::announcements::{self, Announcement};
use crate::people::{Role, audit, questions};
use crate::web::{Asked, Refusal, Reply, field, form, notice, page};
use axum::http::StatusCode;
use botyard_pages::pieces::{moment, name};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, html};

/// The longest title, in characters.
const TITLE: usize = 120;

/// The longest text, in characters.
pub(super) const TEXT: usize = 10_000;

/// The announcements on the first page.
const ON_HOME: u32 = 3;

/// The announcements on their own page.
const MOST: u32 = 500;

/// Returns the part of the first page with the newest announcements and, for the staff, the number of questions
/// without an answer.
pub(super) fn section(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let is_staff = asked.visitor()?.person.role.is_staff();
    let (newest, waiting) = asked.database().transaction(|transaction| {
        let newest = announcements::newest(transaction, false, ON_HOME)?;
        Ok::<_, rusqlite::Error>((newest, questions::waiting(transaction)?))
    })?;
    Ok(html! {
        @if !newest.is_empty() || (is_staff && waiting > 0) {
            section aria-labelledby="announcements" {
                h2 id="announcements" { a href="/announcements" { "Announcements" } }
                @if is_staff && waiting > 0 {
                    p { a href="/questions" { (counted(waiting.unsigned_abs(), "question")) } " without an answer" }
                }
                @for one in &newest { (shown(&html! { h3 { (name(&one.title)) } }, one)) }
            }
        }
    })
}

/// Shows an announcement below a heading with its title.
fn shown(heading: &Markup, one: &Announcement) -> Markup {
    let time = |at: i64| moment(u64::try_from(at).unwrap_or_default());
    html! {
        article {
            (heading)
            p class="note" {
                (time(one.at)) ", " (name(&one.person))
                @if let Some(at) = one.changed_at { "; changed " (time(at)) }
                @if one.is_withdrawn { "; withdrawn" }
            }
            (markdown(&one.text))
        }
    }
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    list(asked, None)
}

fn list(asked: &Asked<'_>, refusal: Option<&str>) -> Result<Reply, Refusal> {
    let is_teacher = asked.visitor()?.person.role >= Role::Teacher;
    let all = asked
        .database()
        .transaction(|transaction| announcements::newest(transaction, is_teacher, MOST))?;
    let main = html! {
        @if let Some(refusal) = refusal { (notice(refusal)) }
        @if is_teacher {
            section aria-labelledby="post" {
                h2 id="post" { "Announce something to the class" }
                (form(asked, "/announcements", &html! {
                    (fields(asked.form.get("title"), asked.form.whole("text")))
                    p { button { "Post it" } }
                }))
            }
        }
        @if all.is_empty() { p { "There are no announcements." } }
        @for one in &all {
            section aria-label=(printable(&one.title, 120)) {
                (shown(&html! { h2 { (name(&one.title)) } }, one))
                @if is_teacher { p { a href=(format!("/announcements/{}", one.id)) { "Change or withdraw" } } }
            }
        }
    };
    let reply = page(asked, "Announcements", &main);
    Ok(if refusal.is_some() { reply.status(StatusCode::BAD_REQUEST) } else { reply })
}

fn fields(title: &str, text: &str) -> Markup {
    html! {
        p class="field" {
            label for="title" { "Title" }
            input id="title" name="title" type="text" autocomplete="off" required maxlength=(TITLE) value=(title);
        }
        (text_field("text", "Text, in Markdown", text))
    }
}

/// Returns a field for a text of several lines.
pub(super) fn text_field(id: &str, label: &str, value: &str) -> Markup {
    html! {
        p class="field" {
            label for=(id) { (label) }
            textarea id=(id) name="text" rows="6" required maxlength=(TEXT) { (value) }
        }
    }
}

/// Returns the text in a form.
pub(super) fn sent_text<'a>(asked: &'a Asked<'_>) -> Result<&'a str, String> {
    let text = asked.form.get("text");
    match text.chars().count() {
        1..=TEXT => Ok(text),
        0 => Err("Expected a text, got none.".to_string()),
        length => Err(format!("Expected a text of at most {TEXT} characters, got {length}.")),
    }
}

/// Returns the title and the text in a form.
fn sent<'a>(asked: &'a Asked<'_>) -> Result<(&'a str, &'a str), String> {
    let title = asked.form.get("title");
    let length = title.chars().count();
    if !(1..=TITLE).contains(&length) || title.chars().any(char::is_control) {
        return Err(format!("Expected a title of 1 to {TITLE} characters, got {length}."));
    }
    Ok((title, sent_text(asked)?))
}

pub(super) fn post(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let (title, text) = match sent(asked) {
        Ok(sent) => sent,
        Err(why) => return list(asked, Some(&why)),
    };
    asked.database().transaction(|transaction| {
        let id = announcements::post(transaction, (title, text), person)?;
        let detail = format!("announcement {id}: {}", printable(text, 300));
        audit::about(transaction, Some(person), ("posted an announcement", title), &detail)
    })?;
    Ok(Reply::see("/announcements"))
}

fn asked_for(asked: &Asked<'_>) -> Result<Announcement, Refusal> {
    let id = asked.number("announcement")?;
    let found = asked.database().transaction(|transaction| announcements::find(transaction, id))?;
    found.ok_or(Refusal::NotFound)
}

pub(super) fn edit(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let one = asked_for(asked)?;
    Ok(editor(asked, &one, (&one.title, &one.text), None))
}

fn editor(
    asked: &Asked<'_>,
    one: &Announcement,
    (title, text): (&str, &str),
    refusal: Option<&str>,
) -> Reply {
    let (value, words) = match one.is_withdrawn {
        true => ("no", "Show it again"),
        false => ("yes", "Withdraw it"),
    };
    let main = html! {
        @if let Some(refusal) = refusal { (notice(refusal)) }
        section aria-labelledby="now" {
            h2 id="now" { "What the class sees" }
            (shown(&html! { h3 { (name(&one.title)) } }, one))
        }
        section aria-labelledby="change" {
            h2 id="change" { "Change it" }
            (form(asked, &format!("/announcements/{}", one.id), &html! {
                (fields(title, text))
                p { button { "Change it" } }
            }))
        }
        section aria-labelledby="withdraw" {
            h2 id="withdraw" { (words) }
            (form(asked, &format!("/announcements/{}/withdraw", one.id), &html! {
                (field("Reason", "reason", "text", "off", ""))
                p { button name="withdraw" value=(value) { (words) } }
            }))
        }
        p { a href="/announcements" { "All announcements" } }
    };
    let reply = page(asked, "Announcement", &main);
    if refusal.is_some() { reply.status(StatusCode::BAD_REQUEST) } else { reply }
}

pub(super) fn change(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let one = asked_for(asked)?;
    let (title, text) = match sent(asked) {
        Ok(sent) => sent,
        Err(why) => {
            let typed = (asked.form.get("title"), asked.form.whole("text"));
            return Ok(editor(asked, &one, typed, Some(&why)));
        }
    };
    asked.database().transaction(|transaction| {
        announcements::change(transaction, one.id, (title, text))?;
        let [before, after] = [(&*one.title, &*one.text), (title, text)]
            .map(|(title, text)| format!("\u{201c}{title}: {}\u{201d}", printable(text, 300)));
        let detail = format!("announcement {}: from {before} to {after}", one.id);
        audit::about(transaction, Some(person), ("changed an announcement", title), &detail)
    })?;
    Ok(Reply::see("/announcements"))
}

pub(super) fn withdraw(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let one = asked_for(asked)?;
    let (is_withdrawn, what) = match asked.form.get("withdraw") {
        "yes" => (true, "withdrew an announcement"),
        "no" => (false, "showed an announcement again"),
        _ => return Err(Refusal::Wrong("Expected yes or no.".to_string())),
    };
    let reason = sent_reason(asked)?;
    asked.database().transaction(|transaction| {
        announcements::withdraw(transaction, one.id, is_withdrawn)?;
        let detail = format!("announcement {}: {reason}", one.id);
        audit::about(transaction, Some(person), (what, &one.title), &detail)
    })?;
    Ok(Reply::see("/announcements"))
}
