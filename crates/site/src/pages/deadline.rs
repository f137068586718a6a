//! The deadline and its extensions.

use crate::people::{self, Role, audit};
use crate::submissions::deadlines;
use crate::web::{Asked, Refusal, Reply, field, form, page};
use botyard_pages::pieces::{cell, moment, moment_text, name, plain, row_name, table, text};
use botyard_protocol::printable;
use maud::{Markup, html};
use std::time::UNIX_EPOCH;

/// The longest reason, in characters.
pub(super) const REASON: usize = 300;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let role = asked.visitor()?.person.role;
    let (all, teams) = asked.database().transaction(|transaction| {
        Ok::<_, rusqlite::Error>((deadlines::all(transaction)?, people::teams(transaction)?))
    })?;
    let body = html! {
        @for deadline in &all {
            tr role="row" {
                (row_name(&name(deadline.team.as_deref().unwrap_or("all teams"))))
                (plain("submissions end", end(deadline.until)))
                (cell("reason", &text(&deadline.reason, REASON)))
                (cell("set by", &name(&deadline.person)))
                (cell("set", &moment(u64::try_from(deadline.at).unwrap_or_default())))
            }
        }
    };
    let main = html! {
        @if role >= Role::Teacher {
            section aria-labelledby="set" {
                h2 id="set" { "Set the deadline of all teams" }
                (form(asked, "/deadline", &html! {
                    (time_field("until", "End of submissions (UTC); empty for no deadline", false))
                    (field("Reason", "reason", "text", "off", ""))
                    p { button { "Set the deadline" } }
                }))
            }
            section aria-labelledby="extend" {
                h2 id="extend" { "Extend the deadline of a team" }
                (form(asked, "/deadline/extensions", &html! {
                    p class="field" {
                        label for="team" { "Team" }
                        select id="team" name="team" required {
                            @for (id, team) in &teams { option value=(id) { (printable(team, 60)) } }
                        }
                    }
                    (time_field("extended", "End of its submissions (UTC)", true))
                    p class="field" {
                        label for="extension-reason" { "Reason" }
                        input id="extension-reason" name="reason" type="text" autocomplete="off" required;
                    }
                    p { button { "Extend" } }
                }))
            }
        }
        section aria-labelledby="all" {
            h2 id="all" { "Deadlines and extensions" }
            @if all.is_empty() { p { "There is no deadline: teams may submit at any time." } }
            @else {
                (table("The newest first. The last of each team counts, and an extension never shortens",
                    &["team", "submissions end", "reason", "set by", "set"], &body))
            }
        }
    };
    Ok(page(asked, "Deadline", &main))
}

/// Returns the end of submissions for people.
pub(super) fn end(until: Option<i64>) -> String {
    until.map_or("never".into(), |until| moment_text(u64::try_from(until).unwrap_or_default()))
}

fn time_field(id: &str, label: &str, required: bool) -> Markup {
    html! {
        p class="field" {
            label for=(id) { (label) }
            input id=(id) name="until" type="datetime-local" required[required];
        }
    }
}

/// Returns the moment in a form, in seconds since 1970; `None` if the field is empty.
pub(super) fn sent_moment(asked: &Asked<'_>) -> Result<Option<i64>, Refusal> {
    let sent = asked.form.get("until");
    if sent.is_empty() {
        return Ok(None);
    }
    let seconds = if sent.matches(':').count() < 2 { ":00Z" } else { "Z" };
    let moment = humantime::parse_rfc3339_weak(&format!("{sent}{seconds}")).ok();
    let since = moment.and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    let seconds = since.and_then(|since| i64::try_from(since.as_secs()).ok());
    seconds.map(Some).ok_or_else(|| {
        Refusal::Wrong(format!(
            "Expected a time as in 2026-12-01T23:59, got {}.",
            printable(sent, 60)
        ))
    })
}

pub(super) fn sent_reason(asked: &Asked<'_>) -> Result<String, Refusal> {
    match asked.form.get("reason") {
        "" => Err(Refusal::Wrong("State a reason: it is kept for the audit.".to_string())),
        reason => Ok(printable(reason, REASON)),
    }
}

pub(super) fn set(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let (until, reason) = (sent_moment(asked)?, sent_reason(asked)?);
    asked.database().transaction(|transaction| {
        deadlines::set(transaction, (None, until), &reason, person)?;
        audit::note(
            transaction,
            Some(person),
            "set the deadline",
            &format!("{}: {reason}", end(until)),
        )
    })?;
    Ok(Reply::see("/deadline"))
}

pub(super) fn extend(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let (until, reason) = (sent_moment(asked)?, sent_reason(asked)?);
    let Some(until) = until else {
        return Err(Refusal::Wrong("State when the submissions of the team end.".to_string()));
    };
    let team: i64 = asked.form.get("team").parse().map_err(|_| Refusal::NotFound)?;
    asked.database().transaction(|transaction| {
        let team_name = people::team_if_any(transaction, team)?.ok_or(Refusal::NotFound)?;
        deadlines::set(transaction, (Some(team), Some(until)), &reason, person)?;
        let detail = format!("{team_name} until {}: {reason}", end(Some(until)));
        Ok::<_, Refusal>(audit::note(transaction, Some(person), "extended a deadline", &detail)?)
    })?;
    Ok(Reply::see("/deadline"))
}
