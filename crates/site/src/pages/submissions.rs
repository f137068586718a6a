//! The newest submissions of all teams, for the staff.

use super::team::state_in_words;
use crate::people::Role;
use crate::submissions::{self, Submission};
use crate::web::{Asked, Refusal, Reply, page};
use botyard_pages::pieces::{cell, moment, name, plain, row_name, table, text};
use maud::html;

/// The most submissions on the page.
const MOST: u32 = 300;

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let all = asked.database().transaction(|transaction| {
        let newest = submissions::newest(transaction, MOST)?;
        let with_teams = newest.into_iter().map(|submission| {
            let active = submissions::active(transaction, submission.team)?;
            let team = crate::people::team_name(transaction, submission.team)?;
            Ok((submission, active, team))
        });
        with_teams.collect::<rusqlite::Result<Vec<(Submission, Option<i64>, String)>>>()
    })?;
    let body = html! {
        @for (submission, active, team) in &all {
            tr role="row" {
                (row_name(&html! {
                    a href=(format!("/submissions/{}", submission.id)) {
                        (name(team)) ", version " (submission.version)
                    }
                }))
                (plain("state", state_in_words(submission, *active)))
                (cell("reason", &text(submission.reason.lines().next().unwrap_or_default(), 200)))
                (cell("by", &name(&submission.person)))
                (cell("time", &moment(u64::try_from(submission.at).unwrap_or_default())))
            }
        }
    };
    let main = html! {
        @if asked.visitor()?.person.role >= Role::Teacher {
            p { a href="/sources.zip" { "Sources of the versions that play, for JPlag" } }
        }
        @if all.is_empty() { p { "None yet." } } @else {
            (table("The newest submissions, the newest first", &["version", "state", "reason", "by", "time"], &body))
        }
    };
    Ok(page(asked, "Submissions", &main))
}
