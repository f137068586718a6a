//! The JSON Schemas of the messages, generated from their types, with the feature `schema`. They are checked in under
//! `docs/schemas/protocol/`, so that a change of the contract shows in review.

use crate::messages::{BotMessage, RefereeMessage};
use schemars::schema_for;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Returns all schemas by name, each self-contained: `referee-message` and `bot-message` for any
/// line of one side, and one for each message, such as `referee-start` and `bot-move`.
pub fn schemas() -> Vec<(&'static str, Value)> {
    let referee = schema_for!(RefereeMessage).to_value();
    let bot = schema_for!(BotMessage).to_value();
    let mut all = vec![("referee-message", referee.clone()), ("bot-message", bot.clone())];
    for (name, message, family) in [
        ("referee-hello", "hello", &referee),
        ("referee-start", "start", &referee),
        ("referee-turn", "turn", &referee),
        ("referee-end", "end", &referee),
        ("referee-error", "error", &referee),
        ("referee-quit", "quit", &referee),
        ("bot-hello", "hello", &bot),
        ("bot-ready", "ready", &bot),
        ("bot-move", "move", &bot),
        ("bot-log", "log", &bot),
    ] {
        all.push((name, one_message(name, message, family)));
    }
    all
}

/// Returns the schema of one message, extracted from the schema of all messages of its side.
fn one_message(name: &str, message: &str, family: &Value) -> Value {
    let variants = family["oneOf"].as_array().expect("a tagged enum is one of its variants");
    let variant = variants
        .iter()
        .find(|variant| variant["properties"]["type"]["const"] == message)
        .expect("every message is a variant");
    let mut needed = BTreeSet::new();
    collect_references(variant, family, &mut needed);
    let definitions: Map<String, Value> =
        needed.into_iter().map(|name| (name.to_owned(), family["$defs"][name].clone())).collect();

    let mut schema = Map::new();
    schema.insert("$schema".into(), family["$schema"].clone());
    schema.insert("title".into(), name.into());
    schema.extend(variant.as_object().expect("a variant is an object").clone());
    if !definitions.is_empty() {
        schema.insert("$defs".into(), definitions.into());
    }
    Value::Object(schema)
}

/// Collects the names of all definitions that `schema` refers to, directly or indirectly.
fn collect_references<'a>(schema: &'a Value, family: &'a Value, into: &mut BTreeSet<&'a str>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                let name = value.as_str().and_then(|path| path.strip_prefix("#/$defs/"));
                match name {
                    Some(name) if key == "$ref" => {
                        if into.insert(name) {
                            collect_references(&family["$defs"][name], family, into);
                        }
                    }
                    _ => collect_references(value, family, into),
                }
            }
        }
        Value::Array(items) => {
            items.iter().for_each(|item| collect_references(item, family, into));
        }
        _ => {}
    }
}
