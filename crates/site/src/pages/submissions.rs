//! The newest submissions of all teams, for the staff.

use super::paging;
use super::team::state_in_words;
use crate::people::Role;
use crate::submissions::{self, State, Submission};
use crate::web::{Asked, Refusal, Reply, page};
use botyard_pages::pieces::{cell, moment, name, plain, row_name, table, text};
use maud::html;

/// The submissions on a page.
const PAGE: u32 = 100;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let number = paging::number(asked);
    let state = State::ALL.into_iter().find(|state| state.as_str() == asked.query.get("state"));
    let mut all = asked.database().transaction(|transaction| {
        let skipped = (number - 1) * PAGE;
        let newest = submissions::newest(transaction, state, skipped, PAGE + 1)?;
        let with_teams = newest.into_iter().map(|submission| {
            let active = submissions::active(transaction, submission.team, submission.competition)?;
            let team = crate::people::team_name(transaction, submission.team)?;
            Ok((submission, active, team))
        });
        with_teams.collect::<rusqlite::Result<Vec<(Submission, Option<i64>, String)>>>()
    })?;
    let has_more = paging::cut(&mut all, PAGE);
    let has_events = asked.site.competitions.shown().len() > 1;
    let body = html! {
        @for (submission, active, team) in &all {
            tr role="row" {
                (row_name(&html! {
                    a href=(format!("/submissions/{}", submission.id)) {
                        (name(team)) ", version " (submission.version)
                    }
                }))
                @if has_events {
                    @let event = asked.site.competitions.find(submission.competition);
                    (cell("event", &html! { @if let Some(event) = event { (name(&event.title())) } }))
                }
                (plain("state", state_in_words(submission, *active)))
                (cell("reason", &text(submission.reason.lines().next().unwrap_or_default(), 200)))
                (cell("by", &name(&submission.person)))
                (cell("time", &moment(u64::try_from(submission.at).unwrap_or_default())))
            }
        }
    };
    let main = html! {
        @if asked.visitor()?.person.role >= Role::Teacher {
            p {
                a href="/submissions.zip" { "All submissions, every version" } " \u{b7} "
                a href="/sources.zip" { "Sources of the versions that play, for JPlag" }
            }
        }
        form method="get" action="/submissions" class="filters" {
            label { "State " select name="state" {
                option value="" { "all" }
                @for one in State::ALL { option value=(one.as_str()) selected[state == Some(one)] { (one.as_str()) } }
            } }
            button { "Show" }
        }
        @if all.is_empty() { p { "None." } } @else {
            @let events = if has_events { &["event"][..] } else { &[] };
            (table("The newest first", &[&["version"], events, &["state", "reason", "by", "time"]].concat(), &body))
        }
        (paging::links(number, has_more, &|number| {
            let state = state.map_or("", |state| state.as_str());
            format!("/submissions?page={number}&state={state}")
        }))
    };
    Ok(page(asked, "Submissions", &main))
}
