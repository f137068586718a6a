//! The page of a student's own team: its versions, and the form for a new one.

use super::deadline::{end, told};
use super::{rules, tokens};
use crate::competition::Course;
use crate::error::SiteError;
use crate::files::now;
use crate::files::unpack::{ARCHIVE, LIMITS};
use crate::people::Person;
use crate::people::throttle::{self, UPLOADS};
use crate::submissions::intake::Taken;
use crate::submissions::{self, A_DAY, State, Submission, deadlines, git};
use crate::web::{Asked, Refusal, Reply, Upload, form, notice, page, too_many_files};
use axum::http::StatusCode;
use botyard_pages::pieces::{cell, fact, moment, name, plain, row_name, table, text};
use botyard_runner::words::counted;
use maud::{Markup, html};

pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    shown_with(asked, &html! {})
}

/// Shows the page below a message, with what was typed into its forms.
fn shown_with(asked: &Asked<'_>, message: &Markup) -> Result<Reply, Refusal> {
    let team = own_team(asked)?;
    let person = asked.visitor()?.person.id;
    let competition = asked.competition().id;
    let (versions, active, today, until, own_tokens, hosts) =
        asked.database().transaction(|transaction| {
            Ok::<_, rusqlite::Error>((
                submissions::of_team_in(transaction, team, competition)?,
                submissions::active(transaction, team, competition)?,
                submissions::within_a_day(transaction, team)?,
                deadlines::of_team(transaction, competition, team)?,
                crate::people::tokens::of_person(transaction, person)?,
                git::hosts(transaction)?,
            ))
        })?;
    let left = (A_DAY - today).max(0);
    let is_open = asked.competition().about().state == Course::Open;
    let main = html! {
        (message)
        (rules::closed(asked)?)
        section aria-labelledby="submit" {
            h2 id="submit" { "Submit a version" }
            @if is_open { (archive_form(asked, until, left)) }
            @else { p { (asked.competition().title()) " is closed: it takes no versions." } }
        }
        @if is_open && !hosts.is_empty() { (git_form(asked, &hosts)) }
        p { a href=(format!("/teams/{team}")) { "Results, faults and games of your team" } }
        section aria-labelledby="versions" {
            h2 id="versions" { "Versions" }
            @if versions.is_empty() { p { "None yet." } } @else { (rows(&versions, active)) }
        }
        (tokens::section(asked, &own_tokens))
        section aria-labelledby="event" {
            h2 id="event" { "The same conditions at home" }
            dl class="facts" {
                (fact("game", &rules::link(asked)))
                (fact("conditions", &html! { a href="/event.toml" { "event.toml" } }))
                @if let Some(commitment) = &asked.competition().event.commitment {
                    (fact("hash of the secret", &html! { code { (commitment) } }))
                }
            }
            @if asked.competition().event.game.is_some() {
                p { "Unpack " a href="/rules/bundle" { "the game" } " beside it, which the file names." }
            }
            p {
                "Add your bot as a " code { "[[bot]]" } " and run " code { "botyard tournament run event.toml" }
                "; " code { "botyard check" } " makes the same checks."
            }
        }
    };
    Ok(page(asked, "My team", &main))
}

/// The form for an archive, with the end of submissions and how many are left.
fn archive_form(asked: &Asked<'_>, until: Option<i64>, left: i64) -> Markup {
    html! {
        p {
            "A zip archive or tar.gz of your bot's directory with its " code { "bot.toml" } ": at most "
            (ARCHIVE >> 20) " MiB, " (LIMITS.entries) " entries, " (LIMITS.bytes >> 20)
            " MiB unpacked, no links. It is built without a network, checked, and plays the gate; then it "
            "is the version that plays."
        }
        (told(asked, until))
        @if let Some(until) = until {
            @let verb = if until > now() { "end" } else { "ended" };
            p { strong { "Submissions " (verb) " at " (end(Some(until))) "." } }
        }
        form method="post" action="/team/submissions" enctype="multipart/form-data" {
            input type="hidden" name="token" value=(asked.form_token());
            p class="field" {
                label for="file" { "Zip archive or tar.gz" }
                input id="file" name="file" type="file" accept=".zip,.tgz,.gz,application/zip,application/gzip"
                    required;
            }
            p { button { "Submit" } " " span class="note" { (counted(left as u64, "submission")) " left in 24 hours" } }
        }
    }
}

/// Returns the team of the visitor.
pub(super) fn own_team(asked: &Asked<'_>) -> Result<i64, Refusal> {
    asked.visitor()?.person.team.ok_or_else(|| {
        Refusal::Wrong("You are in no team. Ask your teacher to correct the roster.".to_string())
    })
}

/// Returns whether a person may see what belongs to a team.
pub(super) fn may_see(person: &Person, team: i64) -> bool {
    person.role.is_staff() || person.team == Some(team)
}

