//! The rules of Dice Wars, each tested on a small map.

use botyard_engine::dice_wars::{
    Action, Area, AreaSet, Chance, DiceWars, Opening, Placed, Position, Roll, State,
    win_probability,
};
use botyard_engine::game::{Game, Turn};
use botyard_engine::outcome::Outcome;
use botyard_engine::random::{Stream, choose};
use botyard_engine::rules;
use botyard_engine::seat::Seat;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn game(preset: &str, changes: &[(&str, &str)]) -> DiceWars {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    DiceWars::new(rules::resolve::<DiceWars>(Some(preset), &changes).unwrap()).unwrap()
}

/// Areas in a row: each touches the one before and the one after it.
fn row(areas: usize) -> Value {
    let adjacent =
        |id: usize| (1..=areas).filter(|other| other.abs_diff(id) == 1).collect::<Vec<usize>>();
    let area = |id| json!({"id": id, "adjacent": adjacent(id)});
    json!({"areas": (1..=areas).map(area).collect::<Vec<_>>()})
}

/// Returns a game on a row of areas with these owners and dice.
fn in_a_row(game: &DiceWars, owners: &[usize], dice: &[u8]) -> State {
    let opening = json!({"map": row(owners.len()), "owners": owners, "dice": dice});
    let opening: Opening = serde_json::from_value(opening).unwrap();
    game.start(&opening).unwrap()
}

fn area(number: usize) -> Area {
    Area::from_number(number).unwrap()
}

fn player(number: usize) -> Seat {
    Seat::new(number - 1)
}

fn attack(from: usize, to: usize) -> Action {
    Action::Attack(area(from), area(to))
}

fn transfer(from: usize, to: usize) -> Action {
    Action::Transfer(area(from), area(to))
}

fn dice(state: &State) -> Vec<u8> {
    state.map().all().iter().map(|area| state.position().dice(area)).collect()
}

/// Plays a legal action.
fn play(game: &DiceWars, state: &mut State, action: Action) {
    game.check(state, action).unwrap_or_else(|why| panic!("{why}"));
    game.apply(state, action);
}

fn refused(game: &DiceWars, state: &State, action: Action) -> String {
    game.check(state, action).expect_err("an illegal action").0
}

/// Plays an attack in which these sums are rolled.
fn battle(game: &DiceWars, state: &mut State, from: usize, to: usize, sums: (u8, u8)) {
    play(game, state, attack(from, to));
    let rolled = Chance::Battle { attacker: Roll::Sum(sums.0), defender: Roll::Sum(sums.1) };
    game.check_chance(state, &rolled).unwrap_or_else(|why| panic!("{why}"));
    game.apply_chance(state, &rolled);
}

/// Ends a turn and places the new dice on these areas.
fn end_turn(game: &DiceWars, state: &mut State, placed: &[usize]) {
    play(game, state, Action::EndTurn);
    let placed: Placed = placed.iter().map(|&number| area(number)).collect();
    let fallen = Chance::Reinforcement { placed };
    game.check_chance(state, &fallen).unwrap_or_else(|why| panic!("{why}"));
    game.apply_chance(state, &fallen);
}

/// Ends a turn with any outcome of chance.
fn pass(game: &DiceWars, state: &mut State, stream: &mut Stream) {
    play(game, state, Action::EndTurn);
    let drawn = game.draw(state, stream.rng());
    game.apply_chance(state, &drawn);
}

fn outcome(game: &DiceWars, state: &State) -> Outcome {
    assert_eq!(game.turn(state), Turn::Over);
    game.outcome(state).unwrap()
}

#[test]
fn more_pips_win_and_equal_ones_do_not() {
    let game = game("fair-4", &[("players", "2")]);
    let start = in_a_row(&game, &[1, 2, 1], &[5, 3, 1]);
    let mut won = start.clone();
    battle(&game, &mut won, 1, 2, (11, 10));
    assert_eq!((dice(&won), won.position().owner(area(2))), (vec![1, 4, 1], player(1)));
    let mut tied = start.clone();
    battle(&game, &mut tied, 1, 2, (10, 10));
    assert_eq!((dice(&tied), tied.position().owner(area(2))), (vec![1, 2, 1], player(2)));
    assert_eq!(game.turn(&tied), Turn::Seat(player(1)), "the turn continues");
}

