//! The battery of tests for every game, including the tiny dice game, so that chance and three
//! seats are covered.

use botyard_engine::dice_wars::DiceWars;
use botyard_engine::draughts::Draughts;
use botyard_engine::game::{Game, has_chance};
use botyard_engine::information::Information;
use botyard_engine::liars_dice::LiarsDice;
use botyard_engine::registry::{self, Visitor};
use botyard_engine::rules;
use botyard_engine::scotland_yard::ScotlandYard;
use botyard_testkit::battery::{self, Covered};
use botyard_testkit::cases;
use botyard_testkit::dice::Dice;
use botyard_testkit::hand::Hand;

fn game<G: Game>(preset: &str, changes: &[(&str, &str)]) -> G {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    G::new(rules::resolve::<G>(Some(preset), &changes).expect("good rules")).expect("good rules")
}

#[test]
fn dice() {
    for preset in Dice::PRESETS {
        let covered = battery::run(game::<Dice>(preset.name, &[]), 500, 1);
        assert!(covered.chances > 1000, "{covered:?}");
    }
}

#[test]
fn which_hand() {
    let covered = battery::run(Hand::default(), 500, 1);
    assert!(covered.hidden > 100 && covered.copies > 100, "{covered:?}");
}

struct EveryPreset;

impl Visitor for EveryPreset {
    type Output = ();

    fn visit<G: Game>(self) {
        let games = cases(3, 10);
        for preset in G::PRESETS {
            let name = format!("{} {}", G::NAME, preset.name);
            // After this number of decisions enough games of a preset have been played.
            let enough = cases(500, 2_500);
            let (mut decisions, mut refused, mut chances, mut hidden, mut copies) = (0, 0, 0, 0, 0);
            let mut seed = 1;
            while decisions < enough {
                let covered = battery::run(game::<G>(preset.name, &[]), games, seed);
                decisions += covered.decisions;
                refused += covered.refused;
                chances += covered.chances;
                hidden += covered.hidden;
                copies += covered.copies;
                seed += u64::from(games);
            }
            assert!(refused > 0, "{name}: no action was refused");
            assert_eq!(has_chance::<G>(), chances > 0, "{name}: {chances} chance turns");
            assert_eq!(G::Information::HIDDEN, hidden > 100, "{name}: {hidden} other states");
            assert_eq!(G::Information::HIDDEN, copies > 100, "{name}: {copies} copies compared");
        }
    }
}

#[test]
fn every_game_in_every_preset() {
    for game in registry::names() {
        registry::visit(&game, EveryPreset).expect("a listed game");
    }
}

#[test]
fn scotland_yard_with_single_rules_changed() {
    for (preset, changes) in [
        ("ravensburger", &[("seats", "pawns")][..]),
        ("ravensburger", &[("stuck", "removed"), ("detective_tickets", "3/2/1")]),
        ("bristol", &[("stuck", "out"), ("detective_tickets", "4/1/0"), ("detectives", "3")]),
        ("bristol", &[("limit", "7"), ("double", "3"), ("black", "9")]),
        ("nijssen", &[("show_candidates", "true"), ("reveals", "[1]")]),
        ("bristol", &[("show_second_legs", "true"), ("double", "9")]),
        ("grid-5x5-2", &[("board", "3x4"), ("seats", "pawns"), ("all_stuck", "play_on")]),
        ("grid-7x7-3", &[("x_onto_detective", "illegal"), ("order", "any")]),
        ("grid-15x15-3-stay", &[("board", "20x14"), ("double", "2")]),
    ] {
        let covered = battery::run(game::<ScotlandYard>(preset, changes), cases(20, 100), 2);
        hidden_things_were_put_to_the_test(preset, covered);
    }
}

#[test]
fn draughts_with_single_rules_changed() {
    for (preset, changes) in [
        ("english", &[("ballots", "none"), ("draw_repetitions", "2")][..]),
        ("english", &[("ballots", "three_move_all"), ("draw_quiet_plies", "20")]),
        ("english", &[("promotion_ends_move", "false"), ("draw_repetitions", "0")]),
        ("english", &[("compulsory_capture", "false")]),
        ("english", &[("first_mover", "white"), ("ballots", "none"), ("max_plies", "60")]),
        ("english", &[("jump", "one_piece"), ("compulsory_capture", "false")]),
        ("janacek-2007", &[("jump", "whole_path"), ("draw_quiet_plies", "0")]),
    ] {
        let covered = battery::run(game::<Draughts>(preset, changes), cases(20, 60), 2);
        nothing_was_hidden(preset, covered);
    }
}

#[test]
fn dice_wars_with_single_rules_changed() {
    for (preset, changes) in [
        ("fair-4", &[("players", "2"), ("areas", "2-9")][..]),
        ("fair-4", &[("players", "8"), ("areas", "64"), ("max_turns", "60")]),
        ("fair-4", &[("undecided", "shared"), ("quiet_rounds", "1"), ("wear", "1")]),
        ("sui-2021", &[("players", "3"), ("reserve", "5"), ("max_battles", "70")]),
        ("sui-2021", &[("transfers", "1"), ("reserve_less_areas", "false"), ("areas", "12")]),
        ("classic", &[("transfers", "100"), ("players", "5"), ("start_dice", "equal")]),
        ("sui-2019", &[("map", PATH_OF_FOUR), ("players", "3"), ("quiet_rounds", "0")]),
    ] {
        let covered = battery::run(game::<DiceWars>(preset, changes), cases(3, 8), 2);
        dice_fell_and_nothing_was_hidden(preset, covered);
    }
}

#[test]
fn liars_dice_with_more_players() {
    for (preset, players) in [("one-die", "4"), ("five-dice", "6")] {
        let covered =
            battery::run(game::<LiarsDice>(preset, &[("players", players)]), cases(10, 50), 1);
        assert!(
            covered.chances >= cases(20, 100) && covered.refused > cases(10, 50),
            "{preset}: {covered:?}"
        );
        assert!(covered.hidden > 100 && covered.copies > 100, "{preset}: {covered:?}");
    }
}

const PATH_OF_FOUR: &str = r#"{"areas":[{"id":1,"adjacent":[2]},{"id":2,"adjacent":[1,3]},
    {"id":3,"adjacent":[2,4]},{"id":4,"adjacent":[3]}]}"#;

fn nothing_was_hidden(preset: &str, covered: Covered) {
    assert!(covered.refused > 1000, "{preset}: {covered:?}");
    assert_eq!((covered.hidden, covered.chances), (0, 0), "{preset}: {covered:?}");
}

fn dice_fell_and_nothing_was_hidden(preset: &str, covered: Covered) {
    assert!(covered.refused > cases(30, 100), "{preset}: {covered:?}");
    assert!(covered.chances > cases(30, 100), "{preset}: {covered:?}");
    assert_eq!(covered.hidden, 0, "{preset}: {covered:?}");
}

fn hidden_things_were_put_to_the_test(preset: &str, covered: Covered) {
    assert!(covered.refused > cases(100, 1000), "{preset}: {covered:?}");
    assert!(covered.hidden > cases(30, 100), "{preset}: {covered:?}");
    assert!(covered.alike_steps > cases(30, 100), "{preset}: {covered:?}");
    assert!(covered.copies > cases(30, 100), "{preset}: {covered:?}");
}
