//! The definition of an experiment, read from its file: the bots, the rules and the source's
//! figures. The whole file is checked; an invalid one is refused with the place and the nearest
//! valid name.

use botyard_engine::rules::did_you_mean;
use botyard_engine::{Table, registry};
use botyard_runner::MOST_GAMES;
use botyard_runner::words::counted;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The placeholder in a bot's options for the time limit per move in milliseconds.
pub(crate) const TIME: &str = "{time}";

/// The default limit per move, in milliseconds. It is far more than any bot takes: a bot that
/// thinks for a fixed time receives that as its own option.
const CAP_MS: u64 = 60_000;

/// The most line-ups of a row: more would take too long to play.
const MOST_LINE_UPS: usize = 1000;

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

/// A measured figure, with the source's value if there is one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The statistic.
    pub statistic: Statistic,
    /// The seat that it describes.
    #[serde(default)]
    pub seat: Option<String>,
    /// The bot that it describes: in any seat, or only in `seat` if that is given.
    #[serde(default)]
    pub bot: Option<String>,
    /// The source's value, if there is one.
    #[serde(default)]
    pub value: Option<f64>,
    /// A bound in place of a value: the source only states that it was more than this.
    #[serde(default)]
    pub more_than: Option<f64>,
    /// The number of games that the source measured.
    #[serde(default)]
    pub games: Option<u32>,
    /// Why our value differs from the source's, if it does and the row's explanation is another.
    #[serde(default)]
    pub explanation: Option<String>,
    /// The peaks of the source's distribution, for a statistic that has one.
    #[serde(default)]
    pub peaks: Vec<u32>,
    /// The label of the row to which a ratio compares this one.
    #[serde(default)]
    pub to: Option<String>,
}

impl Published {
    /// Returns the seat or the bot that it describes.
    pub fn subject(&self) -> String {
        match (&self.bot, &self.seat) {
            (Some(bot), Some(seat)) => format!("{bot} as {seat}"),
            (one, other) => one.as_deref().or(other.as_deref()).unwrap_or_default().to_string(),
        }
    }

    /// Describes the figure.
    pub fn in_words(&self) -> String {
        let subject = self.subject();
        let of_searches = |words: &str| match subject.as_str() {
            "" => words.to_string(),
            subject => format!("{subject}: {words}"),
        };
        let to = self.to.as_deref().unwrap_or_default();
        match self.statistic {
            Statistic::WinPercent => format!("{subject} win %"),
            Statistic::MeanWinningRound => format!("{subject} win in round"),
            Statistic::SecondsASearch => of_searches("seconds a search"),
            Statistic::NodesASearch => of_searches("nodes a search"),
            Statistic::ScoreASearch => of_searches("score"),
            Statistic::NodesRatio => of_searches(&format!("nodes / those of {to}")),
            Statistic::SecondsRatio => of_searches(&format!("seconds / those of {to}")),
        }
    }
}

/// A statistic of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The seat's share of the points, in percent.
    WinPercent,
    /// The round in which games won by the seat ended, on average: the number of moves that the
    /// first seat had made. Its figures have the distribution of the rounds too.
    MeanWinningRound,
    /// The wall-clock time of one search of the seat's bot, in seconds. Decisions without a search
    /// (from a table of openings, or planned earlier) do not count.
    SecondsASearch,
    /// The nodes that the bot reports for a search.
    NodesASearch,
    /// The score that the bot reports for a search, in its own unit.
    ScoreASearch,
    /// The nodes of a search divided by those of another row: the geometric mean of the ratios of
    /// games with the same number.
    NodesRatio,
    /// The same for the wall-clock time.
    SecondsRatio,
}

impl Statistic {
    /// Returns whether it describes searches. These may be those of all seats.
    pub(crate) fn is_of_searches(self) -> bool {
        !matches!(self, Statistic::WinPercent | Statistic::MeanWinningRound)
    }

    /// Returns whether it compares searches with those of another row.
    pub(crate) fn is_ratio(self) -> bool {
        matches!(self, Statistic::NodesRatio | Statistic::SecondsRatio)
    }
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