#[test]
fn a_lost_attack_wears_the_defender() {
    for (wear, attacker, defender, left) in [
        ("4", 8, 8, 6),
        ("4", 7, 8, 7),
        ("4", 4, 3, 2),
        ("4", 3, 3, 3),
        ("4", 8, 2, 1),
        ("4", 4, 1, 1),
        ("0", 8, 8, 8),
        ("1", 3, 8, 5),
        ("1", 8, 3, 1),
    ] {
        let game = game("fair-4", &[("players", "2"), ("wear", wear)]);
        let mut state = in_a_row(&game, &[1, 2, 2], &[attacker, defender, 1]);
        battle(&game, &mut state, 1, 2, (attacker, 6 * defender));
        assert_eq!(dice(&state), [1, left, 1], "wear {wear}, {attacker} against {defender}");
    }
}

#[test]
fn what_cannot_be_rolled_is_refused() {
    let game = game("fair-4", &[("players", "2")]);
    let mut state = in_a_row(&game, &[1, 2, 1], &[5, 3, 1]);
    let chance = |json: Value| serde_json::from_value::<Chance>(json).unwrap();
    let rolls = |attacker: Value, defender: Value| {
        chance(json!({"battle": {"attacker": attacker, "defender": defender}}))
    };
    let why = |state: &State, chance: &Chance| game.check_chance(state, chance).unwrap_err().0;
    assert!(why(&state, &rolls(json!(9), json!(9))).contains("nothing is drawn"));
    game.apply(&mut state, attack(1, 2));
    for (attacker, defender, expected) in [
        (json!(4), json!(3), "attacker: 5 dice have 5 to 30 pips, not 4"),
        (json!(31), json!(3), "not 31"),
        (json!(9), json!(19), "defender: 3 dice have 3 to 18 pips, not 19"),
        (json!([1, 2, 3, 4]), json!(3), "attacker: expected 5 faces, got 4"),
        (json!([1, 2, 3, 4, 7]), json!(3), "no face 7"),
        (json!(9), json!([0, 1, 1]), "no face 0"),
    ] {
        assert!(why(&state, &rolls(attacker, defender)).contains(expected), "{expected}");
    }
    let none = chance(json!({"reinforcement": {"placed": []}}));
    assert!(why(&state, &none).contains("rolls of a battle"));
    game.check_chance(&state, &rolls(json!([1, 2, 3, 4, 6]), json!(18))).unwrap();
    for nonsense in [
        json!({"battle": {"attacker": vec![1; 9], "defender": 3}}),
        json!({"battle": {"attacker": "six", "defender": 3}}),
        json!({"battle": {"attacker": 3}}),
        json!({"battle": {"attacker": 3, "defender": 3, "winner": 1}}),
        json!({"reinforcement": {"placed": [0]}}),
        json!({"reinforcement": {"placed": [[1]]}}),
        json!({"reinforcement": {"placed": vec![1; 65]}}),
    ] {
        assert!(serde_json::from_value::<Chance>(nonsense.clone()).is_err(), "{nonsense}");
    }
}

#[test]
fn transfers_move_what_fits() {
    for (from, to, moved) in [(8, 1, 7), (3, 1, 2), (8, 6, 2), (2, 7, 1), (2, 1, 1), (5, 5, 3)] {
        let game = game("sui-2021", &[("players", "2")]);
        let mut state = in_a_row(&game, &[1, 1, 2], &[from, to, 1]);
        play(&game, &mut state, transfer(1, 2));
        assert_eq!(dice(&state), [from - moved, to + moved, 1]);
        assert_eq!(state.position().transfers_left(), 5);
    }
}

