//! The definition of a tournament as rows of text, for databases: named values, and one row for each
//! bot.

use super::{Definition, Rejected, StoreError};
use crate::played_game::Entrant;
use crate::schedule::Draws;
use botyard_engine::Seed;
use std::collections::BTreeMap;

/// The row of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotRow {
    /// The bot.
    pub entrant: Entrant,
    /// The reason of its rejection; `None` for a bot that takes part.
    pub rejected: Option<String>,
}

/// Returns the named values of a definition.
///
/// # Errors
///
/// The copies of bots cannot be written as JSON.
pub fn values(definition: &Definition) -> Result<Vec<(&'static str, String)>, StoreError> {
    let Draws { seed, tag } = definition.draws;
    let (seed, secret) = match seed {
        Seed::Number(number) => (Some(number.to_string()), None),
        Seed::Key(_) => (None, definition.draws.secret_digits()),
    };
    let kept = definition.kept.as_ref().map(serde_json::to_string).transpose();
    let kept = kept.map_err(|error| StoreError::Host(error.to_string()))?;
    let values = [
        ("name", Some(definition.name.clone())),
        ("game", Some(definition.game.clone())),
        ("seed", seed),
        ("secret", secret),
        ("secret_sha256", definition.commitment.clone()),
        ("tag", Some(format!("{tag:016x}"))),
        ("file", Some(definition.file.clone())),
        ("directory", Some(definition.directory.clone())),
        ("digest", Some(definition.digest.clone())),
        ("version", Some(definition.version.clone())),
        ("kept", kept),
    ];
    Ok(values.into_iter().filter_map(|(key, value)| Some((key, value?))).collect())
}

/// Returns the rows of a definition's bots, in order: those that take part, then the rejected ones.
pub fn bots(definition: &Definition) -> impl Iterator<Item = BotRow> {
    let entrants =
        definition.entrants.iter().map(|it| BotRow { entrant: it.clone(), rejected: None });
    let rejected = definition
        .rejected
        .iter()
        .map(|it| BotRow { entrant: it.entrant.clone(), rejected: Some(it.reason.clone()) });
    entrants.chain(rejected)
}

/// Makes a definition of its named values and its bots, in order.
///
/// # Errors
///
/// What is missing or cannot be read, as text.
pub fn definition(
    values: &BTreeMap<String, String>,
    bots: impl IntoIterator<Item = BotRow>,
) -> Result<Definition, String> {
    let value = |key: &str| values.get(key).cloned().ok_or_else(|| format!("it has no {key}"));
    let name = value("name")?;
    let mut definition =
        Definition {
            game: value("game")?,
            draws: draws(values, &name)?,
            commitment: value("secret_sha256").ok(),
            name,
            file: value("file")?,
            directory: value("directory")?,
            // Earlier versions stored none.
            digest: value("digest").unwrap_or_default(),
            version: value("version")?,
            entrants: Vec::new(),
            rejected: Vec::new(),
            kept: match values.get("kept") {
                Some(text) => Some(serde_json::from_str(text).map_err(|error| {
                    format!("its stored copies of bots cannot be read: {error}")
                })?),
                None => None,
            },
        };
    for BotRow { entrant, rejected } in bots {
        match rejected {
            Some(reason) => definition.rejected.push(Rejected { entrant, reason }),
            None => definition.entrants.push(entrant),
        }
    }
    Ok(definition)
}

/// Reads the source of all random draws.
fn draws(values: &BTreeMap<String, String>, name: &str) -> Result<Draws, String> {
    let tag = values.get("tag").map(|tag| {
        u64::from_str_radix(tag, 16).map_err(|_| format!("its tag is not hexadecimal: {tag:?}"))
    });
    let seed = match (values.get("seed"), values.get("secret")) {
        (Some(number), None) => number.parse().map(Seed::Number).ok(),
        (None, Some(digits)) => format!("key:{digits}").parse().ok(),
        _ => return Err("expected a seed or a secret, not both".to_string()),
    };
    match (seed, tag.transpose()?) {
        (Some(seed), Some(tag)) => Ok(Draws { seed, tag }),
        // Earlier versions stored no tag.
        (Some(Seed::Number(number)), None) => Ok(Draws::without_tag(number, name)),
        (Some(Seed::Key(_)), None) => Err("it has a secret but no tag".to_string()),
        (None, _) => Err("its seed or secret is damaged".to_string()),
    }
}
