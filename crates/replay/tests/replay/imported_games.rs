//! Games of other programs become replays that verify.

use crate::recorded_game::{check, lines, pig, rechained};
use botyard_engine::Notation;
use botyard_engine::record::{Record, RecordedEvent};
use botyard_engine::{draughts::Draughts, registry};
use botyard_protocol::{EndOutcome, OutcomeKind};
use botyard_replay::{ImportError, ReplayWriter, imported_header, write_record};
use serde_json::json;

const REFERENCE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../engine/tests/data/scotland-yard/reference_playouts.jsonl"
);

#[test]
fn every_game_of_the_reference_model_verifies() {
    let text = std::fs::read_to_string(REFERENCE).expect("the reference games are there");
    let games = registry::import("scotland-yard", &text)
        .expect("a game")
        .expect("a format")
        .expect("its games");
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
        ..Record::default()
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
    ] {
        let error = dice(events).expect_err("a bad record").to_string();
        assert!(error.contains(expected), "expected {expected:?} in: {error}");
    }
}

#[test]
fn a_record_without_an_end_is_void() {
    let replay = dice(vec![RecordedEvent::Action(json!("hold"))]).expect("a good record");
    let outcome = check(&replay).expect("a sound replay").outcome;
    assert_eq!((outcome.kind, outcome.reason.as_str()), (OutcomeKind::Void, "unfinished"));
}

/// Imports a game of draughts from PDN. Returns its replay.
fn draughts(pdn: &str) -> Result<String, ImportError> {
    let record = Draughts::import(pdn)
        .expect("a format")
        .expect("English draughts")
        .remove(0)
        .expect("a legal game");
    let mut table = registry::tables_with_rules("draughts", &record.rules).expect("good rules")();
    let mut bytes = Vec::new();
    let header = imported_header(&record, "archive", &*table);
    let mut writer = ReplayWriter::new(&mut bytes, &header)?;
    write_record(&record, &mut *table, &mut writer)?;
    drop(writer);
    Ok(String::from_utf8(bytes).expect("text"))
}

#[test]
fn a_game_ends_as_recorded_where_the_rules_let_it_go_on() {
    for (pdn, kind, scores, reason) in [
        ("1. 11-15 22-18 1-0", OutcomeKind::Completed, &[1.0, 0.0][..], "recorded"),
        ("1. 11-15 22-18 0-1", OutcomeKind::Completed, &[0.0, 1.0], "recorded"),
        ("1. 11-15 22-18 1/2-1/2", OutcomeKind::Completed, &[0.5, 0.5], "recorded"),
        ("1. 11-15 22-18 *", OutcomeKind::Void, &[], "unfinished"),
        ("1-0", OutcomeKind::Completed, &[1.0, 0.0], "recorded"),
        ("[FEN \"W:W18:B15\"]\n1. 18x11 0-1", OutcomeKind::Completed, &[0.0, 1.0], "no_pieces"),
        ("[FEN \"W:W18:B15\"]\n1. 18x11 *", OutcomeKind::Completed, &[0.0, 1.0], "no_pieces"),
    ] {
        let replay = draughts(pdn).unwrap_or_else(|error| panic!("{pdn}: {error}"));
        let report = check(replay.as_bytes()).unwrap_or_else(|error| panic!("{pdn}: {error}"));
        let EndOutcome { kind: found, scores: points, reason: word, .. } = report.outcome;
        assert_eq!((found, &points[..], word.as_str()), (kind, scores, reason), "{pdn}");
        let from = report.header.imported.expect("it says where it comes from");
        assert_eq!((from.source.as_str(), from.game.as_str()), ("archive", "1"));
    }
}

#[test]
fn a_result_against_the_rules_is_not_written_down() {
    let mut record =
        Draughts::import("[FEN \"W:W18:B15\"]\n1. 18x11 0-1").unwrap().unwrap().remove(0).unwrap();
    let other = Draughts::import("1. 11-15 1-0").unwrap().unwrap().remove(0).unwrap();
    record.result = other.result;
    let mut table = registry::tables_with_rules("draughts", &record.rules).expect("good rules")();
    let header = imported_header(&record, "archive", &*table);
    let mut writer = ReplayWriter::new(Vec::new(), &header).expect("memory does not fail");
    let error = write_record(&record, &mut *table, &mut writer).unwrap_err().to_string();
    assert!(error.contains("[0.0, 1.0], but the record says [1.0, 0.0]"), "{error}");
}

