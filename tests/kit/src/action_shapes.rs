//! Actions in the wrong shape, as bots in other languages send them by mistake. Every game must take whole numbers that
//! are written as floats, and refuse everything else in words of the JSON.

use botyard_engine::table::Table;
use serde_json::{Value, json};

/// What no message to the author of a bot has: names of Rust and of `serde`.
const FOREIGN: [&str; 16] = [
    "u8",
    "u16",
    "u32",
    "u64",
    "i64",
    "f64",
    "usize",
    "struct",
    "enum",
    "variant",
    "tuple",
    "sequence",
    "floating",
    "`",
    "expected map",
    "line 1",
];

/// Tries all shapes at a table where a seat has the turn.
///
/// # Panics
///
/// A shape is taken that is not the action, or refused without a message that shows it.
pub fn check(table: &mut dyn Table) {
    for action in table.legal().into_iter().step_by(7).take(4) {
        let canonical = table.canonical_action(&action.to_string()).expect("a legal action");
        let floats = with_floats(&action).to_string();
        assert_eq!(table.canonical_action(&floats).as_deref(), Ok(&*canonical), "{floats}");
        let mut shapes = vec![json!([action]), json!({ "action": action }), json!([])];
        shapes.extend([json!(null), json!(true), json!(0.5), json!(1e300), json!("?"), json!({})]);
        if let Value::Object(fields) = &action {
            let mut wider = fields.clone();
            wider.insert("comment".into(), json!("x"));
            let message = refused(table, &wider.into(), None);
            assert!(message.contains("\"comment\""), "{message}");
            shapes.push(fields.values().cloned().collect());
        }
        for shape in shapes {
            refused(table, &shape, None);
        }
        for path in leaves(&action) {
            let leaf = action.pointer(&path).expect("a path of it");
            let number = leaf.as_f64();
            let wrong = [
                json!(null),
                json!(true),
                json!([leaf]),
                json!({ "is": leaf }),
                json!(-1),
                json!(1e30),
            ];
            let own = match number {
                Some(number) => [json!(number.to_string()), json!(number + 0.5)],
                None => [json!(7), json!(7.5)],
            };
            for value in wrong.into_iter().chain(own) {
                let mut shape = action.clone();
                *shape.pointer_mut(&path).expect("a path of it") = value.clone();
                refused(table, &shape, Some(&value));
            }
        }
    }
}

/// Checks that a shape is refused by a message that shows what came, or at least a value in it. Returns the message.
fn refused(table: &mut dyn Table, shape: &Value, value: Option<&Value>) -> String {
    let game = table.game();
    let text = shape.to_string();
    let Err(error) = table.canonical_action(&text) else { panic!("{game} takes {text}") };
    let message = error.to_string();
    let foreign = FOREIGN.iter().find(|word| {
        message.split(|c: char| c.is_whitespace() || ",:".contains(c)).any(|part| part == **word)
            || !word.chars().all(char::is_alphanumeric) && message.contains(*word)
    });
    assert_eq!(foreign, None, "{game}, {text}: {message}");
    let shows = match value {
        None => {
            ["got ", " is missing", "unknown key", "takes no"].iter().any(|it| message.contains(it))
        }
        Some(Value::Array(_)) => message.contains("an array"),
        Some(Value::Object(_)) => message.contains("an object") || message.contains("got \"is\""),
        Some(value) => message.contains(&value.to_string()),
    };
    assert!(shows || message.contains(&text), "{game}, {text}: {message}");
    message
}

/// Returns the paths of strings and numbers in an action.
fn leaves(action: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match action {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(values) => {
            values.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
        }
        _ => return Vec::new(),
    };
    let mut paths = Vec::new();
    for (key, value) in children {
        if value.is_string() || value.is_number() {
            paths.push(format!("/{key}"));
        }
        paths.extend(leaves(value).into_iter().map(|path| format!("/{key}{path}")));
    }
    paths
}

/// Returns an action with floats in place of integers, as NumPy writes them.
fn with_floats(action: &Value) -> Value {
    match action {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(values) => values.iter().map(with_floats).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), with_floats(value))).collect()
        }
        other => other.clone(),
    }
}
