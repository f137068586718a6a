//! The deadline and its extensions.

use crate::files::now;
use crate::people::{self, Role, audit};
use crate::submissions::deadlines;
use crate::web::{Asked, Refusal, Reply, field, form, notice, page};
use botyard_pages::pieces::{cell, moment, moment_text, name, plain, row_name, table, text};
use botyard_protocol::printable;
use maud::{Markup, html};

/// The longest reason, in characters.
pub(super) const REASON: usize = 300;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let role = asked.visitor()?.person.role;
    let competition = asked.competition().id;
    let (all, teams, of_all) = asked.database().transaction(|transaction| {
        Ok::<_, rusqlite::Error>((
            deadlines::all(transaction, competition)?,
            people::teams(transaction)?,
            // No team has this number.
            deadlines::of_team(transaction, competition, -1)?,
        ))
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
        (told(asked, of_all))
        @if role >= Role::Teacher {
            section aria-labelledby="set" {
                h2 id="set" { "Set the deadline of all teams" }
                (form(asked, "/deadline", &html! {
                    (time_field(asked, "until", "End of submissions; empty for no deadline", of_all, false))
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
                    (time_field(asked, "extended", "End of its submissions", None, true))
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

fn time_field(
    asked: &Asked<'_>,
    id: &str,
    label: &str,
    value: Option<i64>,
    required: bool,
) -> Markup {
    let hint = format!("{id}-zone");
    let value = value.map(|value| asked.site.class.zone.field(value));
    html! {
        p class="field" {
            label for=(id) { (label) }
            input id=(id) name="until" type="datetime-local" required[required] value=[value] aria-describedby=(hint);
            (zone_hint(asked, &hint))
        }
    }
}

/// Returns the hint beside a field with a time: in which zone it is.
pub(super) fn zone_hint(asked: &Asked<'_>, id: &str) -> Markup {
    let zone = &asked.site.class.zone;
    html! {
        span class="note" id=(id) {
            "in the time zone " (zone.name()) "; of a time that the clocks show twice, the later one"
        }
    }
}

/// Returns the moment in a form, in seconds since 1970; `None` if the field is empty.
pub(super) fn sent_moment(asked: &Asked<'_>) -> Result<Option<i64>, Refusal> {
    let sent = asked.form.get("until");
    if sent.is_empty() {
        return Ok(None);
    }
    asked.site.class.zone.moment(sent).map(Some).map_err(Refusal::Wrong)
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
    let competition = asked.competition().id;
    asked.database().transaction(|transaction| {
        let before = deadlines::stated(transaction, competition, None)?.flatten();
        deadlines::set(transaction, competition, (None, until), &reason, person)?;
        let detail = format!("from {} to {}: {reason}", end(before), end(until));
        audit::about(transaction, Some(person), ("changed the deadline", "all teams"), &detail)
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
    let competition = asked.competition();
    let has_final = competition.boards().round.is_some();
    asked.database().transaction(|transaction| {
        let team_name = people::team_if_any(transaction, team)?.ok_or(Refusal::NotFound)?;
        let before = deadlines::of_team(transaction, competition.id, team)?;
        let of_all = deadlines::stated(transaction, competition.id, None)?.flatten();
        if let Some(why) = useless(&team_name, until, (before, of_all), has_final) {
            return Err(Refusal::Wrong(why));
        }
        let extension = (Some(team), Some(until));
        deadlines::set(transaction, competition.id, extension, &reason, person)?;
        let after = deadlines::of_team(transaction, competition.id, team)?;
        let detail = format!("from {} to {}: {reason}", end(before), end(after));
        let what = ("changed the deadline", team_name.as_str());
        Ok(audit::about(transaction, Some(person), what, &detail)?)
    })?;
    Ok(Reply::see("/deadline"))
}

/// Returns why an extension would change nothing; `None`: it does. An earlier time takes an extension back.
fn useless(
    team: &str,
    until: i64,
    (before, of_all): (Option<i64>, Option<i64>),
    has_final: bool,
) -> Option<String> {
    let Some(of_all) = of_all else {
        return Some(
            "There is no deadline: teams may submit at any time, and there is nothing to extend. Set the deadline of \
             all teams first."
                .to_string(),
        );
    };
    let is_extended = before.is_some_and(|before| before > of_all);
    if until <= of_all && !is_extended {
        return Some(format!(
            "An extension never shortens: submissions of all teams end at {}, and {} is not later. State a later \
             time, or set the deadline of all teams.",
            end(Some(of_all)),
            end(Some(until))
        ));
    }
    if has_final && until > now() {
        return Some(format!(
            "The final has begun, between the versions that played then: a version that {team} submits now takes no \
             part in it. Discard the final on the page of the event, extend, and begin another."
        ));
    }
    None
}

/// Returns what staff and teams have to know of the deadline of the page's competition; nothing if there is nothing.
pub(super) fn told(asked: &Asked<'_>, until: Option<i64>) -> Markup {
    let has_final = asked.competition().boards().round.is_some();
    html! {
        @if has_final {
            (notice("The final has begun, between the versions that played then. A later version takes no part in it."))
        } @else if until.is_some_and(|until| until <= now()) {
            (notice("Submissions have ended: this time is in the past."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_that_would_change_nothing_is_refused_with_what_to_do() {
        let why = |until, before, of_all, has_final| {
            useless("red", until, (before, of_all), has_final).unwrap_or_default()
        };
        assert!(why(10, None, None, false).contains("There is no deadline"));
        assert!(why(10, Some(20), Some(20), false).contains("never shortens"));
        assert!(why(20, Some(20), Some(20), false).contains("never shortens"));
        assert_eq!(why(30, Some(20), Some(20), false), "");
        assert_eq!(why(10, Some(30), Some(20), false), "", "it takes the extension back");
        assert!(why(i64::MAX, Some(20), Some(20), true).contains("The final has begun"));
    }
}
