//! The import of game records of other programs: each game is checked against the rules, and games
//! that agree may be saved as replays. Each game parses its own record formats.

use crate::error::Error;
use crate::words::counted;
use botyard_engine::record::{Record, RecordError};
use botyard_engine::registry;
use botyard_league::atomic_file;
use botyard_replay::{
    MAX_DECOMPRESSED_BYTES, imported_id, imported_replay, is_compressed_path, replay_file_name,
    text_file,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The games of a record file. As an iterator, it checks and saves one game after another.
pub struct Import {
    game: String,
    /// The name of the file, which is part of the games' IDs.
    source: String,
    games: std::vec::IntoIter<Result<Record, RecordError>>,
    /// The directory for replays.
    directory: Option<PathBuf>,
}

impl Import {
    /// Reads the records of a game in a file.
    ///
    /// # Errors
    ///
    /// An unknown game or one without an importer, or a file that cannot be read or has no records.
    pub fn read(game: &str, path: &Path) -> Result<Import, Error> {
        let file = path.display();
        // An unknown game is reported before anything about the file.
        registry::info(game).map_err(Error::usage)?;
        let text = text_of(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::usage(format!("there is no file {file}")),
            io::ErrorKind::InvalidData => Error::usage(format!("{file}, {error}")),
            io::ErrorKind::IsADirectory => Error::usage(format!("{file} is a directory")),
            _ => Error::host(format!("cannot read {file}: {error}")),
        })?;
        let Some(games) = registry::import(game, &text).map_err(Error::usage)? else {
            return Err(Error::usage(format!(
                "{game} has no importer: it cannot read records of other programs"
            )));
        };
        let games = games.map_err(|reason| Error::usage(format!("{file}: {reason}")))?;
        let is_unreadable =
            |game: &Result<Record, RecordError>| matches!(game, Err(error) if error.ply.is_none());
        if games.iter().all(is_unreadable) {
            let first = games.first().and_then(|game| game.as_ref().err());
            let first = first.map_or(String::new(), |error| format!("; first error: {error}"));
            return Err(Error::usage(format!("{file} has no readable record of {game}{first}")));
        }
        // A compressed file has the name of what is in it.
        let plain = if is_compressed_path(path) { path.with_extension("") } else { path.into() };
        let source = plain.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Import { game: game.into(), source, games: games.into_iter(), directory: None })
    }

    /// Saves each game as a replay in this directory, which is created if necessary.
    ///
    /// # Errors
    ///
    /// A replay exists already, or the directory cannot be made.
    pub fn saved_in(mut self, directory: &Path) -> Result<Import, Error> {
        // Checked before the first file is written.
        let records = self.games.as_slice().iter().flatten();
        let mut paths = records.map(|record| self.path_of(record, directory));
        if let Some(path) = paths.find(|path| path.exists()) {
            return Err(already_there(&path));
        }
        fs::create_dir_all(directory).map_err(|error| {
            Error::host(format!("cannot make the directory {}: {error}", directory.display()))
        })?;
        self.directory = Some(directory.to_path_buf());
        Ok(self)
    }

    /// Checks and saves all games. `report` gets a line for each game that differs, with the game,
    /// the ply and the difference, and for everything that was left out of another game.
    ///
    /// # Errors
    ///
    /// A replay cannot be written, or the first error of `report`.
    pub fn check_all(
        self,
        report: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Imported, Error> {
        let mut all = Imported { games: self.len(), ..Imported::default() };
        for game in self {
            match game {
                Ok(Agreed { facts, notes }) => {
                    all.agree += 1;
                    all.facts += facts;
                    all.notes += notes.len();
                    for note in notes {
                        report(&format!("note: {note}")).map_err(Error::Output)?;
                    }
                }
                Err(NotImported::Differs(difference)) => {
                    report(&difference).map_err(Error::Output)?;
                }
                Err(NotImported::Failed(error)) => return Err(error),
            }
        }
        Ok(all)
    }

    /// Returns the path of a game's replay.
    fn path_of(&self, record: &Record, directory: &Path) -> PathBuf {
        directory.join(replay_file_name(&imported_id(record, &self.source)))
    }

    /// Makes a replay of a game, verifies it, and writes it atomically.
    fn save(&self, record: &Record, directory: &Path) -> Result<(), NotImported> {
        let replay = imported_replay(&self.game, record, &self.source);
        let replay = replay.map_err(NotImported::Differs)?;
        let path = self.path_of(record, directory);
        atomic_file::create(&path, &replay).map_err(|error| {
            NotImported::Failed(match error.kind() {
                io::ErrorKind::AlreadyExists => already_there(&path),
                _ => Error::host(format!("cannot write {}: {error}", path.display())),
            })
        })
    }
}

