//! The options that set up games: rules, openings and seed. Shared by every verb that plays games.

use botyard_runner::{GivenSeed, StartConfig};
use clap::Args;
use std::path::PathBuf;

/// The options of a verb that sets up games.
#[derive(Clone, Debug, Default, Args)]
pub struct StartArgs {
    /// Seed of the games: the same seed gives the same games [default: a secret key]
    ///
    /// S is a number, or the key that a match without a seed printed. A bot can find a short number
    /// by trial, but not a key.
    #[arg(long, value_name = "S")]
    pub seed: Option<GivenSeed>,

    /// Preset of rules; `botyard games GAME` lists them
    #[arg(long, value_name = "PRESET")]
    pub rules: Option<String>,

    /// Change one rule; may be repeated
    ///
    /// A VALUE that ends in .json is read from that file (dice-wars: map=FILE.json).
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub rule: Vec<(String, String)>,

    /// Start games from the openings in a file, or from a named set, in turn
    ///
    /// A file has one opening per line as JSON, or uses the game's own notation (draughts: PDN, or
    /// lines of FEN, moves or ballot numbers). Draughts has the named sets ballots and ballots-all.
    #[arg(long, value_name = "FILE|SET")]
    pub opening: Option<PathBuf>,
}

impl From<&StartArgs> for StartConfig {
    fn from(args: &StartArgs) -> StartConfig {
        StartConfig {
            seed: args.seed,
            rules: args.rules.clone(),
            changes: args.rule.clone(),
            openings: args.opening.clone(),
        }
    }
}

/// Parses `KEY=VALUE`.
///
/// # Errors
///
/// The expected form, if there is no `=` or no key.
pub fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.into(), value.into())),
        _ => Err("expected KEY=VALUE, such as detectives=4".into()),
    }
}
