//! The directory of the pages. It has a list of the files that were made, by which a later run knows
//! what it may replace and remove.

use crate::PagesError;
use botyard_league::atomic_file;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The file with the list.
const LIST: &str = "pages.json";

/// The list of the files that were made.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    /// The version of this list.
    format: u32,
    /// The name of the tournament.
    tournament: String,
    /// The files, relative to the list.
    files: BTreeSet<String>,
}

/// A directory that pages are written to.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    tournament: String,
    /// The files of this run and of earlier ones.
    known: BTreeSet<String>,
    written: BTreeSet<String>,
}

impl Output {
    /// Creates a directory, or takes one that is empty or that an earlier run made; with `force`, any.
    /// `files` are those that may be written.
    ///
    /// # Errors
    ///
    /// The directory has other files, or cannot be written.
    pub(crate) fn open(
        path: &Path,
        tournament: &str,
        files: Vec<String>,
        force: bool,
    ) -> Result<Output, PagesError> {
        if path.exists() && !path.is_dir() {
            return Err(PagesError::NotADirectory(path.to_path_buf()));
        }
        fs::create_dir_all(path).map_err(|error| failed(path, error))?;
        let earlier = match read_list(&path.join(LIST)) {
            Some(list) => list.files,
            None if !force && !is_empty(path)? => {
                return Err(PagesError::Foreign(path.to_path_buf()));
            }
            None => BTreeSet::new(),
        };
        let known = earlier.into_iter().filter(|name| is_inside(name)).chain(files).collect();
        let output = Output {
            path: path.to_path_buf(),
            tournament: tournament.to_string(),
            known,
            written: BTreeSet::new(),
        };
        // First, so that what a killed run leaves belongs to a list.
        output.write_list(&output.known)?;
        for part in ["bots", "games"] {
            let part = path.join(part);
            fs::create_dir_all(&part).map_err(|error| failed(&part, error))?;
        }
        Ok(output)
    }

    /// Writes a page.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn write(&mut self, name: &str, text: &str) -> Result<(), PagesError> {
        let path = self.path.join(name);
        atomic_file::replace_unsynced(&path, text.as_bytes())
            .map_err(|error| failed(&path, error))?;
        self.written.insert(name.to_string());
        Ok(())
    }

    /// Removes what earlier runs wrote and this one did not. Returns the path of a page.
    ///
    /// # Errors
    ///
    /// A file cannot be removed or written.
    pub(crate) fn finish(self, first: &str) -> Result<PathBuf, PagesError> {
        for name in self.known.difference(&self.written) {
            let path = self.path.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(failed(&path, error));
                }
                _ => {}
            }
        }
        self.write_list(&self.written)?;
        // It stays unless it is empty.
        let _ = fs::remove_dir(self.path.join("games"));
        Ok(self.path.join(first))
    }

    fn write_list(&self, files: &BTreeSet<String>) -> Result<(), PagesError> {
        let path = self.path.join(LIST);
        let list = List { format: 1, tournament: self.tournament.clone(), files: files.clone() };
        let text =
            serde_json::to_string_pretty(&list).map_err(|error| failed(&path, error.into()))?;
        atomic_file::replace(&path, format!("{text}\n").as_bytes())
            .map_err(|error| failed(&path, error))
    }
}

/// Reads a list. A file that is no list is that of another program.
fn read_list(path: &Path) -> Option<List> {
    let list: List = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    (list.format == 1).then_some(list)
}

/// Whether the directory has no entries but those that a killed run leaves.
fn is_empty(path: &Path) -> Result<bool, PagesError> {
    let entries = fs::read_dir(path).map_err(|error| failed(path, error))?;
    let is_part = |name: &str| name.starts_with(&format!(".{LIST}.")) && name.ends_with(".part");
    for entry in entries {
        let entry = entry.map_err(|error| failed(path, error))?;
        if !is_part(&entry.file_name().to_string_lossy()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a name of a list is that of a page in the directory: a list may have been edited.
fn is_inside(name: &str) -> bool {
    let path = Path::new(name);
    name.ends_with(".html") && path.components().all(|part| matches!(part, Component::Normal(_)))
}

fn failed(path: &Path, error: io::Error) -> PagesError {
    PagesError::Write { path: path.to_path_buf(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(path: &Path, files: &[&str], force: bool) -> Result<PathBuf, PagesError> {
        let names: Vec<String> = files.iter().map(|name| (*name).to_string()).collect();
        let mut output = Output::open(path, "cup", names.clone(), force)?;
        for name in &names {
            output.write(name, "page")?;
        }
        output.finish("index.html")
    }

    fn files(path: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut places = vec![path.to_path_buf()];
        while let Some(place) = places.pop() {
            for entry in fs::read_dir(place).expect("a directory") {
                let entry = entry.expect("an entry").path();
                match entry.is_dir() {
                    true => places.push(entry),
                    false => {
                        let name = entry.strip_prefix(path).expect("it is inside");
                        found.push(name.to_string_lossy().into_owned());
                    }
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_later_run_replaces_its_files_and_removes_those_that_are_gone() {
        let place = tempfile::tempdir().expect("a directory");
        let out = place.path().join("new/pages");
        let index = made(&out, &["bots/1.html", "games/a.html", "index.html"], false);
        assert_eq!(index.expect("pages"), out.join("index.html"));
        fs::write(out.join("notes.txt"), "mine").expect("it is ours");
        made(&out, &["bots/2.html", "index.html"], false).expect("it made the directory");
        assert_eq!(files(&out), ["bots/2.html", "index.html", "notes.txt", "pages.json"]);
        assert!(!out.join("games").exists());
    }

    #[test]
    fn files_of_others_are_kept() {
        let place = tempfile::tempdir().expect("a directory");
        let out = place.path();
        fs::write(out.join("essay.html"), "mine").expect("it is ours");
        let refused = made(out, &["index.html"], false);
        assert!(matches!(refused, Err(PagesError::Foreign(_))), "{refused:?}");
        assert_eq!(files(out), ["essay.html"]);
        made(out, &["index.html"], true).expect("it is forced");
        made(out, &["index.html"], false).expect("it made pages there");
        assert_eq!(files(out), ["essay.html", "index.html", "pages.json"]);

        let file = out.join("essay.html");
        assert!(matches!(made(&file, &[], true), Err(PagesError::NotADirectory(_))));
        fs::write(out.join(LIST), "[1, 2]").expect("it is ours");
        assert!(made(out, &["index.html"], false).is_err(), "a file that is no list");
    }

    #[test]
    fn a_list_names_nothing_outside_its_directory() {
        let place = tempfile::tempdir().expect("a directory");
        let (out, victim) = (place.path().join("out"), place.path().join("victim.html"));
        fs::write(&victim, "mine").expect("it is ours");
        made(&out, &["index.html"], false).expect("pages");
        let absolute = victim.to_string_lossy().into_owned();
        let list = List {
            format: 1,
            tournament: "cup".into(),
            files: ["../victim.html".to_string(), absolute, "index.html".into()].into(),
        };
        let text = serde_json::to_string(&list).expect("a list");
        fs::write(out.join(LIST), text).expect("it is ours");
        made(&out, &["index.html"], false).expect("pages");
        assert!(victim.exists());
    }
}
