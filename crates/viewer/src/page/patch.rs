//! The difference of two JSON values, so that a page has the first view of a game and then only what
//! changes. `assets/record.js` applies the patches.

use serde_json::{Map, Value, json};

/// Returns what makes `new` of `old`; `None` if they are equal.
///
/// A patch is one of
///
/// * `{"v": value}`: the value is replaced;
/// * `{"o": {key: patch}, "d": [key]}`: members of an object change, others are removed;
/// * `{"l": length, "i": {index: patch}}`: an array gets this length, and items change.
pub(super) fn patch(old: &Value, new: &Value) -> Option<Value> {
    if old == new {
        return None;
    }
    let whole = || json!({ "v": new });
    let parts = match (old, new) {
        (Value::Object(old), Value::Object(new)) => of_objects(old, new),
        (Value::Array(old), Value::Array(new)) => of_arrays(old, new),
        _ => return Some(whole()),
    };
    let whole = whole();
    Some(if parts.to_string().len() < whole.to_string().len() { parts } else { whole })
}

fn of_objects(old: &Map<String, Value>, new: &Map<String, Value>) -> Value {
    let mut changed = Map::new();
    for (key, value) in new {
        let change = match old.get(key) {
            Some(before) => patch(before, value),
            None => Some(json!({ "v": value })),
        };
        changed.extend(change.map(|change| (key.clone(), change)));
    }
    let removed: Vec<&String> = old.keys().filter(|key| !new.contains_key(*key)).collect();
    match removed.is_empty() {
        true => json!({ "o": changed }),
        false => json!({ "o": changed, "d": removed }),
    }
}

fn of_arrays(old: &[Value], new: &[Value]) -> Value {
    let mut changed = Map::new();
    for (index, value) in new.iter().enumerate() {
        let change = match old.get(index) {
            Some(before) => patch(before, value),
            None => Some(json!({ "v": value })),
        };
        changed.extend(change.map(|change| (index.to_string(), change)));
    }
    json!({ "l": new.len(), "i": changed })
}

/// Applies a patch, as the page does.
#[cfg(test)]
pub(super) fn patched(old: &Value, patch: &Value) -> Value {
    if let Some(value) = patch.get("v") {
        return value.clone();
    }
    if let Some(changes) = patch["o"].as_object() {
        let mut new = old.as_object().cloned().unwrap_or_default();
        for key in patch["d"].as_array().into_iter().flatten() {
            new.remove(key.as_str().unwrap_or_default());
        }
        for (key, change) in changes {
            let value = patched(old.get(key).unwrap_or(&Value::Null), change);
            new.insert(key.clone(), value);
        }
        return Value::Object(new);
    }
    let mut new = old.as_array().cloned().unwrap_or_default();
    new.resize(patch["l"].as_u64().unwrap_or_default() as usize, Value::Null);
    for (index, change) in patch["i"].as_object().into_iter().flatten() {
        let index: usize = index.parse().expect("an index");
        new[index] = patched(old.get(index).unwrap_or(&Value::Null), change);
    }
    Value::Array(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_leads_from_the_old_value_to_the_new_one_and_is_short() {
        let long = "a text that is longer than a patch";
        let old = json!({"a": [1, 2, {"b": null, "t": long}], "gone": 1, "same": long, "n": null});
        for new in [
            json!({"a": [1, 3, {"b": 2, "t": long}, 4], "same": long, "n": null}),
            json!({"a": [1], "gone": 1, "same": long, "n": 2}),
            json!({"a": [], "gone": null, "same": [long], "n": null}),
            json!([1, 2]),
            json!(null),
        ] {
            let change = patch(&old, &new).expect("they differ");
            assert_eq!(patched(&old, &change), new, "{change}");
            assert!(change.to_string().len() <= new.to_string().len() + 6);
        }
        assert_eq!(patch(&old, &old), None);
        let one = json!({"a": [1, 2, {"b": 7, "t": long}], "gone": 1, "same": long, "n": null});
        let change = patch(&old, &one).expect("they differ");
        assert_eq!(change.to_string(), r#"{"o":{"a":{"i":{"2":{"o":{"b":{"v":7}}}},"l":3}}}"#);
    }
}
