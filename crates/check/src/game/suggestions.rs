//! Actions to try: drawn from a JSON Schema, seen before, or changed a little.

use botyard_engine::random::{Stream, below, choose};
use serde_json::{Map, Value, json};

/// The most actions that are kept.
const MOST_KEPT: usize = 1000;

/// The deepest part of a schema that is followed.
const DEEPEST: u32 = 8;

/// Actions to try.
#[derive(Clone, Debug, Default)]
pub(crate) struct Suggestions {
    schema: Option<Value>,
    seen: Vec<Value>,
    added: u32,
}

impl Suggestions {
    /// How many suggestions are tried where no list of actions helps.
    pub(crate) const TRIES: u32 = 1000;

    /// Makes suggestions by the schema of actions.
    pub(crate) fn new(schema: Option<Value>) -> Suggestions {
        Suggestions { schema, seen: Vec::new(), added: 0 }
    }

    /// Keeps an action that was legal.
    pub(crate) fn add(&mut self, action: &str) {
        let Ok(action) = serde_json::from_str(action) else { return };
        if self.seen.len() < MOST_KEPT {
            self.seen.push(action);
        } else if let Some(place) = self.seen.get_mut(self.added as usize % MOST_KEPT) {
            *place = action;
        }
        self.added = self.added.wrapping_add(31);
    }

    /// Returns an action that may be legal.
    pub(crate) fn draw(&self, stream: &mut Stream) -> Option<String> {
        let drawn = match &self.schema {
            Some(schema) if self.seen.is_empty() || below(stream.rng(), 4) > 0 => {
                Some(by_schema(schema, schema, stream, 0))
            }
            _ => choose(stream.rng(), &self.seen).cloned(),
        };
        drawn.map(|action| action.to_string())
    }

    /// Returns actions that are mostly illegal after this one was legal: nonsense, other actions, and
    /// changes of this one.
    pub(crate) fn strange(&self, action: &str, stream: &mut Stream) -> Vec<Value> {
        let mut all = vec![
            Value::Null,
            json!([]),
            json!({}),
            json!("?"),
            json!(-1),
            json!(1_000_000_000_000_000_000_u64),
            json!({"to": 1e99}),
            json!([[[]]]),
            json!("x".repeat(1000)),
        ];
        all.extend((0..4).filter_map(|_| choose(stream.rng(), &self.seen).cloned()));
        if let Ok(action) = serde_json::from_str::<Value>(action) {
            changed(&action, &mut all);
        }
        all
    }
}

/// Returns whether two values are the same where 1, 1.0 and true are the same, as in many languages.
pub(crate) fn nearly_equal(one: &Value, other: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        value => value.as_f64(),
    };
    match (one, other) {
        (Value::Array(ones), Value::Array(others)) => {
            ones.len() == others.len()
                && ones.iter().zip(others).all(|(one, other)| nearly_equal(one, other))
        }
        (Value::Object(ones), Value::Object(others)) => {
            ones.len() == others.len()
                && ones
                    .iter()
                    .all(|(key, one)| others.get(key).is_some_and(|other| nearly_equal(one, other)))
        }
        _ => match (number(one), number(other)) {
            (Some(one), Some(other)) => one == other,
            _ => one == other,
        },
    }
}

/// Adds values that differ from this one in one place.
fn changed(value: &Value, all: &mut Vec<Value>) {
    match value {
        Value::Null => {}
        Value::Bool(truth) => all.push(json!(!truth)),
        Value::Number(number) => {
            let number = number.as_i64().unwrap_or_default();
            all.extend([
                json!(number.wrapping_add(1)),
                json!(number.wrapping_neg().wrapping_sub(1)),
                json!(number.wrapping_add(1_000_000)),
                json!(number.to_string()),
                Value::Null,
            ]);
        }
        Value::String(text) => {
            all.extend([json!(format!("{text}?")), json!(""), json!([text]), Value::Null]);
        }
        Value::Array(items) => {
            all.push(Value::from(items.get(1..).unwrap_or_default()));
            for (index, item) in items.iter().enumerate().take(4) {
                let mut parts = Vec::new();
                changed(item, &mut parts);
                all.extend(parts.into_iter().map(|part| {
                    let mut items = items.clone();
                    items[index] = part;
                    Value::Array(items)
                }));
            }
        }
        Value::Object(fields) => {
            for (key, item) in fields.iter().take(4) {
                let mut without = fields.clone();
                without.remove(key);
                all.push(Value::Object(without));
                let mut parts = Vec::new();
                changed(item, &mut parts);
                all.extend(parts.into_iter().map(|part| {
                    let mut fields = fields.clone();
                    fields.insert(key.clone(), part);
                    Value::Object(fields)
                }));
            }
        }
    }
}

