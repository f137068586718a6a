//! Checks of `docs/protocol.md`: its examples are valid messages, its transcript is a tested one,
//! its bot is the one in `sdk/`, and every field of the schemas is documented.

use botyard_protocol::{BotMessage, Limits, RefereeMessage, parse_bot_line, schemas};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn page() -> String {
    fs::read_to_string(repository("docs/protocol.md")).unwrap()
}

/// Returns the fenced blocks of the page in this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if found == language {
                blocks.push(block.join("\n") + "\n");
            }
        }
    }
    blocks
}

#[test]
fn every_example_is_a_message_without_unknown_fields() {
    let page = page();
    let blocks = blocks(&page, "json");
    assert!(blocks.len() >= 5, "the page has too few examples");
    for line in blocks.iter().flat_map(|block| block.lines()) {
        let value: Value = serde_json::from_str(line).expect(line);
        let referee = serde_json::from_value::<RefereeMessage>(value.clone());
        let bot = serde_json::from_value::<BotMessage>(value.clone());
        let rewritten = match (referee, bot) {
            (Ok(message), _) => serde_json::to_value(message).unwrap(),
            (_, Ok(message)) => {
                parse_bot_line(line.as_bytes(), &Limits::default()).expect(line);
                serde_json::to_value(message).unwrap()
            }
            (Err(referee), Err(bot)) => panic!("{line}\nreferee: {referee}\nbot: {bot}"),
        };
        assert_eq!(rewritten, value, "{line}");
    }
}

#[test]
fn the_transcript_is_the_one_that_is_tested() {
    let expected = include_str!("transcripts/v1/whole-game.ndjson");
    assert_eq!(blocks(&page(), "transcript"), [expected]);
}

#[test]
fn the_bot_is_the_one_in_the_kit() {
    let file = fs::read_to_string(repository("sdk/python/examples/first.py")).unwrap();
    let code: Vec<&str> = file.lines().skip_while(|line| line.starts_with('#')).collect();
    assert_eq!(code.len(), 12, "a bot in twelve lines");
    assert_eq!(blocks(&page(), "python"), [code.join("\n") + "\n"]);
}

/// The names of all fields, and all words that a field may hold, in a schema.
fn words(schema: &Value, into: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Object(properties)) = fields.get("properties") {
                into.extend(properties.keys().cloned());
            }
            if let Some(Value::String(word)) = fields.get("const") {
                into.insert(word.clone());
            }
            if let Some(Value::Array(listed)) = fields.get("enum") {
                into.extend(listed.iter().filter_map(|word| Some(word.as_str()?.to_owned())));
            }
            fields.values().for_each(|value| words(value, into));
        }
        Value::Array(items) => items.iter().for_each(|item| words(item, into)),
        _ => {}
    }
}

#[test]
fn every_field_and_every_word_of_the_schemas_is_on_the_page() {
    let mut expected = BTreeSet::new();
    schemas().iter().for_each(|(_, schema)| words(schema, &mut expected));
    expected.remove("type");
    assert!(expected.contains("legal_sample") && expected.contains("substitute"), "{expected:?}");
    let page = page();
    let missing: Vec<&String> =
        expected.iter().filter(|word| !page.contains(&format!("`{word}`"))).collect();
    assert!(missing.is_empty(), "docs/protocol.md does not document these: {missing:?}");
}

#[test]
fn the_limits_on_the_page_are_the_defaults() {
    let page = page();
    let Value::Object(limits) = serde_json::to_value(Limits::default()).unwrap() else {
        unreachable!("limits are an object")
    };
    for (name, value) in limits {
        let row = format!("| `{name}` | {value} |");
        assert!(page.contains(&row), "docs/protocol.md lacks the row {row}");
    }
}

#[test]
fn links_to_files_lead_to_files() {
    let page = page();
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    for target in targets.filter(|target| !target.is_empty()) {
        assert!(repository("docs").join(target).exists(), "{target} is not there");
    }
}
