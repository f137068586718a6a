//! Input from outside, valid and invalid: rules, maps, openings and views.

use botyard_engine::dice_wars::{DiceWars, Map, Opening, Setup, View};
use botyard_engine::game::{Game, Turn};
use botyard_engine::random::{Stream, choose};
use botyard_engine::rules;
use botyard_engine::seat::Seat;
use serde_json::{Value, json};
use std::sync::Arc;

const TRIANGLE: &str = r#"{"areas":[{"id":1,"adjacent":[2,3]},{"id":2,"adjacent":[1,3]},
    {"id":3,"adjacent":[1,2],"cells":[[0,0],[2,0]]}]}"#;

fn resolved(preset: &str, changes: &[(&str, &str)]) -> Result<DiceWars, String> {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let rules = rules::resolve::<DiceWars>(Some(preset), &changes);
    rules.and_then(DiceWars::new).map_err(|error| error.to_string())
}

fn game(preset: &str, changes: &[(&str, &str)]) -> DiceWars {
    resolved(preset, changes).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn rules_that_cannot_be_played_are_refused_by_name() {
    for (preset, changes, expected) in [
        ("fair-5", &[][..], "did you mean fair-4?"),
        ("fair-4", &[("player", "4")], "did you mean players?"),
        ("fair-4", &[("players", "1")], "rule players: 1 is out of range; expected 2 to 8"),
        ("fair-4", &[("players", "9")], "rule players: 9 is out of range"),
        ("fair-4", &[("players", "four")], "rule players"),
        ("fair-4", &[("areas", "65")], "rule areas: 65 is out of range; expected 2 to 64"),
        ("fair-4", &[("areas", "1")], "rule areas: 1 is out of range"),
        ("fair-4", &[("areas", "31-29")], "rule areas: \"31-29\" is not a number of areas"),
        ("fair-4", &[("areas", "many")], "rule areas: \"many\" is not a number of areas"),
        ("fair-4", &[("areas", "3")], "rules players and areas contradict each other"),
        ("fair-4", &[("areas", "3-9")], "set players=3 or take a larger map"),
        ("fair-4", &[("map", TRIANGLE)], "rules players and areas contradict each other"),
        ("fair-4", &[("map", "here")], "rule map: \"here\" is not a map; expected generated"),
        ("fair-4", &[("map", "[1]")], "rule map: [1] is not a map"),
        ("fair-4", &[("map", "{\"areas\":[]}")], "rule map: expected 2 to 64 areas, got 0"),
        ("fair-4", &[("ownership", "even")], "rule ownership"),
        ("fair-4", &[("start_dice", "many")], "rule start_dice"),
        ("fair-4", &[("dice_per_area", "0")], "rule dice_per_area: 0 is out of range"),
        ("fair-4", &[("wear", "9")], "rule wear: 9 is out of range; expected 0 to 8"),
        ("fair-4", &[("transfers", "101")], "rule transfers: 101 is out of range"),
        ("fair-4", &[("reserve", "65")], "rule reserve: 65 is out of range"),
        ("fair-4", &[("reserve_less_areas", "1")], "rule reserve_less_areas"),
        ("fair-4", &[("quiet_rounds", "1001")], "rule quiet_rounds: 1001 is out of range"),
        ("fair-4", &[("max_battles", "60001")], "rule max_battles: 60001 is out of range"),
        ("fair-4", &[("max_turns", "0")], "rule max_turns: 0 is out of range"),
        ("fair-4", &[("undecided", "lost")], "rule undecided"),
        (
            "sui-2021",
            &[("transfers", "0")],
            "rules transfers and transfers_break_quiet contradict each other",
        ),
    ] {
        let error = resolved(preset, changes).expect_err("bad rules");
        assert!(error.contains(expected), "{changes:?}: {error}");
    }
}

#[test]
fn a_map_of_the_rules_is_played_on() {
    let text = serde_json::to_string(TRIANGLE).unwrap();
    for map in [TRIANGLE, &text] {
        let game = game("sui-2021", &[("map", map), ("players", "3")]);
        let rules = serde_json::to_value(game.rules()).unwrap();
        assert_eq!(rules["areas"], 3, "it follows from the map");
        let again: Value = serde_json::from_str(TRIANGLE).unwrap();
        assert_eq!(rules["map"], again);
        let opening = game.draw_opening(Stream::new(1, "opening").rng());
        let state = game.start(&opening).unwrap();
        let Setup { map, .. } = game.setup(&state, Seat::new(0));
        assert_eq!(serde_json::to_value(map).unwrap(), again);
        // An opening need not repeat it.
        let short = Opening { map: None, ..opening.clone() };
        assert_eq!(game.start(&short).unwrap(), state);
        let other = json!({"areas": [{"id": 1, "adjacent": [2]}, {"id": 2, "adjacent": [1]}]});
        let other: Map = serde_json::from_value(other).unwrap();
        let why = game.start(&Opening { map: Some(other), ..opening }).unwrap_err().0;
        assert!(why.contains("map: it is not the map of the rules"), "{why}");
    }
}

#[test]
fn generated_maps_have_as_many_areas_as_the_rules_say() {
    let game = game("sui-2019", &[("players", "2")]);
    let mut seen = [0; 65];
    for seed in 1..=30 {
        let opening = game.draw_opening(Stream::new(seed, "opening").rng());
        seen[opening.map.unwrap().areas()] += 1;
    }
    assert!(seen[29] > 0 && seen[30] > 0 && seen[31] > 0, "{seen:?}");
    assert_eq!(seen[29] + seen[30] + seen[31], 30);
}

#[test]
fn given_openings_are_played_or_refused() {
    let game = game("fair-4", &[("players", "3")]);
    let map: Value = serde_json::from_str(TRIANGLE).unwrap();
    let opening = |change: Value| {
        let mut opening = json!({"map": map, "owners": [1, 2, 3], "dice": [8, 1, 3], "first": 2});
        for (key, value) in change.as_object().unwrap() {
            opening[key] = value.clone();
        }
        serde_json::from_value::<Opening>(opening).map_err(|error| error.to_string())
    };
    let state = game.start(&opening(json!({})).unwrap()).unwrap();
    assert_eq!(game.turn(&state), Turn::Seat(Seat::new(1)), "player 2 begins");
    for (change, expected) in [
        (json!({"map": null}), "map: it is missing"),
        (json!({"owners": [1, 2]}), "owners: expected an entry for each of 3 areas, got 2"),
        (json!({"dice": [1, 1, 1, 1]}), "dice: expected an entry for each of 3 areas, got 4"),
        (json!({"owners": [1, 2, 4]}), "owners: there is no player 4 among 3"),
        (json!({"owners": [1, 2, 2]}), "owners: player 3 has no area"),
        (json!({"owners": [1, 2, 9]}), "9 is not a player"),
        (json!({"owners": [0, 1, 2]}), "0 is not a player"),
        (json!({"dice": [1, 0, 1]}), "dice: expected 1 to 8 on an area, got 0"),
        (json!({"dice": [1, 9, 1]}), "got 9"),
        (json!({"first": 4}), "first: there is no player 4"),
        (json!({"fist": 1}), "unknown field `fist`"),
    ] {
        let error = match opening(change.clone()) {
            Ok(opening) => game.start(&opening).expect_err("a bad opening").0,
            Err(error) => error,
        };
        assert!(error.contains(expected), "{change}: {error}");
    }
}

/// Returns a view from the middle of a game, with its map.
fn middle(game: &DiceWars, seed: u64) -> (View, Arc<Map>) {
    let mut stream = Stream::new(seed, "test");
    let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
    let mut actions = Vec::new();
    for _ in 0..60 {
        game.actions(&state, &mut actions);
        let Some(&action) = choose(stream.rng(), &actions) else { break };
        game.apply(&mut state, action);
        if game.turn(&state) == Turn::Chance {
            let drawn = game.draw(&state, stream.rng());
            game.apply_chance(&mut state, &drawn);
        }
    }
    (game.view(&state, Seat::new(0)), Arc::clone(state.map()))
}

#[test]
fn a_view_on_the_map_of_the_setup_is_the_state() {
    let game = game("fair-4", &[]);
    for seed in 1..=5 {
        let (view, map) = middle(&game, seed);
        let state = game.state_on(&map, &view).unwrap();
        assert_eq!(game.view(&state, Seat::new(3)), view);
        let rebuilt = game.determinize(&view, Seat::new(1), Stream::new(1, "x").rng()).unwrap();
        assert_eq!(rebuilt, state);
        let (_, other) = middle(&game, seed + 100);
        assert!(game.state_on(&other, &view).unwrap_err().0.contains("another map"));
    }
}

#[test]
fn views_that_cannot_be_are_refused_and_never_panic() {
    let game = game("sui-2021", &[]);
    let (view, _) = middle(&game, 1);
    let view = serde_json::to_value(view).unwrap();
    let determinized = |view: Value| {
        let view: View = serde_json::from_value(view).map_err(|error| error.to_string())?;
        game.determinize(&view, Seat::new(0), Stream::new(1, "x").rng()).map_err(|why| why.0)
    };
    determinized(view.clone()).unwrap();
    for (key, value, expected) in [
        ("owners", json!([1, 2, 3]), "owners: expected 34 entries, got 3"),
        ("dice", json!(vec![1; 65]), "invalid length"),
        ("dice", json!(vec![9; 34]), "dice: expected 1 to 8, got 9"),
        ("owners", json!(vec![5; 34]), "there is no player 5"),
        ("owners", json!(vec![1; 34]), "regions"),
        ("adjacent", json!([[2], [1]]), "entries"),
        ("adjacent", json!(vec![Vec::<u8>::new(); 34]), "adjacent: area 2 cannot be reached"),
        ("reserves", json!([0, 0, 0]), "reserves: expected 4 entries, got 3"),
        ("reserves", json!([0, 0, 0, 65]), "reserves: expected at most 64"),
        ("regions", json!([34, 34, 34, 34]), "regions"),
        (
            "places",
            json!([null, null, null, 2]),
            "places: expected them to be assigned from the last one on",
        ),
        ("places", json!([4, 3, 2, null]), "places: one player is left"),
        ("places", json!([1, 1, 1, 1]), "places"),
        ("to_move", json!(5), "there is no player 5"),
        ("transfers_left", json!(7), "transfers_left: expected at most 6"),
        ("battle", json!([1, 1]), "attack 1 1"),
        ("battle", json!([1, 64]), "attack 1 64"),
        ("over", json!("bored"), "unknown variant"),
        ("turn", json!(1), "unknown field"),
    ] {
        let mut bad = view.clone();
        bad[key] = value;
        let error = determinized(bad).expect_err(key);
        assert!(error.contains(expected), "{key}: {error}");
    }
    let mut both = view.clone();
    both["reinforcement"] = json!(true);
    both["over"] = json!("quiet");
    assert!(determinized(both).unwrap_err().contains("only one of them"));
}
