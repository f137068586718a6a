//! Rules, openings and actions as people and bots write them: accepted forms, and the errors of
//! invalid ones.

use botyard_engine::game::Game;
use botyard_engine::rules::{self, RulesError};
use botyard_engine::scotland_yard::{Allowance, Opening, Rules, ScotlandYard};
use botyard_engine::table::{Table, TypedTable};
use serde_json::json;
use std::sync::Arc;

fn resolve(preset: &str, changes: &[(&str, &str)]) -> Result<ScotlandYard, RulesError> {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    ScotlandYard::new(rules::resolve::<ScotlandYard>(Some(preset), &changes)?)
}

#[test]
fn malformed_actions_are_refused_with_the_reason() {
    let game = Arc::new(resolve("bristol", &[]).unwrap());
    let mut table = TypedTable::new(game);
    table.open_with(r#"{"mr_x":13,"detectives":[26,29,50,53,91]}"#).unwrap();
    for (json, reason) in [
        ("[]", "expected {\"ticket\": ..., \"to\": ...} of Mr. X or"),
        ("{}", "\"ticket\" is missing"),
        (r#"{"ticket":"taxi"}"#, "\"to\" is missing"),
        (r#"{"ticket":"tram","to":4}"#, r#"expected one of "taxi", "bus""#),
        (r#"{"ticket":"taxi","to":0}"#, "expected an integer from 1 to 65535, got 0"),
        (
            r#"{"ticket":"taxi","to":"4"}"#,
            "expected an integer from 1 to 65535, got the string \"4\"",
        ),
        (r#"{"ticket":"taxi","to":4.5}"#, "expected an integer from 1 to 65535, got 4.5"),
        (r#"{"ticket":"taxi","to":4,"to":4}"#, "the key \"to\" comes twice"),
        (r#"{"ticket":"taxi","to":4,"speed":1}"#, "unknown key \"speed\""),
        (
            r#"{"detective":0,"ticket":"taxi","to":4}"#,
            "0 is not a detective; expected a number from 1 to 5",
        ),
        (
            r#"{"detective":1,"ticket":"taxi","to":4,"double":true}"#,
            "a detective has no double moves",
        ),
    ] {
        let error = table.play(json, &mut Default::default()).unwrap_err().to_string();
        assert!(error.starts_with("not an action of scotland-yard: "), "{error}");
        assert!(error.contains(reason), "{json}: {error}");
    }
    table.play(r#"{"to":4,"double":false,"ticket":"taxi"}"#, &mut Default::default()).unwrap();
}

#[test]
fn openings_that_cannot_be_played_are_refused_with_the_reason() {
    let table = [
        (json!({ "mr_x": 1, "detectives": [2] }), "1 stations for detectives; there are 2"),
        (json!({ "mr_x": 200, "detectives": [2, 3] }), "there is no station 200"),
        (json!({ "mr_x": 1, "detectives": [2, 2] }), "two pawns start on 2"),
        (json!({ "mr_x": 1, "detectives": [1, 2] }), "two pawns start on 1"),
        (
            json!({ "mr_x": 1, "detectives": [2, 3], "mr_x_starts": [4] }),
            "mr_x_starts does not have 1",
        ),
        (
            json!({ "mr_x": 1, "detectives": [2, 3], "mr_x_starts": [1, 300] }),
            "mr_x_starts: there is no station 300",
        ),
        (
            json!({ "mr_x": 1, "detectives": [2, 3], "detective_tickets": ["1/1/1"] }),
            "detective_tickets has 1 entries",
        ),
        (
            json!({ "mr_x": 1, "detectives": [2, 3], "detective_tickets": "1000/1/1" }),
            "detective_tickets: 1000 tickets of a kind",
        ),
        (
            json!({ "mr_x": 1, "detectives": [2, 3], "mr_x_tickets": { "black": 1000 } }),
            "mr_x_tickets: 1000 tickets",
        ),
    ];
    let game = resolve("bristol", &[("detectives", "2")]).unwrap();
    for (opening, reason) in table {
        let opening: Opening = serde_json::from_value(opening).unwrap();
        let message = game.start(&opening).unwrap_err().0;
        assert!(message.contains(reason), "{reason}: {message}");
    }
    let unlimited = resolve("ravensburger", &[("detectives", "1")]).unwrap();
    let opening = json!({ "mr_x": 1, "detectives": [2], "mr_x_tickets": { "taxi": 3 } });
    let message = unlimited.start(&serde_json::from_value(opening).unwrap()).unwrap_err().0;
    assert!(message.contains("give taxi, bus and underground together"), "{message}");
    for malformed in [
        json!({ "detectives": [2, 3] }),
        json!({ "mr_x": null, "detectives": [2, 3] }),
        json!({ "mr_x": 1, "detectives": [2, 0] }),
        json!({ "mr_x": 1, "detectives": [2, 3], "weather": "fog" }),
        json!({ "mr_x": 1, "detectives": [2, 3], "mr_x_tickets": { "tram": 1 } }),
        json!({ "mr_x": 1, "detectives": [2, 3], "detective_tickets": "some" }),
    ] {
        assert!(serde_json::from_value::<Opening>(malformed.clone()).is_err(), "{malformed}");
    }
}

#[test]
fn values_are_written_in_several_ways() {
    for (value, tickets) in [
        ("11/8/4", Allowance::limited(11, 8, 4)),
        ("{\"taxi\":1,\"bus\":2,\"underground\":3}", Allowance::limited(1, 2, 3)),
        ("unlimited", Allowance::Unlimited),
        ("null", Allowance::Unlimited),
    ] {
        let game = resolve("ravensburger", &[("detective_tickets", value)]).unwrap();
        assert_eq!(game.rules().detective_tickets, tickets, "{value}");
    }
    let dotted = resolve("ravensburger", &[("detective_tickets.bus", "1")]).unwrap();
    assert_eq!(dotted.rules().detective_tickets, Allowance::limited(11, 1, 4));
    let rules = serde_json::to_value(resolve("grid-5x5-2", &[]).unwrap().rules()).unwrap();
    assert_eq!(rules["x_tickets"], "unlimited");
    assert_eq!(rules["reveals"], json!([3, 6, 9, 12, 15]));
    assert_eq!(rules["board"], "5x5");
    assert_eq!(rules.as_object().unwrap().len(), 19, "all parameters are always written");
}

#[test]
fn every_preset_resolves_to_itself() {
    for preset in ScotlandYard::PRESETS {
        let game = resolve(preset.name, &[]).unwrap();
        let again = ScotlandYard::new(game.rules().clone()).unwrap();
        assert_eq!(game.rules(), again.rules(), "{}", preset.name);
        let json = serde_json::to_string(game.rules()).unwrap();
        assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), *game.rules());
    }
}

#[test]
fn rules_that_cannot_be_played_are_refused_by_name() {
    for (preset, changes, message) in [
        (
            "bristol",
            &[("detectives", "0")][..],
            "rule detectives: 0 is out of range; expected 1 to 5",
        ),
        ("bristol", &[("detectives", "6")], "rule detectives: 6 is out of range"),
        (
            "bristol",
            &[("detectives", "many")],
            "rule detectives: expected an integer from 0 to 255, got the string \"many\"",
        ),
        ("bristol", &[("limit", "0")], "rule limit: 0 is out of range; expected 1 to 9999"),
        ("bristol", &[("limit", "10000")], "rule limit: 10000 is out of range"),
        ("bristol", &[("double", "1000")], "rule double: 1000 is out of range; expected 0 to 999"),
        ("bristol", &[("black", "1000")], "rule black: 1000 is out of range"),
        (
            "bristol",
            &[("black", "-1")],
            "rule black: -1 is not a number of black tickets; expected",
        ),
        ("bristol", &[("x_tickets", "1000/0/0")], "rule x_tickets.taxi: 1000 is out of range"),
        (
            "bristol",
            &[("detective_tickets", "1/2")],
            "rule detective_tickets: \"1/2\" does not name tickets; expected",
        ),
        (
            "bristol",
            &[("detective_tickets", "7")],
            "rule detective_tickets: 7 does not name tickets",
        ),
        (
            "bristol",
            &[("reveals", "often")],
            "rule reveals: \"often\" does not name reveals; expected",
        ),
        ("bristol", &[("reveals", "every 0")], "rule reveals: every 0 moves"),
        ("bristol", &[("reveals", "[0]")], "rule reveals: there is no move 0"),
        (
            "bristol",
            &[("order", "random")],
            r#"rule order: expected "any" or "fixed", got "random""#,
        ),
        (
            "bristol",
            &[("board", "paris")],
            "rule board: there is no board \"paris\"; expected london, london-classic, or",
        ),
        ("bristol", &[("board", "1x5")], "rule board: there is no board \"1x5\""),
        (
            "bristol",
            &[("borad", "london")],
            "scotland-yard has no rule \"borad\" (did you mean board?)",
        ),
        (
            "bristol",
            &[("board", "7x7")],
            "rules starts and board contradict each other: the cards of bristol-26 name stations of the London board; set starts=random",
        ),
        (
            "bristol",
            &[("board", "7x7"), ("starts", "random")],
            "rules black and board contradict each other",
        ),
        (
            "bristol",
            &[("board", "7x7"), ("starts", "random"), ("black", "0")],
            "rules detective_tickets and board contradict each other",
        ),
        (
            "bristol",
            &[
                ("board", "7x7"),
                ("starts", "random"),
                ("black", "0"),
                ("detective_tickets", "9/0/0"),
            ],
            "rules x_tickets and board contradict each other",
        ),
        (
            "bristol",
            &[("x_tickets", "unlimited")],
            "rules handover and x_tickets contradict each other",
        ),
        (
            "bristol",
            &[("detective_tickets", "unlimited")],
            "rules handover and detective_tickets contradict each other",
        ),
        (
            "bristol",
            &[("grid_moves", "king_or_stay")],
            "rules grid_moves and board contradict each other",
        ),
        (
            "grid-15x15-4",
            &[("board", "2x2")],
            "rules detectives and board contradict each other: 4 detectives and Mr. X need 5 stations, a board of 2x2 has 4",
        ),
        ("grid-5x5-2", &[("board", "london")], ""),
        (
            "bristol",
            &[
                ("board", "7x7"),
                ("starts", "random"),
                ("black", "0"),
                ("detective_tickets", "9/0/0"),
                ("x_tickets", "9/0/0"),
            ],
            "",
        ),
        ("grid-5x5-2", &[("reveals", "[3,99]")], ""),
    ] {
        let refused = resolve(preset, changes).map(|_| String::new());
        let text = refused.unwrap_or_else(|error| error.to_string());
        if message.is_empty() {
            assert_eq!(text, "", "{preset} {changes:?} can be played");
        } else {
            assert!(text.starts_with(message), "{preset} {changes:?}\n  {message}\n  {text}");
        }
    }
}