/// The result of an [`Import`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The number of games in the file.
    pub games: usize,
    /// How many of them agree with the rules.
    pub agree: usize,
    /// The number of facts that were compared in these.
    pub facts: u64,
    /// The number of places in these that could not be read and were left out.
    pub notes: usize,
}

impl Imported {
    /// Returns whether all games agree with the rules.
    pub fn is_whole(&self) -> bool {
        self.agree == self.games
    }

    /// Returns the result as a line of text.
    pub fn to_text(&self) -> String {
        let Imported { games, agree, facts, notes } = self;
        let notes = match *notes {
            0 => String::new(),
            notes => format!(", {}", counted(notes as u64, "note")),
        };
        let (noun, verb) = if *games == 1 { ("game", "agrees") } else { ("games", "agree") };
        let facts = counted(*facts, "fact");
        format!("{agree} of {games} {noun} {verb} with the rules, {facts} compared{notes}\n")
    }
}

/// A game that agrees with the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreed {
    /// The number of facts that were compared.
    pub facts: u64,
    /// What could not be read and was left out: the game, the place, and what was expected.
    pub notes: Vec<String>,
}

/// Why a game was not imported.
#[derive(Debug)]
pub enum NotImported {
    /// It differs from the rules, or cannot be read: the game, the ply and the difference.
    Differs(String),
    /// Its replay cannot be written.
    Failed(Error),
}

impl Iterator for Import {
    type Item = Result<Agreed, NotImported>;

    fn next(&mut self) -> Option<Result<Agreed, NotImported>> {
        let record = match self.games.next()? {
            Ok(record) => record,
            Err(difference) => return Some(Err(NotImported::Differs(difference.to_string()))),
        };
        let saved = match &self.directory {
            Some(directory) => self.save(&record, directory),
            None => Ok(()),
        };
        Some(saved.map(|()| Agreed { facts: record.checks, notes: record.notes }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.games.size_hint()
    }
}

impl ExactSizeIterator for Import {}

/// Returns the text of a file of records: JSON must be Unicode, and what people wrote is guessed.
fn text_of(path: &Path) -> io::Result<String> {
    let damaged = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    let bytes = text_file::decompress(fs::read(path)?, MAX_DECOMPRESSED_BYTES).map_err(damaged)?;
    let guessed = text_file::guess(&bytes);
    match guessed.trim_start().starts_with('{') {
        true => Ok(text_file::decode(bytes)?),
        false => Ok(guessed),
    }
}

fn already_there(path: &Path) -> Error {
    Error::usage(format!(
        "{} already exists, and replays are never overwritten: choose another directory, or move the \
         file",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_and_one_fact_are_in_the_singular() {
        let one = Imported { games: 1, agree: 1, facts: 1, notes: 1 };
        let expected = "1 of 1 game agrees with the rules, 1 fact compared, 1 note\n";
        assert_eq!(one.to_text(), expected);
        let more = Imported { games: 2, agree: 1, facts: 0, notes: 0 };
        assert_eq!(more.to_text(), "1 of 2 games agree with the rules, 0 facts compared\n");
    }
}
