//! Checks the examples in `docs/games/scotland-yard.md` against the engine.

use botyard_engine::game::Game;
use botyard_engine::scotland_yard::{
    Action, DoubleMove, Opening, Rules, ScotlandYard, Setup, View,
};
use botyard_engine::seat::Seat;
use botyard_testkit::page::Page;
use serde_json::{Value, json};

const PAGE: Page = Page(include_str!("../../../docs/games/scotland-yard.md"));

#[test]
fn examples_are_what_the_engine_reads_and_writes() {
    assert_eq!(PAGE.examples::<Action>("action").len(), 3);
    assert_eq!(PAGE.examples::<DoubleMove>("double-move").len(), 1);
    let rules =
        json_rules("ravensburger-2000", &[("detectives", json!(2)), ("reveals", json!([2]))]);
    let game = ScotlandYard::new(rules).unwrap();
    let opening = json!({ "mr_x": 13, "detectives": [26, 29] });
    let mut state = game.start(&serde_json::from_value(opening).unwrap()).unwrap();
    for action in [
        json!({ "ticket": "taxi", "to": 23 }),
        json!({ "detective": 1, "ticket": "taxi", "to": 39 }),
    ] {
        game.apply(&mut state, serde_json::from_value(action).unwrap());
    }
    assert_eq!(PAGE.examples::<View>("view"), [game.view(&state, Seat::new(1))]);

    let rules = json_rules("grid-5x5-2", &[("board", json!("2x3")), ("detectives", json!(1))]);
    let grid = ScotlandYard::new(rules).unwrap();
    let start =
        grid.start(&serde_json::from_value(json!({ "mr_x": 6, "detectives": [1] })).unwrap());
    assert_eq!(PAGE.examples::<Setup>("setup"), [grid.setup(&start.unwrap(), Seat::new(1))]);

    // Parts of an opening that may be left out are filled in by the engine.
    let openings = PAGE.blocks("opening");
    assert!(!openings.is_empty());
    for opening in openings {
        let opening: Opening = serde_json::from_str(opening).unwrap();
        let detectives = json!(opening.detectives.len());
        let game = ScotlandYard::new(json_rules("bristol", &[("detectives", detectives)])).unwrap();
        game.start(&opening).unwrap();
    }
}

fn json_rules(preset: &str, changes: &[(&str, Value)]) -> Rules {
    let mut rules = serde_json::to_value(ScotlandYard::preset(preset).unwrap()).unwrap();
    for (name, value) in changes {
        rules[*name] = value.clone();
    }
    serde_json::from_value(rules).unwrap()
}
