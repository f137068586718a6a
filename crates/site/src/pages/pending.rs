//! The file of an event whose settings are not in force: the question, and its answer.

use super::deadline::sent_reason;
use crate::competition::event::Pending;
use crate::competition::history::Why;
use crate::files::secrets;
use crate::people::Role;
use crate::web::{Asked, Refusal, Reply, form};
use botyard_protocol::printable;
use maud::{Markup, html};

/// Returns what says that the file's text is the one that was shown.
fn digest(pending: &Pending) -> String {
    secrets::digest("event file", &pending.text)
}

/// Returns the question about the file of the page's competition, for the staff; nothing if there is none.
pub(super) fn section(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let role = asked.visitor()?.person.role;
    if !role.is_staff() {
        return Ok(html! {});
    }
    let competition = asked.competition();
    let about = competition.about();
    let Some(pending) = competition.pending()? else { return Ok(html! {}) };
    let file = &about.file;
    Ok(html! {
        section aria-labelledby="pending" {
            @if let Some(problem) = &pending.problem {
                h2 id="pending" { (file) " has errors" }
                p { "Event " (pending.event) " continues with the settings that it has. The errors are:" }
                ul { @for line in problem.lines() { li { (printable(line, 500)) } } }
            } @else if pending.keeps_games {
                h2 id="pending" { (file) " has settings that are not in force" }
                ul { @for change in &pending.changes { li { (printable(change, 500)) } } }
                @if role >= Role::Teacher {
                    (form(asked, "/event/take-up", &html! {
                        p { "They change no games, and the event continues with its games and standings." }
                        input type="hidden" name="file" value=(digest(&pending));
                        input type="hidden" name="reason" value="they change no games";
                        p { button { "Apply them" } }
                    }))
                }
            } @else {
                h2 id="pending" { (file) " differs from the event in force" }
                ul { @for change in &pending.changes { li { (printable(change, 500)) } } }
                @if role >= Role::Teacher {
                    (form(asked, "/event/take-up", &html! {
                        p {
                            "This ends event " (pending.event) " with " (pending.played) ". "
                            @match pending.resumes {
                                Some(event) => { "Event " (event) " has these settings: resume it?" }
                                None => { "Begin a new event? Its ladder is empty, and the versions that play pass its gate first." }
                            }
                        }
                        input type="hidden" name="file" value=(digest(&pending));
                        p class="field" {
                            label for="take-up-reason" { "Reason" }
                            input id="take-up-reason" name="reason" type="text" autocomplete="off" required;
                        }
                        p { button { @if pending.resumes.is_some() { "Resume the event" } @else { "Begin a new event" } } }
                    }))
                }
                p class="note" {
                    "To keep event " (pending.event) ", leave this as it is or restore " (file)
                    " as it was. What has ended stays: it has a page, and its settings resume it."
                }
            }
        }
    })
}

/// Begins the event of the file, or resumes the one that has its settings.
pub(super) fn take_up(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let reason = sent_reason(asked)?;
    let competition = asked.competition();
    let Some(pending) = competition.pending()? else {
        return Err(Refusal::Wrong("The file has the settings of the event in force.".to_string()));
    };
    if asked.form.get("file") != digest(&pending) {
        return Err(Refusal::Wrong(
            "The file has changed since the question was shown: read it again on the page of the event."
                .to_string(),
        ));
    }
    if let Some(problem) = &pending.problem {
        return Err(Refusal::Wrong(problem.clone()));
    }
    let about = (*competition.about()).clone();
    let why = Why { person: Some(person), reason: &reason };
    let opened = |error: botyard_runner::Error| super::events::in_words(&error);
    let site = asked.site;
    site.competitions.open_again(&site.class, &site.submissions, about, why).map_err(opened)?;
    Ok(Reply::see("/event"))
}
