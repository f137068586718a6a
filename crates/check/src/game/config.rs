//! The configuration of the checks of a game.

use botyard_runner::ContainmentConfig;
use std::path::PathBuf;

/// The game to check, and the conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct GameCheckConfig {
    /// The directory with its `game.toml`.
    pub directory: PathBuf,
    /// The number of random games.
    pub games: u32,
    /// The seed of the random games.
    pub seed: u64,
    /// The preset of the rules; `None`: all presets.
    pub rules: Option<String>,
    /// Changed rules.
    pub changes: Vec<(String, String)>,
    /// The longest game, in decisions and outcomes of chance.
    pub longest: u32,
    /// The sandbox, with the limits of the program.
    pub containment: ContainmentConfig,
}

impl GameCheckConfig {
    /// The number of random games by default.
    pub const GAMES: u32 = 20;

    /// The longest game by default.
    pub const LONGEST: u32 = 10_000;

    /// Returns the configuration for the game in a directory.
    pub fn new(directory: impl Into<PathBuf>) -> GameCheckConfig {
        GameCheckConfig {
            directory: directory.into(),
            games: GameCheckConfig::GAMES,
            seed: 1,
            rules: None,
            changes: Vec::new(),
            longest: GameCheckConfig::LONGEST,
            containment: ContainmentConfig::default(),
        }
    }
}
