//! How games begin: under which rules, from which openings and which seed. What is said here once,
//! every verb that plays them takes.

use crate::match_command::read_openings;
use botyard_engine::Table;
use clap::Args;
use std::path::PathBuf;

/// The options of a verb that sets up games.
#[derive(Clone, Debug, Default, Args)]
pub struct StartArgs {
    /// The same seed gives the same starts; a new one each time where it is not given. Keep it
    /// from competitors: whoever knows it can compute what is hidden and what will be drawn
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

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

impl StartArgs {
    /// The openings, each of which can be played; none where they are drawn.
    ///
    /// # Errors
    ///
    /// Files that cannot be read, and the first opening that cannot be played.
    pub fn openings(&self, table: &mut dyn Table) -> anyhow::Result<Vec<String>> {
        self.opening.as_deref().map_or(Ok(Vec::new()), |name| read_openings(name, table))
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
