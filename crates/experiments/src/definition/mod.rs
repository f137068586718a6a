//! The definition of an experiment, read from its file: the bots, the rules and the source's
//! figures. The whole file is checked; an invalid one is refused with the place and the nearest
//! valid name.

mod check;
mod published;

pub use published::{Published, Statistic};

use botyard_engine::Table;
use botyard_engine::rules::did_you_mean;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// The placeholder in a bot's options for the time limit per move in milliseconds.
pub(crate) const TIME: &str = "{time}";

/// The default limit per move, in milliseconds. It is far more than any bot takes: a bot that
/// thinks for a fixed time receives that as its own option.
const CAP_MS: u64 = 60_000;

/// An experiment: a table of a source and how it is repeated.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its name on the command line: lower-case letters, digits, dots and dashes.
    pub name: String,
    /// Its title, one line.
    pub title: String,
    /// The publication of the figures.
    pub source: String,
    /// What the source measured, and how. Paragraphs are separated by empty lines.
    pub about: String,
    /// What the source leaves open, and how it was decided here.
    pub unclear: String,
    /// The game.
    pub game: String,
    /// The preset of the rules.
    pub preset: String,
    /// Rules that differ from the preset.
    #[serde(default)]
    pub rules: BTreeMap<String, Value>,
    /// Openings in the game's notation or as JSON, which the games of every row play in turn. Empty:
    /// openings are drawn.
    #[serde(default)]
    pub openings: Vec<String>,
    /// The number of games per row.
    pub games: u32,
    /// The source's time limit per move in milliseconds, which replaces `{time}`.
    #[serde(default)]
    pub move_ms: Option<u64>,
    /// The limit per move, in milliseconds. A bot that takes longer forfeits.
    #[serde(default = "cap_ms")]
    pub cap_ms: u64,
    /// The time of a bot for all its moves in a game, in milliseconds. `None`: no limit.
    #[serde(default)]
    pub bank_ms: Option<u64>,
    /// Added to the bank after each move, in milliseconds.
    #[serde(default)]
    pub increment_ms: Option<u64>,
    /// The meaning of the two parts of a row's label, as in `Mr. X / agents`.
    #[serde(default)]
    pub label: String,
    /// Whether the experiment measures times, so that by default one game is played at a time.
    #[serde(default)]
    pub timing: bool,
    /// Whether the published figures are those of other bots than the row's: differences are then
    /// the result, and need no explanation.
    #[serde(default)]
    pub comparison: bool,
    /// The rows, in the order of the source.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

const fn cap_ms() -> u64 {
    CAP_MS
}

/// A row: its bots, and the source's results.
///
/// Either every seat has its bot, in `bots` or the same one in `bot`, or bots meet in all line-ups, in
/// `entrants`, and take turns at the seats.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its label in the table and on the command line.
    pub label: String,
    /// The bot of each seat, by seat name, as on the command line.
    #[serde(default)]
    pub bots: BTreeMap<String, String>,
    /// The bot of all seats.
    #[serde(default)]
    pub bot: Option<String>,
    /// Bots for the remaining seats: every selection of them is a line-up.
    #[serde(default)]
    pub entrants: Vec<String>,
    /// Bots that are in every line-up.
    #[serde(default)]
    pub always: Vec<String>,
    /// The label of a row. This one has no games of its own: its `bot` searches the decisions of that
    /// row's games again.
    #[serde(default)]
    pub decisions_of: Option<String>,
    /// The preset, if it differs from the experiment's.
    #[serde(default)]
    pub preset: Option<String>,
    /// Rules that differ from those of the experiment.
    #[serde(default)]
    pub rules: BTreeMap<String, Value>,
    /// The number of games, if it differs from the experiment's.
    #[serde(default)]
    pub games: Option<u32>,
    /// The approximate time of a game at the full time limit per move, in seconds, to estimate the
    /// time of the whole.
    pub seconds_a_game: f64,
    /// Why its figures differ from the source's, if they do.
    #[serde(default)]
    pub explanation: Option<String>,
    /// The measured figures, and the source's values.
    pub figures: Vec<Published>,
}

/// Why a file is not a valid experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// It is not TOML, or has unknown or missing fields. The message shows the line.
    #[error("{file} is not a valid experiment: {message}")]
    Form {
        /// The file's name.
        file: String,
        /// The parser's message, with the line.
        message: String,
    },
    /// A field has an invalid value.
    #[error("{file}: {place}: {message}")]
    Value {
        /// The file's name.
        file: String,
        /// The field, with its row.
        place: String,
        /// What was expected, and what came.
        message: String,
    },
}

