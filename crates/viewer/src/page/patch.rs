//! The difference of two JSON values, so that a page has the first view of a game and then only what
//! changes. `assets/record.js` applies the patches.

use serde_json::{Map, Value, json};
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// Returns what makes `new` of `old`; `None` if they are equal.
///
/// A patch is one of
///
/// * `{"v": value}`: the value is replaced;
/// * `{"o": {key: patch}, "d": [key]}`: members of an object change, others are removed;
/// * `{"l": length, "i": {index: patch}}`: an array gets this length, and items change;
/// * `{"e": [edit]}`: an array is edited from its beginning to its end: a number above 0 keeps as many items,
///   one below 0 removes as many, an array has items to insert, and a patch changes one item.
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
    let is_edited = old.len() != new.len() || changed.len() > 2;
    let by_index = json!({ "l": new.len(), "i": changed });
    if !is_edited {
        return by_index;
    }
    let edited = json!({ "e": edits(old, new) });
    if edited.to_string().len() < by_index.to_string().len() { edited } else { by_index }
}

/// Returns the edits that make one array of another.
fn edits(old: &[Value], new: &[Value]) -> Vec<Value> {
    let mut edits = Vec::new();
    let (mut at, mut done, mut kept) = (0, 0, 0_i64);
    let end = [(old.len(), new.len())];
    for (from, to) in in_both(old, new).into_iter().chain(end) {
        if from > at || to > done {
            if kept > 0 {
                edits.push(json!(kept));
                kept = 0;
            }
            between(&old[at..from], &new[done..to], &mut edits);
        }
        kept += 1;
        (at, done) = (from + 1, to + 1);
    }
    // The last pair is the end and no item.
    if kept > 1 {
        edits.push(json!(kept - 1));
    }
    edits
}

/// Appends what replaces some items by others.
fn between(old: &[Value], new: &[Value], edits: &mut Vec<Value>) {
    if old.len() == new.len() {
        let patches = old.iter().zip(new).map(|(old, new)| patch(old, new));
        edits.extend(patches.map(|patch| patch.unwrap_or(json!(1))));
        return;
    }
    if !old.is_empty() {
        edits.push(json!(-(old.len() as i64)));
    }
    if !new.is_empty() {
        edits.push(json!(new));
    }
}

/// Returns pairs of equal items, as indices that increase in both arrays.
fn in_both(old: &[Value], new: &[Value]) -> Vec<(usize, usize)> {
    let same = |(old, new): &(&Value, &Value)| old == new;
    let first = old.iter().zip(new).take_while(same).count();
    let most = old.len().min(new.len()) - first;
    let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let (old_rest, new_rest) = (first..old.len() - last, first..new.len() - last);
    let mut pairs: Vec<(usize, usize)> = (0..first).map(|index| (index, index)).collect();
    pairs.extend(increasing(occurrences(old, old_rest.clone(), new, new_rest.clone())));
    pairs.extend((old_rest.end..old.len()).zip(new_rest.end..new.len()));
    pairs
}

/// Returns for items of the new array an equal one of the old array, each once.
fn occurrences(
    old: &[Value],
    old_range: Range<usize>,
    new: &[Value],
    new_range: Range<usize>,
) -> Vec<(usize, usize)> {
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
    for index in old_range {
        places.entry(old[index].to_string()).or_default().push_back(index);
    }
    let found = |index: usize| Some((places.get_mut(&new[index].to_string())?.pop_front()?, index));
    new_range.filter_map(found).collect()
}

/// Returns the longest part of these pairs, whose second numbers increase, in which the first ones do, too.
fn increasing(pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    // The pair with which the best part of each length ends, and the pair before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (number, (from, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].0 < *from);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let last = ends.last().copied();
    let mut part: Vec<(usize, usize)> =
        std::iter::successors(last, |&number| before[number]).map(|number| pairs[number]).collect();
    part.reverse();
    part
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
    if let Some(edits) = patch["e"].as_array() {
        let mut items = old.as_array().into_iter().flatten();
        let mut new = Vec::new();
        for edit in edits {
            match edit {
                Value::Array(inserted) => new.extend(inserted.iter().cloned()),
                Value::Number(count) => {
                    let count = count.as_i64().expect("a count");
                    let taken = items.by_ref().take(count.unsigned_abs() as usize);
                    if count > 0 {
                        new.extend(taken.cloned());
                    } else {
                        taken.for_each(drop);
                    }
                }
                change => new.push(patched(items.next().expect("an item"), change)),
            }
        }
        return Value::Array(new);
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

    #[test]
    fn an_item_that_comes_or_goes_in_the_middle_is_one_edit() {
        let cell = |at: usize, mark: &str| json!(["rect", { "x": at * 40, "y": 0, "fill": mark }]);
        let board = |marks: &[&str]| {
            let cells = marks.iter().enumerate().map(|(at, mark)| cell(at, mark));
            Value::Array([json!("g"), json!({})].into_iter().chain(cells).collect())
        };
        let old = board(&["none"; 8]);
        let mut longer = old.clone();
        longer.as_array_mut().expect("an array").insert(4, json!(["circle", { "r": "9" }]));
        let change = patch(&old, &longer).expect("they differ");
        assert_eq!(change.to_string(), r#"{"e":[4,[["circle",{"r":"9"}]],6]}"#);
        assert_eq!(patch(&longer, &old).expect("they differ").to_string(), r#"{"e":[4,-1,6]}"#);
        let moved = board(&["none", "red", "none", "none", "none", "none", "blue", "none"]);
        let mut reversed = longer.clone();
        reversed.as_array_mut().expect("an array")[2..].reverse();
        for (one, other) in
            [(&old, &longer), (&old, &moved), (&longer, &moved), (&longer, &reversed)]
        {
            for (old, new) in [(one, other), (other, one)] {
                let change = patch(old, new).expect("they differ");
                assert_eq!(patched(old, &change), *new, "{change}");
            }
        }
    }
}
