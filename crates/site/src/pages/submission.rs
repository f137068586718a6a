//! The page of a submission: what became of it, and its log, which grows while it is tried.

use super::deadline::{REASON, sent_reason};
use super::team::{may_see, state_in_words};
use crate::error::SiteError;
use crate::people::{self, Role, audit};
use crate::site::Site;
use crate::submissions::decisions::{self, Decided, Decision};
use crate::submissions::queue::Place;
use crate::submissions::{self, State, Submission};
use crate::web::{Asked, Feed, Message, Refusal, Reply, Step, field, form, notice, scripted_page};
use botyard_pages::pieces::{cell, fact, moment, name, row_name, table, text};
use maud::{Markup, html};

/// Returns the submission that the address names, if the visitor may see it, and the version of its team
/// that plays.
pub(super) fn asked_for(asked: &Asked<'_>) -> Result<(Submission, Option<i64>), Refusal> {
    let (person, id) = (&asked.visitor()?.person, asked.number("submission")?);
    let found = asked.database().transaction(|transaction| {
        let Some(submission) = submissions::find(transaction, id)? else { return Ok(None) };
        let active = submissions::active(transaction, submission.team, submission.competition)?;
        Ok::<_, rusqlite::Error>(Some((submission, active)))
    })?;
    found.filter(|(submission, _)| may_see(person, submission.team)).ok_or(Refusal::NotFound)
}

/// Returns the state of a submission for people, with its place and an expected time if it waits.
pub(super) fn progress_in_words(
    site: &Site,
    submission: &Submission,
    active: Option<i64>,
) -> Result<String, SiteError> {
    let place = match submission.state {
        State::Queued => site.submissions.place(submission.id)?,
        _ => None,
    };
    let words = || state_in_words(submission, active).to_string();
    Ok(place.map_or_else(words, Place::in_words))
}

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (submission, active) = asked_for(asked)?;
    let (log, decided, equal) = asked.database().transaction(|transaction| {
        let log = submissions::log_after(transaction, submission.id, 0)?;
        let decided = decisions::about(transaction, submission.id)?;
        let equal = submissions::others_with(transaction, submission.team, &submission.source)?;
        Ok::<_, rusqlite::Error>((log, decided, equal))
    })?;
    let role = asked.visitor()?.person.role;
    let last = log.last().map_or(0, |(number, _)| *number);
    let is_over = submission.state.is_final();
    let events = format!("/submissions/{}/events?from={}", submission.id, place(&submission, last));
    let main = html! {
        p { strong { "State: " span id="state" role="status" { (progress_in_words(asked.site, &submission, active)?) } } }
        @if !submission.reason.is_empty() { (notice(&submission.reason)) }
        dl class="facts" {
            (fact(if submission.commit.is_some() { "repository" } else { "file" }, &name(&submission.file)))
            @if let Some(commit) = &submission.commit { (fact("commit", &html! { code { (text(commit, 64)) } })) }
            (fact("submitted", &html! {
                (moment(u64::try_from(submission.at).unwrap_or_default())) " by " (name(&submission.person))
            }))
            @if !submission.declared.is_empty() { (fact("declared version", &text(&submission.declared, 60))) }
            (fact("digest of the files", &html! { code { (submission.source) } }))
        }
        p {
            @if !submission.source.is_empty() {
                a href=(format!("/submissions/{}/files", submission.id)) { "Files" } " \u{b7} "
                a href=(format!("/submissions/{}/changes", submission.id)) { "What changed" } " \u{b7} "
                a href=(format!("/submissions/{}/files.zip", submission.id)) { "Download" } " \u{b7} "
            }
            @if role.is_staff() { a href=(format!("/teams/{}", submission.team)) { "Results of the team" } }
            @else { a href="/team#versions" { "All versions of my team" } }
        }
        @if role.is_staff() && !equal.is_empty() {
            (notice(&format!("The same files were submitted by: {}.", equal.join(", "))))
        }
        @if !is_over { (cancel_form(asked, &submission)) }
        @if !decided.is_empty() { (decisions_made(&decided)) }
        @if role >= Role::Teacher && submission.state == State::Accepted { (decision_form(asked, &submission)) }
        section aria-labelledby="log-title" {
            h2 id="log-title" { "Log" }
            pre id="log" class="log" tabindex="0" data-events=[(!is_over).then_some(events)] {
                @for (_, text) in &log { (text) }
            }
        }
    };
    let title = format!("Version {}", submission.version);
    Ok(scripted_page(asked, &title, &main, (!is_over).then_some("/assets/log.js")))
}

