//! Errors of `serde_json` reworded for the author of the bot that wrote the JSON: without Rust's
//! type names, and without line and column numbers.

use crate::strict_json::byte_of;
use crate::text::printable;
use serde_json::error::Category;

/// The reason for a line that does not even begin like a message.
pub(crate) const DEBUG_PRINT: &str = "a debug print? print to stderr";

/// Returns why a line or a value in it is not JSON, and the usual cause.
pub(crate) fn of_syntax(error: &serde_json::Error, json: &str) -> String {
    let byte = byte_of(error, json);
    let rest = json.get(byte.saturating_sub(1)..).unwrap_or_default();
    if error.classify() == Category::Eof {
        return "the line ends inside the message; print each message on one line".to_owned();
    }
    if rest.starts_with('\'') {
        return "single quotes: use a JSON library".to_owned();
    }
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).take(12).collect();
    match &*word {
        "NaN" | "nan" => return "NaN is not JSON; send null or leave the field out".to_owned(),
        "Infinity" | "inf" => return format!("{word} is not JSON; send a finite number"),
        "True" | "False" | "None" | "undefined" => {
            return format!("{word} is not JSON: use a JSON library");
        }
        _ => {}
    }
    let text = without_place(error);
    match &*text {
        "trailing characters" => "text after the message; print one message per line".to_owned(),
        "trailing comma" => "a comma before } or ]".to_owned(),
        "key must be a string" => "a key without double quotes: use a JSON library".to_owned(),
        "invalid number" => "a number that JSON does not allow, such as 01 or 1.".to_owned(),
        "expected value" | "expected ident" => "expected a JSON value".to_owned(),
        "invalid escape" => "an escape in a string that JSON does not have".to_owned(),
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "half of a surrogate pair, or an incomplete \\u escape".to_owned()
        }
        text if text.starts_with("control character") => {
            "a control character in a string; write it as an escape, such as \\n".to_owned()
        }
        text => printable(&text.replace('`', ""), 200),
    }
}

/// Returns why JSON is not a message of its type.
pub(crate) fn of_data(error: &serde_json::Error, json: &str) -> String {
    let text = without_place(error);
    let words = if let Some(field) = text.strip_prefix("missing field ") {
        format!("{} is missing", quoted(field))
    } else if let Some((found, expected)) = expectation(&text) {
        let key = key_of_value(json.get(..byte_of(error, json)).unwrap_or_default());
        match key {
            Some(key) => format!("\"{key}\" must be {expected}, not {found}"),
            None => format!("expected {expected}, got {found}"),
        }
    } else {
        quoted(&text)
    };
    printable(&words, 200)
}

/// Returns the value that came and the values that were expected, in words.
fn expectation(text: &str) -> Option<(String, String)> {
    let (found, expected) = text.split_once(", expected ")?;
    if let Some(found) = found.strip_prefix("unknown variant ") {
        return Some((quoted(found), quoted(expected)));
    }
    let found =
        found.strip_prefix("invalid type: ").or_else(|| found.strip_prefix("invalid value: "))?;
    let found = match found.split_once(' ') {
        Some(("string", text)) => format!("the string {text}"),
        Some(("integer" | "boolean", value)) => value.replace('`', ""),
        Some(("floating", number)) => number.replace("point ", "").replace('`', ""),
        _ => json_kind(found).to_owned(),
    };
    Some((found, json_kind(expected).to_owned()))
}

/// Returns the JSON word for what `serde` calls a type.
fn json_kind(serde: &str) -> &str {
    match serde {
        "u8" => "an integer from 0 to 255",
        "u16" => "an integer from 0 to 65535",
        "u32" => "an integer from 0 to 4294967295",
        "u64" => "an integer from 0",
        "i64" => "an integer",
        "f64" => "a number",
        "a boolean" => "true or false",
        "sequence" | "a sequence" => "an array",
        "map" | "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    }
}

/// Returns the key whose value ends or begins at the end of `json`, the text before an error.
fn key_of_value(json: &str) -> Option<&str> {
    let bytes = json.as_bytes();
    let (mut at, mut last) = (0, None);
    while at < bytes.len() {
        if bytes[at] != b'"' {
            at += 1;
            continue;
        }
        let start = at + 1;
        at = start;
        while bytes.get(at).is_some_and(|&byte| byte != b'"') {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        let Some(key) = json.get(start..at) else { break };
        at += 1;
        let after = json.get(at..).unwrap_or_default().trim_start();
        if let Some(value) = after.strip_prefix(':') {
            last = Some((key, value.trim()));
        }
    }
    let (key, value) = last?;
    let is_value = matches!(value, "" | "[" | "{")
        || serde_json::from_str::<serde::de::IgnoredAny>(value).is_ok();
    is_value.then_some(key)
}

/// Replaces `serde`'s backquotes by JSON's quotes.
fn quoted(text: &str) -> String {
    text.replace('`', "\"")
}

/// Returns the text of an error without "at line 1 column 29".
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
