//! The sources of the versions that play as a file for JPlag, for teachers: a directory for each team.

use crate::people::{self, audit};
use crate::submissions;
use crate::web::{Asked, Refusal, Reply};
use axum::http::header;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The largest file that is taken, in bytes: what is larger was not written by hand.
const LARGEST: u64 = 1 << 20;

/// The most bytes of all files.
const MOST: u64 = 512 << 20;

pub(super) fn export(asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let person = asked.visitor()?.person.id;
    let versions = asked.database().transaction(|transaction| {
        let mut versions = Vec::new();
        for (team, name) in people::teams(transaction)? {
            let Some(active) = submissions::active(transaction, team)? else { continue };
            let Some(version) = submissions::find(transaction, active)? else { continue };
            versions.push((directory_name(team, &name), version.source));
        }
        let detail = format!("{} versions", versions.len());
        audit::note(transaction, Some(person), "exported the sources", &detail)?;
        Ok::<_, rusqlite::Error>(versions)
    })?;
    let failed =
        |error: io::Error| Refusal::Host(format!("The archive cannot be written: {error}."));
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut left = MOST;
    for (name, source) in versions {
        let from = asked.site.submissions.source(&source);
        add(&mut archive, &from, &format!("submissions/{name}"), &mut left).map_err(failed)?;
    }
    let bytes = archive.finish().map_err(|error| failed(io::Error::other(error)))?.into_inner();
    Ok(Reply::file("application/zip", bytes)
        .with(header::CONTENT_DISPOSITION, "attachment; filename=\"sources.zip\""))
}

/// Returns the name of a team's directory: letters and digits of its name, and its number.
fn directory_name(team: i64, name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let plain: String = name.chars().map(letter).take(40).collect();
    format!("{plain}-{team}")
}

/// Adds a directory of directories and regular files.
fn add(
    archive: &mut ZipWriter<Cursor<Vec<u8>>>,
    from: &Path,
    to: &str,
    left: &mut u64,
) -> io::Result<()> {
    let mut entries = fs::read_dir(from)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (kind, name) = (entry.file_type()?, entry.file_name());
        let name = format!("{to}/{}", name.to_string_lossy());
        if kind.is_dir() {
            add(archive, &entry.path(), &name, left)?;
        } else if kind.is_file() && entry.metadata()?.len() <= LARGEST {
            let bytes = fs::read(entry.path())?;
            *left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
                io::Error::other(format!("the sources have more than {} MiB", MOST >> 20))
            })?;
            archive.start_file(name, SimpleFileOptions::default()).map_err(io::Error::other)?;
            archive.write_all(&bytes)?;
        }
    }
    Ok(())
}