fn decisions_made(decided: &[Decided]) -> Markup {
    let body = html! {
        @for one in decided {
            tr role="row" {
                (row_name(&html! { (one.decision.as_str()) }))
                (cell("reason", &text(&one.reason, REASON)))
                (cell("by", &name(&one.person)))
                (cell("time", &moment(u64::try_from(one.at).unwrap_or_default())))
            }
        }
    };
    html! {
        section aria-labelledby="decisions" {
            h2 id="decisions" { "Decisions about this version" }
            (table("The newest first; the first is in force", &["decision", "reason", "by", "time"], &body))
        }
    }
}

fn decision_form(asked: &Asked<'_>, submission: &Submission) -> Markup {
    html! {
        section aria-labelledby="decide" {
            h2 id="decide" { "Decide about this version" }
            (form(asked, &format!("/submissions/{}/decision", submission.id), &html! {
                p class="field" {
                    label for="decision" { "Decision" }
                    select id="decision" name="decision" {
                        option value="hold" { "hold: it does not play until the hold is lifted" }
                        option value="withdraw" { "withdraw: the version before plays" }
                        option value="disqualify" { "disqualify: its games do not count" }
                        option value="lift" { "lift the decision in force" }
                    }
                }
                (field("Reason, which the team sees", "reason", "text", "off", ""))
                p { button { "Decide" } }
            }))
        }
    }
}

fn cancel_form(asked: &Asked<'_>, submission: &Submission) -> Markup {
    html! {
        section aria-labelledby="cancel" {
            h2 id="cancel" { "Cancel this version" }
            p { "It is tried no further. The version that plays stays." }
            (form(asked, &format!("/submissions/{}/cancel", submission.id), &html! {
                (field("Reason", "reason", "text", "off", asked.form.get("reason")))
                p { button { "Cancel the trial" } }
            }))
        }
    }
}

/// Cancels a version that waits or is tried.
pub(super) fn cancel(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let (submission, _) = asked_for(asked)?;
    let why = sent_reason(asked)?;
    asked.database().transaction(|transaction| {
        let reason = format!("{} cancelled it: {why}", person.name);
        if !submissions::cancel(transaction, submission.id, (person.id, &reason))? {
            return Err(SiteError::wrong(format!(
                "Version {} has its verdict already: only one that waits or is tried can be cancelled.",
                submission.version
            )));
        }
        let team = people::team_name(transaction, submission.team)?;
        let detail = format!("version {} of {team}: {why}", submission.version);
        Ok(audit::note(transaction, Some(person.id), "cancelled a trial", &detail)?)
    })?;
    asked.site.submissions.end_trials()?;
    asked.site.class.announce();
    Ok(Reply::see(format!("/submissions/{}", submission.id)))
}

pub(super) fn decide(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let (submission, _) = asked_for(asked)?;
    let decision: Decision = asked.form.get("decision").parse().map_err(Refusal::Wrong)?;
    let reason = sent_reason(asked)?;
    if submission.state != State::Accepted {
        return Err(Refusal::Wrong(
            "Only a version that was accepted can be decided about.".to_string(),
        ));
    }
    if (decision == Decision::Lift) != submission.decision.is_some() {
        return Err(Refusal::Wrong(match submission.decision {
            Some(_) => "Lift the decision in force first.".to_string(),
            None => "There is no decision to lift.".to_string(),
        }));
    }
    let event = asked.competition().event.id;
    asked.database().transaction(|transaction| {
        decisions::decide(transaction, event, &submission, (decision, &reason, person))?;
        let team = people::team_name(transaction, submission.team)?;
        let detail = format!("version {} of {team}: {reason}", submission.version);
        audit::note(transaction, Some(person), decision.as_str(), &detail)?;
        Ok::<_, SiteError>(())
    })?;
    asked.competition().announce_result();
    asked.competition().reload_course()?;
    Ok(Reply::see(format!("/submissions/{}", submission.id)))
}

