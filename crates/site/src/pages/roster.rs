//! The roster, for the staff: who is in the class, and the import of a file, which shows what it changes before
//! anything is stored.

use super::deadline::sent_reason;
use super::person;
use crate::error::SiteError;
use crate::people::roster::{self, Change, Imported, LastImport, Previewed};
use crate::people::{self, Person, Role};
use crate::web::{Asked, Refusal, Reply, Upload, form, notice, page};
use botyard_pages::pieces::{cell, moment_text, name, plain, row_name, table};
use botyard_protocol::printable;
use botyard_replay::text_file;
use botyard_runner::words::counted;
use maud::{Markup, html};
use std::fs;

/// The most names that are listed after an import.
const NAMED: usize = 20;

/// The most changes that a preview lists. All are counted.
const LISTED: usize = 500;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    shown(asked, &html! {})
}

/// Shows the roster below a message.
pub(super) fn shown(asked: &Asked<'_>, message: &Markup) -> Result<Reply, Refusal> {
    let role = asked.visitor()?.person.role;
    let (people, removed, last) = asked.database().transaction(|transaction| {
        let (people, removed) = (people::all(transaction)?, people::removed(transaction)?);
        Ok::<_, rusqlite::Error>((people, removed, roster::last(transaction)?))
    })?;
    let main = html! {
        (message)
        section aria-labelledby="people" {
            h2 id="people" { (people.len()) " people" }
            @if role >= Role::Teacher {
                p { a href="/roster/codes" { "Join codes to print" } " or " a href="/roster/codes.csv" { "as a file" } }
            }
            (rows(asked, role, &people))
        }
        @if role >= Role::Teacher {
            (import_form(asked))
            @if let Some(last) = &last { (undo_form(asked, last)) }
            section aria-labelledby="add" {
                h2 id="add" { "Add a person" }
                (person::fields(asked, "/people", &person::Values::default(), "Add"))
            }
            @if !removed.is_empty() { (removed_people(role, &removed)) }
        }
    };
    Ok(page(asked, "Roster", &main))
}

fn rows(asked: &Asked<'_>, role: Role, people: &[Person]) -> Markup {
    let mut header = vec!["name", "ID", "email", "group", "team", "role", "password"];
    if role >= Role::Teacher {
        header.extend(["new code", "change"]);
    }
    let body = html! {
        @for person in people {
            tr role="row" {
                (row_name(&name(&person.name)))
                (cell("ID", &name(person.student_id.as_deref().unwrap_or("-"))))
                (cell("email", &name(&person.email)))
                (cell("group", &name(&person.section)))
                (cell("team", &name(person.team_name.as_deref().unwrap_or_default())))
                (plain("role", person.role))
                (plain("password", match (person.is_locked, person.has_joined) {
                    (true, _) => "locked",
                    (_, true) => "chosen",
                    _ => "not yet",
                }))
                @if role >= Role::Teacher {
                    (cell("new code", &html! {
                        @if role.may_admit(person.role) && person.student_id.is_some() {
                            (form(asked, &format!("/people/{}/code", person.id), &html! {
                                button aria-label=(format!("New join code for {}", printable(&person.name, 60))) {
                                    "New code"
                                }
                            }))
                        }
                    }))
                    (cell("change", &html! {
                        @if role.may_admit(person.role) {
                            a href=(format!("/people/{}", person.id))
                                aria-label=(format!("Change {}", printable(&person.name, 60))) { "Change" }
                        }
                    }))
                }
            }
        }
    };
    table("People of the class", &header, &body)
}

/// The people who were removed: each can be taken back, or deleted.
fn removed_people(role: Role, removed: &[Person]) -> Markup {
    html! {
        section aria-labelledby="removed" {
            h2 id="removed" { "Removed people" }
            p { "They left with their history kept. The page of a person takes the person back, or deletes the personal data." }
            ul {
                @for person in removed {
                    li {
                        @if role.may_admit(person.role) {
                            a href=(format!("/people/{}", person.id)) { (name(&person.name)) }
                        } @else { (name(&person.name)) }
                        " (" (name(person.student_id.as_deref().unwrap_or_default())) ")"
                    }
                }
            }
        }
    }
}

fn import_form(asked: &Asked<'_>) -> Markup {
    html! {
        section aria-labelledby="import" {
            h2 id="import" { "Import a roster" }
            p {
                "A CSV file: an export of Moodle or Canvas, or a spreadsheet with the columns "
                code { "student_id,name" } " and, if wanted, " code { "email,group,team,role" }
                ". People with the same ID are changed; no one is removed. "
                "Students without a team are a team of their own; a team has one to four students. "
                "You see what changes before anything is stored."
            }
            form method="post" action="/roster" enctype="multipart/form-data" {
                input type="hidden" name="token" value=(asked.form_token());
                p class="field" {
                    label for="file" { "CSV file" }
                    input id="file" name="file" type="file" accept=".csv,.txt,.tsv,text/csv" required;
                }
                p { button { "Show what changes" } }
            }
        }
    }
}

fn undo_form(asked: &Asked<'_>, last: &LastImport) -> Markup {
    html! {
        section aria-labelledby="undo" {
            h2 id="undo" { "The last import" }
            p {
                "By " (name(&last.person)) " at " (moment_text(u64::try_from(last.at).unwrap_or_default())) ": "
                (last.added) " added, " (last.changed) " changed."
            }
            (form(asked, "/roster/undo", &html! {
                p {
                    "People who were added are removed again, and the others are as they were before. That is possible "
                    "while none of them has joined or was changed since."
                }
                p class="field" {
                    label for="undo-reason" { "Reason" }
                    input id="undo-reason" name="reason" type="text" autocomplete="off" required;
                }
                p { button { "Undo the import" } }
            }))
        }
    }
}

