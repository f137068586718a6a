//! The copies that a tournament keeps of everything beside its file when it began, so that it can
//! be played whatever becomes of the originals, and wherever its own directory is moved.

use crate::schedule::Stage;
use botyard_engine::Scores;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a tournament keeps. Tournaments of version 0.1.0 keep none of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredCopies {
    /// The path of the tournament file.
    pub path: String,
    /// The rules that differ from the preset, with the content of the files that they name.
    pub rules: Vec<(String, String)>,
    /// The openings as JSON.
    pub openings: Vec<String>,
    /// The bots that take part, in the order of their indices in games.
    pub bots: Vec<KeptBot>,
    /// The bots of the gate.
    pub gate: Vec<KeptBot>,
    /// The first stage of the tournament, and one per extension.
    pub stages: Vec<Stage>,
    /// The number of pieces of the endgame tables that end its games. Tables of the same number have
    /// the same values. `None` if it has no tables, or a version that did not store the number began
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endgame_pieces: Option<u32>,
    /// The game, if its rules are a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<KeptGame>,
}

/// A game whose rules are a program that a tournament keeps, and what its results need without that
/// program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptGame {
    /// Its bundle, in the format of the program that plays the games.
    pub bundle: Value,
    /// The names of the seats under the tournament's rules.
    pub seats: Vec<String>,
    /// The points that a seat can have under these rules.
    pub scores: Scores,
    /// Whether the seats ask the same of a bot.
    pub seats_alike: bool,
    /// How it awards points and places.
    pub scoring: String,
    /// The default preset of rules.
    pub preset: String,
}

/// A bot that a tournament keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptBot {
    /// Its name in the tournament file, which all its versions share.
    pub entry: String,
    /// Its bundle, in the format of the program that plays the games.
    pub bundle: Value,
    /// The index of the version that replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<usize>,
}
