//! How games begin: under which rules, from which openings and which seed. What is said here once,
//! every verb that plays them takes.

use crate::failure::Failure;
use crate::match_command::read_openings;
use botyard_engine::Table;
use botyard_league::schedule::Draws;
use clap::Args;
use std::path::PathBuf;

/// The options of a verb that sets up games.
#[derive(Clone, Debug, Default, Args)]
pub struct StartArgs {
    /// Repeat games: the same seed gives the same ones. A number, which a bot can find by trying
    /// if it is short; or the key that a match without a seed printed. Without this option games
    /// are drawn from a secret that no bot can guess
    #[arg(long, value_name = "S", value_parser = given_seed)]
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

/// A seed that somebody gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenSeed {
    /// A number.
    Number(u64),
    /// The draws of an earlier match.
    Draws(Draws),
}

fn given_seed(text: &str) -> Result<GivenSeed, String> {
    match (text.parse(), Draws::of_secret_text(text)) {
        (Ok(number), _) => Ok(GivenSeed::Number(number)),
        (_, Some(draws)) => Ok(GivenSeed::Draws(draws)),
        _ => Err(format!(
            "expected a number from 0 to {}, or what a match without --seed printed: key:, 64 \
             hexadecimal digits, - and 16 more",
            u64::MAX
        )),
    }
}

/// Draws from a new secret.
///
/// # Errors
///
/// A system that gives no random numbers.
pub fn secret_draws() -> anyhow::Result<Draws> {
    let (mut secret, mut tag) = ([0; 32], [0; 8]);
    for bytes in [&mut secret[..], &mut tag[..]] {
        getrandom::fill(bytes).map_err(|error| {
            Failure::host(format!("the system gives no random numbers for the games: {error}"))
        })?;
    }
    Ok(Draws::secret(secret, u64::from_le_bytes(tag)))
}

impl StartArgs {
    /// What the games are drawn from: the seed that was given, or else a new secret. Where the seed
    /// is a number, `name` is what ids are made from.
    ///
    /// # Errors
    ///
    /// A system that gives no random numbers.
    pub fn draws(&self, name: &str) -> anyhow::Result<Draws> {
        match self.seed {
            Some(GivenSeed::Number(number)) => Ok(Draws::numbered(number, name)),
            Some(GivenSeed::Draws(draws)) => Ok(draws),
            None => secret_draws(),
        }
    }

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
