//! The JSON of two pages. The examples of `docs/reference/events.md` have the fields of the events that the program
//! prints, and no others, and its tables name every field. The replay in `docs/replay.md` is sound, and its tables name
//! every field that the program writes.

use crate::command::{Desk, events, misbehaving, repository};
use crate::{check_game, experiments, tournaments};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;

/// Objects whose keys are names of seats, rules, reasons and the like, with values of one form.
const BY_NAME: [&str; 8] =
    ["rules", "seats", "times", "by_seat", "reasons", "options", "points", "searches"];

#[test]
fn the_events_of_the_page_are_those_of_the_program() {
    let page = fs::read_to_string(repository("docs/reference/events.md")).unwrap();
    let desk = Desk::new();
    let garbage = misbehaving("garbage 1");
    // Without a seed, so that games are drawn from a secret, and with a bot that the gate rejects.
    let gate = "[gate]\nagainst = [\"random:seed=1\"]\n\n[time]";
    let cup = tournaments::SMALL.replace("seed = 7\n", "").replace("[time]", gate);
    let cup = format!("{cup}\n[[bot]]\nname = \"dan\"\ncommand = {garbage:?}\n");
    fs::write(desk.path("cup.toml"), cup).unwrap();
    fs::write(desk.path("small.toml"), experiments::SMALL).unwrap();
    check_game::write_game(&desk, "poker", "scores");
    let runs = [
        ("Match", "match scotland-yard greedy BOT --rules grid-5x5-2 --seed 1 --games 2"),
        ("Test", "test random greedy --game connect-four --seed 1 --max-games 4"),
        ("Tournament", "tournament run cup.toml --out cup"),
        ("Experiment", "experiment run ./small.toml --out small"),
        ("Check", "check BOT --game connect-four"),
        ("Check of a game", "check-game ./poker"),
    ];
    let mut wrong = Vec::new();
    for (section, command) in runs {
        let text = section_of(&page, section);
        let words =
            command.split(' ').map(|word| if word == "BOT" { garbage.as_str() } else { word });
        let ran = desk.run(&words.chain(["--json"]).collect::<Vec<&str>>());
        let printed = events(&ran.stdout);
        assert!(!printed.is_empty(), "{section}: {ran:#?}");
        for event in &printed {
            let kind = event["type"].as_str().expect("a type");
            for field in event.as_object().expect("an object").keys() {
                if !names(&page, text, field) {
                    wrong.push(format!("{section}: no table names `{field}` of {kind}"));
                }
            }
        }
        for example in examples(text) {
            let kind = example["type"].as_str().expect("a type").to_string();
            // The fullest of the printed ones: others lack faults, findings or figures.
            let of_kind = printed.iter().filter(|event| event["type"] == *kind);
            let Some(event) = of_kind.max_by_key(|event| event.to_string().len()) else {
                wrong.push(format!("{section}: no {kind} is printed: {ran:#?}"));
                continue;
            };
            compare(&format!("{section}: {kind}"), &example, event, &mut wrong);
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "docs/reference/events.md:\n{}", wrong.join("\n"));
}

#[test]
fn the_replay_of_the_page_is_sound_and_its_tables_name_every_field() {
    let page = fs::read_to_string(repository("docs/replay.md")).unwrap();
    let desk = Desk::new();
    let example = page.split("```json\n").nth(1).and_then(|block| block.split("```").next());
    fs::write(desk.path("example.ndjson"), example.expect("an example")).unwrap();
    let verified = desk.done(&["replay", "verify", "example.ndjson"]);
    assert!(verified.contains("6 decisions"), "{verified}");

    let faulty = format!("noisy={}", misbehaving("garbage 2"));
    let game = ["match", "scotland-yard", "mcts:iterations=10", &faulty, "--rules", "grid-5x5-2"];
    desk.done(
        &[
            &game[..],
            &["--seed", "1", "--on-fault", "substitute", "--bank", "600000", "--out", "r"],
        ]
        .concat(),
    );
    let replay = fs::read_to_string(&desk.replays("r")[0]).unwrap();
    let lines = events(&replay);
    for kind in ["header", "chance", "move", "fault", "state", "end"] {
        assert!(lines.iter().any(|line| line["type"] == kind), "no {kind}: {replay}");
    }
    let mut wrong = BTreeSet::new();
    let mut check = |kind: &str, object: &Value| {
        for field in object.as_object().expect("an object").keys() {
            if field != "type" && !page.contains(&format!("`{field}`")) {
                wrong.insert(format!("no table names `{field}` of {kind}"));
            }
        }
    };
    for line in &lines {
        let kind = line["type"].as_str().expect("a type");
        check(kind, line);
        if line["time"].is_object() {
            check("time", &line["time"]);
        }
    }
    check("seats", &lines[0]["seats"][0]);
    check("players", &lines[0]["players"][0]);
    assert!(wrong.is_empty(), "docs/replay.md: {wrong:#?}");
}

#[test]
fn other_fields_are_found() {
    let compared = |page: &str, printed: &str| {
        let mut wrong = Vec::new();
        let [page, printed] = [page, printed].map(|text| serde_json::from_str(text).unwrap());
        compare("it", &page, &printed, &mut wrong);
        wrong.join("; ")
    };
    let event = r#"{"a":1,"b":[{"c":null}],"rules":{"d":{"e":1}}}"#;
    assert_eq!(compared(event, event), "");
    assert_eq!(compared(event, r#"{"a":2.5,"b":[{"c":"x"}],"rules":{"f":{"e":0}}}"#), "");
    let other = compared(event, r#"{"a":"1","b":[{"g":null}],"rules":{"f":{}}}"#);
    for expected in ["it.a: a number", "no it.b.g", "it.b.c is not printed", "it.rules.*.e is not"]
    {
        assert!(other.contains(expected), "{expected}: {other}");
    }
}

/// Returns the text below a heading of the second level.
fn section_of<'a>(page: &'a str, heading: &str) -> &'a str {
    let begin = page.find(&format!("\n## {heading}\n")).expect(heading) + 1;
    page[begin..].split("\n## ").next().unwrap_or_default()
}

/// Returns the events in the JSON blocks of a section, each broken into several lines.
fn examples(section: &str) -> Vec<Value> {
    let blocks = section.split("```json\n").skip(1);
    let blocks =
        blocks.map(|block| block.split("```").next().unwrap_or_default().replace('\n', ""));
    let found: Vec<Value> = blocks
        .map(|block| {
            serde_json::from_str(&block).unwrap_or_else(|error| panic!("{error}: {block}"))
        })
        .collect();
    assert!(found.len() >= 3, "too few examples: {section}");
    found
}

/// Whether a section names a field, or that of matches, to which the others refer.
fn names(page: &str, section: &str, field: &str) -> bool {
    let named = format!("`{field}`");
    field == "type" || section.contains(&named) || section_of(page, "Match").contains(&named)
}

/// Adds how the form of a page's example differs from that of a printed event.
fn compare(path: &str, page: &Value, printed: &Value, wrong: &mut Vec<String>) {
    match (page, printed) {
        (Value::Null, _) | (_, Value::Null) => {}
        (Value::Object(page), Value::Object(printed)) => {
            compare_objects(path, page, printed, wrong)
        }
        (Value::Array(page), Value::Array(printed)) => {
            if let (Some(page), Some(printed)) = (page.first(), printed.first()) {
                compare(path, page, printed, wrong);
            }
        }
        _ if form(page) == form(printed) => {}
        _ => wrong.push(format!("{path}: {} on the page, {} printed", form(page), form(printed))),
    }
}

fn compare_objects(
    path: &str,
    page: &Map<String, Value>,
    printed: &Map<String, Value>,
    wrong: &mut Vec<String>,
) {
    let last = path.rsplit('.').next().unwrap_or_default();
    if BY_NAME.contains(&last) {
        if let (Some(page), Some(printed)) = (page.values().next(), printed.values().next()) {
            compare(&format!("{path}.*"), page, printed, wrong);
        }
        return;
    }
    let keys: BTreeSet<&String> = page.keys().chain(printed.keys()).collect();
    for key in keys {
        match (page.get(key), printed.get(key)) {
            (Some(page), Some(printed)) => compare(&format!("{path}.{key}"), page, printed, wrong),
            (Some(_), None) => wrong.push(format!("{path}.{key} is not printed")),
            _ => wrong.push(format!("the page has no {path}.{key}")),
        }
    }
}

fn form(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