/// Forgeries by a person who wants another result and can compute a chain.
#[test]
fn a_result_that_cannot_be_is_refused() {
    const OPEN: &str = "1. 11-15 22-18 1-0";
    const OVER: &str = "[FEN \"W:W18:B15\"]\n1. 18x11 0-1";
    const NONE: &str = "1. 11-15 22-18 *";
    let mark = "\"imported\":{\"source\":\"archive\",\"game\":\"1\"},";
    for (pdn, from, to, expected) in [
        // Without its mark, the game is checked like any other.
        (OPEN, mark, "", "the game is not over by its rules"),
        (OPEN, "recorded", "no_moves", "should be recorded, but is no_moves"),
        (OPEN, "\"completed\"", "\"bot_fault\"", "no bot can have failed"),
        (OPEN, "\"completed\"", "\"void\"", "should be unfinished, but is recorded"),
        (OPEN, "[1.0,0.0]", "[1.0]", "the number of scores should be 2, but is 1"),
        (OPEN, "[1.0,0.0]", "[7.0,0.0]", "neither wins and losses nor shares of 1"),
        (OPEN, "[1.0,0.0]", "[0.0,0.0]", "neither wins and losses nor shares of 1"),
        (OPEN, "[1.0,0.0]", "[1.5,-0.5]", "neither wins and losses nor shares of 1"),
        (OPEN, "[1.0,0.0]", "[0.0,1.0]", "the list of ranks should be [2, 1], but is [1, 2]"),
        (OPEN, "[1,2]", "[1]", "the number of ranks should be 2, but is 1"),
        (OVER, "[0.0,1.0],\"ranks\":[2,1]", "[1.0,0.0],\"ranks\":[1,2]", "the outcome should be"),
        (OVER, "no_pieces", "recorded", "the outcome should be"),
        (
            OVER,
            "\"completed\",\"scores\":[0.0,1.0],\"ranks\":[2,1],\"reason\":\"no_pieces\"",
            "\"void\",\"scores\":[],\"ranks\":[],\"reason\":\"unfinished\"",
            "the outcome should be",
        ),
        (NONE, "\"void\"", "\"completed\"", "should be recorded, but is unfinished"),
        (NONE, "unfinished", "host", "should be unfinished, but is host"),
        // A refereed game cannot be passed off as an imported one.
        (OPEN, "\"opening\":\"given\"", "\"seed\":\"1\",\"opening\":\"drawn\"", "has no seed"),
        (OPEN, "\"bot\":null", "\"bot\":{\"name\":\"mtdf\"}", "but \"archive\" is a bot"),
        (
            OPEN,
            "{\"type\":\"end\"",
            "{\"type\":\"fault\",\"kind\":\"crash\",\"seat\":\"white\",\"turn\":0,\
             \"message\":\"gone\",\"fatal\":true,\"chain\":\"0123456789abcdef\"}\n{\"type\":\"end\"",
            "no bot can have failed in an imported game",
        ),
    ] {
        let replay = draughts(pdn).expect("a good record");
        assert!(replay.contains(from), "{from} is not in\n{replay}");
        let changed = replay.replacen(from, to, 1);
        assert!(check(changed.as_bytes()).is_err(), "the chain does not match: {to}");
        let error = check(&rechained(&lines(&changed))).expect_err(to).to_string();
        assert!(error.contains(expected), "{to}: expected {expected:?} in: {error}");
    }
    // The mark alone does not allow another result for a refereed game.
    let refereed = String::from_utf8(pig(1).bytes()).expect("text");
    let changed = refereed.replacen("\"players\"", &format!("{mark}\"players\""), 1);
    let error = check(&rechained(&lines(&changed))).expect_err("a forged mark").to_string();
    assert!(error.contains("an imported game has no seed"), "{error}");
}
