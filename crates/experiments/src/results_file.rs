//! The file of results: one JSON object a line, the conditions first, then every game as soon as it
//! is over. A run that was broken off goes on where it was; one under other conditions is refused,
//! because its games cannot be added to these.

use super::game_result::GameResult;
use botyard_runner::Error;
use botyard_runner::settings::{DIRECTORY, SEED};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the file's format.
const FORMAT: u32 = 1;

/// The first line: all that must be the same for games to be added up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// The version of the format.
    pub format: u32,
    /// The version of `botyard`.
    pub botyard: String,
    /// The experiment's name.
    pub experiment: String,
    /// The seed, as text: a number in JSON keeps 53 bits only.
    pub seed: String,
    /// Every row of the experiment, in order.
    pub rows: Vec<RowConditions>,
}

/// The conditions of one row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowConditions {
    /// Its label.
    pub label: String,
    /// The resolved rules.
    pub rules: Value,
    /// The bots with their options: in seat order, or those of all line-ups.
    pub bots: Vec<String>,
    /// How many of them, the first ones, are in every line-up.
    #[serde(default)]
    pub always: usize,
    /// The most time for one move, in milliseconds.
    pub cap_ms: u64,
    /// The time of a bot for all its moves, in milliseconds, where it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<u64>,
    /// What is added to it after each move, in milliseconds.
    #[serde(default)]
    pub increment_ms: u64,
}

impl Conditions {
    /// The conditions of an experiment with these rows.
    pub fn new(experiment: &str, seed: u64, rows: Vec<RowConditions>) -> Conditions {
        Conditions {
            format: FORMAT,
            botyard: env!("CARGO_PKG_VERSION").into(),
            experiment: experiment.into(),
            seed: seed.to_string(),
            rows,
        }
    }

    /// What sets these apart from others, in words; `None` where nothing does.
    fn difference(&self, other: &Conditions) -> Option<String> {
        let differs = |what: &str, there: &dyn std::fmt::Display, now: &dyn std::fmt::Display| {
            Some(format!("{what} was {there} and is now {now}"))
        };
        if self.format != other.format {
            return differs("the format", &self.format, &other.format);
        }
        if self.experiment != other.experiment {
            return differs("the experiment", &self.experiment, &other.experiment);
        }
        if self.botyard != other.botyard {
            return differs("the version of botyard", &self.botyard, &other.botyard);
        }
        if self.seed != other.seed {
            return differs(SEED, &self.seed, &other.seed);
        }
        let mut rows = self.rows.iter().zip(&other.rows);
        if let Some((there, now)) = rows.find(|(there, now)| there != now) {
            let label = &there.label;
            if there.bots != now.bots {
                let (there, now) = (there.bots.join(" against "), now.bots.join(" against "));
                return differs(&format!("row {label}"), &there, &now);
            }
            return Some(format!("row {label} had other rules, or another clock"));
        }
        (self.rows.len() != other.rows.len()).then(|| "the rows are others".to_string())
    }
}

/// A file of results, open for more.
#[derive(Debug)]
pub struct ResultsFile {
    file: File,
    path: PathBuf,
    /// The games that were in it when it was opened.
    pub games: Vec<GameResult>,
}