#[test]
fn six_transfers_a_turn_in_any_order_with_attacks() {
    let game = game("sui-2021", &[("players", "2")]);
    let mut state = in_a_row(&game, &[2, 2, 1, 1, 1], &[1, 1, 2, 1, 1]);
    for (from, to) in [(3, 4), (4, 5), (5, 4)] {
        play(&game, &mut state, transfer(from, to));
    }
    play(&game, &mut state, transfer(4, 3));
    battle(&game, &mut state, 3, 2, (3, 6));
    assert!(refused(&game, &state, transfer(3, 4)).contains("area 3 has one die"));
    end_turn(&game, &mut state, &[3, 3, 4]);
    end_turn(&game, &mut state, &[1, 1]);
    assert_eq!(state.position().transfers_left(), 6, "a new turn, new transfers");
    for _ in 0..3 {
        play(&game, &mut state, transfer(4, 5));
        play(&game, &mut state, transfer(5, 4));
    }
    assert!(refused(&game, &state, transfer(4, 5)).contains("all 6 transfers"));
    let mut actions = Vec::new();
    game.actions(&state, &mut actions);
    assert_eq!(actions, [attack(3, 2), Action::EndTurn]);
}

#[test]
fn why_an_action_is_not_legal() {
    let game_2021 = game("sui-2021", &[("players", "2")]);
    let state = in_a_row(&game_2021, &[1, 1, 2, 1, 1], &[8, 8, 3, 1, 2]);
    for (action, expected) in [
        (attack(3, 2), "attack 3 2: area 3 is player 2's, and player 1 is to move"),
        (attack(2, 1), "area 1 is the player's own"),
        (attack(1, 3), "area 1 does not touch 3; it touches 2"),
        (attack(4, 3), "area 4 has one die"),
        (attack(2, 6), "there is no area 6; the map has 5"),
        (transfer(1, 2), "transfer 1 2: area 2 has 8 dice already"),
        (transfer(2, 3), "area 3 is player 2's"),
        (transfer(4, 5), "area 4 has one die"),
        (transfer(2, 2), "area 2 does not touch 2"),
    ] {
        let why = refused(&game_2021, &state, action);
        assert!(why.contains(expected), "{why}");
    }
    let mut rolling = state.clone();
    game_2021.apply(&mut rolling, attack(2, 3));
    assert!(refused(&game_2021, &rolling, Action::EndTurn).contains("still rolling"));
    let mut falling = state.clone();
    game_2021.apply(&mut falling, Action::EndTurn);
    assert!(refused(&game_2021, &falling, attack(2, 3)).contains("still falling"));
    let game_2020 = game("sui-2020", &[("players", "2")]);
    let state = in_a_row(&game_2020, &[1, 1, 2], &[3, 3, 3]);
    assert!(refused(&game_2020, &state, transfer(1, 2)).contains("no transfers under these rules"));
    for nonsense in ["{\"attack\":[1]}", "{\"attack\":[1,2,3]}", "\"pass\"", "{\"end_turn\":1}"] {
        assert!(serde_json::from_str::<Action>(nonsense).is_err(), "{nonsense}");
    }
}

#[test]
fn new_dice_are_as_many_as_the_largest_region_has_areas() {
    let game = game("sui-2021", &[("players", "2")]);
    let mut state = in_a_row(&game, &[1, 1, 2, 1, 1, 1, 2], &[1; 7]);
    assert_eq!(state.position().largest_region(state.map(), player(1)), 3);
    let largest: AreaSet = [4, 5, 6].into_iter().map(area).collect();
    assert_eq!(state.position().largest_region_of(state.map(), player(1)), largest);
    play(&game, &mut state, Action::EndTurn);
    let placed = |areas: &[usize]| Chance::Reinforcement {
        placed: areas.iter().map(|&number| area(number)).collect(),
    };
    for (areas, expected) in [
        (&[1, 1][..], "expected 3 dice, got 2"),
        (&[1, 1, 1, 1], "expected 3 dice, got 4"),
        (&[1, 1, 3], "area 3 is not player 1's"),
        (&[1, 1, 9], "area 9 is not player 1's"),
    ] {
        let why = game.check_chance(&state, &placed(areas)).unwrap_err().0;
        assert!(why.contains(expected), "{why}");
    }
    game.check_chance(&state, &placed(&[1, 1, 1])).unwrap();
    game.apply_chance(&mut state, &placed(&[5, 1, 5]));
    assert_eq!(dice(&state), [2, 1, 1, 1, 3, 1, 1]);
    assert_eq!(game.turn(&state), Turn::Seat(player(2)));
}

