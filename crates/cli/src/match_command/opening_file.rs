//! A file of openings: one as a JSON value over as many lines as it likes, or one a line (NDJSON).
//! Whether they are openings of the game is for its rules to say.

use serde_json::Value;
use serde_json::value::RawValue;

/// Why a file holds no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningFileError {
    /// There is nothing in it.
    #[error("expected an opening as JSON, or one a line, got an empty file")]
    Empty,
    /// It is not JSON.
    #[error("expected an opening as JSON, or one a line: opening {number}: {message}")]
    NotJson {
        /// Which of them, from 1.
        number: usize,
        /// What the reader says, with line and column.
        message: String,
    },
    /// It is a list.
    #[error("expected openings one a line, got a list: write each element on a line of its own")]
    List,
}

/// The openings in the text of a file, each as JSON.
pub fn openings(text: &str) -> Result<Vec<String>, OpeningFileError> {
    let mut openings = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Box<RawValue>>() {
        let value = value.map_err(|error| OpeningFileError::NotJson {
            number: openings.len() + 1,
            message: error.to_string(),
        })?;
        openings.push(value.get().to_string());
    }
    match &openings[..] {
        [] => Err(OpeningFileError::Empty),
        [single] if serde_json::from_str::<Value>(single).is_ok_and(|json| json.is_array()) => {
            Err(OpeningFileError::List)
        }
        _ => Ok(openings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_opening_or_one_a_line() {
        for (text, expected) in [
            ("{\"a\": 1}", &["{\"a\": 1}"][..]),
            ("{\n  \"a\": 1\n}\n", &["{\n  \"a\": 1\n}"]),
            ("{\"a\":1}\n{\"a\":2}\r\n\n{\"a\":3}", &["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"]),
            ("\"11-15\"\n", &["\"11-15\""]),
        ] {
            assert_eq!(openings(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn files_without_openings_are_refused() {
        for (text, expected) in [
            ("", "got an empty file"),
            (" \n", "got an empty file"),
            ("[{\"a\":1}]", "got a list"),
            ("{\"a\":1}\n{\"a\":", "opening 2: EOF"),
            ("mr_x: 5", "opening 1: expected value at line 1 column 1"),
        ] {
            let error = openings(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }
}