/// Returns the place in a log: the attempt and the number of the last part. A new attempt has a new log.
pub(super) fn place(submission: &Submission, last: i64) -> String {
    format!("{}.{last}", submission.attempts)
}

/// Follows the log until there is a verdict.
pub(super) fn follow(asked: &Asked<'_>) -> Result<Feed, Refusal> {
    let (submission, _) = asked_for(asked)?;
    let from = if asked.last_event.is_empty() { asked.query.get("from") } else { asked.last_event };
    let (attempt, last) = from.split_once('.').unwrap_or(("0", "0"));
    let (mut attempt, mut last): (i64, i64) =
        (attempt.parse().unwrap_or(0), last.parse().unwrap_or(0));
    let id = submission.id;
    let mut shown = None;
    Ok(Box::new(move |site: &Site| {
        let found = site.class.database.transaction(|transaction| {
            let Some(submission) = submissions::find(transaction, id)? else { return Ok(None) };
            let from = if submission.attempts == attempt { last } else { 0 };
            let log = submissions::log_after(transaction, id, from)?;
            let active = submissions::active(transaction, submission.team, submission.competition)?;
            Ok::<_, rusqlite::Error>(Some((submission, active, log)))
        })?;
        let Some((submission, active, log)) = found else { return Err(Refusal::NotFound) };
        let mut step = Step { is_over: submission.state.is_final(), ..Step::default() };
        let mut send = |kind, id: String, data: serde_json::Value| {
            step.messages.push(Message { kind, id, data: data.to_string() });
        };
        if submission.attempts != attempt {
            (attempt, last) = (submission.attempts, 0);
            send("restart", place(&submission, 0), serde_json::Value::Null);
        }
        for (number, text) in log {
            last = number;
            send("log", place(&submission, number), text.into());
        }
        let words = progress_in_words(site, &submission, active)?;
        if shown.as_ref() != Some(&words) {
            send("state", String::new(), words.as_str().into());
            shown = Some(words);
        }
        if step.is_over {
            step.messages.push(Message { kind: "over", id: String::new(), data: "over".into() });
        }
        Ok(step)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::sessions;
    use crate::submissions::built_ins::programs;
    use botyard_connections::{Listening, Server};
    use botyard_testkit::http::Visitor;
    use std::sync::Arc;

    #[test]
    fn a_version_that_waits_has_a_place_and_is_cancelled_with_a_reason() {
        let place = tempfile::tempdir().expect("a directory");
        let site = Arc::new(Site::open(&place.path().join("class"), programs()).expect("a class"));
        let router = crate::web::router(&site, crate::pages::routes(), None);
        let server = Server::start(Listening::on_loopback(0), router).expect("a server");
        let mut admin = Visitor::new(&format!("http://{}/", server.address()));
        let written = site.class.database.transaction(|transaction| {
            let person = people::first_admin(transaction)?;
            for team in ["red", "blue"] {
                let team = people::team(transaction, team)?;
                let files = submissions::Files::uploaded("bot.zip", team_file(team));
                submissions::add(transaction, (team, person), files)?;
            }
            sessions::begin(transaction, person)
        });
        admin.cookie = written.expect("SQLite works");
        let page = admin.get("/submissions/2").text;
        assert!(page.contains("waits: place 2 of 2, a verdict in less than a minute"), "{page}");
        assert!(admin.get("/desk").text.contains("place 1 of 2"));

        let cancel = |visitor: &mut Visitor, reason| {
            visitor.post("/submissions/2/cancel", &[("reason", reason)])
        };
        assert_eq!(cancel(&mut admin, "").status, 400, "a reason is expected");
        assert_eq!(cancel(&mut admin, "it <hangs>").status, 303);
        let page = admin.get("/submissions/2").text;
        for part in [">cancelled<", "cancelled it: it &lt;hangs&gt;"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("Cancel the trial"), "{page}");
        let again = cancel(&mut admin, "again");
        assert!(again.text.contains("has its verdict already"), "{}", again.text);
        let audit = admin.get("/audit").text;
        assert!(
            audit.contains("cancelled a trial") && audit.contains("version 1 of blue"),
            "{audit}"
        );
        assert!(admin.get("/submissions/1").text.contains("waits: place 1 of 1"));
    }

    fn team_file(team: i64) -> &'static str {
        if team == 1 { "1" } else { "2" }
    }
}
