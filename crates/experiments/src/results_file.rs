//! The results file: JSON lines, first the conditions, then every game as soon as it ends. An
//! interrupted run resumes from it. A run under other conditions is refused, because its games
//! cannot be added to these.

use super::game_result::GameResult;
use botyard_engine::json_words::expected;
use botyard_runner::Error;
use botyard_runner::settings::{DIRECTORY, SEED};
use botyard_runner::{Message, Piece, message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the file's format.
const FORMAT: u32 = 1;

/// The first line: everything that must be equal for games to be added up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// The version of the format.
    pub format: u32,
    /// The version of `botyard`.
    pub botyard: String,
    /// The experiment's name.
    pub experiment: String,
    /// The seed, as text because a number in JSON keeps 53 bits only.
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
    /// The limit per move, in milliseconds.
    pub cap_ms: u64,
    /// The time of a bot for all its moves, in milliseconds, if it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<u64>,
    /// Added to the bank after each move, in milliseconds.
    #[serde(default)]
    pub increment_ms: u64,
    /// The openings, as JSON. Empty if they are drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<String>,
}

impl Conditions {
    /// Makes the conditions of an experiment with these rows.
    pub fn new(experiment: &str, seed: u64, rows: Vec<RowConditions>) -> Conditions {
        Conditions {
            format: FORMAT,
            botyard: env!("CARGO_PKG_VERSION").into(),
            experiment: experiment.into(),
            seed: seed.to_string(),
            rows,
        }
    }

    /// Describes the first difference from other conditions, if there is one.
    fn difference(&self, other: &Conditions) -> Option<Message> {
        let differs = |what: &dyn Piece, there: &dyn Piece, now: &dyn Piece| {
            let mut message = Message::default();
            for piece in [what, &" was ", there, &" and is now ", now] {
                piece.add_to(&mut message);
            }
            Some(message)
        };
        if self.format != other.format {
            return differs(&"the format", &self.format, &other.format);
        }
        if self.experiment != other.experiment {
            return differs(&"the experiment", &self.experiment, &other.experiment);
        }
        if self.botyard != other.botyard {
            return differs(&"the version of botyard", &self.botyard, &other.botyard);
        }
        if self.seed != other.seed {
            return differs(&SEED, &self.seed, &other.seed);
        }
        let mut rows = self.rows.iter().zip(&other.rows);
        if let Some((there, now)) = rows.find(|(there, now)| there != now) {
            let label = &there.label;
            if there.bots != now.bots {
                let (there, now) = (there.bots.join(" against "), now.bots.join(" against "));
                return differs(&format!("row {label}"), &there, &now);
            }
            if there.openings != now.openings {
                return Some(message!["row ", label, " had different openings"]);
            }
            return Some(message!["row ", label, " had different rules or a different clock"]);
        }
        (self.rows.len() != other.rows.len()).then(|| "the number of rows differs".into())
    }
}

/// A results file, open for appending.
#[derive(Debug)]
pub struct ResultsFile {
    file: File,
    path: PathBuf,
    /// The games in the file when it was opened.
    pub games: Vec<GameResult>,
}

impl ResultsFile {
    /// Opens the file in a directory, and creates both if necessary.
    ///
    /// An incomplete last line was being written when the program ended. It is removed, and its
    /// game is played again.
    ///
    /// # Errors
    ///
    /// The file has other conditions or is not a results file, or the host fails.
    pub fn open(directory: &Path, conditions: &Conditions) -> Result<ResultsFile, Error> {
        let path = directory.join("games.ndjson");
        let unusable = |error| Error::host(format!("{}: {error}", path.display()));
        if directory.exists() && !directory.is_dir() {
            return Err(Error::usage(message![
                directory.display(),
                " is not a directory; choose another one with ",
                DIRECTORY
            ]));
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
            Error::usage(message![
                path.display(),
                ": ",
                message,
                "; cannot resume with these games: choose another directory with ",
                DIRECTORY
            ])
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
    /// A failure of the host.
    pub fn add(&mut self, game: &GameResult) -> Result<(), Error> {
        self.write(game)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), Error> {
        // Writes the line in one call, so that only the last line can be incomplete.
        let line = serde_json::to_string(line).map_err(Error::host)? + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| Error::host(format!("{}: {error}", self.path.display())))
    }
}

/// Parses the games of a file, or returns what is wrong with it.
fn read(text: &str, conditions: &Conditions) -> Result<Vec<GameResult>, Message> {
    let mut lines = (1..).zip(text.lines());
    let Some((_, first)) = lines.next() else { return Ok(Vec::new()) };
    let there: Conditions = parse(1, first, "the conditions of an experiment")?;
    if let Some(difference) = there.difference(conditions) {
        return Err(difference);
    }
    let mut games: Vec<GameResult> = Vec::new();
    let mut known = BTreeSet::new();
    for (number, line) in lines {
        let game: GameResult = parse(number, line, "a game")?;
        if !known.insert((game.row.clone(), game.number)) {
            return Err(format!(
                "line {number}: game {} of {} occurs twice",
                game.number, game.row
            )
            .into());
        }
        games.push(game);
    }
    Ok(games)
}

fn parse<T: DeserializeOwned>(number: usize, line: &str, what: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        let words = expected(what, &error, line, "the end of the line");
        format!("line {number}, column {}: {words}", error.column())
    })
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
            openings: Vec::new(),
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
        // A sudden end leaves half a line, which is removed.
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
            (conditions(2, &["x", "y"]), "start.seed was 1 and is now 2"),
            (conditions(1, &["x", "z"]), "row a/b was x against y and is now x against z"),
            (
                Conditions { experiment: "else".into(), ..conditions(1, &["x", "y"]) },
                "the experiment was example and is now else",
            ),
        ] {
            let error = ResultsFile::open(directory.path(), &other).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(error.contains("choose another directory with replays.directory"), "{error}");
        }
    }

    #[test]
    fn damaged_files_are_refused_with_the_line() {
        let first = serde_json::to_string(&conditions(1, &[])).unwrap();
        let line = serde_json::to_string(&game(1)).unwrap();
        for (text, expected) in [
            ("{}\n".to_string(), "line 1, column 2: expected the conditions of an experiment: \""),
            (format!("{first}\nnonsense\n"), "expected a game, got \"nonsense\""),
            (format!("{first}\n{line}\n{line}\n"), "line 3: game 1 of a/b occurs twice"),
        ] {
            let error = read(&text, &conditions(1, &[])).unwrap_err().plain();
            assert!(error.contains(expected), "{error}");
        }
    }
}
