//! Values of a game read from JSON of programs in any language. In JavaScript and NumPy, 13 may become `13.0`: where a
//! game expects an integer, a number that is whole is one, however it is written.

use crate::game::Game;
use crate::json;
use crate::json_words;
use crate::table::ActionError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::borrow::Cow;

/// All integers below are numbers of JavaScript and values of Python's `float`; of greater ones, some are.
const MOST: f64 = 9_007_199_254_740_992.0;

/// Returns JSON with each whole number written as an integer: `[13.0, 1e1, 0.5]` becomes `[13, 10, 0.5]`.
///
/// ```
/// use botyard_engine::json_values::whole;
///
/// assert_eq!(whole(r#"{"to":13.0,"why":"1.0"}"#), r#"{"to":13,"why":"1.0"}"#);
/// assert_eq!(whole("[-2.0, 1e1, 0.5, 1e300]"), "[-2, 10, 0.5, 1e300]");
/// ```
pub fn whole(json: &str) -> Cow<'_, str> {
    let mut changed = String::new();
    let (mut copied, mut at, mut in_string) = (0, 0, false);
    let bytes = json.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'"' => in_string = !in_string,
            b'\\' if in_string => at += 1,
            b'-' | b'0'..=b'9' if !in_string => {
                let is_number =
                    |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                let end = at + bytes[at..].iter().take_while(|byte| is_number(byte)).count();
                if let Some(integer) = integer(&json[at..end]) {
                    changed.push_str(&json[copied..at]);
                    changed.push_str(&integer.to_string());
                    copied = end;
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    match copied {
        0 => Cow::Borrowed(json),
        _ => Cow::Owned(changed + &json[copied..]),
    }
}

/// Returns the integer that a number with a fraction or an exponent is.
fn integer(number: &str) -> Option<i64> {
    if !number.contains(['.', 'e', 'E']) || serde_json::from_str::<f64>(number).is_err() {
        return None;
    }
    let value: f64 = number.parse().ok()?;
    (value.fract() == 0.0 && value.abs() < MOST).then_some(value as i64)
}

/// Reads an action of a game.
///
/// # Errors
///
/// What was expected and what came, in terms of the JSON.
pub fn read_action<G: Game>(json: &str) -> Result<G::Action, ActionError> {
    const EXPECTED: &str = "an action";
    let action = read::<G, G::Action>(json, EXPECTED)?;
    match json.contains('[') && !has_form(json, &json::text(&action)) {
        true => Err(malformed::<G>(EXPECTED, "expected an object, got an array".to_owned())),
        false => Ok(action),
    }
}

/// Reads a value of a game. `expected` names it: `an opening`.
///
/// # Errors
///
/// What was expected and what came, in terms of the JSON.
pub fn read<G: Game, T: DeserializeOwned>(
    json: &str,
    expected: &'static str,
) -> Result<T, ActionError> {
    parsed(json).map_err(|message| malformed::<G>(expected, message))
}

fn malformed<G: Game>(expected: &'static str, message: String) -> ActionError {
    ActionError::Malformed { game: G::NAME, expected, message }
}

fn parsed<T: DeserializeOwned>(json: &str) -> Result<T, String> {
    let error = match serde_json::from_str(json) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let whole = whole(json);
    let error = match &whole {
        Cow::Borrowed(_) => error,
        Cow::Owned(whole) => match serde_json::from_str(whole) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        },
    };
    // The parser reports the form of an enum as an error of the syntax, and says only where.
    let value = serde_json::from_str::<Value>(&whole).ok().filter(|_| error.is_syntax());
    if let Some(message) = value.as_ref().and_then(too_many_keys::<T>) {
        return Err(message);
    }
    let error = value.and_then(|value| T::deserialize(value).err()).unwrap_or(error);
    Err(json_words::explained(&error))
}

/// Returns the message about an object with further keys beside one that alone would be a value, which the parser does
/// not name.
fn too_many_keys<T: DeserializeOwned>(value: &Value) -> Option<String> {
    const SHOWN: usize = 3;
    let fields = value.as_object().filter(|fields| fields.len() > 1)?;
    let alone = |(key, value): (&String, &Value)| T::deserialize(json!({ key: value })).is_ok();
    fields.iter().any(alone).then(|| {
        let keys: Vec<String> = fields.keys().take(SHOWN).map(|key| format!("{key:?}")).collect();
        format!("expected an object with one key, got {}", keys.join(", "))
    })
}

/// Returns whether JSON has an object wherever the canonical JSON of the same value has one: the types of games take
/// arrays of the values for objects.
fn has_form(json: &str, canonical: &str) -> bool {
    fn alike(given: &Value, canonical: &Value) -> bool {
        match (given, canonical) {
            (Value::Object(given), Value::Object(canonical)) => canonical
                .iter()
                .all(|(key, value)| given.get(key).is_none_or(|it| alike(it, value))),
            (Value::Array(given), Value::Array(canonical)) => {
                given.iter().zip(canonical).all(|(given, canonical)| alike(given, canonical))
            }
            (Value::Array(_), Value::Object(_)) => false,
            _ => true,
        }
    }
    let [given, canonical] =
        [json, canonical].map(|text| serde_json::from_str(text).unwrap_or_default());
    alike(&given, &canonical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_that_are_whole_are_rewritten() {
        for (json, expected) in [
            ("13.0", "13"),
            ("-0.0", "0"),
            (r#""13.0 \\" , 2.0"#, r#""13.0 \\" , 2"#),
            (r#""\"1.0""#, r#""\"1.0""#),
            ("[1.5,2E2,3,4e-1,1.]", "[1.5,200,3,4e-1,1.]"),
            ("{\"a\":1e400}", "{\"a\":1e400}"),
            ("9007199254740993.0", "9007199254740993.0"),
            ("01.0", "01.0"),
            ("é1.0", "é1"),
        ] {
            assert_eq!(whole(json), expected);
        }
    }
}
