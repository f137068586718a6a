//! Errors of `serde_json` in words about the JSON, for the author of the bot or file that it came
//! from: Rust's type names, line and column numbers mean nothing to them.

/// Returns why JSON is not a value of the game, without the names of Rust's types.
pub(crate) fn explained(error: &serde_json::Error) -> String {
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
        "a nonzero u8" => "an integer from 1 to 255",
        "a nonzero u16" => "an integer from 1 to 65535",
        "a boolean" => "true or false",
        "a sequence" => "an array",
        "a map" => "an object",
        other if other.starts_with("tuple ") => "an array",
        other if other.starts_with("struct ") => "an object",
        other => return quoted(other),
    };
    words.to_owned()
}

/// JSON's quotes for those of `serde`.
fn quoted(text: &str) -> String {
    text.replace('`', "\"")
}
