//! The lines of a bot that are accepted as messages, and the errors of those that are rejected. The
//! cases are data: `transcripts/v1/accepted.jsonl` and `refused.jsonl`.

use botyard_protocol::{BotLine, Limits, LineError, MAX_INTEGER, parse_bot_line};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

/// A line too long or too odd to be written out.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Line {
    Text(String),
    Hex { hex: String },
    Repeated { before: String, repeat: String, times: usize, after: String },
}

impl Line {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Line::Text(text) => text.as_bytes().to_vec(),
            Line::Hex { hex } => (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
                .collect(),
            Line::Repeated { before, repeat, times, after } => {
                format!("{before}{}{after}", repeat.repeat(*times)).into_bytes()
            }
        }
    }
}

fn cases<T: for<'de> Deserialize<'de>>(file: &str) -> Vec<T> {
    file.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn refused_lines_have_their_error_and_byte() {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Refused {
        line: Line,
        error: String,
        byte: Option<usize>,
        says: Option<String>,
    }
    let cases: Vec<Refused> = cases(include_str!("transcripts/v1/refused.jsonl"));
    for case in &cases {
        let line = case.line.bytes();
        let shown = botyard_protocol::excerpt(&line, 100);
        let error = match parse_bot_line(&line, &Limits::default()) {
            Ok(message) => panic!("{shown} was parsed as {message:?}"),
            Err(error) => error,
        };
        assert_eq!((error.name(), error.byte()), (&*case.error, case.byte), "{shown}: {error}");
        let text = error.to_string();
        assert!(text.contains(case.says.as_deref().unwrap_or("expected")), "{shown}: {text}");
        assert!(text.len() < 400 && !text.chars().any(char::is_control), "{text:?}");
    }
    let mut met: Vec<&str> = cases.iter().map(|case| &*case.error).collect();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 15, "every reason of LineError has a case: {met:?}");
}

#[test]
fn accepted_lines_have_the_kind_they_name() {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Accepted {
        line: Line,
        is: String,
    }
    for case in cases::<Accepted>(include_str!("transcripts/v1/accepted.jsonl")) {
        let line = case.line.bytes();
        let shown = botyard_protocol::excerpt(&line, 100);
        match parse_bot_line(&line, &Limits::default()) {
            Ok(message) => assert_eq!(message.kind(), case.is, "{shown}"),
            Err(error) => panic!("{shown}: {error}"),
        }
    }
}

#[test]
fn a_move_is_borrowed_verbatim_from_its_line() {
    let line = br#" { "info" : {"score": 1.50} , "action":[ 1,2 ], "turn" :3,"type":"move" } "#;
    let Ok(BotLine::Move(answer)) = parse_bot_line(line, &Limits::default()) else {
        panic!("refused")
    };
    assert_eq!(answer.turn, 3);
    assert_eq!(answer.action.get(), "[ 1,2 ]");
    assert_eq!(answer.info.map(|info| info.get()), Some(r#"{"score": 1.50}"#));
}

#[test]
fn escapes_in_types_keys_and_texts_are_read() {
    let line = br#"{"t\u0079pe":"\u006cog","text":"a\n\u00e9\ud83c\udfb2"}"#;
    let Ok(BotLine::Log { text }) = parse_bot_line(line, &Limits::default()) else {
        panic!("refused")
    };
    assert_eq!(text, "a\né🎲");
}

#[test]
fn nesting_counts_the_message_itself() {
    for limit in [0, 1, 2, 10, 64, 127, 128, 1_000_000] {
        let limits = Limits { nesting: limit, ..Limits::default() };
        let deepest = limit.min(127) as usize;
        for (depth, fits) in [(deepest, true), (deepest + 1, false)] {
            let line = match depth {
                0 => continue,
                1 => r#"{"type":"ready"}"#.to_owned(),
                _ => {
                    let (open, close) = ("[".repeat(depth - 1), "]".repeat(depth - 1));
                    format!(r#"{{"type":"ready","x":{open}{close}}}"#)
                }
            };
            let found = parse_bot_line(line.as_bytes(), &limits);
            assert_eq!(found.is_ok(), fits, "limit {limit}, depth {depth}: {found:?}");
            if let Err(error) = found {
                assert_eq!(error.name(), "too_deep", "limit {limit}, depth {depth}");
            }
        }
    }
}

#[test]
fn an_object_of_ten_thousand_keys_is_read_and_its_one_duplicate_found() {
    let keys: Vec<String> = (0..10_000).map(|key| format!("\"{key}\":0")).collect();
    let line = |last: &str| format!(r#"{{"type":"ready","x":{{{},"{last}":0}}}}"#, keys.join(","));
    let limits = Limits::default();
    assert!(parse_bot_line(line("10000").as_bytes(), &limits).is_ok());
    for key in ["0", "7", "8", "9999"] {
        let refused = line(key);
        let error = parse_bot_line(refused.as_bytes(), &limits).unwrap_err();
        assert!(
            matches!(&error, LineError::DuplicateKey { key: found, .. } if found == key),
            "{error}"
        );
    }
}

/// JSON of any shape, with integers on both sides of the limit.
fn any_json() -> impl Strategy<Value = Value> {
    let integer = prop_oneof![
        any::<i64>(),
        -100..100i64,
        Just(MAX_INTEGER as i64),
        Just(MAX_INTEGER as i64 + 1),
        Just(-(MAX_INTEGER as i64)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        integer.prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn depth(value: &Value) -> u32 {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn integers_fit(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(integers_fit),
        Value::Object(fields) => fields.values().all(integers_fit),
        Value::Number(number) => {
            number.is_f64() || number.as_i64().is_some_and(|n| n.unsigned_abs() <= MAX_INTEGER)
        }
        _ => true,
    }
}

proptest! {
    #[test]
    fn any_bytes_give_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if parse_bot_line(&bytes, &Limits::default()).is_ok() {
            prop_assert!(serde_json::from_slice::<Value>(&bytes).unwrap().is_object());
        }
        let _ = botyard_protocol::parse_referee_line(&bytes);
    }

    #[test]
    fn a_line_with_bytes_changed_is_an_object_of_json_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut line = br#"{"type":"move","turn":12,"action":{"a":[1,-2.5e3,"\u00e9"],"b":null},"info":{}}"#.to_vec();
        for (at, byte) in changes {
            let at = at.index(line.len());
            line[at] = byte;
        }
        match parse_bot_line(&line, &Limits::default()) {
            Ok(_) => prop_assert!(serde_json::from_slice::<Value>(&line).unwrap().is_object()),
            Err(error) => prop_assert!(error.byte().is_none_or(|byte| byte <= line.len() + 1)),
        }
    }

    #[test]
    fn an_action_passes_if_its_depth_and_its_integers_do(action in any_json(), nesting in 1..12u32) {
        let line = json!({"type": "move", "turn": 1, "action": action}).to_string();
        let fits = depth(&action) < nesting && integers_fit(&action);
        let limits = Limits { nesting, ..Limits::default() };
        match parse_bot_line(line.as_bytes(), &limits) {
            Ok(BotLine::Move(answer)) => {
                prop_assert!(fits, "{}", line);
                prop_assert_eq!(serde_json::from_str::<Value>(answer.action.get()).unwrap(), action);
            }
            Ok(other) => prop_assert!(false, "{:?}", other),
            Err(error) => prop_assert!(!fits, "{}: {}", line, error),
        }
    }
}
