//! The manifest of a game's directory, `game.toml`: what the game is called, and how its program is
//! built, run and limited.

use crate::bots::manifest::{Manifest, ManifestError, read_manifest};
use crate::error::Error;
use crate::game_limits::GameLimits;
use botyard_engine::registry;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the file.
pub const GAME_FILE: &str = "game.toml";

/// The longest name of a game, in characters.
const LONGEST_NAME: usize = 40;

/// The content of `game.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameManifest {
    /// The game's name.
    pub name: String,
    /// One line for people who do not know it.
    pub about: String,
    /// The command line that runs the program in the directory, without a shell.
    pub run: String,
    /// The command lines that build it, run in order in the directory, without a shell.
    #[serde(default)]
    pub build: Vec<String>,
    /// Named sets of rules besides those of the program.
    #[serde(default)]
    pub presets: BTreeMap<String, ManifestPreset>,
    /// Whether bots may run a copy of the program as their model. They can read the bundle then.
    #[serde(default)]
    pub model: bool,
    /// The limits of the program, where it needs others than the usual.
    #[serde(default)]
    pub limits: GameLimits,
}

/// A named set of rules in `game.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPreset {
    /// One line about it.
    #[serde(default)]
    pub about: String,
    /// The rules.
    #[serde(default)]
    pub rules: Map<String, Value>,
}

impl GameManifest {
    /// Reads the manifest of a directory.
    pub(crate) fn in_directory(directory: &Path) -> Result<GameManifest, String> {
        let manifest: GameManifest =
            read_manifest(directory, GAME_FILE).map_err(|error| error.to_string())?;
        check_name(&manifest.name)?;
        manifest.limits.check().map_err(|error| format!("{GAME_FILE}: {error}"))?;
        Ok(manifest)
    }

    /// Reads the manifest in the directory of a game.
    ///
    /// # Errors
    ///
    /// There is no manifest, or it is none of a game.
    pub fn read(directory: &Path) -> Result<GameManifest, Error> {
        GameManifest::in_directory(directory)
            .map_err(|error| Error::usage(format!("the game in {}: {error}", directory.display())))
    }

    /// Reads the part of a directory's manifest that is as in the manifest of a bot.
    ///
    /// # Errors
    ///
    /// There is no manifest, or it is none of a game.
    pub(crate) fn as_of_bot(directory: &Path) -> Result<Manifest, ManifestError> {
        let GameManifest { name, build, run, .. } = read_manifest(directory, GAME_FILE)?;
        Manifest { name: Some(name), build, run }.checked(directory, GAME_FILE)
    }
}

/// Checks the name of a game.
fn check_name(name: &str) -> Result<(), String> {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(is_word) {
        return Err(format!(
            "{GAME_FILE}: expected a name of 1 to {LONGEST_NAME} lower-case letters, digits and dashes, got {name:?}"
        ));
    }
    match registry::names().iter().any(|known| known == name) {
        true => {
            Err(format!("{GAME_FILE}: {name} is a game of botyard itself; choose another name"))
        }
        false => Ok(()),
    }
}