/// Returns a table of submissions of one team.
pub(super) fn rows(versions: &[Submission], active: Option<i64>) -> Markup {
    let body = html! {
        @for version in versions {
            tr role="row" {
                (row_name(&html! { a href=(format!("/submissions/{}", version.id)) { "version " (version.version) } }))
                (plain("state", state_in_words(version, active)))
                (cell("reason", &text(version.reason.lines().next().unwrap_or_default(), 200)))
                (cell("file", &html! {
                    (name(&version.file))
                    @if !version.source.is_empty() {
                        " " a href=(format!("/submissions/{}/files.zip", version.id)) { "Download" }
                    }
                }))
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
pub(super) fn state_in_words(submission: &Submission, active: Option<i64>) -> &'static str {
    match (submission.state, submission.decision) {
        (State::Accepted, Some(decision)) => decision.in_words(),
        (State::Queued, _) => "waits",
        (State::Working, _) => "is being built and checked",
        (State::Superseded, _) => "superseded by a newer version",
        (State::Cancelled, _) => "cancelled",
        (State::Rejected, _) => "rejected",
        (State::Accepted, None) if active == Some(submission.id) => "plays",
        (State::Accepted, None) => "replaced",
    }
}

pub(super) fn submit(asked: &Asked<'_>, upload: Upload) -> Result<Reply, Refusal> {
    let (person, team) = (&asked.visitor()?.person, own_team(asked)?);
    let competition = open_competition(asked)?;
    let Some(file) = upload.file else {
        return refused(asked, StatusCode::BAD_REQUEST, "Choose a zip archive.");
    };
    let taken = asked.site.submissions.take(
        person,
        (team, competition),
        upload.name.as_deref(),
        file.reopen()?,
    );
    shown(asked, taken)
}

/// Returns the competition of the page, which must be open.
pub(super) fn open_competition(asked: &Asked<'_>) -> Result<i64, Refusal> {
    let competition = asked.competition();
    match competition.about().state {
        Course::Open => Ok(competition.id),
        _ => Err(Refusal::Wrong(format!("Not accepted: {} is closed.", competition.title()))),
    }
}

/// Sends the browser to a new submission, or shows the form again with the reason why there is none.
fn shown(asked: &Asked<'_>, taken: Result<Taken, SiteError>) -> Result<Reply, Refusal> {
    match taken {
        Ok(taken) if taken.is_new => Ok(Reply::see(format!("/submissions/{}", taken.id))),
        Ok(taken) => {
            let version = taken.version;
            let why =
                format!("Not accepted: these are the files of version {version}, the newest one.");
            refused(asked, StatusCode::BAD_REQUEST, &why)
        }
        Err(SiteError::Wrong(why)) => refused(asked, StatusCode::BAD_REQUEST, &why),
        Err(SiteError::TooMany(why)) => refused(asked, StatusCode::TOO_MANY_REQUESTS, &why),
        Err(error) => Err(error.into()),
    }
}

fn refused(asked: &Asked<'_>, status: StatusCode, why: &str) -> Result<Reply, Refusal> {
    Ok(shown_with(asked, &notice(why))?.status(status))
}

/// The form for a branch of a git repository on one of these hosts.
fn git_form(asked: &Asked<'_>, hosts: &[String]) -> Markup {
    html! {
        section aria-labelledby="git" {
            h2 id="git" { "Submit from a git repository" }
            p { "The newest commit of a branch, from: " (hosts.join(", ")) "." }
            (form(asked, "/team/git", &html! {
                (git_field(asked, ("Address", "address", "url"), "as in https://HOST/GROUP/PROJECT.git"))
                (git_field(asked, ("Branch", "branch", "text"), "empty: the default branch"))
                (git_field(asked, ("Directory of the bot", "directory", "text"), "empty: that of the repository"))
                (git_field(asked, ("User of the token", "user", "text"),
                    "for a private repository: as the host names it with a deploy token; empty if it does not"))
                (git_field(asked, ("Token", "secret", "password"),
                    "for a private repository: one that may read it; it is used once, and stored nowhere"))
                p { button { "Fetch and submit" } }
            }))
        }
    }
}

/// A field of the form for repositories, with what was typed; a secret is typed again.
fn git_field(asked: &Asked<'_>, (label, name, kind): (&str, &str, &str), hint: &str) -> Markup {
    let (id, described) = (format!("git-{name}"), format!("git-{name}-hint"));
    let typed = (kind != "password").then(|| asked.form.get(name));
    html! {
        p class="field" {
            label for=(id) { (label) }
            input id=(id) name=(name) type=(kind) autocomplete="off" required[name == "address"] value=[typed]
                aria-describedby=(described);
            span class="note" id=(described) { (hint) }
        }
    }
}

/// Fetches a branch and submits it.
pub(super) fn submit_branch(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (person, team) = (&asked.visitor()?.person, own_team(asked)?);
    let wanted = |name: &str| asked.form.get(name);
    let from = git::Source {
        address: wanted("address"),
        branch: wanted("branch"),
        directory: wanted("directory"),
        user: wanted("user"),
        token: wanted("secret"),
    };
    let what = throttle::uploads_of(person.id);
    asked.database().transaction(|transaction| {
        if let Some(seconds) = throttle::wait(transaction, &what, UPLOADS)? {
            return Err(too_many_files(seconds));
        }
        Ok(throttle::count(transaction, &what)?)
    })?;
    let competition = open_competition(asked)?;
    shown(asked, asked.site.submissions.take_branch(person, (team, competition), from))
}