impl ResultsFile {
    /// Opens the file of a directory, or makes both.
    ///
    /// A last line without an end is what was being written when something ended the program: it is
    /// taken away, and its game will be played again.
    ///
    /// # Errors
    ///
    /// A file with other conditions, or one that is no file of results; what the host cannot do.
    pub fn open(directory: &Path, conditions: &Conditions) -> Result<ResultsFile, Error> {
        let path = directory.join("games.ndjson");
        let unusable = |error| Error::host(format!("{}: {error}", path.display()));
        if directory.exists() && !directory.is_dir() {
            return Err(Error::usage(format!(
                "{} is not a directory; write another one after {DIRECTORY}",
                directory.display()
            )));
        }
        fs::create_dir_all(directory).map_err(unusable)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(unusable)?;
        let bytes = fs::read(&path).map_err(unusable)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let text = std::str::from_utf8(&bytes[..whole]).unwrap_or("?");
        let games = read(text, conditions).map_err(|message| {
            Error::usage(format!(
                "{}: {message}; its games cannot be continued: write another directory after {DIRECTORY}",
                path.display()
            ))
        })?;
        file.set_len(whole as u64).map_err(unusable)?;
        file.seek(SeekFrom::End(0)).map_err(unusable)?;
        let mut opened = ResultsFile { file, path: path.clone(), games };
        if whole == 0 {
            opened.write(conditions)?;
        }
        Ok(opened)
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// What the host cannot do.
    pub fn add(&mut self, game: &GameResult) -> Result<(), Error> {
        self.write(game)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Error> {
        // One call, so that a line is whole or the last one.
        let line = serde_json::to_string(line).map_err(Error::host)? + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| Error::host(format!("{}: {error}", self.path.display())))
    }
}

/// The games of a file, or what is wrong with it.
fn read(text: &str, conditions: &Conditions) -> Result<Vec<GameResult>, String> {
    let mut lines = (1..).zip(text.lines());
    let Some((_, first)) = lines.next() else { return Ok(Vec::new()) };
    let there: Conditions = serde_json::from_str(first)
        .map_err(|error| format!("line 1: expected the conditions of an experiment: {error}"))?;
    if let Some(difference) = there.difference(conditions) {
        return Err(difference);
    }
    let mut games: Vec<GameResult> = Vec::new();
    let mut known = BTreeSet::new();
    for (number, line) in lines {
        let game: GameResult = serde_json::from_str(line)
            .map_err(|error| format!("line {number}: expected a game: {error}"))?;
        if !known.insert((game.row.clone(), game.number)) {
            return Err(format!("line {number}: game {} of {} twice", game.number, game.row));
        }
        games.push(game);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use botyard_protocol::OutcomeKind;
    use std::collections::BTreeMap;

    fn conditions(seed: u64, bots: &[&str]) -> Conditions {
        let bots = bots.iter().map(|bot| bot.to_string()).collect();
        let row = RowConditions {
            label: "a/b".into(),
            rules: Value::Null,
            bots,
            always: 0,
            cap_ms: 1,
            bank_ms: None,
            increment_ms: 0,
        };
        Conditions::new("example", seed, vec![row])
    }

    fn game(number: u32) -> GameResult {
        GameResult {
            row: "a/b".into(),
            number,
            bots: BTreeMap::new(),
            kind: OutcomeKind::Completed,
            reason: "caught".into(),
            range: None,
            points: BTreeMap::from([("mr-x".into(), 0.0)]),
            rounds: 3,
            even: Some(1),
            searches: BTreeMap::new(),
            fault: None,
        }
    }

    #[test]
    fn games_are_there_when_it_is_opened_again() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("new");
        let same = conditions(1, &["x", "y"]);
        let mut file = ResultsFile::open(&place, &same).unwrap();
        file.add(&game(2)).unwrap();
        file.add(&game(1)).unwrap();
        let mut file = ResultsFile::open(&place, &same).unwrap();
        assert_eq!(file.games, [game(2), game(1)]);
        file.add(&game(3)).unwrap();
        // What a sudden end leaves: half a line, which goes.
        let mut text = fs::read_to_string(place.join("games.ndjson")).unwrap();
        text.push_str("{\"row\":\"a/b\",\"numb");
        fs::write(place.join("games.ndjson"), text).unwrap();
        let mut file = ResultsFile::open(&place, &same).unwrap();
        assert_eq!(file.games.len(), 3);
        file.add(&game(4)).unwrap();
        assert_eq!(ResultsFile::open(&place, &same).unwrap().games.len(), 4);
    }

    #[test]
    fn other_conditions_are_refused_with_what_differs() {
        let directory = tempfile::tempdir().unwrap();
        ResultsFile::open(directory.path(), &conditions(1, &["x", "y"])).unwrap();
        for (other, expected) in [
            (conditions(2, &["x", "y"]), "`start.seed` was 1 and is now 2"),
            (conditions(1, &["x", "z"]), "row a/b was x against y and is now x against z"),
            (
                Conditions { experiment: "else".into(), ..conditions(1, &["x", "y"]) },
                "the experiment was example and is now else",
            ),
        ] {
            let error = ResultsFile::open(directory.path(), &other).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(error.contains("write another directory after `replays.directory`"), "{error}");
        }
    }

    #[test]
    fn damaged_files_are_refused_with_the_line() {
        let first = serde_json::to_string(&conditions(1, &[])).unwrap();
        let line = serde_json::to_string(&game(1)).unwrap();
        for (text, expected) in [
            ("{}\n".to_string(), "line 1: expected the conditions"),
            (format!("{first}\nnonsense\n"), "line 2: expected a game"),
            (format!("{first}\n{line}\n{line}\n"), "line 3: game 1 of a/b twice"),
        ] {
            let error = read(&text, &conditions(1, &[])).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
