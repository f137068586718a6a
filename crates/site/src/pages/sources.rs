//! Sources as files to download: one version, the versions that play as JPlag reads them, and every version of all
//! teams. They are written while they are sent, and name what they leave out.

use super::submission::asked_for;
use crate::people::{self, audit};
use crate::submissions::sources::Archive;
use crate::submissions::{self, Submission};
use crate::web::{Asked, Refusal, Reply, streamed};
use axum::http::header;
use std::path::PathBuf;

/// The largest file for JPlag, in bytes: what is larger was not written by hand.
const BY_HAND: u64 = 1 << 20;

/// The directory of the class with the files that all students were given.
const BASE_CODE: &str = "base-code";

/// A version of an archive: its directory there, and that of its files.
type Placed = (String, PathBuf);

/// Returns the name of a team's directory: letters and digits of its name, and its number.
fn directory_name(team: i64, name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let plain: String = name.chars().map(letter).take(40).collect();
    format!("{plain}-{team}")
}

/// Returns a zip archive of these versions, with texts.
fn archive(
    asked: &Asked<'_>,
    name: &str,
    texts: Vec<(&'static str, String)>,
    versions: Vec<Placed>,
    most: u64,
) -> Result<Reply, Refusal> {
    let person = &asked.visitor()?.person;
    let submissions = &asked.site.submissions;
    let downloads = if person.role.is_staff() {
        &submissions.downloads
    } else {
        &submissions.downloads_of_teams
    };
    let share = downloads.take(&person.id, 1).ok_or_else(|| {
        Refusal::TooMany("Sources are being downloaded already. Try again in a minute.".to_string())
    })?;
    let reply = streamed("application/zip", move |writer| {
        let _share = share;
        let mut archive = Archive::new(writer);
        for (name, text) in &texts {
            archive.text(name, text)?;
        }
        for (to, from) in &versions {
            if from.as_os_str().is_empty() {
                archive.leave_out(to, "was deleted");
            } else {
                archive.directory(from, to, most)?;
            }
        }
        archive.finish()
    })?;
    Ok(reply.with(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.zip\"")))
}

/// Returns the directory with the files of a version; empty if they were deleted.
fn files_of(asked: &Asked<'_>, submission: &Submission) -> PathBuf {
    match submission.source.as_str() {
        "" => PathBuf::new(),
        source => asked.site.submissions.source(source),
    }
}

/// Downloads one version.
pub(super) fn one(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (submission, _) = asked_for(asked)?;
    let team = asked
        .database()
        .transaction(|transaction| people::team_name(transaction, submission.team))?;
    let name = format!("{}-version-{}", directory_name(submission.team, &team), submission.version);
    let files = files_of(asked, &submission);
    archive(asked, &name.clone(), Vec::new(), vec![(name, files)], u64::MAX)
}

/// Downloads the versions that play, as JPlag reads them: a directory for each team, and the code that all were given.
pub(super) fn export(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let playing = asked.database().transaction(|transaction| {
        let mut playing = Vec::new();
        for (team, name) in people::teams(transaction)? {
            let Some(active) = submissions::active(transaction, team, asked.competition().id)?
            else {
                continue;
            };
            let Some(version) = submissions::find(transaction, active)? else { continue };
            playing.push((directory_name(team, &name), version));
        }
        let detail = format!("{} versions", playing.len());
        audit::note(transaction, Some(person), "exported the sources", &detail)?;
        Ok::<_, rusqlite::Error>(playing)
    })?;
    let mut versions: Vec<Placed> = playing
        .iter()
        .map(|(name, version)| (format!("submissions/{name}"), files_of(asked, version)))
        .collect();
    let base = asked.site.class.directory.path().join(BASE_CODE);
    if base.is_dir() {
        versions.push((BASE_CODE.to_string(), base));
    }
    archive(asked, "sources", Vec::new(), versions, BY_HAND)
}

/// Downloads every version of every team, with a list of them.
pub(super) fn all(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let all = asked.database().transaction(|transaction| {
        let mut all = Vec::new();
        for (team, name) in people::teams(transaction)? {
            let versions = submissions::of_team(transaction, team)?;
            all.extend(versions.into_iter().rev().map(|version| (name.clone(), version)));
        }
        let detail = format!("{} versions", all.len());
        audit::note(transaction, Some(person), "exported all submissions", &detail)?;
        Ok::<_, rusqlite::Error>(all)
    })?;
    let failed = |error: csv::Error| Refusal::Host(format!("The list cannot be written: {error}."));
    let mut list = csv::Writer::from_writer(Vec::new());
    list.write_record([
        "directory",
        "team",
        "version",
        "state",
        "reason",
        "by",
        "seconds_since_1970",
        "file",
        "commit",
    ])
    .map_err(failed)?;
    let mut versions = Vec::new();
    for (name, version) in &all {
        let to =
            format!("teams/{}/version-{}", directory_name(version.team, name), version.version);
        let cells = [
            to.as_str(),
            name,
            &version.version.to_string(),
            version.state.as_str(),
            &version.reason,
            &version.person,
            &version.at.to_string(),
            &version.file,
            version.commit.as_deref().unwrap_or_default(),
        ];
        list.write_record(cells.map(super::codes::harmless)).map_err(failed)?;
        versions.push((to, files_of(asked, version)));
    }
    let list = list.into_inner().map_err(|error| failed(error.into_error().into()))?;
    let list = String::from_utf8_lossy(&list).into_owned();
    archive(asked, "submissions", vec![("versions.csv", list)], versions, u64::MAX)
}
