//! Questions of students, and the answers of the staff.

use super::announcements::{sent_text, text_field};
use super::markdown::markdown;
use crate::people::questions::{self, Answer, Question};
use crate::people::throttle::{self, QUESTIONS};
use crate::people::{Person, Role, audit};
use crate::web::{Asked, Refusal, Reply, form, notice, page};
use axum::http::StatusCode;
use botyard_pages::pieces::{moment, name};
use botyard_protocol::printable;
use maud::{Markup, html};

/// What a question may be about.
const SUBJECTS: [&str; 6] = ["event", "rules", "submission", "games", "grades", "site"];

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    list(asked, None)
}

fn list(asked: &Asked<'_>, refusal: Option<&str>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let all =
        asked.database().transaction(|transaction| questions::seen_by(transaction, person))?;
    let waiting = all.iter().filter(|one| one.answers.is_empty()).count();
    let main = html! {
        @if let Some(refusal) = refusal { (notice(refusal)) }
        @if person.role == Role::Student { (asking(asked)) }
        @if person.role.is_staff() { p { (waiting) " without an answer, " (all.len()) " in all." } }
        @if all.is_empty() { p { "There are no questions." } }
        @for one in &all { (shown(asked, person, one)) }
    };
    let reply = page(asked, "Questions", &main);
    Ok(if refusal.is_some() { reply.status(StatusCode::BAD_REQUEST) } else { reply })
}

fn asking(asked: &Asked<'_>) -> Markup {
    let sent = asked.form.get("subject");
    html! {
        section aria-labelledby="ask" {
            h2 id="ask" { "Ask the staff" }
            p class="note" {
                "Members of your team see the question and its answers. The whole class sees them, without your name, "
                "if the answer is for all."
            }
            (form(asked, "/questions", &html! {
                p class="field" {
                    label for="subject" { "About" }
                    select id="subject" name="subject" {
                        option value="" { "nothing in particular" }
                        @for subject in SUBJECTS { option value=(subject) selected[sent == subject] { (subject) } }
                    }
                }
                (text_field("text", "Question", asked.form.whole("text")))
                p { button { "Ask" } }
            }))
        }
    }
}

fn shown(asked: &Asked<'_>, reader: &Person, one: &Question) -> Markup {
    let title = format!("question-{}", one.id);
    let time = |at: i64| moment(u64::try_from(at).unwrap_or_default());
    html! {
        section aria-labelledby=(title) {
            h2 id=(title) {
                "Question " (one.id)
                @if !one.subject.is_empty() { ", about: " (one.subject) }
                @if one.answers.is_empty() { " \u{2013} no answer yet" }
            }
            p class="note" {
                (time(one.at))
                @if one.is_own || reader.role.is_staff() {
                    ", " (name(&one.person))
                    @if let Some(team) = &one.team { " of " (name(team)) }
                }
            }
            (markdown(&one.text))
            @for answer in &one.answers { (answered(answer)) }
            @if reader.role.is_staff() { (answering(asked, one)) }
        }
    }
}

fn answered(answer: &Answer) -> Markup {
    html! {
        blockquote {
            p class="note" {
                "Answer, " (moment(u64::try_from(answer.at).unwrap_or_default())) ", " (name(&answer.person))
                @if answer.is_public { ", for all" }
            }
            (markdown(&answer.text))
        }
    }
}

fn answering(asked: &Asked<'_>, one: &Question) -> Markup {
    let id = format!("answer-{}", one.id);
    let to = format!("to-{}", one.id);
    let is_this = asked.parts.get("question").parse() == Ok(one.id);
    let typed = if is_this { asked.form.whole("text") } else { "" };
    html! {
        details open[one.answers.is_empty() || is_this] {
            summary { "Answer" }
            (form(asked, &format!("/questions/{}/answers", one.id), &html! {
                (text_field(&id, "Answer, in Markdown", typed))
                p class="field" {
                    label for=(to) { "For" }
                    select id=(to) name="to" {
                        option value="team" { "the person and the team" }
                        option value="all" selected[is_this && asked.form.get("to") == "all"] {
                            "all, with the question but without the name"
                        }
                    }
                }
                p { button { "Answer" } }
            }))
        }
    }
}

pub(super) fn ask(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let subject = asked.form.get("subject");
    let text = match sent_text(asked) {
        _ if !subject.is_empty() && !SUBJECTS.contains(&subject) => {
            return list(asked, Some("Choose what the question is about from the list."));
        }
        Ok(text) => text,
        Err(why) => return list(asked, Some(&why)),
    };
    let limits = [(format!("questions of {}", person.id), QUESTIONS)];
    let wait = asked.database().transaction(|transaction| {
        if let Err(seconds) = throttle::begin(transaction, &limits)? {
            return Ok(Some(seconds));
        }
        let id = questions::ask(transaction, person, (subject, text))?;
        let detail = printable(text, 300);
        audit::about(transaction, Some(person.id), ("asked a question", &named(id)), &detail)?;
        Ok::<_, Refusal>(None)
    })?;
    match wait {
        None => Ok(Reply::see("/questions")),
        Some(seconds) => {
            let minutes = (seconds + 59) / 60;
            let why = format!(
                "You asked {} questions in a short time. Try again in {minutes} min.",
                QUESTIONS.most
            );
            Ok(list(asked, Some(&why))?.status(StatusCode::TOO_MANY_REQUESTS))
        }
    }
}

/// Returns what the audit calls a question.
fn named(id: i64) -> String {
    format!("question {id}")
}

pub(super) fn answer(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, id) = (&asked.visitor()?.person, asked.number("question")?);
    let seen =
        asked.database().transaction(|transaction| questions::seen_by(transaction, person))?;
    if !seen.iter().any(|one| one.id == id) {
        return Err(Refusal::NotFound);
    }
    let text = match sent_text(asked) {
        Ok(text) => text,
        Err(why) => return list(asked, Some(&why)),
    };
    let is_public = asked.form.get("to") == "all";
    asked.database().transaction(|transaction| {
        questions::answer(transaction, id, (text, is_public), person.id)?;
        let to = if is_public { "for all" } else { "for the team" };
        let detail = format!("{to}: {}", printable(text, 300));
        audit::about(transaction, Some(person.id), ("answered a question", &named(id)), &detail)
    })?;
    Ok(Reply::see("/questions"))
}