/// Draws a value that a JSON Schema describes, as far as its keywords are known here.
fn by_schema(schema: &Value, whole: &Value, stream: &mut Stream, depth: u32) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    for list in ["enum", "examples"] {
        if let Some(drawn) = schema.get(list).and_then(Value::as_array)
            && let Some(drawn) = choose(stream.rng(), drawn)
        {
            return drawn.clone();
        }
    }
    for list in ["oneOf", "anyOf"] {
        if let Some(branches) = schema.get(list).and_then(Value::as_array)
            && let Some(branch) = choose(stream.rng(), branches)
        {
            return by_schema(branch, whole, stream, depth + 1);
        }
    }
    if let Some(path) = schema.get("$ref").and_then(Value::as_str) {
        let target = path.strip_prefix('#').and_then(|path| whole.pointer(path));
        return target.map_or(Value::Null, |it| by_schema(it, whole, stream, depth + 1));
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => {
            choose(stream.rng(), kinds).and_then(Value::as_str).unwrap_or("null")
        }
        Some(kind) => kind.as_str().unwrap_or("null"),
        None if schema.get("properties").is_some() => "object",
        None => "null",
    };
    let bound =
        |key: &str, otherwise: i64| schema.get(key).and_then(Value::as_i64).unwrap_or(otherwise);
    match kind {
        "boolean" => json!(below(stream.rng(), 2) == 1),
        "integer" | "number" => {
            let least = bound("minimum", 0);
            let most = bound("maximum", least.saturating_add(99)).max(least);
            let span = most.saturating_sub(least).saturating_add(1);
            let span = u32::try_from(span).unwrap_or(u32::MAX);
            json!(least.saturating_add(i64::from(below(stream.rng(), span))))
        }
        "array" => {
            if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
                let items = items.iter().map(|item| by_schema(item, whole, stream, depth + 1));
                return Value::Array(items.collect());
            }
            let least = bound("minItems", 0).clamp(0, 1000);
            let most = bound("maxItems", least + 3).clamp(least, 1000);
            let span = u32::try_from(most - least + 1).unwrap_or(1);
            let length = least + i64::from(below(stream.rng(), span));
            let Some(items) = schema.get("items") else { return json!([]) };
            Value::Array((0..length).map(|_| by_schema(items, whole, stream, depth + 1)).collect())
        }
        "object" => {
            let required = schema.get("required").and_then(Value::as_array);
            let mut fields = Map::new();
            for (key, part) in
                schema.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                let is_required = required.is_some_and(|keys| keys.iter().any(|it| it == key));
                if is_required || below(stream.rng(), 2) == 1 {
                    fields.insert(key.clone(), by_schema(part, whole, stream, depth + 1));
                }
            }
            Value::Object(fields)
        }
        "string" => json!(""),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_gives_what_it_describes() {
        let schema = json!({
            "type": "object",
            "required": ["cell", "kind"],
            "properties": {
                "cell": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "#/$defs/line"}},
                "kind": {"enum": ["stone", "wall"]},
            },
            "$defs": {"line": {"type": "integer", "minimum": 3, "maximum": 5}},
        });
        let suggestions = Suggestions::new(Some(schema));
        let mut stream = Stream::new(1, "test");
        for _ in 0..100 {
            let action: Value =
                serde_json::from_str(&suggestions.draw(&mut stream).unwrap()).unwrap();
            assert!(["stone", "wall"].contains(&action["kind"].as_str().unwrap()), "{action}");
            let cell = action["cell"].as_array().unwrap();
            assert_eq!(cell.len(), 2, "{action}");
            assert!(cell.iter().all(|line| (3..=5).contains(&line.as_i64().unwrap())), "{action}");
        }
    }

    #[test]
    fn look_alikes_of_a_number_are_nearly_equal_and_its_neighbours_are_not() {
        assert!(nearly_equal(&json!({"a": [1]}), &json!({"a": [1.0]})));
        assert!(nearly_equal(&json!(true), &json!(1)));
        assert!(!nearly_equal(&json!(1), &json!(2)));
        assert!(!nearly_equal(&json!(1), &json!("1")));
    }
}
