//! Rules as users write them: a preset and changes of single parameters.
//!
//! A preset becomes JSON, each `KEY=VALUE` replaces one of its values (dots reach into objects:
//! `detective_tickets.bus=3`), and the game's own types validate the result. So every parameter of
//! every game can be set from the command line without code for it.

use crate::game::Game;
use crate::json;
use crate::json_words;
use crate::schema::schema_of_rules;
use serde_json::Value;
use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;

/// Rules that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// There is no preset of that name.
    #[error("{game} has no rules preset {name:?}{}; its presets are {}", did_you_mean(.name, .known), .known.join(", "))]
    UnknownPreset {
        /// The game.
        game: String,
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// There is no parameter of that name.
    #[error("{game} has no rule {name:?}{}; its rules are {}", did_you_mean(.name, .known), .known.join(", "))]
    UnknownRule {
        /// The game.
        game: String,
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// A value that the parameter cannot have.
    #[error("rule {rule}: {message}")]
    BadValue {
        /// The parameter.
        rule: String,
        /// What came and what was expected.
        message: String,
    },
    /// Parameters that exclude each other.
    #[error("rules {} contradict each other: {message}", .rules.join(" and "))]
    Contradiction {
        /// The parameters.
        rules: Vec<String>,
        /// Why they contradict each other, and what to change.
        message: String,
    },
    /// The program that has the rules refuses them, for this reason.
    #[error("{0}")]
    Refused(String),
}

impl RulesError {
    /// Makes a [`RulesError::BadValue`].
    pub fn bad_value(rule: &str, message: impl Into<String>) -> RulesError {
        RulesError::BadValue { rule: rule.into(), message: message.into() }
    }

    /// Checks the value of a rule against its range.
    ///
    /// # Errors
    ///
    /// [`RulesError::BadValue`] for a value out of range.
    pub fn check_range<T: PartialOrd + Debug + Display>(
        rule: &str,
        value: T,
        range: RangeInclusive<T>,
    ) -> Result<(), RulesError> {
        if range.contains(&value) {
            return Ok(());
        }
        Err(RulesError::bad_value(rule, format!("expected {range:?}, got {value}")))
    }

    /// Makes a [`RulesError::Contradiction`].
    pub fn contradiction(rules: &[&str], message: impl Into<String>) -> RulesError {
        RulesError::Contradiction {
            rules: rules.iter().map(|rule| rule.to_string()).collect(),
            message: message.into(),
        }
    }
}

/// Returns the known name nearest to `name`, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&name, candidate), candidate))
        .filter(|&(similarity, _)| similarity > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `" (did you mean ...?)"`, or an empty string if no known name is near.
pub fn did_you_mean(name: &str, known: &[String]) -> String {
    nearest(name, known.iter().map(String::as_str))
        .map(|near| format!(" (did you mean {near}?)"))
        .unwrap_or_default()
}

/// Resolves the rules of `G`: a preset (`None`: the default one) with single parameters replaced.
///
/// A value is read as JSON if it is JSON, otherwise as a string; so `limit=24`, `order=any` and
/// `reveals=[3,8]` all work as expected.
///
/// # Errors
///
/// Unknown presets and parameters with the nearest known name, and values of the wrong kind.
/// [`Game::new`] checks ranges and contradictions.
pub fn resolve<G: Game>(
    preset: Option<&str>,
    changes: &[(String, String)],
) -> Result<G::Rules, RulesError> {
    let name = preset.unwrap_or(G::PRESETS[0].name);
    let rules = G::preset(name).ok_or_else(|| RulesError::UnknownPreset {
        game: G::NAME.into(),
        name: name.into(),
        known: G::PRESETS.iter().map(|preset| preset.name.to_string()).collect(),
    })?;
    let mut json = json::value(&rules);
    let mut typed = rules;
    for (key, value) in changes {
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()));
        *slot::<G>(&mut json, key)? = value;
        // One at a time, so that an error names the rule whose value is of the wrong kind.
        typed = serde_json::from_value(json.clone())
            .map_err(|error| RulesError::bad_value(key, json_words::explained(&error)))?;
        json = json::value(&typed);
    }
    Ok(typed)
}

/// Finds the value in the JSON of the rules that a dotted key names.
fn slot<'a, G: Game>(json: &'a mut Value, key: &str) -> Result<&'a mut Value, RulesError> {
    let mut place = json;
    let mut above = "";
    for (end, part) in part_ends(key) {
        let Some(object) = place.as_object() else {
            let message = format!(
                "{above} is {place} under these rules, which has no part {part:?}; set {above} as a \
                 whole"
            );
            return Err(RulesError::bad_value(key, message));
        };
        // Rules that were added later are not in the JSON where they have their default.
        let left_out = if above.is_empty() { all_names::<G>() } else { Vec::new() };
        if !object.contains_key(part) && !left_out.iter().any(|name| name == part) {
            let prefix = if above.is_empty() { String::new() } else { format!("{above}.") };
            let written = object.keys().map(|name| format!("{prefix}{name}"));
            let left_out = left_out.iter().filter(|name| !object.contains_key(*name)).cloned();
            let known = written.chain(left_out).collect();
            return Err(RulesError::UnknownRule { game: G::NAME.into(), name: key.into(), known });
        }
        place = &mut place[part];
        above = &key[..end];
    }
    Ok(place)
}

/// Returns the names of all rules of a game, whether or not they are left out of the JSON. Empty
/// without a schema.
fn all_names<G: Game>() -> Vec<String> {
    let schema = schema_of_rules::<G>();
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|named| named.keys().cloned().collect()).unwrap_or_default()
}

/// Returns the parts of a dotted key, each with the place where it ends.
fn part_ends(key: &str) -> impl Iterator<Item = (usize, &str)> {
    key.split('.').map(|part| (part.as_ptr().addr() - key.as_ptr().addr() + part.len(), part))
}
