//! The words of a command in a bundle. Names of copied files are replaced by the paths of their
//! copies.

use super::RUN;
use botyard_referee::HeldFiles;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// A word of a command: an argument, or the value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word(pub Vec<Part>);

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Text as it was written.
    Text(String),
    /// A path in the copy of the bundle.
    File(PathBuf),
}

impl Word {
    /// Returns the word with the paths of the copy.
    pub fn text(&self, inside: &impl Fn(&Path) -> PathBuf) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::File(path) => inside(path).to_string_lossy().into_owned(),
        };
        self.0.iter().map(part).collect()
    }
}

/// The places of a bot's files in its bundle.
pub(super) struct Places<'a> {
    held: &'a HeldFiles,
    /// The directory that is copied to [`RUN`].
    run: &'a Path,
    /// The other directories and files, by number.
    others: Vec<&'a Path>,
}

impl Places<'_> {
    /// Assigns the places: [`RUN`] for the directory in which the bot runs, or the one that
    /// contains it, and a numbered directory for each other root.
    pub(super) fn of(held: &HeldFiles) -> Places<'_> {
        let around = held.roots.iter().find(|root| held.directory.starts_with(root));
        let run = around.unwrap_or(&held.directory).as_path();
        let others = held.roots.iter().map(PathBuf::as_path).filter(|root| !root.starts_with(run));
        Places { held, run, others: others.collect() }
    }

    /// Returns the place of a path, if it is among the bot's own.
    pub(super) fn of_path(&self, path: &Path) -> Option<PathBuf> {
        if !self.held.roots.iter().any(|root| path.starts_with(root)) {
            return None;
        }
        if let Ok(inner) = path.strip_prefix(self.run) {
            return Some(joined(RUN.into(), inner));
        }
        let number = self.others.iter().position(|root| path.starts_with(root))?;
        let root = self.others[number];
        let place = PathBuf::from(format!("also-{}", number + 1));
        // A single file keeps its name.
        let place = match root.is_dir() {
            true => place,
            false => place.join(root.file_name()?),
        };
        Some(joined(place, path.strip_prefix(root).ok()?))
    }

    /// Returns the place of the directory in which the bot runs.
    pub(super) fn of_directory(&self, directory: &Path) -> PathBuf {
        joined(RUN.into(), directory.strip_prefix(self.run).unwrap_or(Path::new("")))
    }

    /// Replaces files named by absolute paths, or by paths that lead out of the bot's working
    /// directory, by their places. Other paths are the same in the copy.
    pub(super) fn word(&self, word: &str) -> Word {
        let mut parts = Vec::new();
        let mut add = |part: Part| match (parts.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
            (_, part) => parts.push(part),
        };
        if let Some(place) = self.of_text(word) {
            return Word(vec![Part::File(place)]);
        }
        // As in `--key=value`, and in lists with colons.
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (format!("{key}="), value),
            None => (String::new(), word),
        };
        add(Part::Text(key));
        for (index, piece) in value.split(':').enumerate() {
            if index > 0 {
                add(Part::Text(":".into()));
            }
            let (path, all) = match piece.strip_suffix("/*") {
                Some(path) => (path, "/*"),
                None => (piece, ""),
            };
            match self.of_text(path) {
                Some(place) => {
                    add(Part::File(place));
                    add(Part::Text(all.into()));
                }
                None => add(Part::Text(piece.into())),
            }
        }
        parts.retain(|part| *part != Part::Text(String::new()));
        Word(parts)
    }

    fn of_text(&self, text: &str) -> Option<PathBuf> {
        let path = Path::new(text);
        let leads_out = path.components().any(|part| part == Component::ParentDir);
        if text.is_empty() || !(path.is_absolute() || leads_out) {
            return None;
        }
        let real = self.held.directory.join(path).canonicalize().ok()?;
        self.of_path(&real)
    }
}

fn joined(place: PathBuf, inner: &Path) -> PathBuf {
    if inner.as_os_str().is_empty() { place } else { place.join(inner) }
}