/// Undoes the last import.
pub(super) fn undo(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, reason) = (&asked.visitor()?.person, sent_reason(asked)?);
    let undone = asked
        .database()
        .transaction(|transaction| roster::undo(transaction, &reason, (person.id, person.role)));
    match undone {
        Ok(()) => shown(asked, &notice("The import was undone.")),
        Err(SiteError::Wrong(why)) => refused(asked, &why),
        Err(error) => Err(error.into()),
    }
}

/// Shows what a file would change.
pub(super) fn preview(asked: &Asked<'_>, upload: Upload) -> Result<Reply, Refusal> {
    let Some(file) = upload.file else {
        return refused(asked, "Choose a CSV file.");
    };
    let bytes = fs::read(file.path())?;
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return refused(
            asked,
            "This is a spreadsheet, and not a CSV file: in the spreadsheet, choose \u{201c}Save as\u{201d}, \
             \u{201c}CSV UTF-8\u{201d}.",
        );
    }
    previewed(asked, &text_file::guess(&bytes), "")
}

/// Shows what the text of a file would change, below a message.
fn previewed(asked: &Asked<'_>, text: &str, message: &str) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    match roster::preview(asked.database(), text, (person.id, person.role)) {
        Ok(previewed) => Ok(page(asked, "Import a roster", &changes(asked, &previewed, message))),
        Err(SiteError::Wrong(why)) => refused(asked, &format!("Nothing was stored:\n{why}")),
        Err(error) => Err(error.into()),
    }
}

/// Returns the roster and its forms with the reason why a file was refused.
fn refused(asked: &Asked<'_>, why: &str) -> Result<Reply, Refusal> {
    Ok(shown(asked, &notice(why))?.status(axum::http::StatusCode::BAD_REQUEST))
}

fn changes(asked: &Asked<'_>, previewed: &Previewed, message: &str) -> Markup {
    let Previewed { roster, imported, digest } = previewed;
    let shown = |text: &str| {
        if text.is_empty() {
            html! { "-" }
        } else {
            name(text)
        }
    };
    let of_new = |change: &Change, what: &str| {
        let value =
            change.values.iter().find(|(its, ..)| *its == what).map(|(_, _, after)| after.clone());
        shown(&value.unwrap_or_default())
    };
    let added: Vec<&Change> = imported.changes.iter().filter(|change| change.is_new).collect();
    let changed: Vec<&Change> = imported.changes.iter().filter(|change| !change.is_new).collect();
    html! {
        @if !message.is_empty() { (notice(message)) }
        section aria-labelledby="changes" {
            h2 id="changes" { "What changes" }
            p { strong { (would(imported)) } " Nothing is stored yet." }
            @if !roster.ignored.is_empty() {
                p { "Columns that are not read: " (name(&roster.ignored.join(", "))) "." }
            }
            @if !roster.skipped.is_empty() {
                p { (counted(roster.skipped.len() as u64, "row")) " of Canvas that no person has: not read." }
            }
            (absent(imported))
            (form(asked, "/roster/import", &html! {
                input type="hidden" name="changes" value=(digest);
                p {
                    @if !imported.changes.is_empty() { button { "Import" } " " }
                    a href="/roster" { "Change nothing" }
                }
            }))
        }
        @if !added.is_empty() {
            (table("People who are added", &["name", "ID", "email", "group", "team", "role"], &html! {
                @for change in added.iter().take(LISTED) {
                    tr role="row" {
                        (row_name(&name(&change.name)))
                        (cell("ID", &name(&change.student_id)))
                        @for what in ["email", "group", "team", "role"] { (cell(what, &of_new(change, what))) }
                    }
                }
            }))
            (more(added.len()))
        }
        @if !changed.is_empty() {
            (table("People who are changed", &["name", "ID", "what", "before", "after"], &html! {
                @for change in changed.iter().take(LISTED) {
                    @for (what, before, after) in &change.values {
                        tr role="row" {
                            (row_name(&name(&change.name)))
                            (cell("ID", &name(&change.student_id)))
                            (plain("what", what))
                            (cell("before", &shown(before)))
                            (cell("after", &shown(after)))
                        }
                    }
                }
            }))
            (more(changed.len()))
        }
    }
}

fn more(count: usize) -> Markup {
    html! { @if count > LISTED { p { "And " (count - LISTED) " more." } } }
}

fn would(imported: &Imported) -> String {
    format!(
        "{} added, {} changed, {} the same.",
        imported.added(),
        imported.changed(),
        imported.unchanged
    )
}

/// Returns who is not in a file.
fn absent(imported: &Imported) -> Markup {
    let absent = &imported.absent;
    let named: Vec<String> = absent.iter().take(NAMED).map(|name| printable(name, 60)).collect();
    let more = match absent.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    html! {
        @if !absent.is_empty() {
            p { "Not in this file, and still in the class: " bdi { (named.join(", ")) } (more) "." }
        }
    }
}

/// Makes the changes that were shown.
pub(super) fn import(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let seen = asked.form.get("changes");
    let imported = match roster::apply(asked.database(), seen, (person.id, person.role)) {
        Ok(Ok(imported)) => imported,
        Ok(Err(text)) => {
            let message = "The class has changed since you looked: these are the changes now.";
            return previewed(asked, &text, message);
        }
        Err(SiteError::Wrong(why)) => return refused(asked, &why),
        Err(error) => return Err(error.into()),
    };
    asked.site.people.check_sessions();
    shown(
        asked,
        &html! { (notice(&format!("Imported: {}", would(&imported)))) (absent(&imported)) },
    )
}
