//! The `info` of a bot's answer in a few words.

use botyard_protocol::printable;
use serde_json::Value;

/// How many characters of a principal variation, and how many of a text, are shown.
const CHARACTERS: usize = 60;

/// Formats what a bot says about its action, `score 0.42, depth 3, nodes 18230, pv 11-15 22-18`:
/// the fields of the convention in `docs/protocol.md`, whichever there are. Empty if there are
/// none.
///
/// ```
/// use botyard_replay::info_in_words;
///
/// let info = r#"{"depth":3,"score":0.4217,"pv":["11-15",{"to":4}],"text":"hm","own":1}"#;
/// assert_eq!(info_in_words(info), r#"score 0.422, depth 3, pv 11-15, to 4, "hm""#);
/// assert_eq!(info_in_words("[1]"), "");
/// ```
pub fn info_in_words(info: &str) -> String {
    let Ok(Value::Object(info)) = serde_json::from_str(info) else { return String::new() };
    let shown = |text: &str| printable(text, CHARACTERS);
    let mut words = Vec::new();
    for key in ["score", "depth", "nodes"] {
        match info.get(key) {
            Some(Value::Number(number)) if number.is_f64() => {
                let rounded = (number.as_f64().unwrap_or(0.0) * 1000.0).round() / 1000.0;
                words.push(format!("{key} {rounded}"));
            }
            Some(Value::Number(number)) => words.push(format!("{key} {number}")),
            _ => {}
        }
    }
    if let Some(Value::Array(actions)) = info.get("pv")
        && !actions.is_empty()
    {
        words.push(format!("pv {}", line_in_words(actions, CHARACTERS)));
    }
    if let Some(Value::String(text)) = info.get("text") {
        words.push(format!("\"{}\"", shown(text)));
    }
    words.join(", ")
}

/// Formats a principal variation in at most this many characters: `11-15 22-18`. An action that is no
/// text is formatted as its fields, and then a comma is between actions.
///
/// ```
/// use botyard_replay::line_in_words;
/// use serde_json::json;
///
/// assert_eq!(line_in_words(&[json!("11-15"), json!("22-18")], 60), "11-15 22-18");
/// let steps = [json!({"ticket": "taxi", "to": 58}), json!({"attack": [3, 5]}), json!(2)];
/// assert_eq!(line_in_words(&steps, 60), "ticket taxi to 58, attack 3-5, 2");
/// assert_eq!(line_in_words(&steps, 12), "ticket ta...");
/// ```
pub fn line_in_words(line: &[Value], characters: usize) -> String {
    // More actions than fit are not formatted.
    let actions = || line.iter().take(characters);
    let between = if actions().all(Value::is_string) { " " } else { ", " };
    let words: Vec<String> = actions().map(value_in_words).collect();
    printable(&words.join(between), characters)
}

/// Formats a value, such as an action, for people: a text without quotes, the fields of an object by their
/// names, the values of a list with dashes between them. `values.js` does the same on pages.
///
/// ```
/// use botyard_replay::value_in_words;
/// use serde_json::json;
///
/// assert_eq!(value_in_words(&json!({"heap": 1, "take": 2})), "heap 1 take 2");
/// ```
pub fn value_in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            values.iter().map(value_in_words).collect::<Vec<String>>().join("-")
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| match value {
                Value::Bool(true) => name.clone(),
                value => format!("{name} {}", value_in_words(value)),
            };
            fields.iter().map(field).collect::<Vec<String>>().join(" ")
        }
        other => other.to_string(),
    }
}
