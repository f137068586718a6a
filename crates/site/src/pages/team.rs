//! The page of a student's own team: its versions, and the form for a new one.

use super::deadline::end;
use crate::audit;
use crate::deadlines;
use crate::disk;
use crate::people::Person;
use crate::submissions::{self, A_DAY, State, Submission};
use crate::unpack::{ARCHIVE, LIMITS, Refused, bot_directory, unpack};
use crate::web::{Asked, Refusal, Reply, Upload, page};
use axum::http::header;
use botyard_pages::pieces::{cell, fact, moment, name, plain, row_name, table, text};
use botyard_protocol::printable;
use botyard_runner::bots::manifest::Manifest;
use botyard_runner::words::counted;
use maud::{Markup, html};
use rusqlite::Transaction;
use std::sync::PoisonError;

pub fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let team = own_team(asked)?;
    let (versions, active, today, until) = asked.site.database.transaction(|transaction| {
        Ok::<_, rusqlite::Error>((
            submissions::of_team(transaction, team)?,
            submissions::active(transaction, team)?,
            submissions::within_a_day(transaction, team)?,
            deadlines::of_team(transaction, team)?,
        ))
    })?;
    let left = (A_DAY - today).max(0);
    let main = html! {
        section aria-labelledby="submit" {
            h2 id="submit" { "Submit a version" }
            p {
                "A zip archive of your bot's directory with its " code { "bot.toml" } ": at most "
                (ARCHIVE >> 20) " MiB, " (LIMITS.entries) " entries, " (LIMITS.bytes >> 20)
                " MiB unpacked, no links. It is built without a network, checked, and plays the gate; then it "
                "is the version that plays."
            }
            @if let Some(until) = until { p { strong { "Submissions end at " (end(Some(until))) "." } } }
            form method="post" action="/team/submissions" enctype="multipart/form-data" {
                input type="hidden" name="token" value=(asked.form_token());
                p class="field" {
                    label for="file" { "Zip archive" }
                    input id="file" name="file" type="file" accept=".zip,application/zip" required;
                }
                p { button { "Submit" } " " span class="note" { (counted(left as u64, "submission")) " left in 24 hours" } }
            }
        }
        p { a href=(format!("/teams/{team}")) { "Results, faults and games of your team" } }
        section aria-labelledby="versions" {
            h2 id="versions" { "Versions" }
            @if versions.is_empty() { p { "None yet." } } @else { (rows(&versions, active)) }
        }
        section aria-labelledby="event" {
            h2 id="event" { "The same conditions at home" }
            dl class="facts" {
                (fact("game", &html! { (asked.site.event.game()) }))
                (fact("conditions", &html! { a href="/event.toml" { "event.toml" } }))
                @if let Some(commitment) = &asked.site.event.commitment {
                    (fact("hash of the secret", &html! { code { (commitment) } }))
                }
            }
            p {
                "Add your bot as a " code { "[[bot]]" } " and run " code { "botyard tournament run event.toml" }
                "; " code { "botyard check" } " makes the same checks."
            }
        }
    };
    Ok(page(asked, "My team", &main))
}

/// Returns the team of the visitor.
pub fn own_team(asked: &Asked<'_>) -> Result<i64, Refusal> {
    asked.visitor()?.person.team.ok_or_else(|| {
        Refusal::Wrong("You are in no team. Ask your teacher to correct the roster.".to_string())
    })
}

/// Returns whether a person may see what belongs to a team.
pub fn may_see(person: &Person, team: i64) -> bool {
    person.role.is_staff() || person.team == Some(team)
}

/// Returns a table of submissions of one team.
pub fn rows(versions: &[Submission], active: Option<i64>) -> Markup {
    let body = html! {
        @for version in versions {
            tr role="row" {
                (row_name(&html! { a href=(format!("/submissions/{}", version.id)) { "version " (version.version) } }))
                (plain("state", state_in_words(version, active)))
                (cell("reason", &text(version.reason.lines().next().unwrap_or_default(), 200)))
                (cell("file", &name(&version.file)))
                (cell("by", &name(&version.person)))
                (cell("time", &moment(u64::try_from(version.at).unwrap_or_default())))
            }
        }
    };
    table(
        "Versions, the newest first",
        &["version", "state", "reason", "file", "by", "time"],
        &body,
    )
}

