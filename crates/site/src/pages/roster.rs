//! The roster and the join codes, for the staff.

use crate::error::SiteError;
use crate::files::secrets;
use crate::people::{self, Person, Role, audit, roster};
use crate::web::{Asked, Refusal, Reply, Upload, form, notice, page};
use botyard_pages::pieces::{cell, name, plain, row_name, table};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, html};
use std::fs;

/// The most names that are listed after an import.
const NAMED: usize = 20;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    shown(asked, &html! {})
}

/// Shows the roster below a message.
fn shown(asked: &Asked<'_>, message: &Markup) -> Result<Reply, Refusal> {
    let role = asked.visitor()?.person.role;
    let people = asked.database().transaction(people::all)?;
    let main = html! {
        (message)
        section aria-labelledby="people" {
            h2 id="people" { (people.len()) " people" }
            @if role >= Role::Teacher {
                p { a href="/roster/codes" { "Join codes to print" } }
            }
            (rows(asked, role, &people))
        }
        @if role >= Role::Teacher { (import_form(asked)) }
    };
    Ok(page(asked, "Roster", &main))
}

fn rows(asked: &Asked<'_>, role: Role, people: &[Person]) -> Markup {
    let mut header = vec!["name", "ID", "email", "group", "team", "role", "password"];
    if role >= Role::Teacher {
        header.push("new code");
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
                (plain("password", if person.has_joined { "chosen" } else { "not yet" }))
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
                }
            }
        }
    };
    table("People of the class", &header, &body)
}

fn import_form(asked: &Asked<'_>) -> Markup {
    html! {
        section aria-labelledby="import" {
            h2 id="import" { "Import a roster" }
            p {
                "A CSV file with the columns " code { "student_id,name,email,group,team" }
                " and, if wanted, " code { "role" } ". People with the same ID are changed; no one is removed. "
                "Students without a team are a team of their own; a team has one to four students."
            }
            form method="post" action="/roster" enctype="multipart/form-data" {
                input type="hidden" name="token" value=(asked.form_token());
                p class="field" {
                    label for="file" { "CSV file" }
                    input id="file" name="file" type="file" accept=".csv,text/csv" required;
                }
                p { button { "Import" } }
            }
        }
    }
}

pub(super) fn import(asked: &Asked<'_>, upload: Upload) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let Some(file) = upload.file else {
        return Err(Refusal::Wrong("Choose a CSV file.".to_string()));
    };
    let bytes = fs::read(file.path())?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        Refusal::Wrong(format!(
            "line {line}: the file is not UTF-8: save it as \u{201c}CSV UTF-8\u{201d}"
        ))
    })?;
    let rows = roster::read(&text)?;
    let imported = asked.database().transaction(|transaction| {
        let imported = roster::import(transaction, &rows, person.role)?;
        let detail = format!(
            "{} added, {} changed, {} the same",
            imported.added, imported.changed, imported.unchanged
        );
        audit::note(transaction, Some(person.id), "imported a roster", &detail)?;
        Ok::<_, SiteError>(imported)
    })?;
    asked.site.people.check_sessions();
    let mut words = format!(
        "Imported: {} added, {} changed, {} the same.",
        imported.added, imported.changed, imported.unchanged
    );
    if !imported.absent.is_empty() {
        let named: Vec<String> =
            imported.absent.iter().take(NAMED).map(|name| printable(name, 60)).collect();
        let more = imported.absent.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        words.push_str(&format!(
            "\nNot in this file, and still in the class: {}{more}.",
            named.join(", ")
        ));
    }
    shown(asked, &notice(&words))
}

/// Shows the codes that were not used, one slip of paper each.
pub(super) fn codes(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let role = asked.visitor()?.person.role;
    let people = asked.database().transaction(people::all)?;
    let slips: Vec<(&Person, &str)> = people
        .iter()
        .filter(|person| role.may_admit(person.role))
        .filter_map(|person| Some((person, person.join_code.as_deref()?)))
        .collect();
    let main = html! {
        p class="screen" {
            (counted(slips.len() as u64, "code")) " to print and cut. Each works once, on the page "
            code { "/join" } " of this site. Give every slip to its person alone."
        }
        ul class="slips" {
            @for (person, code) in slips {
                li {
                    p { strong { (name(&person.name)) } " " (name(person.student_id.as_deref().unwrap_or_default())) }
                    @if let Some(team) = &person.team_name { p { "team " (name(team)) } }
                    p class="code" { (code) }
                    p class="note" { (name(asked.course())) ": open /join, enter the code, choose a password" }
                }
            }
        }
    };
    Ok(page(asked, "Join codes", &main))
}

pub(super) fn renew_code(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let visitor = &asked.visitor()?.person;
    let id = asked.number("person")?;
    let code = secrets::join_code()?;
    let person = asked.database().transaction(|transaction| {
        let person = people::find(transaction, id)?.ok_or(Refusal::NotFound)?;
        if !visitor.role.may_admit(person.role) || person.student_id.is_none() {
            return Err(Refusal::Forbidden(format!(
                "A code is as good as a password, and the role {} may not give one to the role {}.",
                visitor.role, person.role
            )));
        }
        people::renew_code(transaction, id, &code)?;
        audit::note(transaction, Some(visitor.id), "gave a new join code", &person.name)?;
        Ok(person)
    })?;
    asked.site.people.check_sessions();
    let words = format!(
        "The new join code of {} is {code}. The old password no longer works.",
        person.name
    );
    shown(asked, &notice(&words))
}
