//! Saved games of a person. A save is the replay of the unfinished game, and beside it the settings
//! that a replay does not have: the bots as they were given, and how they are contained.
//!
//! A saved game is resumed as a move is taken back: the recorded decisions are played, then the bots
//! are asked. Both files are the referee's: they contain what is hidden from the person, and the
//! seed.

use super::game_thread::Decision;
use super::play_plan::PlayPlan;
use crate::{ContainmentConfig, Error};
use botyard_league::atomic_file;
use botyard_protocol::OutcomeKind;
use botyard_replay::{
    Event, Header, OpeningSource, ReadError, ReplayReader, VerifyError, registered_table, verify,
};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The version of the settings that this program writes and reads.
const VERSION: u32 = 1;

/// The settings of a saved game that are not in its replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    pub version: u32,
    /// The directory in which the game was started, to which paths of bots are relative.
    pub directory: PathBuf,
    /// The bots as the user wrote them: one for all other seats, or one for each.
    pub against: Vec<String>,
    /// The containment of bots.
    pub containment: ContainmentConfig,
    /// Whether hints and undo are disabled.
    pub rated: bool,
}

/// A saved game that can be resumed.
#[derive(Clone, Debug)]
pub struct SavedGame {
    /// The file with its replay.
    pub file: PathBuf,
    /// The decisions so far.
    pub record: Vec<Decision>,
    pub(super) header: Header,
    /// The opening as JSON, if it was given and not drawn.
    pub(super) opening: Option<String>,
    pub(super) settings: Settings,
}

impl SavedGame {
    /// Reads a saved game and checks it as `botyard replay verify` checks a replay.
    ///
    /// # Errors
    ///
    /// The file or its settings cannot be read, are damaged, or cannot be resumed: a game that is
    /// over, a game without a person, a copy for a seat. The text has the line and the reason.
    pub fn read(file: &Path) -> Result<SavedGame, Error> {
        let refuse = |reason: String| Error::usage(format!("{}: {reason}", file.display()));
        let open = || ReplayReader::open(file).map_err(|error| refuse(error.to_string()));
        let header = open()?.header().clone();
        if let Some(seat) = &header.view_of {
            return Err(refuse(format!(
                "line 1: expected the replay of a whole game, got the copy for the seat {seat}"
            )));
        }
        if !header.players.first().is_some_and(|player| player.untimed) {
            return Err(refuse(
                "line 1: expected a game of a person, got one without a person".to_string(),
            ));
        }
        match verify(open()?, &registered_table) {
            // It ends where the person left it.
            Err(VerifyError::Read(ReadError::Truncated { .. })) => {}
            Err(error) => return Err(refuse(error.to_string())),
            // The host failed, and the game may be resumed.
            Ok(report) if report.outcome.kind == OutcomeKind::Void => {}
            Ok(report) => {
                return Err(refuse(format!(
                    "line {}: the game is over ({}): only an unfinished game can be resumed",
                    report.lines, report.outcome.reason
                )));
            }
        }
        let (mut record, mut opening) = (Vec::new(), None);
        for line in open()? {
            match line {
                Err(ReadError::Truncated { .. }) => break,
                Err(error) => return Err(refuse(error.to_string())),
                Ok(line) => match line.event {
                    // The first one is the opening.
                    Event::Chance(drawn) if opening.is_none() => {
                        opening = Some(drawn.outcome.get().to_string());
                    }
                    Event::Move(decided, _) => {
                        let seat = header.seats.iter().position(|held| held.seat == decided.seat);
                        let seat = seat.ok_or_else(|| {
                            let (number, seat) = (line.number, &decided.seat);
                            refuse(format!("line {number}: there is no seat {seat}"))
                        })?;
                        record.push(Decision { seat, action: decided.action.get().to_string() });
                    }
                    Event::Fault(fault, _) if fault.fatal => {
                        return Err(refuse(format!(
                            "line {}: a bot has forfeited: such a game cannot be resumed",
                            line.number
                        )));
                    }
                    _ => {}
                },
            }
        }
        let opening = opening.filter(|_| header.opening == OpeningSource::Given);
        let settings = read_settings(&settings_path(file))?;
        Ok(SavedGame { file: file.to_path_buf(), record, header, opening, settings })
    }

