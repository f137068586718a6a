//! Games of an independent reference model, replayed under our rules.

use botyard_engine::Notation;
use botyard_engine::record::{Record, RecordError, RecordedEvent};
use botyard_engine::registry;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_engine::table::GameEvent;

const PLAYOUTS: &str = include_str!("data/scotland-yard/reference_playouts.jsonl");

fn import(text: &str) -> Vec<Result<Record, RecordError>> {
    ScotlandYard::import(text).expect("Scotland Yard has an import format").expect("games of it")
}

#[test]
fn every_reference_game_agrees() {
    let records = import(PLAYOUTS);
    let wrong: Vec<_> = records.iter().filter_map(|record| record.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(records.len(), 40);
    let checks: u64 = records.iter().flatten().map(|record| record.checks).sum();
    // Four facts at each of 1,406 decisions, two at each end.
    assert_eq!(checks, 4 * 1406 + 2 * 40);
    let events: usize = records.iter().flatten().map(|record| record.events.len()).sum();
    assert_eq!(events, 1406 + 23, "23 of the decisions are double moves");
}

#[test]
fn detectives_are_numbered_in_the_order_of_the_start_line() {
    let record = import(PLAYOUTS).swap_remove(0).unwrap();
    assert_eq!(record.id, "0");
    // RED, GREEN, BLUE, WHITE
    assert_eq!(record.opening["detectives"], serde_json::json!([117, 50, 138, 174]));
    // BLUE:taxi>152
    let second = serde_json::json!({ "detective": 3, "ticket": "taxi", "to": 152 });
    assert_eq!(record.events[1], RecordedEvent::Action(second));
}

#[test]
fn records_can_be_played_at_a_table() {
    for record in import(PLAYOUTS).into_iter().flatten() {
        let tables = registry::tables_with_rules("scotland-yard", &record.rules).unwrap();
        let mut table = tables();
        table.open_with(&record.opening.to_string()).unwrap();
        let mut game_event = GameEvent::default();
        for event in record.events {
            let RecordedEvent::Action(action) = event else { panic!("no chance here: {event:?}") };
            table.play(&action.to_string(), &mut game_event).unwrap();
        }
        assert!(table.outcome().is_some(), "game {}", record.id);
    }
}

/// Changes one line of the file and returns the errors of the import.
fn complaints(line: usize, from: &str, to: &str) -> Vec<String> {
    let mut lines: Vec<String> = PLAYOUTS.lines().map(String::from).collect();
    let changed = lines[line - 1].replacen(from, to, 1);
    assert_ne!(changed, lines[line - 1], "line {line} has no {from}");
    lines[line - 1] = changed;
    let results = import(&lines.join("\n"));
    results.into_iter().filter_map(|record| Some(record.err()?.to_string())).collect()
}

#[test]
fn a_corrupted_record_is_reported_with_game_and_ply() {
    for (line, from, to, complaint) in [
        (
            2,
            "\"MRX:bus>102\",",
            "",
            "game 0, ply 1: legal moves differ: only in the record [], only here [MRX:bus>102]",
        ),
        (
            2,
            "\"MRX:bus>102\"",
            "\"MRX:bus>101\"",
            "game 0, ply 1: legal moves differ: only in the record [MRX:bus>101]",
        ),
        (
            2,
            "\"n_double\":145",
            "\"n_double\":144",
            "game 0, ply 1: 144 double moves in the record, 145 here",
        ),
        (3, "\"log\":1", "\"log\":2", "game 0, ply 2: the log has 2 entries in the record, 1 here"),
        (
            3,
            "\"played\":\"BLUE:taxi>152\"",
            "\"played\":\"BLUE:taxi>153\"",
            "game 0, ply 2: BLUE:taxi>153 is not legal here",
        ),
        (
            3,
            "\"played\":\"BLUE:taxi>152\"",
            "\"played\":\"PINK:taxi>152\"",
            "game 0, ply 2: \"PINK:taxi>152\" is not a move",
        ),
        (
            44,
            "\"detectives\"",
            "\"mrx\"",
            "game 0, ply 42: the record says that Mrx wins, here it is Detectives: caught",
        ),
        (1, "\"mrx\":127", "\"mrx\":200", "game 0: there is no station 200"),
        (1, "\"RED\":117", "\"RED\":0", "game ? (line 1): invalid value: integer `0`"),
        (1, "\"type\":\"start\"", "\"type\":\"begin\"", "game ? (line 1): type \"begin\""),
        (3, "\"n_double\"", "\"doubles\"", "game ? (line 3): unknown field `doubles`"),
        (3, "{", "", "game ? (line 3): not JSON"),
    ] {
        let complaints = complaints(line, from, to);
        assert!(complaints[0].starts_with(complaint), "{complaint}\n{complaints:#?}");
    }
}

#[test]
fn a_game_without_its_start_or_end_is_reported_once() {
    let lines: Vec<&str> = PLAYOUTS.lines().collect();
    let errors = |lines: &[&str]| -> Vec<String> {
        let results = import(&lines.join("\n"));
        results.into_iter().filter_map(|record| Some(record.err()?.to_string())).collect()
    };
    assert_eq!(errors(&lines[1..44]), ["game 0: it has no start line"]);
    assert_eq!(errors(&lines[..43]), ["game 0, ply 42: it has no end line"]);
    assert_eq!(errors(&lines[..40]), ["game 0, ply 39: it has no end line"]);
    let twice = [lines[0], lines[0]];
    assert_eq!(errors(&twice), ["game 0: it starts twice"]);
    let mut after_the_end = lines[..44].to_vec();
    after_the_end.push(lines[5]);
    assert_eq!(errors(&after_the_end), ["game ? (line 45): game 0 has ended in line 44"]);
}
