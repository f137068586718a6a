//! What a tournament keeps of all that lay beside its file when it began: so it is played on whatever becomes
//! of that, and wherever its own directory is moved.

use crate::schedule::Stage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a tournament keeps. Tournaments of version 0.1.0 have none of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Where the tournament file was.
    pub path: String,
    /// The rules that differ from the preset, with what was in the files that have them.
    pub rules: Vec<(String, String)>,
    /// The openings, as JSON.
    pub openings: Vec<String>,
    /// The bots that take part, in the order of their indices in games.
    pub bots: Vec<KeptBot>,
    /// The bots of the gate.
    pub gate: Vec<KeptBot>,
    /// How the tournament was begun, and every way in which it was extended.
    pub stages: Vec<Stage>,
}

/// A bot as a tournament keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptBot {
    /// What it is called in the tournament file, which all its versions share.
    pub entry: String,
    /// Its bundle, in the format of the program that plays the games.
    pub bundle: Value,
    /// The index of the version that has taken its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<usize>,
}
