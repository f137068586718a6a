//! The adjudicator of a run: its rules, checked for the game, with the endgame tables they need.

use crate::config::{AdjudicationConfig, EgdbSource};
use crate::error::Error;
use crate::message::Message;
use crate::programs::Programs;
use crate::settings::{DRAW, EGDB, RESIGN};
use botyard_engine::Table;
use botyard_protocol::Adjudicated;
use botyard_replay::{Adjudicator, AdjudicatorError};
use std::collections::BTreeMap;

/// Returns the adjudicator of games at such a table, or `None` if no rule is set.
///
/// # Errors
///
/// A rule cannot be used in this game, or the tables cannot be loaded.
pub fn adjudicator(
    config: &AdjudicationConfig,
    programs: &Programs,
    table: &dyn Table,
) -> Result<Option<Adjudicator>, Error> {
    let rules = [
        (DRAW, config.draw.is_some()),
        (RESIGN, config.resign.is_some()),
        (EGDB, config.egdb.is_some()),
    ];
    let set = rules.into_iter().filter_map(|(setting, is_set)| is_set.then_some(setting));
    let set = Message::joined(set, ", ");
    let refused = |error: AdjudicatorError| Error::usage(error).within(set.clone());
    // The kind of game is checked before tables are looked for.
    Adjudicator::new(config.rules(Some(0)), None, table).map_err(refused)?;
    let unusable = |error: String| Error::usage(error).within(EGDB);
    let loaded = config.egdb.as_ref().map(|source| match source {
        EgdbSource::Found => (programs.endgames)(None),
        EgdbSource::File(path) => (programs.endgames)(Some(path)),
    });
    let endgames = loaded.transpose().map_err(unusable)?;
    let rules = config.rules(endgames.as_ref().map(|endgames| endgames.pieces()));
    let is_off = rules.is_off();
    let adjudicator = Adjudicator::new(rules, endgames, table).map_err(|error| match error {
        AdjudicatorError::Tables(message) => unusable(message),
        error => refused(error),
    })?;
    Ok((!is_off).then_some(adjudicator))
}

/// Returns how many of the games with these reasons each rule has ended: `draw 3, egdb 12`. Empty
/// if none was adjudicated.
pub fn adjudicated_in_words(reasons: &BTreeMap<String, u32>) -> String {
    let count = |rule: Adjudicated| {
        let games = reasons.get(rule.reason())?;
        Some(format!("{} {games}", rule.as_str()))
    };
    Adjudicated::ALL.into_iter().filter_map(count).collect::<Vec<_>>().join(", ")
}
