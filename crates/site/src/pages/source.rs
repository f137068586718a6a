//! The files of a version, and what changed between two versions of a team, for the team and the staff.

use super::submission::asked_for;
use crate::people::team_name;
use crate::submissions::sources::{self, Content, SHOWN, SourceFile};
use crate::submissions::{self, Submission};
use crate::web::{Asked, Refusal, Reply, page};
use botyard_pages::pieces::{name, text};
use botyard_protocol::printable;
use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// The longest line that is shown, in characters.
const LINE: usize = 1000;

/// The most lines of a page.
const LINES: usize = 20_000;

/// The lines around a change.
const AROUND: usize = 3;

/// The longest time in which a comparison looks for the shortest description, for each file.
const COMPARED: Duration = Duration::from_millis(500);

/// Returns a line as text: with spaces for tabs, and nothing that hides or turns what follows.
fn line(text: &str) -> String {
    printable(&text.trim_end_matches(['\n', '\r']).replace('\t', "    "), LINE)
}

/// The files of a version.
struct Version {
    submission: Submission,
    team: String,
    directory: PathBuf,
    files: Vec<SourceFile>,
}

impl Version {
    fn of(asked: &Asked<'_>, submission: Submission) -> Result<Version, Refusal> {
        let team =
            asked.database().transaction(|transaction| team_name(transaction, submission.team))?;
        if submission.source.is_empty() {
            return Err(Refusal::Wrong("The files of this version were deleted.".to_string()));
        }
        let directory = asked.site.submissions.source(&submission.source);
        let files = sources::list(&directory)?;
        Ok(Version { submission, team, directory, files })
    }

    fn content(&self, path: &str) -> Result<Option<Content>, Refusal> {
        // Only what is in the list is opened.
        let file = self.files.iter().find(|file| file.path == path);
        Ok(file.map(|file| sources::content(&self.directory, file)).transpose()?)
    }

    fn title(&self) -> String {
        format!("{}, version {}", self.team, self.submission.version)
    }
}

/// Returns the address of a file of a version.
fn address(submission: i64, path: &str) -> String {
    let path: String = form_urlencoded::byte_serialize(path.as_bytes()).collect();
    format!("/submissions/{submission}/files?path={path}")
}

/// Shows the list of files, and one of them.
pub(super) fn show(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let version = Version::of(asked, asked_for(asked)?.0)?;
    let (id, wanted) = (version.submission.id, asked.query.whole("path"));
    let shown = match wanted {
        "" => None,
        path => Some(version.content(path)?.ok_or(Refusal::NotFound)?),
    };
    let others = asked
        .database()
        .transaction(|transaction| submissions::of_team(transaction, version.submission.team))?;
    let main = html! {
        p {
            a href=(format!("/submissions/{id}")) { "State and log" } " \u{b7} "
            a href=(format!("/submissions/{id}/files.zip")) { "Download" }
        }
        section aria-labelledby="files" {
            h2 id="files" { (version.files.len()) " files" }
            ul class="files" {
                @for file in &version.files {
                    li {
                        a href=(address(id, &file.path)) aria-current=[(file.path == wanted).then_some("true")] {
                            (text(&file.path, 300))
                        }
                        " " span class="note" { (file.bytes) " bytes" }
                    }
                }
            }
        }
        @if others.len() > 1 { (compare_form(&version.submission, &others)) }
        @if let Some(content) = shown {
            section aria-labelledby="file" {
                h2 id="file" { (text(wanted, 300)) }
                (one_file(&content))
            }
        }
    };
    Ok(page(asked, &version.title(), &main))
}

fn one_file(content: &Content) -> Markup {
    match content {
        Content::Binary => html! { p { "This file is no text." } },
        Content::Large => {
            html! { p { "This file has more than " (SHOWN >> 10) " KiB. Download the version to see it." } }
        }
        Content::Text(text) => {
            let width = text.lines().count().to_string().len();
            html! {
                pre class="code" tabindex="0" {
                    @for (number, text) in text.lines().take(LINES).enumerate() {
                        a class="number" id=(format!("L{}", number + 1)) href=(format!("#L{}", number + 1)) {
                            (format!("{:>width$}", number + 1))
                        }
                        " " bdi { (line(text)) } "\n"
                    }
                }
                @if text.lines().count() > LINES { p { "More lines are not shown." } }
            }
        }
    }
}