    fn check(&self) -> Result<(), (String, String)> {
        let wrong = |place: &str, message: String| Err((place.to_string(), message));
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c);
        if self.name.is_empty() || !self.name.chars().all(is_name) {
            let message = "expected lower-case letters, digits, dots and dashes";
            return wrong("name", format!("{message}, got {:?}", self.name));
        }
        for (field, text) in
            [("title", &self.title), ("source", &self.source), ("about", &self.about)]
        {
            if text.trim().is_empty() {
                return wrong(field, "expected text, got none".into());
            }
        }
        if self.move_ms == Some(0) || self.cap_ms == 0 {
            return wrong("move_ms and cap_ms", "expected 1 or more, got 0".into());
        }
        if self.bank_ms == Some(0) {
            return wrong("bank_ms", "expected 1 or more, got 0".into());
        }
        if self.increment_ms.is_some() && self.bank_ms.is_none() {
            return wrong("increment_ms", "expected bank_ms beside it, got none".into());
        }
        if self.rows.is_empty() {
            return wrong("row", "expected a [[row]] or more, got none".into());
        }
        let mut labels = BTreeSet::new();
        for (number, row) in (1..).zip(&self.rows) {
            if row.label.trim().is_empty() || !labels.insert(row.label.to_lowercase()) {
                let message = format!("expected a unique label, got {:?}", row.label);
                return wrong(&format!("row {number}"), message);
            }
            self.check_row(row)
                .map_err(|(field, message)| (format!("row {:?}, {field}", row.label), message))?;
        }
        Ok(())
    }

    fn check_row(&self, row: &Row) -> Result<(), (String, String)> {
        let wrong = |place: &str, message: String| Err((place.to_string(), message));
        if !(1..=MOST_GAMES).contains(&self.games_of(row)) {
            let got = self.games_of(row);
            return wrong("games", format!("expected 1 to {MOST_GAMES}, got {got}"));
        }
        if !(row.seconds_a_game.is_finite() && row.seconds_a_game >= 0.0) {
            let got = row.seconds_a_game;
            return wrong("seconds_a_game", format!("expected 0 or more, got {got}"));
        }
        let tables = registry::tables(&self.game, Some(self.preset_of(row)), &self.changes_of(row))
            .map_err(|error| ("game, preset and rules".to_string(), error.to_string()))?;
        let mut table: Box<dyn Table> = tables();
        self.read_openings(&mut *table).map_err(|message| ("openings".to_string(), message))?;
        self.check_bots(row, table.seats())?;
        if row.figures.is_empty() {
            return wrong("figures", "expected one or more, got none".into());
        }
        for figure in &row.figures {
            check_figure(figure, row, table.seats())
                .and_then(|()| self.check_ratio(figure))
                .map_err(|message| ("figures".to_string(), message))?;
        }
        Ok(())
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

    /// Checks that a ratio, and nothing else, names another row.
    fn check_ratio(&self, figure: &Published) -> Result<(), String> {
        match (&figure.to, figure.statistic.is_ratio()) {
            (Some(to), true) => self.row(to).map(|_| ()),
            (None, true) => {
                Err("expected `to`, the label of the row to compare with, got none".into())
            }
            (Some(to), false) => Err(format!("expected `to` only with a ratio, got {to:?}")),
            (None, false) => Ok(()),
        }
    }

    fn check_bots(&self, row: &Row, seats: &[String]) -> Result<(), (String, String)> {
        if self.move_ms.is_none() && row.is_by_time() {
            let message = format!("{TIME} is replaced by move_ms, which is not set");
            return Err(("bots".to_string(), message));
        }
        if row.has_fixed_seats() {
            return check_seats(row, seats).map_err(|message| ("bots".to_string(), message));
        }
        check_entrants(row, seats.len()).map_err(|message| ("entrants".to_string(), message))
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

/// Checks that every seat has a bot.
fn check_seats(row: &Row, seats: &[String]) -> Result<(), String> {
    if row.bot.is_some() {
        return match row.bots.is_empty() {
            true => Ok(()),
            false => Err("expected either a bot for each seat or one for all, got both".into()),
        };
    }
    if let Some(seat) = row.bots.keys().find(|seat| !seats.contains(seat)) {
        return Err(no_seat(seat, seats));
    }
    if let Some(seat) = seats.iter().find(|seat| !row.bots.contains_key(*seat)) {
        return Err(format!(
            "expected a bot for each of {} ({}), got none for {seat}",
            counted(seats.len() as u64, "seat"),
            seats.join(", ")
        ));
    }
    Ok(())
}

/// Checks that the entrants can fill this many seats.
fn check_entrants(row: &Row, seats: usize) -> Result<(), String> {
    if !row.bots.is_empty() || row.bot.is_some() {
        return Err("expected either bots for the seats or entrants, got both".into());
    }
    let mut names = BTreeSet::new();
    if let Some(bot) = row.all_bots().find(|bot| !names.insert(*bot)) {
        return Err(format!("expected every bot once, got {bot} again"));
    }
    let (always, all) = (row.always.len(), row.always.len() + row.entrants.len());
    if always >= seats || all < seats {
        return Err(format!(
            "expected fewer than {} that always play and as many in all or more, got {always} of {all}",
            counted(seats as u64, "bot")
        ));
    }
    let line_ups = row.selections(seats).len();
    if line_ups > MOST_LINE_UPS {
        return Err(format!(
            "expected at most {MOST_LINE_UPS} line-ups, got {line_ups}; take fewer entrants"
        ));
    }
    Ok(())
}

/// Returns a rule's value as on the command line, where texts have no quotes.
fn rule_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn no_seat(seat: &str, seats: &[String]) -> String {
    format!(
        "there is no seat {seat:?}{}; the seats are {}",
        did_you_mean(seat, seats),
        seats.join(", ")
    )
}

fn check_figure(figure: &Published, row: &Row, seats: &[String]) -> Result<(), String> {
    match (&figure.seat, &figure.bot) {
        (Some(seat), _) if !seats.contains(seat) => return Err(no_seat(seat, seats)),
        (Some(_), Some(_)) if row.has_fixed_seats() => {
            let message = "expected a seat or a bot, as every seat keeps its bot, got both";
            return Err(message.into());
        }
        (_, Some(bot)) if !row.all_bots().any(|known| known == bot) => {
            let known: Vec<String> = row.all_bots().cloned().collect();
            return Err(format!(
                "no bot {bot:?}{} is in this row; its bots are {}",
                did_you_mean(bot, &known),
                known.join(", ")
            ));
        }
        (None, None) if !figure.statistic.is_of_searches() => {
            return Err("expected a seat or a bot that each figure is about".into());
        }
        _ => {}
    }
    if figure.value.is_some() && figure.more_than.is_some() {
        return Err("expected value or more_than, got both".into());
    }
    if figure.games == Some(0) {
        return Err("expected games of 1 or more, got 0".into());
    }
    if !figure.peaks.is_empty() && figure.statistic != Statistic::MeanWinningRound {
        return Err("expected peaks only for mean-winning-round, got them here".into());
    }
    let (least, most) = match figure.statistic {
        Statistic::WinPercent => (0.0, 100.0),
        Statistic::ScoreASearch => (f64::MIN, f64::MAX),
        _ => (0.0, f64::MAX),
    };
    match figure.value.or(figure.more_than) {
        Some(value) if !(least..=most).contains(&value) => {
            Err(format!("expected a figure from {least} to {most}, got {value}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
name = "small-1"
title = "A small one"
source = "unpublished"
about = "What it is about."
unclear = ""
game = "scotland-yard"
preset = "grid-5x5-2"
games = 10
move_ms = 100

[rules]
limit = 30

[[row]]
label = "A/B"
bots = { mr-x = "random", detectives = "mcts-sova:time={time}" }
rules = { x_onto_detective = "illegal", reveals = [3, 8] }
seconds_a_game = 2.5
figures = [{ statistic = "win-percent", seat = "detectives", value = 50, games = 100 }]

[[row]]
label = "B/A"
bots = { mr-x = "mcts-sova:time={time}", detectives = "random" }
preset = "grid-7x7-3"
games = 4
seconds_a_game = 1.0
figures = [{ statistic = "seconds-a-search", seat = "mr-x", more_than = 180 }]
"#;

    #[test]
    fn rows_take_what_they_do_not_say_from_the_experiment() {
        let read = Experiment::read("small.toml", GOOD).unwrap();
        let [first, second] = &read.rows[..] else { panic!("two rows") };
        let seats = ["mr-x".to_string(), "detectives".to_string()];
        assert_eq!(first.line_ups(&seats), [["random", "mcts-sova:time={time}"]]);
        assert_eq!(second.line_ups(&seats), [["mcts-sova:time={time}", "random"]]);
        assert_eq!(read.timed("mcts-sova:time={time}", None), "mcts-sova:time=100");
        assert_eq!(read.timed("mcts-sova:time={time}", Some(7)), "mcts-sova:time=7");
        assert_eq!((read.games_of(first), read.games_of(second)), (10, 4));
        assert_eq!((read.preset_of(first), read.preset_of(second)), ("grid-5x5-2", "grid-7x7-3"));
        let changes: Vec<String> =
            read.changes_of(first).iter().map(|(rule, value)| format!("{rule}={value}")).collect();
        assert_eq!(changes, ["limit=30", "reveals=[3,8]", "x_onto_detective=illegal"]);
        assert_eq!(read.seconds(), 10.0 * 2.5 + 4.0);
        assert_eq!(read.row("b/a").unwrap().label, "B/A");
        assert!(read.row("B/C").unwrap_err().contains("its rows are A/B, B/A"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (right, wrong, expected) in [
            ("title = ", "titel = ", "unknown field `titel`"),
            ("games = 10", "", "missing field `games`"),
            ("games = 10", "games = \"ten\"", "expected u32"),
            ("games = 10", "games = 0", "row \"A/B\", games: expected 1 to"),
            ("name = \"small-1\"", "name = \"Small 1\"", "name: expected lower-case letters"),
            ("about = \"What it is about.\"", "about = \" \"", "about: expected text"),
            ("scotland-yard", "scotland-yart", "did you mean scotland-yard?"),
            ("preset = \"grid-5x5-2\"", "preset = \"grid-5x5\"", "did you mean grid-5x5-2?"),
            ("limit = 30", "limt = 30", "did you mean limit?"),
            ("limit = 30", "limit = 0", "rule limit: 0 is out of range"),
            ("label = \"B/A\"", "label = \"a/b\"", "row 2: expected a unique label"),
            ("bots = { mr-x", "bots = { mrx", "there is no seat \"mrx\" (did you mean mr-x?)"),
            ("move_ms = 100", "", "{time} is replaced by move_ms, which is not set"),
            ("move_ms = 100", "move_ms = 0", "expected 1 or more, got 0"),
            ("move_ms = 100", "move_ms = 100\nbank_ms = 0", "bank_ms: expected 1 or more, got 0"),
            ("move_ms = 100", "move_ms = 100\nincrement_ms = 5", "expected bank_ms beside it"),
            (
                "seat = \"detectives\"",
                "seat = \"detectives\", bot = \"random\"",
                "as every seat keeps its bot, got both",
            ),
            ("value = 50", "value = 150", "expected a figure from 0 to 100, got 150"),
            ("value = 50", "value = 50, more_than = 3", "expected value or more_than, got both"),
            ("games = 100 }", "games = 0 }", "expected games of 1 or more, got 0"),
            ("games = 100 }", "peaks = [7] }", "expected peaks only for mean-winning-round"),
            ("\"win-percent\"", "\"wins\"", "unknown variant `wins`, expected one of"),
            ("seat = \"detectives\"", "seat = \"thief\"", "there is no seat \"thief\""),
            ("seconds_a_game = 2.5", "seconds_a_game = -1.0", "seconds_a_game: expected 0 or more"),
            ("[[row]]", "[[rows]]", "unknown field `rows`"),
        ] {
            assert!(GOOD.contains(right), "{right}");
            let text = GOOD.replacen(right, wrong, 1);
            let error = Experiment::read("small.toml", &text).expect_err(wrong).to_string();
            assert!(error.starts_with("small.toml"), "{error}");
            assert!(error.contains(expected), "{wrong}: {error}");
        }
        let error = Experiment::read("small.toml", "name = \"x\"\ngames = ten\n").unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }

    #[test]
    fn a_row_without_a_bot_for_every_seat_is_refused() {
        let text = GOOD.replace("mr-x = \"random\", ", "");
        let error = Experiment::read("small.toml", &text).unwrap_err().to_string();
        assert!(error.contains("a bot for each of 2 seats (mr-x, detectives), got none for mr-x"));
        let text = &GOOD[..GOOD.find("[[row]]").unwrap()];
        let error = Experiment::read("small.toml", &format!("row = []\n{text}")).unwrap_err();
        assert!(error.to_string().contains("expected a [[row]] or more"), "{error}");
    }

    const POSITIONS: &str = r#"
name = "positions-1"
title = "A search of positions"
source = "unpublished"
about = "What it is about."
unclear = ""
game = "draughts"
preset = "english"
games = 2
openings = ["W:W18:B15", "11-15 23-19", '{"ballot":12}']

[rules]
max_plies = 1

[[row]]
label = "first"
bot = "mtdf-2007:depth=2"
seconds_a_game = 0.1
figures = [{ statistic = "nodes-a-search" }]

[[row]]
label = "second"
bot = "mtdf-2007:depth=3"
seconds_a_game = 0.1
figures = [
    { statistic = "nodes-ratio", to = "first" },
    { statistic = "score-a-search", seat = "white", value = -0.5 },
]
"#;

    #[test]
    fn a_row_of_positions_has_one_bot_and_figures_of_all_its_searches() {
        let read = Experiment::read("positions.toml", POSITIONS).unwrap();
        let seats = ["black".to_string(), "white".to_string()];
        assert_eq!(read.rows[0].line_ups(&seats), [["mtdf-2007:depth=2"; 2]]);
        let figures = |row: &Row| row.figures.iter().map(Published::in_words).collect::<Vec<_>>();
        assert_eq!(figures(&read.rows[0]), ["nodes a search"]);
        assert_eq!(figures(&read.rows[1]), ["nodes / those of first", "white: score"]);
        for (right, wrong, expected) in [
            ("W:W18:B15", "W:W18:B99", "openings: opening 1, \"W:W18:B99\": "),
            ("11-15 23-19", "11-14 23-19", "opening 2, \"11-14 23-19\": "),
            ("W:W18:B15", "1\\n2", "expected one opening, got 2"),
            ("\"first\" },", "\"frist\" },", "did you mean first?"),
            ("nodes-ratio\", to = \"first\"", "nodes-ratio\"", "the row to compare with, got none"),
            ("nodes-ratio", "nodes-a-search", "expected `to` only with a ratio, got \"first\""),
            ("statistic = \"nodes-a-search\"", "statistic = \"win-percent\"", "a seat or a bot"),
            (
                "bot = \"mtdf-2007:depth=2\"",
                "bot = \"random\"\nbots = { black = \"random\" }",
                "a bot for each seat or one for all, got both",
            ),
            (
                "bot = \"mtdf-2007:depth=2\"",
                "bot = \"random\"\nentrants = [\"random\"]",
                "bots for the seats or entrants, got both",
            ),
        ] {
            assert!(POSITIONS.contains(right), "{right}");
            let text = POSITIONS.replacen(right, wrong, 1);
            let error = Experiment::read("positions.toml", &text).expect_err(wrong).to_string();
            assert!(error.contains(expected), "{wrong}: {error}");
        }
    }

    const ENTRANTS: &str = r#"
name = "dice-1"
title = "Four of six"
source = "unpublished"
about = "What it is about."
unclear = ""
game = "dice-wars"
preset = "sui-2021"
games = 24

[[row]]
label = "all"
always = ["dw-sdc"]
entrants = ["dw-stei", "dw-ste", "dw-rand", "random"]
seconds_a_game = 0.1
figures = [{ statistic = "win-percent", bot = "dw-sdc", value = 40, games = 100 }]
"#;

    #[test]
    fn entrants_make_every_line_up_once() {
        let read = Experiment::read("dice.toml", ENTRANTS).unwrap();
        let seats: Vec<String> = (1..=4).map(|number| format!("player-{number}")).collect();
        let line_ups = read.rows[0].line_ups(&seats);
        assert_eq!(
            line_ups,
            [
                ["dw-sdc", "dw-stei", "dw-ste", "dw-rand"],
                ["dw-sdc", "dw-stei", "dw-ste", "random"],
                ["dw-sdc", "dw-stei", "dw-rand", "random"],
                ["dw-sdc", "dw-ste", "dw-rand", "random"],
            ]
        );
    }

    #[test]
    fn entrants_that_make_no_line_up_are_refused() {
        for (right, wrong, expected) in [
            ("always = [", "bots = { player-1 = \"random\" }\nalways = [", "got both"),
            (", \"dw-ste\", \"dw-rand\", \"random\"", "", "got 1 of 2"),
            ("[\"dw-sdc\"]", "[\"a\", \"b\", \"c\", \"d\"]", "got 4 of 8"),
            ("\"dw-ste\"", "\"dw-sdc\"", "expected every bot once, got dw-sdc again"),
            ("bot = \"dw-sdc\"", "bot = \"dw-sdd\"", "(did you mean dw-sdc?) is in this row"),
            ("bot = \"dw-sdc\",", "", "expected a seat or a bot"),
            (
                "bot = \"dw-sdc\"",
                "bot = \"dw-sdc\", seat = \"player-5\"",
                "there is no seat \"player-5\"",
            ),
        ] {
            assert!(ENTRANTS.contains(right), "{right}");
            let text = ENTRANTS.replacen(right, wrong, 1);
            let error = Experiment::read("dice.toml", &text).expect_err(wrong).to_string();
            assert!(error.contains(expected), "{wrong}: {error}");
        }
    }
}
