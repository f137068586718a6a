//! Games whose rules are programs, found by name: the directories with a `game.toml` in those of
//! [`GAMES_VARIABLE`], or in `games`.

use crate::error::Error;
use crate::game_manifest::{GAME_FILE, GameManifest};
use botyard_engine::registry::{self, UnknownGame};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The environment variable with the directories of installed games, written as in `PATH`.
pub const GAMES_VARIABLE: &str = "BOTYARD_GAMES";

/// The directory of installed games where [`GAMES_VARIABLE`] is not set.
pub const GAMES_DIRECTORY: &str = "games";

/// A game in one of the directories of games. Its program was not started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledGame {
    /// Its name.
    pub name: String,
    /// One line for people who do not know it.
    pub about: String,
    /// Its directory.
    pub directory: PathBuf,
    /// Why it cannot be named: no valid manifest, or a name that belongs to another game.
    pub flaw: Option<String>,
}

/// The games in the directories of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledGames {
    /// The directories that were searched.
    pub directories: Vec<PathBuf>,
    /// The games, by name.
    pub games: Vec<InstalledGame>,
}

impl InstalledGames {
    /// Searches the directories of [`GAMES_VARIABLE`], or [`GAMES_DIRECTORY`] in `base`.
    pub fn around(base: &Path) -> InstalledGames {
        let directories = match std::env::var_os(GAMES_VARIABLE) {
            Some(paths) => {
                std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()).collect()
            }
            None => vec![base.join(GAMES_DIRECTORY)],
        };
        InstalledGames::of(directories)
    }

    /// Searches these directories, of which some may not exist.
    pub fn of(directories: Vec<PathBuf>) -> InstalledGames {
        let entries = directories.iter().filter_map(|directory| std::fs::read_dir(directory).ok());
        let bundles = entries.flatten().flatten().map(|entry| entry.path());
        let mut games: Vec<_> = bundles
            .filter(|bundle| bundle.join(GAME_FILE).is_file())
            .map(|bundle| InstalledGame::in_directory(&bundle))
            .collect();
        games.sort_by(|one, other| {
            (&one.name, &one.directory).cmp(&(&other.name, &other.directory))
        });
        let mut by_name: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for game in games.iter().filter(|game| game.flaw.is_none()) {
            by_name.entry(game.name.clone()).or_default().push(game.directory.clone());
        }
        for game in games.iter_mut().filter(|game| game.flaw.is_none()) {
            let other = by_name[&game.name].iter().find(|directory| **directory != game.directory);
            game.flaw = other.map(|other| {
                format!("{} has this name too; write the path of the one you mean", other.display())
            });
        }
        InstalledGames { directories, games }
    }

    /// Returns the directory of the game of this name; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Several games have this name.
    pub fn directory_of(&self, name: &str) -> Result<Option<&Path>, Error> {
        match self.games.iter().find(|game| game.name == name) {
            None => Ok(None),
            Some(InstalledGame { directory, flaw: None, .. }) => Ok(Some(directory)),
            Some(InstalledGame { directory, flaw: Some(flaw), .. }) => {
                Err(Error::usage(format!("the game {name} in {}: {flaw}", directory.display())))
            }
        }
    }

    /// Returns the error about a name of no game, with the names of these and of the built-in ones.
    pub(crate) fn unknown(&self, name: &str) -> Error {
        let mut known = registry::names();
        known
            .extend(self.games.iter().filter(|game| game.flaw.is_none()).map(|it| it.name.clone()));
        Error::usage(UnknownGame { name: name.to_string(), known })
    }
}

impl InstalledGame {
    fn in_directory(directory: &Path) -> InstalledGame {
        let directory = directory.to_path_buf();
        match GameManifest::in_directory(&directory) {
            Ok(GameManifest { name, about, .. }) => {
                InstalledGame { name, about, directory, flaw: None }
            }
            Err(flaw) => {
                let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
                InstalledGame { name, about: String::new(), directory, flaw: Some(flaw) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games by directory, manifest and what is said of the game.
    #[test]
    fn games_have_names_of_their_own() {
        let place = tempfile::tempdir().unwrap();
        let game =
            |name: &str| format!("name = \"{name}\"\nabout = \"About {name}\"\nrun = \"true\"\n");
        let bundles = [
            ("one/nim", game("nim")),
            ("one/another-nim", game("nim")),
            ("two/hex", game("hex")),
            ("two/draughts", game("draughts")),
            ("two/broken", "name = 3\n".to_string()),
        ];
        for (directory, manifest) in &bundles {
            std::fs::create_dir_all(place.path().join(directory)).unwrap();
            std::fs::write(place.path().join(directory).join(GAME_FILE), manifest).unwrap();
        }
        std::fs::create_dir(place.path().join("two/no-game")).unwrap();
        let directories = ["one", "two", "missing"].map(|directory| place.path().join(directory));
        let installed = InstalledGames::of(directories.to_vec());
        let found = installed.games.iter().map(|game| {
            let directory = game.directory.strip_prefix(place.path()).unwrap().to_str().unwrap();
            (directory, game.name.as_str(), game.flaw.is_some())
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                ("two/broken", "broken", true),
                ("two/draughts", "draughts", true),
                ("two/hex", "hex", false),
                ("one/another-nim", "nim", true),
                ("one/nim", "nim", true),
            ]
        );
        let hex = place.path().join("two/hex");
        assert_eq!(installed.directory_of("hex").unwrap(), Some(hex.as_path()));
        assert_eq!(installed.directory_of("no-game").unwrap(), None);
        let error = installed.directory_of("nim").unwrap_err().to_string();
        assert!(error.contains("another-nim") && error.contains("one/nim"), "{error}");
        let error = installed.unknown("hax").to_string();
        assert!(error.contains("did you mean") && error.contains("hex"), "{error}");
    }
}
