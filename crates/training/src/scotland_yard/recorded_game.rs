//! Recorded games: the preset, the opening and all actions, one game per line of JSON.

use botyard_engine::scotland_yard::{Action, Opening};
use serde::{Deserialize, Serialize};

/// A game from its opening to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedGame {
    /// The preset of its rules.
    pub preset: String,
    /// What was drawn before the first move.
    pub opening: Opening,
    /// The actions of all seats, in order.
    pub actions: Vec<Action>,
}

/// Bytes that are not games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number}: {message}; the file was not written by `botyard train`, or is damaged")]
pub struct InvalidGames {
    /// The number of the game, from 1.
    pub number: usize,
    /// The error.
    pub message: String,
}

/// Writes a game as a line of JSON.
///
/// # Panics
///
/// Never: a game has nothing that JSON cannot hold.
pub fn write_game(game: &RecordedGame) -> Vec<u8> {
    let mut line = serde_json::to_vec(game).expect("a game has nothing that JSON cannot hold");
    line.push(b'\n');
    line
}

/// Reads games that [`write_game`] wrote, one after another.
///
/// # Errors
///
/// If the bytes are not games.
pub fn read_games(bytes: &[u8]) -> Result<Vec<RecordedGame>, InvalidGames> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    lines
        .map(|(index, line)| {
            let invalid = |message| InvalidGames { number: index + 1, message };
            // Without its end, a line may be a whole game all the same, but not as it was written.
            let line = line
                .strip_suffix(b"\n")
                .ok_or_else(|| invalid("expected the end of a line".into()))?;
            serde_json::from_slice(line).map_err(|error| invalid(error.to_string()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = concat!(
        r#"{"preset":"grid-5x5-2","opening":{"mr_x":13,"detectives":[3,11]},"actions":["#,
        r#"{"ticket":"taxi","to":14},{"detective":1,"ticket":"taxi","to":8}]}"#,
        "\n"
    );

    #[test]
    fn games_are_read_as_written_and_damage_is_found() {
        let bytes = LINE.repeat(2).into_bytes();
        let games = read_games(&bytes).unwrap();
        assert_eq!(games.iter().flat_map(write_game).collect::<Vec<u8>>(), bytes);
        for (bytes, message) in [
            (&bytes[..bytes.len() - 1], "game 2: expected the end of a line"),
            (&bytes[1..], "game 1: "),
            (b"bydraug\n", "game 1: expected value"),
        ] {
            let error = read_games(bytes).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
