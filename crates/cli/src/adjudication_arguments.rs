//! The options by which the referee ends a game whose result is clear. `--draw` and `--resign` take
//! several words, as in programs that run matches of chess engines.

use botyard_protocol::{DrawRule, ResignRule};
use botyard_runner::{AdjudicationConfig, EgdbSource};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// The options of adjudication.
#[derive(Clone, Debug, Default, Args)]
pub struct AdjudicationArgs {
    /// End a game as a draw if, after N moves of each bot, both have reported a score within S of 0
    /// for their last N moves: movenumber=N movecount=N score=S
    #[arg(long, value_name = "RULE", help_heading = "Adjudication")]
    pub draw: Option<DrawRule>,

    /// End a game as lost for a bot that has reported a score of -S or less for its last N moves:
    /// movecount=N score=S; with `twosided` added, the other bot must agree
    #[arg(long, value_name = "RULE", help_heading = "Adjudication")]
    pub resign: Option<ResignRule>,

    /// End a game with the result of the endgame tables that `botyard egdb build` writes, or of this
    /// file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, help_heading = "Adjudication")]
    pub egdb: Option<Option<PathBuf>>,
}

impl From<&AdjudicationArgs> for AdjudicationConfig {
    fn from(args: &AdjudicationArgs) -> AdjudicationConfig {
        let source = |file: &Option<PathBuf>| match file {
            Some(file) => EgdbSource::File(file.clone()),
            None => EgdbSource::Found,
        };
        AdjudicationConfig {
            draw: args.draw,
            resign: args.resign,
            egdb: args.egdb.as_ref().map(source),
        }
    }
}

/// Returns whether a word belongs to the rule of `--draw` or `--resign` before it.
pub(crate) fn is_word_of_rule(word: &OsString) -> bool {
    let Some(word) = word.to_str() else { return false };
    let key = word.split_once('=').map_or(word, |(key, _)| key);
    matches!(key, "movenumber" | "movecount" | "score" | "twosided")
}
