//! Checks the tables and the examples in `docs/games/dice-wars.md` against the engine.

use botyard_engine::dice_wars::{
    Action, Chance, DiceWars, End, Opening, Rules, Setup, View, win_probability,
};
use botyard_engine::game::Game;
use botyard_engine::random::Stream;
use botyard_engine::seat::Seat;
use botyard_testkit::page::Page;
use serde_json::{Value, json};

const PAGE: Page = Page(include_str!("../../../docs/games/dice-wars.md"));

#[test]
fn the_reasons_of_ends_are_all_explained() {
    for row in &PAGE.rows("reason")[1..] {
        let end: End = serde_json::from_value(json!(row[0].trim_matches('`'))).unwrap();
        assert_eq!(row[0], format!("`{}`", end.reason()));
    }
    assert_eq!(PAGE.rows("reason").len() - 1, 5);
}

#[test]
fn the_table_of_chances_is_the_engine_s() {
    let table = PAGE.rows("dice");
    assert_eq!(table.len(), 8);
    for (attacker, row) in (2..).zip(&table[1..]) {
        let ours = (1..=8).map(|defender| format!("{:.6}", win_probability(attacker, defender)));
        assert_eq!(row[0], attacker.to_string());
        assert_eq!(row[1..], ours.collect::<Vec<_>>());
    }
}

#[test]
fn the_examples_are_one_game() {
    let rules = Rules { players: 2, ..Rules::preset("fair-4").unwrap() };
    let game = DiceWars::new(rules).unwrap();
    let [opening] = &PAGE.examples::<Opening>("opening")[..] else { panic!("one opening") };
    let mut state = game.start(opening).unwrap();
    assert_eq!(PAGE.examples::<Setup>("setup"), [game.setup(&state, Seat::new(1))]);
    let chances = PAGE.examples::<Chance>("chance");
    let [rolled, fallen, sums] = &chances[..] else { panic!("three draws") };
    let action = |json: Value| serde_json::from_value::<Action>(json).unwrap();
    for step in [
        Ok(action(json!({"transfer": [1, 2]}))),
        Ok(action(json!({"attack": [2, 3]}))),
        Err(rolled),
        Ok(Action::EndTurn),
        Err(fallen),
    ] {
        match step {
            Ok(action) => {
                game.check(&state, action).unwrap();
                game.apply(&mut state, action);
            }
            Err(chance) => {
                game.check_chance(&state, chance).unwrap();
                let mut other = state.clone();
                game.apply_chance(&mut state, chance);
                if chance == rolled {
                    game.check_chance(&other, sums).unwrap();
                    game.apply_chance(&mut other, sums);
                    assert_eq!(state, other, "the sums are those of the dice");
                }
            }
        }
    }
    let views = PAGE.examples::<View>("view");
    assert_eq!(views, [game.view(&state, Seat::new(0))]);
    let again = game.determinize(&views[0], Seat::new(1), Stream::new(1, "test").rng());
    assert_eq!(again.unwrap(), state);
    assert_eq!(PAGE.examples::<Action>("action").len(), 3);
}
