//! Rules whose value is in a file: `--rule map=archipelago.json`. The rules themselves do not read
//! files, so the content replaces the name here.

use crate::error::Error;
use crate::message;
use crate::settings::RULE;
use botyard_engine::json_words::expected;
use botyard_referee::{open_regular, read_text};
use serde_json::Value;
use std::io;
use std::path::Path;

/// The largest rule file, in bytes.
const LARGEST: u64 = 64 << 20;

/// Replaces the value of each rule that names a JSON file (it ends in `.json`) by the JSON in the
/// file.
///
/// # Errors
///
/// The file does not exist, cannot be read or is not JSON.
pub(crate) fn read(changes: &[(String, String)]) -> Result<Vec<(String, String)>, Error> {
    let read = |(key, value): &(String, String)| {
        let value = if value.ends_with(".json") { json_of(key, value)? } else { value.clone() };
        Ok((key.clone(), value))
    };
    changes.iter().map(read).collect()
}

fn json_of(key: &str, file: &str) -> Result<String, Error> {
    let wrong = |why: String| Error::usage(message![RULE, format!(" {key}={file}: {why}")]);
    let text = open_regular(Path::new(file)).and_then(|opened| read_text(opened, LARGEST));
    let text = text.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => wrong(format!("there is no file {file}")),
        _ => wrong(format!("the file cannot be read: {error}")),
    })?;
    let value: Value = serde_json::from_str(&text).map_err(|error| {
        let words = expected("one JSON value in the file", &error, &text, "the end of the file");
        wrong(format!("line {}, column {}: {words}", error.line(), error.column()))
    })?;
    Ok(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_of_files_become_what_is_in_them() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("map.json");
        fs::write(&file, "{\n  \"areas\": []\n}\n").unwrap();
        let name = file.to_str().unwrap();
        let rules = |map: &str| [("map".to_string(), map.to_string()), ("wear".into(), "4".into())];
        let expected = [("map".into(), "{\"areas\":[]}".into()), ("wear".into(), "4".into())];
        assert_eq!(read(&rules(name)).unwrap(), expected);
        let plain = rules("generated");
        assert_eq!(read(&plain).unwrap(), plain);
        fs::write(&file, "{} {}").unwrap();
        for (name, expected) in [
            (name, "line 1, column 4: expected one JSON value in the file, got \"{}\""),
            ("no/such/file.json", "there is no file no/such/file.json"),
            (".json", "start.changes map=.json: there is no file"),
        ] {
            let error = read(&rules(name)).unwrap_err();
            assert!(matches!(error, Error::Usage(_)), "{error}");
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
