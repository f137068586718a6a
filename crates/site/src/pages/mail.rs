//! Email, for teachers: what the site sends, and what it could not send.

use super::deadline::sent_reason;
use crate::people::mail_queue::{self, Kind, Queued};
use crate::people::{self, Person, Role, audit};
use crate::web::{Asked, Refusal, Reply, field, form, page};
use botyard_pages::pieces::{cell, fact, moment, name, plain, row_name, table, text};
use botyard_protocol::printable;
use botyard_runner::words::counted;
use maud::{Markup, html};

/// The most failures on the page.
const MOST: u32 = 200;

/// Returns the part of the desk about messages that were not sent.
pub(super) fn on_desk(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let failures =
        asked.database().transaction(|transaction| mail_queue::failures(transaction, MOST))?;
    let is_teacher = asked.visitor()?.person.role >= Role::Teacher;
    Ok(html! {
        @if !failures.is_empty() {
            section aria-labelledby="mail" {
                h2 id="mail" { "Email that was not sent" }
                p {
                    (counted(failures.len() as u64, "message")) ", the last because: "
                    (text(&failures[0].error, 300)) ". "
                    @if is_teacher { a href="/mail" { "Email" } }
                }
            }
        }
    })
}

/// Returns the people whom a person may send their join codes.
fn without_password(
    transaction: &rusqlite::Transaction<'_>,
    by: Role,
) -> rusqlite::Result<Vec<Person>> {
    let mut people = people::all(transaction)?;
    people.retain(|person| {
        by.may_admit(person.role) && person.join_code.is_some() && !person.email.is_empty()
    });
    Ok(people)
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let role = asked.visitor()?.person.role;
    let (failures, reminds, open, waiting, sent) = asked.database().transaction(|transaction| {
        Ok::<_, rusqlite::Error>((
            mail_queue::failures(transaction, MOST)?,
            mail_queue::reminds(transaction)?,
            without_password(transaction, role)?.len(),
            mail_queue::count(transaction, "waiting")?,
            mail_queue::count(transaction, "sent")?,
        ))
    })?;
    let main = match &asked.site.class.settings.email {
        None => html! {
            p {
                "This site sends no email: " code { "site.toml" } " in the directory of the class names no server. "
                "The guide on hosting a class says how."
            }
        },
        Some(email) => html! {
            section aria-labelledby="server" {
                h2 id="server" { "Server" }
                dl class="facts" {
                    (fact("server", &html! { (printable(&email.server, 100)) ", port " (email.port) }))
                    (fact("sender", &html! { (printable(&email.from, 100)) }))
                    (fact("sent", &html! { (sent) }))
                    (fact("waiting", &html! { (waiting) }))
                }
                (form(asked, "/mail/test", &html! { p { button { "Send me a test" } } }))
            }
            section aria-labelledby="codes" {
                h2 id="codes" { "Join codes" }
                p { (counted(open as u64, "code")) " of people with an address can be sent, each once." }
                (form(asked, "/mail/codes", &html! { p { button { "Send the join codes" } } }))
            }
            (reminders(asked, reminds))
        },
    };
    let main = html! {
        (main)
        @if !failures.is_empty() { (not_sent(asked, &failures)) }
    };
    Ok(page(asked, "Email", &main))
}

fn reminders(asked: &Asked<'_>, reminds: bool) -> Markup {
    let (state, value, words) = match reminds {
        true => ("are", "off", "No longer remind them"),
        false => ("are not", "on", "Remind them"),
    };
    html! {
        section aria-labelledby="reminders" {
            h2 id="reminders" { "Reminders" }
            p {
                "Members of teams without an accepted version " (state)
                " reminded of the deadline, or of their extension, 24 hours before it."
            }
            (form(asked, "/mail/reminders", &html! {
                (field("Reason", "reason", "text", "off", ""))
                p { button name="reminders" value=(value) { (words) } }
            }))
        }
    }
}

fn not_sent(asked: &Asked<'_>, failures: &[Queued]) -> Markup {
    let body = html! {
        @for one in failures {
            tr role="row" {
                (row_name(&name(&one.name)))
                (plain("message", one.kind.in_words()))
                (cell("added", &moment(u64::try_from(one.at).unwrap_or_default())))
                (plain("attempts", one.attempts))
                (cell("because", &text(&one.error, 300)))
                (cell("again", &form(asked, &format!("/mail/{}/again", one.id), &html! { button { "Send again" } })))
            }
        }
    };
    let header = ["to", "message", "added", "attempts", "because", "again"];
    html! {
        section aria-labelledby="failures" {
            h2 id="failures" { "Not sent" }
            (table("The newest first", &header, &body))
        }
    }
}

/// Refuses what would send email, if there is no server.
fn check_configured(asked: &Asked<'_>) -> Result<(), Refusal> {
    match &asked.site.class.settings.email {
        Some(_) => Ok(()),
        None => {
            Err(Refusal::Wrong("This site sends no email: site.toml names no server.".to_string()))
        }
    }
}

pub(super) fn test(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    check_configured(asked)?;
    let person = &asked.visitor()?.person;
    if person.email.is_empty() {
        return Err(Refusal::Wrong("Your account has no email address.".to_string()));
    }
    asked.database().transaction(|transaction| {
        mail_queue::add(transaction, (person.id, Kind::Test), None, None)?;
        audit::note(transaction, Some(person.id), "sent email", "a test to their own address")
    })?;
    Ok(Reply::see("/mail"))
}

pub(super) fn send_codes(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    check_configured(asked)?;
    let person = &asked.visitor()?.person;
    asked.database().transaction(|transaction| {
        let mut sent = Vec::new();
        for one in without_password(transaction, person.role)? {
            let code = one.join_code.as_deref().unwrap_or_default();
            if mail_queue::add_code(transaction, one.id, code)? {
                sent.push(one.name);
            }
        }
        if !sent.is_empty() {
            let detail = format!("join codes to {}", audit::listed(&sent, 30));
            audit::note(transaction, Some(person.id), "sent email", &detail)?;
        }
        Ok::<_, rusqlite::Error>(())
    })?;
    Ok(Reply::see("/mail"))
}

pub(super) fn set_reminders(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let is_on = match asked.form.get("reminders") {
        "on" => true,
        "off" => false,
        _ => return Err(Refusal::Wrong("Expected the reminders to be on or off.".to_string())),
    };
    check_configured(asked)?;
    let reason = sent_reason(asked)?;
    let word = |is_on: bool| if is_on { "on" } else { "off" };
    asked.database().transaction(|transaction| {
        let before = mail_queue::reminds(transaction)?;
        mail_queue::set_reminders(transaction, is_on, (&reason, person))?;
        let detail = format!("from {} to {}: {reason}", word(before), word(is_on));
        audit::note(transaction, Some(person), "set the reminders", &detail)
    })?;
    Ok(Reply::see("/mail"))
}

pub(super) fn again(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    check_configured(asked)?;
    let (person, id) = (asked.visitor()?.person.id, asked.number("mail")?);
    asked.database().transaction(|transaction| {
        let Some(queued) = mail_queue::again(transaction, id)? else { return Ok(()) };
        let detail = format!("{} again, after: {}", queued.kind.in_words(), queued.error);
        audit::about(transaction, Some(person), ("sent email", &queued.name), &detail)
    })?;
    Ok(Reply::see("/mail"))
}
