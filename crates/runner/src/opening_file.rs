//! A file of openings: one as a JSON value over as many lines as it likes, or one a line (NDJSON).
//! Whether they are openings of the game is for its rules to say.

use serde_json::Value;
use serde_json::value::RawValue;
use std::path::Path;

/// Why a file holds no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningFileError {
    /// There is nothing in it.
    #[error("expected an opening as JSON, or one per line, got an empty file")]
    Empty,
    /// It is not JSON.
    #[error("expected an opening as JSON, or one per line: opening {number}: {message}")]
    NotJson {
        /// Which of them, from 1.
        number: usize,
        /// What the reader says, with line and column.
        message: String,
    },
    /// It is a list.
    #[error("expected one opening per line, got a list: write each element on its own line")]
    List,
}

/// An opening as JSON, and the line it begins on, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedOpening {
    /// The line, from 1.
    pub line: usize,
    /// The opening.
    pub json: String,
}

/// Whether a file is JSON: by the ending of its name, and where that says nothing, by its text.
pub fn is_json(name: &Path, text: &str) -> bool {
    match name.extension().and_then(|ending| ending.to_str()) {
        Some("json" | "jsonl" | "ndjson") => true,
        Some("pdn" | "fen") => false,
        _ => text.trim_start().starts_with('{'),
    }
}

/// The openings in the text of a file.
pub fn openings(text: &str) -> Result<Vec<LocatedOpening>, OpeningFileError> {
    let mut openings = Vec::new();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Box<RawValue>>();
    loop {
        let before = values.byte_offset();
        let Some(value) = values.next() else { break };
        let value = value.map_err(|error| OpeningFileError::NotJson {
            number: openings.len() + 1,
            message: error.to_string(),
        })?;
        let blank = text[before..].len() - text[before..].trim_start().len();
        let line = 1 + text[..before + blank].matches('\n').count();
        openings.push(LocatedOpening { line, json: value.get().to_string() });
    }
    match &openings[..] {
        [] => Err(OpeningFileError::Empty),
        [single]
            if serde_json::from_str::<Value>(&single.json).is_ok_and(|json| json.is_array()) =>
        {
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
            let found: Vec<_> = openings(text).unwrap().into_iter().map(|one| one.json).collect();
            assert_eq!(found, expected, "{text:?}");
        }
        let lines = openings("\n{\"a\":1}\n\n  {\"a\":\n2} {}\n").unwrap();
        assert_eq!(lines.iter().map(|one| one.line).collect::<Vec<_>>(), [2, 4, 5]);
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
