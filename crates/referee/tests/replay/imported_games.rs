//! Other programs' games become replays that verify.

use crate::recorded_game::{check, pig};
use botyard_engine::record::{Record, RecordedEvent};
use botyard_engine::registry;
use botyard_referee::replay::{ImportError, ReplayWriter, imported_header, write_record};
use serde_json::json;

const REFERENCE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../engine/tests/data/scotland-yard/reference_playouts.jsonl"
);

#[test]
fn every_game_of_the_reference_model_verifies() {
    let text = std::fs::read_to_string(REFERENCE).expect("the reference games are there");
    let games = registry::import("scotland-yard", &text).expect("a game").expect("a format");
    assert_eq!(games.len(), 40);
    for game in games {
        let record = game.expect("a game of the reference model");
        let mut table =
            registry::tables_with_rules("scotland-yard", &record.rules).expect("good rules")();
        let mut bytes = Vec::new();
        let header = imported_header(&record, "reference", &*table);
        let mut writer = ReplayWriter::new(&mut bytes, &header).expect("memory does not fail");
        write_record(&record, &mut *table, &mut writer)
            .unwrap_or_else(|error| panic!("game {}: {error}", record.id));
        drop(writer);
        let report = check(&bytes).unwrap_or_else(|error| panic!("game {}: {error}", record.id));
        assert_eq!(report.turns as usize, record.events.len(), "game {}", record.id);
        assert_eq!(report.header.players[0].name, "reference");
        assert_eq!(report.header.game_id, format!("reference-{}", record.id));
    }
}

fn dice(events: Vec<RecordedEvent>) -> Result<Vec<u8>, ImportError> {
    let mut table = pig(1).table();
    let record = Record {
        id: "7".into(),
        rules: table.rules(),
        opening: json!({ "banked": [49, 0, 0] }),
        events,
        checks: 0,
    };
    let mut bytes = Vec::new();
    let header = imported_header(&record, "old games", &*table);
    let mut writer = ReplayWriter::new(&mut bytes, &header)?;
    write_record(&record, &mut *table, &mut writer)?;
    drop(writer);
    Ok(bytes)
}

#[test]
fn draws_that_came_from_no_seed_are_checked_by_the_rules() {
    let (roll, hold) = (json!("roll"), json!("hold"));
    let (action, chance) = (RecordedEvent::Action, RecordedEvent::Chance);
    let game = vec![action(roll.clone()), chance(json!({ "face": 6 })), action(hold.clone())];
    let replay = dice(game).expect("a good record");
    let report = check(&replay).expect("a sound replay");
    assert_eq!((report.turns, report.drawn), (2, 1));
    for (events, expected) in [
        (vec![action(roll.clone()), chance(json!({ "face": 7 }))], "a die has no face 7"),
        (vec![action(json!("fold"))], "game 7, after 0 decisions: not an action of pig"),
        (vec![chance(json!({ "face": 1 }))], "expected an action, but the record has the chance"),
        (vec![action(roll.clone()), action(roll.clone())], "expected a chance outcome"),
        (vec![action(hold)], "stops after 1 decisions"),
    ] {
        let error = dice(events).expect_err("a bad record").to_string();
        assert!(error.contains(expected), "expected {expected:?} in: {error}");
    }
}
