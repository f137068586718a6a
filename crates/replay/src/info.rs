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
/// assert_eq!(info_in_words(info), r#"score 0.422, depth 3, pv 11-15 {"to":4}, "hm""#);
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
        let action = |action: &Value| match action {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // More actions than fit are not formatted.
        let actions: Vec<String> = actions.iter().take(CHARACTERS).map(action).collect();
        words.push(format!("pv {}", shown(&actions.join(" "))));
    }
    if let Some(Value::String(text)) = info.get("text") {
        words.push(format!("\"{}\"", shown(text)));
    }
    words.join(", ")
}