#[test]
fn what_does_not_fit_goes_to_the_reserve() {
    for (changes, owners, before, expected) in [
        // At most 24 minus the own areas.
        (&[("reserve", "24")][..], &[1, 1, 1, 2][..], &[8, 8, 7, 1][..], 2),
        (&[("reserve", "4")], &[1, 1, 1, 2], &[8, 8, 8, 1], 1),
        (&[("reserve", "2")], &[1, 1, 1, 2], &[8, 8, 8, 1], 0),
        (&[("reserve", "2"), ("reserve_less_areas", "false")], &[1, 1, 1, 2], &[8, 8, 8, 1], 2),
        (&[("reserve", "64"), ("reserve_less_areas", "false")], &[1, 1, 1, 2], &[8, 8, 8, 1], 3),
    ] {
        let game = game("sui-2021", &[changes, &[("players", "2")]].concat());
        let mut state = in_a_row(&game, owners, before);
        pass(&game, &mut state, &mut Stream::new(1, "test"));
        assert_eq!(state.position().reserve(player(1)), expected, "{changes:?}");
        assert_eq!(dice(&state)[..3], [8, 8, 8]);
    }
}

#[test]
fn the_reserve_comes_back() {
    let game = game("sui-2020", &[("players", "2")]);
    let mut state = in_a_row(&game, &[1, 1, 1, 2, 2], &[8, 8, 8, 8, 1]);
    end_turn(&game, &mut state, &[]);
    assert_eq!(state.position().reserve(player(1)), 3);
    end_turn(&game, &mut state, &[5, 5]);
    battle(&game, &mut state, 3, 4, (8, 9));
    // Three of the region and three of the reserve, and room for seven.
    assert_eq!(state.position().new_dice(state.map()), 6);
    end_turn(&game, &mut state, &[3; 6]);
    assert_eq!(state.position().reserve(player(1)), 0);
    assert_eq!(dice(&state), [8, 8, 7, 8, 3]);
}

#[test]
fn nobody_gets_more_than_64_new_dice() {
    let game = game("sui-2020", &[("players", "2"), ("quiet_rounds", "0")]);
    let mut owners = [1; 64];
    owners[63] = 2;
    let mut state = in_a_row(&game, &owners, &[8; 64]);
    let mut stream = Stream::new(1, "test");
    pass(&game, &mut state, &mut stream);
    assert_eq!(state.position().reserve(player(1)), 63);
    pass(&game, &mut state, &mut stream);
    assert_eq!(state.position().new_dice(state.map()), 64);
    pass(&game, &mut state, &mut stream);
    assert_eq!(state.position().reserve(player(1)), 64);
}

