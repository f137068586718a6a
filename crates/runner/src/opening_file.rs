//! Files of openings: one JSON value, over any number of lines, or one per line (NDJSON). The
//! game's rules check the openings themselves.

use botyard_engine::json_words::expected;
use serde_json::Value;
use serde_json::value::RawValue;
use std::path::Path;

/// Why a file cannot be read as openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OpeningFileError {
    /// It is empty.
    #[error("expected an opening as JSON, or one per line, got an empty file")]
    Empty,
    /// It is not valid JSON.
    #[error("line {line}, column {column}: {message} (opening {number})")]
    NotJson {
        /// The number of the opening, from 1.
        number: usize,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was expected and what came.
        message: String,
    },
    /// It is a list.
    #[error("expected one opening per line, got a list: write each element on its own line")]
    List,
}

/// An opening as JSON, and the line where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocatedOpening {
    /// The line, from 1.
    pub line: usize,
    /// The opening.
    pub json: String,
}

/// Returns whether a file is JSON: by its extension, or else by its text.
pub(crate) fn is_json(name: &Path, text: &str) -> bool {
    let plain = name.to_str().and_then(|name| name.strip_suffix(".gz")).map_or(name, Path::new);
    match plain.extension().and_then(|ending| ending.to_str()) {
        Some("json" | "jsonl" | "ndjson") => true,
        Some("pdn" | "fen") => false,
        _ => text.trim_start().starts_with('{'),
    }
}

/// Reads the openings in the text of a file.
pub(crate) fn openings(text: &str) -> Result<Vec<LocatedOpening>, OpeningFileError> {
    let mut openings = Vec::new();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Box<RawValue>>();
    loop {
        let before = values.byte_offset();
        let Some(value) = values.next() else { break };
        let value = value.map_err(|error| OpeningFileError::NotJson {
            number: openings.len() + 1,
            line: error.line(),
            column: error.column(),
            message: expected("an opening as JSON", &error, text, "the end of the file"),
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
            (
                "{\"a\":1}\n{\"a\":",
                "line 2, column 5: expected an opening as JSON, got the end of the file (opening 2)",
            ),
            (
                "mr_x: 5",
                "line 1, column 1: expected an opening as JSON, got \"mr_x: 5\" (opening 1)",
            ),
        ] {
            let error = openings(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }
}