/// Returns the state of a submission for people.
pub fn state_in_words(submission: &Submission, active: Option<i64>) -> &'static str {
    match (submission.state, submission.decision) {
        (State::Accepted, Some(decision)) => decision.in_words(),
        (State::Queued, _) => "waits",
        (State::Working, _) => "is being built and checked",
        (State::Superseded, _) => "superseded by a newer version",
        (State::Rejected, _) => "rejected",
        (State::Accepted, None) if active == Some(submission.id) => "plays",
        (State::Accepted, None) => "replaced",
    }
}

pub fn submit(asked: &Asked<'_>, upload: Upload) -> Result<Reply, Refusal> {
    let (person, team) = (&asked.visitor()?.person, own_team(asked)?);
    let site = asked.site;
    let Some(file) = upload.file else {
        return Err(Refusal::Wrong("Choose a zip archive.".to_string()));
    };
    check_open(asked, team)?;
    disk::check_free(site)?;
    let place = site.directory.new_upload()?;
    match unpack(file.reopen()?, place.path(), LIMITS) {
        Ok(()) => {}
        Err(Refused::Archive(why)) => return Err(Refusal::Wrong(format!("Not accepted: {why}."))),
        Err(Refused::Host(error)) => return Err(error.into()),
    }
    disk::check_quota(site, team, place.path())?;
    let directory = bot_directory(place.path())?;
    // Without the place on this host.
    Manifest::read(&directory).map_err(|error| {
        let shown = error.to_string().replace(&format!("{}/", directory.display()), "");
        let shown = shown.replace(&format!(" in {}", directory.display()), " in the archive");
        Refusal::Wrong(format!("Not accepted: {shown}."))
    })?;
    let mut sources = site.sources.lock().unwrap_or_else(PoisonError::into_inner);
    let source = sources.keep_directory(&directory, None);
    drop(sources);
    let source = source.map_err(|error| match error.of_author() {
        Ok(error) => Refusal::Wrong(format!("Not accepted: {error}.")),
        Err(error) => error.into(),
    })?;
    let id = site.database.transaction(|transaction| {
        let versions = submissions::of_team(transaction, team)?;
        let is_open =
            |it: &&Submission| matches!(it.state, State::Queued | State::Working | State::Accepted);
        if let Some(same) = versions.first().filter(is_open).filter(|it| it.source == source) {
            return Err(Refusal::Wrong(format!(
                "Not accepted: these are the files of version {}, the newest one.",
                same.version
            )));
        }
        refuse_if_closed(transaction, team)?;
        let file = printable(upload.name.as_deref().unwrap_or("bot.zip"), 100);
        let id = submissions::add(transaction, (team, person.id), &file, &source)?;
        let others = submissions::others_with(transaction, team, &source)?;
        if !others.is_empty() {
            let team = person.team_name.as_deref().unwrap_or_default();
            let detail = format!(
                "submission {id} of {team} has the same files as one of {}",
                others.join(", ")
            );
            audit::note(transaction, None, "equal sources", &detail)?;
        }
        Ok(id)
    })?;
    site.announce();
    Ok(Reply::see(format!("/submissions/{id}")))
}

/// Refuses a team that may not submit now, before its archive is looked at.
fn check_open(asked: &Asked<'_>, team: i64) -> Result<(), Refusal> {
    asked.site.database.transaction(|transaction| refuse_if_closed(transaction, team))
}

fn refuse_if_closed(transaction: &Transaction<'_>, team: i64) -> Result<(), Refusal> {
    if !deadlines::is_open(transaction, team)? {
        return Err(Refusal::Wrong(format!(
            "Not accepted: submissions ended at {}.",
            end(deadlines::of_team(transaction, team)?)
        )));
    }
    if submissions::within_a_day(transaction, team)? >= A_DAY {
        return Err(Refusal::TooMany(format!(
            "A team has {A_DAY} submissions in 24 hours, and yours are used."
        )));
    }
    Ok(())
}

/// Returns the conditions of the games as a file.
pub fn event(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let text = asked.site.event.setup.text.clone().into_bytes();
    Ok(Reply::file("application/toml; charset=utf-8", text)
        .with(header::CONTENT_DISPOSITION, "attachment; filename=\"event.toml\""))
}
