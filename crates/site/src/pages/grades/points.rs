//! Points by hand, on the page of grades.

use super::{MOST, sent_points, shown};
use crate::competition::grades::{self, Given, Whom};
use crate::pages::deadline::sent_reason;
use crate::people::{self, Person, Role, audit};
use crate::web::{Asked, Refusal, Reply, form};
use botyard_pages::pieces::{cell, moment, name, plain, row_name, table, text};
use botyard_protocol::printable;
use maud::{Markup, html};

pub(super) fn section(asked: &Asked<'_>, given: &[Given], people: &[Person]) -> Markup {
    let body = html! {
        @for one in given {
            tr role="row" {
                (row_name(&name(&one.name)))
                (plain("points", signed(one.points)))
                (cell("reason", &text(&one.reason, 300)))
                (cell("by", &name(&one.person)))
                (cell("time", &moment(u64::try_from(one.at).unwrap_or_default())))
                (cell("take back", &form(asked, &format!("/grades/points/{}/withdraw", one.id), &html! {
                    input name="reason" type="text" autocomplete="off" required aria-label="Reason" placeholder="Reason";
                    " " button { "Take back" }
                })))
            }
        }
    };
    let mut teams: Vec<(i64, &str)> =
        people.iter().filter_map(|one| Some((one.team?, one.team_name.as_deref()?))).collect();
    teams.sort_by_key(|(id, name)| (*name, *id));
    teams.dedup();
    let sent = asked.form.get("whom");
    html! {
        section aria-labelledby="by-hand" {
            h2 id="by-hand" { "Points by hand" }
            @if !given.is_empty() {
                (table("They count in every preview and every later copy",
                    &["for", "points", "reason", "by", "time", "take back"], &body))
            }
            (form(asked, "/grades/points", &html! {
                p class="field" {
                    label for="whom" { "For" }
                    select id="whom" name="whom" required {
                        option value="" { "a student or a team" }
                        @for (id, team) in teams {
                            @let value = format!("team-{id}");
                            option value=(value) selected[sent == value] { "all of " (printable(team, 60)) }
                        }
                        @for person in people.iter().filter(|person| person.role == Role::Student) {
                            @let value = format!("student-{}", person.id);
                            option value=(value) selected[sent == value] {
                                (printable(&person.name, 60))
                                @if let Some(id) = &person.student_id { " (" (printable(id, 60)) ")" }
                            }
                        }
                    }
                }
                p class="field" {
                    label for="points" { "Points; negative to take away" }
                    input id="points" name="points" type="number" step="any" min=(-MOST) max=(MOST) required
                        value=(asked.form.get("points"));
                }
                p class="field" {
                    label for="points-reason" { "Reason; the student reads it" }
                    input id="points-reason" name="reason" type="text" autocomplete="off" required
                        value=(asked.form.get("reason"));
                }
                p { button { "Give the points" } }
            }))
        }
    }
}

fn signed(points: f64) -> String {
    format!("{points:+}")
}

/// Gives points.
pub(in crate::pages) fn give(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let sent = || {
        let points = sent_points(asked.form.get("points"), "the points by hand", -MOST)?;
        let whom = asked.form.get("whom").split_once('-');
        let whom = whom.and_then(|(kind, id)| match (kind, id.parse()) {
            ("student", Ok(id)) => Some(Whom::Student(id)),
            ("team", Ok(id)) => Some(Whom::Team(id)),
            _ => None,
        });
        let whom = whom.ok_or(Refusal::Wrong("Choose a student or a team.".to_string()))?;
        Ok((whom, points, sent_reason(asked)?))
    };
    let (whom, points, reason) = match sent() {
        Ok(sent) => sent,
        Err(Refusal::Wrong(why)) => return shown(asked, Some(&why)),
        Err(refusal) => return Err(refusal),
    };
    let event = asked.competition().event.id;
    asked.database().transaction(|transaction| {
        let name = match whom {
            Whom::Student(id) => people::find(transaction, id)?.map(|person| person.name),
            Whom::Team(id) => people::team_if_any(transaction, id)?,
        };
        let name = name.ok_or(Refusal::NotFound)?;
        grades::give(transaction, event, whom, (points, &reason), person)?;
        let detail = format!("{}: {reason}", signed(points));
        audit::about(transaction, Some(person), ("gave points by hand", &name), &detail)?;
        Ok::<_, Refusal>(())
    })?;
    Ok(Reply::see("/grades"))
}

/// Takes points back.
pub(in crate::pages) fn withdraw(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, id) = (asked.visitor()?.person.id, asked.number("points")?);
    let reason = sent_reason(asked)?;
    let event = asked.competition().event.id;
    asked.database().transaction(|transaction| {
        let given = grades::withdraw(transaction, event, id)?.ok_or(Refusal::NotFound)?;
        let detail = format!("{} ({}): {reason}", signed(given.points), given.reason);
        audit::about(transaction, Some(person), ("took points back", &given.name), &detail)?;
        Ok::<_, Refusal>(())
    })?;
    Ok(Reply::see("/grades"))
}
