//! How games begin, as arguments: under which rules, from which openings and which seed. What is said
//! here once, every verb that plays them takes.

use botyard_runner::{GivenSeed, StartConfig};
use clap::Args;
use std::path::PathBuf;

/// The options of a verb that sets up games.
#[derive(Clone, Debug, Default, Args)]
pub struct StartArgs {
    /// Repeat games: the same seed gives the same ones. A number, which a bot can find by trying
    /// if it is short; or the key that a match without a seed printed. Without this option games
    /// are drawn from a secret that no bot can guess
    #[arg(long, value_name = "S", value_parser = str::parse::<GivenSeed>)]
    pub seed: Option<GivenSeed>,

    /// A named set of rules; `botyard games GAME` lists them
    #[arg(long, value_name = "PRESET")]
    pub rules: Option<String>,

    /// Change one rule; may be repeated. A value that ends in .json is a file that has it
    /// (dice-wars: map=FILE.json)
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub rule: Vec<(String, String)>,

    /// Begin from the openings in this file, taken in turn: as JSON, one a line, or in the game's
    /// own notation (draughts: PDN, or lines of FEN, moves or numbers of ballots); or from a set
    /// that has a name (draughts: ballots, ballots-all)
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

/// `KEY=VALUE` taken apart, for whatever takes single rules.
///
/// # Errors
///
/// What was expected, where it is something else.
pub fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.into(), value.into())),
        _ => Err("expected KEY=VALUE, such as detectives=4".into()),
    }
}