    /// Returns the containment of its bots.
    pub fn containment(&self) -> &ContainmentConfig {
        &self.settings.containment
    }
}

fn read_settings(path: &Path) -> Result<Settings, Error> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let text = fs::read_to_string(path).map_err(|error| {
        Error::usage(format!(
            "{}: {error}; a saved game has this file beside its replay",
            path.display()
        ))
    })?;
    // The version is checked before anything else that could be different.
    let refuse = |error: serde_json::Error| Error::usage(format!("{}: {error}", path.display()));
    let Version { version } = serde_json::from_str(&text).map_err(refuse)?;
    if version != VERSION {
        return Err(Error::usage(format!(
            "{}: expected version {VERSION}, got version {version}, which another version of \
             Botyard wrote",
            path.display()
        )));
    }
    serde_json::from_str(&text).map_err(refuse)
}

/// Returns the file with the settings of a saved game: `GAME.play.json` for `GAME.ndjson`.
pub(super) fn settings_path(replay: &Path) -> PathBuf {
    if replay.extension().is_some_and(|extension| extension == "ndjson") {
        return replay.with_extension("play.json");
    }
    let mut path = replay.as_os_str().to_owned();
    path.push(".play.json");
    path.into()
}

impl PlayPlan {
    /// Writes the settings of the game beside its replay.
    pub(super) fn save_settings(&self, replay: &Path) -> io::Result<()> {
        let Some(settings) = &self.settings else {
            return Err(io::Error::other("a game under the conditions of an event is not resumed"));
        };
        let mut json = serde_json::to_vec_pretty(settings)?;
        json.push(b'\n');
        atomic_file::replace(&settings_path(replay), &json)
    }

    /// Saves the game as far as its replay has it: copies the replay to `file`, with its settings
    /// beside it. An earlier save of the same game is replaced.
    ///
    /// # Errors
    ///
    /// The file exists and is not a save of this game, or the host cannot write it.
    pub fn save(&self, replay: &Path, file: &Path) -> Result<(), Error> {
        let is_own = || {
            let earlier = ReplayReader::open(file);
            earlier.is_ok_and(|earlier| earlier.header().game_id == self.game.id)
        };
        if file.exists() && !is_own() {
            return Err(Error::usage(format!(
                "{} exists and is not a save of this game: choose another file",
                file.display()
            )));
        }
        let failed = |error: io::Error| {
            Error::host(format!("the game cannot be saved in {}: {error}", file.display()))
        };
        let bytes = fs::read(replay).map_err(failed)?;
        self.save_settings(file).map_err(failed)?;
        atomic_file::replace(file, &bytes).map_err(failed)
    }

    /// Removes the settings beside the replay of a game that is over.
    ///
    /// # Errors
    ///
    /// The file cannot be removed.
    pub fn forget_settings(&self, replay: &Path) -> Result<(), Error> {
        let path = settings_path(replay);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::host(format!("{} cannot be removed: {error}", path.display())))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the settings of a game that is started in the current directory.
pub(super) fn settings(
    against: Vec<String>,
    containment: &ContainmentConfig,
    rated: bool,
) -> Settings {
    Settings {
        version: VERSION,
        // Only errors name it.
        directory: std::env::current_dir().unwrap_or_default(),
        against,
        containment: containment.clone(),
        rated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_beside_the_replay() {
        for (replay, expected) in [
            ("out/game.ndjson", "out/game.play.json"),
            ("game", "game.play.json"),
            ("my.game", "my.game.play.json"),
        ] {
            assert_eq!(settings_path(Path::new(replay)), Path::new(expected));
        }
    }

    #[test]
    fn settings_of_another_version_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("game.play.json");
        for (text, expected) in [
            (r#"{"version": 2, "colour": "red"}"#, "expected version 1, got version 2"),
            ("{\"version\": 1,\n\"against\": 3}", "line 2"),
            ("", "line 1"),
        ] {
            fs::write(&path, text).unwrap();
            let error = read_settings(&path).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("game.play.json"), "{error}");
        }
        let written = settings(vec!["random".into()], &ContainmentConfig::default(), true);
        fs::write(&path, serde_json::to_vec(&written).unwrap()).unwrap();
        assert_eq!(read_settings(&path).unwrap(), written);
    }
}