#[test]
fn seats_off_the_map_are_passed_over_and_ranked_as_they_fell() {
    let game = game("sui-2021", &[]);
    let mut state = in_a_row(&game, &[4, 1, 2, 3, 1], &[1, 8, 1, 1, 8]);
    battle(&game, &mut state, 2, 3, (48, 1));
    assert_eq!(state.position().place(player(2)), Some(4));
    assert!(game.outcome(&state).is_none());
    end_turn(&game, &mut state, &[2, 2]);
    assert_eq!(game.turn(&state), Turn::Seat(player(3)), "player 2 has no turn any more");
    end_turn(&game, &mut state, &[4]);
    end_turn(&game, &mut state, &[1]);
    battle(&game, &mut state, 5, 4, (40, 3));
    assert_eq!(state.position().place(player(3)), Some(3));
    battle(&game, &mut state, 2, 1, (9, 3));
    let end = outcome(&game, &state);
    assert_eq!((&end.ranks[..], &*end.reason), (&[1, 4, 3, 2][..], "conquest"));
    assert_eq!(end.scores[..], [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn quiet_games_end() {
    let mut stream = Stream::new(1, "test");
    let rules = [("players", "2"), ("quiet_rounds", "3")];
    // A turn with an attack is the first of those that count.
    for (preset, transfers_count) in [("sui-2021", true), ("fair-4", false)] {
        let game = game(preset, &rules);
        let mut state = in_a_row(&game, &[1, 1, 2, 2], &[2, 2, 2, 2]);
        battle(&game, &mut state, 2, 3, (2, 9));
        for _ in 0..4 {
            pass(&game, &mut state, &mut stream);
        }
        assert_eq!(state.position().quiet_turns(), 4);
        play(&game, &mut state, transfer(1, 2));
        assert_eq!(state.position().quiet_turns(), if transfers_count { 0 } else { 4 });
        for _ in 0..if transfers_count { 5 } else { 1 } {
            pass(&game, &mut state, &mut stream);
        }
        assert!(game.outcome(&state).is_none());
        pass(&game, &mut state, &mut stream);
        assert_eq!(outcome(&game, &state).reason, "quiet");
    }
    // Eliminated players do not make a round longer.
    let game = game("fair-4", &[("players", "3"), ("quiet_rounds", "1")]);
    let mut state = in_a_row(&game, &[1, 2, 3, 3], &[8, 1, 3, 2]);
    battle(&game, &mut state, 1, 2, (30, 1));
    pass(&game, &mut state, &mut stream);
    assert!(game.outcome(&state).is_none());
    pass(&game, &mut state, &mut stream);
    assert_eq!(outcome(&game, &state).ranks[..], [1, 3, 2]);
}

#[test]
fn who_is_left_is_ranked_by_areas_and_then_by_dice() {
    let mut stream = Stream::new(1, "test");
    for (owners, dice, ranks, scores) in [
        ([1, 1, 2, 3, 3, 3], [1, 1, 8, 1, 1, 1], [2, 3, 1], [0.0, 0.0, 1.0]),
        ([1, 1, 2, 2, 3, 3], [8, 8, 8, 7, 8, 8], [1, 3, 1], [0.5, 0.0, 0.5]),
        ([1, 1, 2, 2, 3, 3], [8; 6], [1, 1, 1], [1.0 / 3.0; 3]),
    ] {
        // Full areas get nothing new, and the others get less than would change the order.
        let game = game("fair-4", &[("players", "3"), ("max_turns", "1")]);
        let mut state = in_a_row(&game, &owners, &dice);
        pass(&game, &mut state, &mut stream);
        let end = outcome(&game, &state);
        assert_eq!((&end.ranks[..], &*end.reason), (&ranks[..], "max_turns"), "{owners:?}");
        assert_eq!(end.scores[..], scores);
    }
    let game = game("sui-2021", &[("players", "3"), ("max_battles", "2")]);
    let mut state = in_a_row(&game, &[1, 2, 3, 3, 3], &[8, 1, 3, 3, 3]);
    battle(&game, &mut state, 1, 2, (30, 1));
    battle(&game, &mut state, 2, 3, (7, 18));
    let end = outcome(&game, &state);
    assert_eq!((&end.ranks[..], &*end.reason), (&[1, 3, 1][..], "max_battles"), "no player wins");
    assert_eq!(end.scores[..], [0.5, 0.0, 0.5]);
}

#[test]
fn a_battle_that_wins_the_game_wins_it_at_the_limit_too() {
    let game = game("sui-2021", &[("players", "2"), ("max_battles", "1")]);
    let mut state = in_a_row(&game, &[1, 2], &[8, 1]);
    battle(&game, &mut state, 1, 2, (30, 1));
    assert_eq!(outcome(&game, &state).reason, "conquest");
}

#[test]
fn who_forfeits_takes_the_last_place_and_its_areas_stay() {
    let mut stream = Stream::new(1, "test");
    let game = game("fair-4", &[]);
    let mut state = in_a_row(&game, &[1, 2, 3, 4, 1], &[8, 1, 1, 1, 8]);
    game.forfeit(&mut state, player(2));
    assert_eq!(state.position().place(player(2)), Some(4));
    assert!(state.position().is_on_map(player(2)));
    // Forfeiting again changes nothing.
    let before = state.clone();
    game.forfeit(&mut state, player(2));
    assert_eq!(state, before);
    pass(&game, &mut state, &mut stream);
    assert_eq!(game.turn(&state), Turn::Seat(player(2)), "it has its turns");
    assert_eq!(game.pass(&state), Action::EndTurn);
    pass(&game, &mut state, &mut stream);
    assert_eq!(state.position().dice(area(2)), 2, "and new dice");
    pass(&game, &mut state, &mut stream);
    pass(&game, &mut state, &mut stream);
    // It can be conquered like any other, and keeps its place.
    battle(&game, &mut state, 1, 2, (30, 2));
    assert_eq!(state.position().place(player(2)), Some(4));
    battle(&game, &mut state, 5, 4, (30, 2));
    assert_eq!(state.position().place(player(4)), Some(3));
    game.forfeit(&mut state, player(1));
    let end = outcome(&game, &state);
    assert_eq!((&end.ranks[..], &*end.reason), (&[2, 4, 1, 3][..], "forfeit"));
    assert_eq!(end.scores[..], [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn the_last_who_has_not_forfeited_wins() {
    let game = game("fair-4", &[("players", "3")]);
    let mut state = in_a_row(&game, &[1, 2, 3], &[8, 1, 8]);
    game.forfeit(&mut state, player(3));
    battle(&game, &mut state, 1, 2, (30, 1));
    let end = outcome(&game, &state);
    assert_eq!((&end.ranks[..], &*end.reason), (&[1, 2, 3][..], "forfeit"));
    // Also in the middle of its own battle.
    let game = DiceWars::new(rules::resolve::<DiceWars>(None, &[]).unwrap()).unwrap();
    let mut state = in_a_row(&game, &[1, 2, 3, 4], &[8; 4]);
    game.apply(&mut state, attack(1, 2));
    game.forfeit(&mut state, player(1));
    assert_eq!(game.turn(&state), Turn::Chance);
    let drawn = game.draw(&state, Stream::new(1, "test").rng());
    game.apply_chance(&mut state, &drawn);
    assert_eq!(state.position().place(player(1)), Some(4));
}

#[test]
fn battles_have_two_outcomes_with_exact_chances() {
    let game = game("sui-2021", &[("players", "2")]);
    let mut chances = Vec::new();
    for attacker in 2..=8 {
        for defender in 1..=8 {
            let mut state = in_a_row(&game, &[1, 2, 2], &[attacker, defender, 1]);
            game.apply(&mut state, attack(1, 2));
            game.chances(&state, &mut chances);
            let won = win_probability(attacker, defender);
            assert_eq!(chances.len(), if won < 1.0 { 2 } else { 1 }, "{attacker}:{defender}");
            for (index, (probability, chance)) in chances.iter().enumerate() {
                game.check_chance(&state, chance).unwrap();
                let expected = if index == 0 { won } else { 1.0 - won };
                assert_eq!(*probability, expected);
                let mut after = state.clone();
                game.apply_chance(&mut after, chance);
                let owner = after.position().owner(area(2));
                assert_eq!(owner, player(if index == 0 { 1 } else { 2 }));
            }
        }
    }
}

#[test]
fn few_new_dice_are_listed_with_the_chances_with_which_they_are_drawn() {
    let game = game("sui-2021", &[("players", "2")]);
    let mut state = in_a_row(&game, &[1, 1, 1, 2], &[7, 6, 1, 1]);
    game.apply(&mut state, Action::EndTurn);
    let mut chances = Vec::new();
    game.chances(&state, &mut chances);
    let key = |chance: &Chance| {
        let mut after = state.clone();
        game.apply_chance(&mut after, chance);
        dice(&after)
    };
    let listed: BTreeMap<Vec<u8>, f64> =
        chances.iter().map(|(probability, chance)| (key(chance), *probability)).collect();
    // (1,2,0) (1,1,1) (1,0,2) (0,2,1) (0,1,2) (0,0,3)
    assert_eq!((chances.len(), listed.len()), (6, 6));
    // All three on the third: each time one of three areas.
    assert!((listed[&vec![7, 6, 4, 1]] - 1.0 / 27.0).abs() < 1e-12);
    // The first once and the second twice: 1-2-2, 2-1-2, 2-2-1, with two areas open in the end.
    let expected =
        1.0 / 3.0 * 0.5 * 0.5 + 1.0 / 3.0 * 1.0 / 3.0 * 0.5 + 1.0 / 3.0 * 1.0 / 3.0 * 0.5;
    assert!((listed[&vec![8, 8, 1, 1]] - expected).abs() < 1e-12);
    let mut stream = Stream::new(1, "test");
    let mut counts: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
    const DRAWS: f64 = 20_000.0;
    for _ in 0..DRAWS as u32 {
        *counts.entry(key(&game.draw(&state, stream.rng()))).or_default() += 1.0;
    }
    // Chi-squared with 5 degrees of freedom: 20.5 is the 0.1% point.
    let chi2: f64 = listed
        .iter()
        .map(|(key, probability)| {
            (counts[key] - DRAWS * probability).powi(2) / (DRAWS * probability)
        })
        .sum();
    assert!(chi2 < 20.5, "{chi2}: {counts:?}, {listed:?}");
}

#[test]
fn where_all_areas_fill_up_there_is_one_way() {
    let game = game("sui-2021", &[("players", "2")]);
    let mut state = in_a_row(&game, &[1, 1, 1, 2], &[8, 7, 7, 1]);
    game.apply(&mut state, Action::EndTurn);
    let mut chances = Vec::new();
    game.chances(&state, &mut chances);
    assert_eq!(
        serde_json::to_value(&chances).unwrap(),
        json!([[1.0, {"reinforcement": {"placed": [2, 3]}}]])
    );
}

#[test]
fn many_new_dice_are_sampled_and_always_the_same() {
    let game = game("sui-2021", &[("players", "2")]);
    let mut state = in_a_row(&game, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 2], &[2; 10]);
    game.apply(&mut state, Action::EndTurn);
    let (mut chances, mut again) = (Vec::new(), Vec::new());
    game.chances(&state, &mut chances);
    game.chances(&state, &mut again);
    assert_eq!(chances, again);
    assert_eq!(chances.len(), 64);
    for (probability, chance) in &chances {
        assert_eq!(*probability, 1.0 / 64.0);
        game.check_chance(&state, chance).unwrap();
    }
}

/// The redundant data of a position stay consistent, and direct changes by a search equal the steps
/// of the game.
#[test]
fn positions_keep_their_books_in_random_games() {
    for (seed, preset) in (1..).zip(["fair-4", "sui-2021", "sui-2020", "classic"]) {
        let game = game(preset, &[]);
        let mut stream = Stream::new(seed, "test");
        let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
        let mut actions = Vec::new();
        while game.outcome(&state).is_none() {
            books_agree(&state);
            game.actions(&state, &mut actions);
            let Some(&action) = choose(stream.rng(), &actions) else { panic!("no action") };
            let mut direct = *state.position();
            game.apply(&mut state, action);
            if game.turn(&state) == Turn::Chance {
                let drawn = game.draw(&state, stream.rng());
                match (&drawn, action) {
                    (Chance::Battle { attacker, defender }, Action::Attack(from, to)) => {
                        direct.attack(from, to, attacker.pips() > defender.pips());
                    }
                    (Chance::Reinforcement { placed }, _) => direct.reinforce(state.map(), placed),
                    (Chance::Battle { .. }, _) => panic!("{action:?} leads to {drawn:?}"),
                }
                game.apply_chance(&mut state, &drawn);
            } else {
                direct.apply(action);
            }
            assert_eq!(direct, *state.position(), "{action:?}");
        }
        books_agree(&state);
    }
}

fn books_agree(state: &State) {
    let (map, position) = (state.map(), state.position());
    let with_dice = |wanted: fn(u8) -> bool| -> AreaSet {
        map.all().iter().filter(|&area| wanted(position.dice(area))).collect()
    };
    assert_eq!(position.ready(), with_dice(|dice| dice >= 2));
    assert_eq!(position.full(), with_dice(|dice| dice == 8));
    for seat in Seat::all(position.players()) {
        let owned: AreaSet =
            map.all().iter().filter(|&area| position.owner(area) == seat).collect();
        assert_eq!(position.areas_of(seat), owned);
        assert_eq!(position.is_on_map(seat), !owned.is_empty());
        let border = owned
            .iter()
            .filter(|&area| map.neighbours(area).iter().any(|other| position.owner(other) != seat));
        assert_eq!(position.border_of(map, seat), border.collect());
        let regions = owned.iter().map(|area| map.region(area, owned).len());
        assert_eq!(position.largest_region(map, seat) as usize, regions.max().unwrap_or(0));
    }
    let mut attacks = 0;
    position.for_each_attack(map, |_, _| attacks += 1);
    if !position.is_over() {
        assert_eq!(position.count_attacks(map), attacks);
        assert_eq!(position.random_attack(map, Stream::new(1, "x").rng()).is_some(), attacks > 0);
    }
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<Position>() <= 192, "{}", size_of::<Position>());
}