impl Experiment {
    /// Parses an experiment from TOML. Errors name the text `file`. Whether its bots exist is
    /// checked when they are needed.
    ///
    /// # Errors
    ///
    /// The first error in the text.
    pub fn read(file: &str, text: &str) -> Result<Experiment, DefinitionError> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| {
            DefinitionError::Form { file: file.into(), message: error.to_string() }
        })?;
        match experiment.check() {
            Ok(()) => Ok(experiment),
            Err((place, message)) => {
                Err(DefinitionError::Value { file: file.into(), place, message })
            }
        }
    }

    /// Returns the row of this label, ignoring case.
    ///
    /// # Errors
    ///
    /// There is no such row. The message lists the rows.
    pub fn row(&self, label: &str) -> Result<&Row, String> {
        let same = |row: &&Row| row.label.eq_ignore_ascii_case(label);
        self.rows.iter().find(same).ok_or_else(|| {
            let known: Vec<String> = self.rows.iter().map(|row| row.label.clone()).collect();
            format!(
                "{} has no row {label:?}{}; its rows are {}",
                self.name,
                did_you_mean(label, &known),
                known.join(", ")
            )
        })
    }

    /// Returns the time of the whole at the full time limit per move, one game at a time, in
    /// seconds.
    pub fn seconds(&self) -> f64 {
        let seconds = |row: &Row| f64::from(self.games_of(row)) * row.seconds_a_game;
        self.rows.iter().map(seconds).sum()
    }

    /// Returns the number of games of a row.
    pub fn games_of(&self, row: &Row) -> u32 {
        row.games.unwrap_or(self.games)
    }

    /// Returns the preset of a row.
    pub(crate) fn preset_of<'a>(&'a self, row: &'a Row) -> &'a str {
        row.preset.as_deref().unwrap_or(&self.preset)
    }

    /// Returns a row's changes to its preset, as on the command line.
    pub(crate) fn changes_of(&self, row: &Row) -> Vec<(String, String)> {
        let mut rules = self.rules.clone();
        rules.extend(row.rules.clone());
        rules.into_iter().map(|(rule, value)| (rule, rule_text(&value))).collect()
    }

    /// Returns a bot as on the command line, with this time limit per move.
    pub fn timed(&self, bot: &str, move_ms: Option<u64>) -> String {
        let time = move_ms.or(self.move_ms).unwrap_or_default().to_string();
        bot.replace(TIME, &time)
    }

    /// Returns the openings as JSON, all of them playable.
    ///
    /// # Errors
    ///
    /// An opening is not one of the game.
    pub(crate) fn read_openings(&self, table: &mut dyn Table) -> Result<Vec<String>, String> {
        let mut openings = Vec::new();
        for (number, text) in (1..).zip(&self.openings) {
            let wrong = |error: &dyn fmt::Display| format!("opening {number}, {text:?}: {error}");
            let notation = match text.trim_start().starts_with('{') {
                true => None,
                false => table.read_openings(text),
            };
            let read = match notation {
                Some(read) => read.map_err(|error| wrong(&error))?,
                None => vec![text.clone()],
            };
            let [opening] = &read[..] else {
                return Err(wrong(&format!("expected one opening, got {}", read.len())));
            };
            table.open_with(opening).map_err(|error| wrong(&error))?;
            openings.extend(read);
        }
        Ok(openings)
    }
}

impl Row {
    /// Returns whether every bot keeps its seat.
    pub(crate) fn has_fixed_seats(&self) -> bool {
        self.entrants.is_empty() && self.always.is_empty()
    }

    /// Returns whether its bots think for a given time.
    pub fn is_by_time(&self) -> bool {
        self.all_bots().any(|bot| bot.contains(TIME))
    }

    /// Returns every bot in the row.
    pub(crate) fn all_bots(&self) -> impl Iterator<Item = &String> {
        self.bots.values().chain(&self.bot).chain(&self.always).chain(&self.entrants)
    }

    /// Returns the line-ups, each with a bot for every seat. If every seat has its bot, there is
    /// one line-up, in seat order.
    pub fn line_ups(&self, seats: &[String]) -> Vec<Vec<&String>> {
        if self.has_fixed_seats() {
            let of_seat = |seat| self.bots.get(seat).or(self.bot.as_ref());
            return vec![seats.iter().filter_map(of_seat).collect()];
        }
        self.selections(seats.len())
    }

    /// Returns every line-up of this many seats: the bots in `always`, and a selection of the
    /// entrants.
    fn selections(&self, seats: usize) -> Vec<Vec<&String>> {
        let mut selections = vec![self.always.iter().collect::<Vec<_>>()];
        for (number, entrant) in (1..).zip(&self.entrants) {
            let to_come = self.entrants.len() - number;
            // With and without this entrant, as long as the seats can still be filled exactly.
            selections = selections
                .into_iter()
                .flat_map(|selection| {
                    let with = [&selection[..], &[entrant]].concat();
                    [with, selection]
                })
                .filter(|selection| selection.len() <= seats && selection.len() + to_come >= seats)
                .collect();
        }
        selections
    }
}

/// Returns a rule's value as on the command line, where texts have no quotes.
fn rule_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
