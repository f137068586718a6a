//! Errors of `serde_json` reworded for the author of the bot or file that the JSON came from:
//! without Rust's type names, and without line and column numbers where they do not help.

/// How many characters of a text that is not JSON are shown.
const SHOWN: usize = 40;

/// Returns what was expected and what a text has at the place of the error. `end` names the end of
/// the text.
///
/// ```
/// # use botyard_engine::json_words::expected;
/// let text = "mr_x: 5";
/// let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
/// let words = expected("an opening as JSON", &error, text, "the end of the file");
/// assert_eq!(words, "expected an opening as JSON, got \"mr_x: 5\"");
/// ```
pub fn expected(what: &str, error: &serde_json::Error, text: &str, end: &str) -> String {
    if error.is_data() {
        return format!("expected {what}: {}", explained(error));
    }
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    // The error may be within a word.
    let mut start = error.column().saturating_sub(1).min(line.len());
    while start > 0 && line.as_bytes()[start - 1].is_ascii_alphanumeric() {
        start -= 1;
    }
    let rest = line.get(start..).unwrap_or(line).trim_end();
    let got = match rest.char_indices().nth(SHOWN) {
        _ if error.is_eof() => end.to_string(),
        None => format!("{rest:?}"),
        Some((shown, _)) => format!("{:?}...", &rest[..shown]),
    };
    format!("expected {what}, got {got}")
}

/// Returns why JSON cannot be read as a value of the game, without Rust's type names.
pub fn explained(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    if let Some(field) = text.strip_prefix("missing field ") {
        return format!("{} is missing", quoted(field));
    }
    if let Some(field) = text.strip_prefix("duplicate field ") {
        return format!("the key {} comes twice", quoted(field));
    }
    if let Some(field) = text.strip_prefix("unknown field ") {
        return format!("unknown key {}", quoted(field));
    }
    let Some((found, expected)) = text.split_once(", expected ") else { return quoted(text) };
    if found.starts_with("invalid length") && expected.starts_with("struct ") {
        return "expected an object, got an array".to_owned();
    }
    if let Some(length) = found.strip_prefix("invalid length ") {
        return format!("expected {}, got {length}", elements(expected));
    }
    if expected == "map with a single key" {
        return "expected an object with one key, got another number of keys".to_owned();
    }
    let kind = found.strip_prefix("invalid ").and_then(|found| found.split_once(": "));
    let found = match (kind, found.strip_prefix("unknown variant ")) {
        (Some((_, found)), _) => found_in_json(found),
        (None, Some(word)) => quoted(word),
        (None, None) => return quoted(text),
    };
    format!("expected {}, got {found}", expected_in_json(expected))
}

fn found_in_json(found: &str) -> String {
    match found.split_once(' ') {
        Some(("string", text)) => format!("the string {text}"),
        Some(("integer" | "boolean", value)) => value.replace('`', ""),
        Some(("floating", number)) => number.replace("point ", "").replace('`', ""),
        _ => match found {
            "unit variant" => "its key alone, as a string".to_owned(),
            "map" => "an object".to_owned(),
            "sequence" => "an array".to_owned(),
            other => quoted(other),
        },
    }
}

fn expected_in_json(expected: &str) -> String {
    let words = match expected {
        "u8" => "an integer from 0 to 255",
        "u16" => "an integer from 0 to 65535",
        "u32" => "an integer from 0 to 4294967295",
        "u64" | "usize" => "an integer from 0",
        "i8" | "i16" | "i32" | "i64" => "an integer",
        "a nonzero u8" => "an integer from 1 to 255",
        "a nonzero u16" => "an integer from 1 to 65535",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "an array",
        "a map" => "an object",
        "unit" => "null or the key alone, as a string",
        "string or map" => "a string or an object",
        other if other.starts_with("tuple ") => "an array",
        other if other.starts_with("struct ") => "an object",
        other => return quoted(other),
    };
    words.to_owned()
}

/// Returns the array that was expected instead of one of another length.
fn elements(expected: &str) -> String {
    let count = expected.rsplit_once(" with ").map(|(_, count)| count);
    match count.or(expected.strip_prefix("an array of length ")) {
        Some(count) if count.ends_with("s") => format!("an array of {count}"),
        Some(count) => format!("an array of {count} elements"),
        None if expected.starts_with("fewer") => "an array of fewer elements".to_owned(),
        None => quoted(expected),
    }
}

/// Replaces `serde`'s backquotes by JSON's quotes.
fn quoted(text: &str) -> String {
    text.replace('`', "\"")
}