fn compare_form(submission: &Submission, others: &[Submission]) -> Markup {
    html! {
        section aria-labelledby="compare" {
            h2 id="compare" { "Compare" }
            form method="get" action=(format!("/submissions/{}/changes", submission.id)) {
                p class="field" {
                    label for="from" { "With" }
                    select id="from" name="from" {
                        @for other in others.iter().filter(|other| other.id != submission.id) {
                            option value=(other.id) selected[other.version + 1 == submission.version] {
                                "version " (other.version)
                            }
                        }
                    }
                }
                p { button { "Show what changed" } }
            }
        }
    }
}

/// Shows what changed from another version of the team: the one before, or that of the query.
pub(super) fn changes(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (submission, _) = asked_for(asked)?;
    let others = asked
        .database()
        .transaction(|transaction| submissions::of_team(transaction, submission.team))?;
    let wanted: Option<i64> = asked.query.get("from").parse().ok();
    let other = others.iter().find(|other| match wanted {
        Some(id) => other.id == id,
        None => other.version < submission.version,
    });
    let Some(other) = other.cloned() else {
        let main = html! { p { "The team has no version to compare this one with." } };
        return Ok(page(asked, "What changed", &main));
    };
    let (old, new) = (Version::of(asked, other)?, Version::of(asked, submission)?);
    let paths: BTreeSet<&str> =
        old.files.iter().chain(&new.files).map(|file| file.path.as_str()).collect();
    let (mut shown, mut same, mut left) = (Vec::new(), 0, LINES);
    for path in paths {
        let (before, after) = (old.content(path)?, new.content(path)?);
        if before == after && matches!(before, Some(Content::Text(_))) {
            same += 1;
            continue;
        }
        shown.push(html! {
            section {
                h2 { a href=(address(new.submission.id, path)) { (text(path, 300)) } }
                (changes_of(before.as_ref(), after.as_ref(), &mut left))
            }
        });
    }
    let main = html! {
        p {
            "From " a href=(format!("/submissions/{}/files", old.submission.id)) { "version " (old.submission.version) }
            " to " a href=(format!("/submissions/{}/files", new.submission.id)) { "version " (new.submission.version) }
            " of " (name(&new.team)) ": " (shown.len()) " files differ, " (same) " are the same."
        }
        @for section in &shown { (section) }
    };
    Ok(page(asked, &format!("{}: what changed", new.title()), &main))
}

fn changes_of(before: Option<&Content>, after: Option<&Content>, left: &mut usize) -> Markup {
    let empty = String::new();
    let (old, new) = match (before, after) {
        (Some(Content::Text(old)), Some(Content::Text(new))) => (old, new),
        (None, Some(Content::Text(new))) => (&empty, new),
        (Some(Content::Text(old)), None) => (old, &empty),
        (None, _) => return html! { p { "A new file, which is no text or large." } },
        (_, None) => return html! { p { "Removed; it was no text or large." } },
        _ => return html! { p { "No text, or large: download both versions to compare it." } },
    };
    let state = match (before, after) {
        (None, _) => "A new file.",
        (_, None) => "Removed.",
        _ => "",
    };
    let diff = TextDiff::configure().timeout(COMPARED).diff_lines(old.as_str(), new.as_str());
    html! {
        @if !state.is_empty() { p { (state) } }
        pre class="code" tabindex="0" {
            @for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
                @if number > 0 { "\u{22ef}\n" }
                @for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                    @if take(left) {
                        @let number = change.new_index().or(change.old_index()).map_or(0, |index| index + 1);
                        @match change.tag() {
                            ChangeTag::Equal => { (format!("{number:>5}   ")) bdi { (line(change.value())) } },
                            ChangeTag::Insert => ins { (format!("{number:>5} + ")) bdi { (line(change.value())) } },
                            ChangeTag::Delete => del { (format!("{number:>5} - ")) bdi { (line(change.value())) } },
                        }
                        "\n"
                    }
                }
            }
        }
        @if *left == 0 { p { "More lines are not shown." } }
    }
}

/// Takes one of the lines that are left.
fn take(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}
