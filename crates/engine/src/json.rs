//! Values of a game's types as JSON. Each type is written as text only: the compiler makes a copy of the
//! code of a type for each form of output.

use serde::Serialize;
use serde_json::Value;

/// Returns the JSON of a value of a game's types, which are plain data with string keys.
pub(crate) fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a game's types are plain data with string keys")
}

/// Returns the same as a [`Value`].
pub(crate) fn value<T: Serialize>(value: &T) -> Value {
    parsed(&text(value))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("what was just written is JSON")
}
