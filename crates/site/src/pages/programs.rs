//! What programs use with a token of a student, as `botyard submit` does: JSON in place of pages.

use super::submission::{asked_for, place, progress_in_words};
use super::team::own_team;
use crate::submissions;
use crate::web::{Asked, Refusal, Reply, Upload};
use axum::http::StatusCode;
use botyard_protocol::printable;
use serde_json::json;

/// Returns the competition that a program names by `event`, or else the only one that is open.
fn competition_of(asked: &Asked<'_>) -> Result<i64, Refusal> {
    let open = asked.site.competitions.all();
    let names = || {
        let slugs: Vec<String> = open.iter().map(|one| one.about().slug.clone()).collect();
        slugs.join(", ")
    };
    let named = asked.query.get("event");
    match (named, &open[..]) {
        (_, []) => Err(Refusal::Wrong("Not accepted: no event is open.".to_string())),
        ("", [one]) => Ok(one.id),
        ("", _) => Err(Refusal::Wrong(format!(
            "Several events are open: name one with --event SLUG: {}.",
            names()
        ))),
        (slug, _) => {
            let found = open.iter().find(|one| one.about().slug == slug);
            found.map(|one| one.id).ok_or_else(|| {
                let slug = printable(slug, 60);
                Refusal::Wrong(format!(
                    "Expected one of the events that are open, {}, got {slug:?}.",
                    names()
                ))
            })
        }
    }
}

/// Takes an archive. The same files as those of the newest version are that version, so a program may
/// repeat a request whose answer was lost.
pub(super) fn submit(asked: &Asked<'_>, upload: Upload) -> Result<Reply, Refusal> {
    let (person, team) = (&asked.visitor()?.person, own_team(asked)?);
    let competition = competition_of(asked)?;
    let file = upload.file.ok_or_else(|| Refusal::Wrong("Expected a zip archive.".to_string()))?;
    let taken = asked.site.submissions.take(
        person,
        (team, competition),
        upload.name.as_deref(),
        file.reopen()?,
    )?;
    let reply = Reply::json(&json!({
        "submission": taken.id,
        "version": taken.version,
        "is_new": taken.is_new,
        "page": format!("/submissions/{}", taken.id),
    }));
    Ok(if taken.is_new { reply.status(StatusCode::CREATED) } else { reply })
}

/// Shows how far a submission is, and what its log has after the place `from`. A log that was begun again
/// is shown from its beginning.
pub(super) fn follow(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (submission, active) = asked_for(asked)?;
    let (attempt, last) = asked.query.get("from").split_once('.').unwrap_or(("0", "0"));
    let (attempt, last): (i64, i64) = (attempt.parse().unwrap_or(0), last.parse().unwrap_or(0));
    let is_same = attempt == submission.attempts;
    let log = asked.database().transaction(|transaction| {
        submissions::log_after(transaction, submission.id, if is_same { last } else { 0 })
    })?;
    let last = log.last().map_or(if is_same { last } else { 0 }, |(number, _)| *number);
    let text: String = log.into_iter().map(|(_, text)| text).collect();
    Ok(Reply::json(&json!({
        "version": submission.version,
        "state": submission.state.as_str(),
        "state_in_words": progress_in_words(asked.site, &submission, active)?,
        "is_final": submission.state.is_final(),
        "reason": submission.reason,
        "log": text,
        "is_begun_again": !is_same && attempt > 0,
        "from": place(&submission, last),
    })))
}
