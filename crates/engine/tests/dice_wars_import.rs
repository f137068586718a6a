//! The recorded games of the 2021 framework replay under our rules without a difference, and a
//! tampered record is detected.

use botyard_engine::Notation;
use botyard_engine::dice_wars::{Action, DiceWars};
use botyard_engine::game::{Game, Turn};
use botyard_engine::random::Stream;
use botyard_engine::record::RecordedEvent;
use botyard_engine::registry;
use botyard_engine::table::GameEvent;
use serde_json::json;

const GAMES: &str = include_str!("data/dice-wars/sui2021_games.jsonl");

#[test]
fn every_recorded_game_is_played_to_the_same_end() {
    let games = DiceWars::import(GAMES).unwrap().unwrap();
    assert_eq!(games.len(), 18);
    let (mut checks, mut events) = (0, 0);
    for game in games {
        let game = game.unwrap_or_else(|difference| panic!("{difference}"));
        checks += game.checks;
        events += game.events.len();
        // Replays it from the record alone.
        let mut table = registry::tables_with_rules("dice-wars", &game.rules).unwrap()();
        table.open_with(&game.opening.to_string()).unwrap();
        let mut game_event = GameEvent::default();
        for event in &game.events {
            match event {
                RecordedEvent::Action(action) => {
                    table.play(&action.to_string(), &mut game_event).unwrap();
                }
                RecordedEvent::Chance(chance) => {
                    table.play_chance(&chance.to_string(), &mut game_event).unwrap();
                }
            }
        }
        assert_eq!(table.turn(), Turn::Over);
        assert_eq!(game.players.len(), table.seats().len());
        assert_eq!(table.outcome().unwrap().scores, game.result.unwrap().scores);
    }
    assert_eq!((events, checks), (9254, 29_202));
    let first = DiceWars::import(GAMES).unwrap().unwrap().remove(0).unwrap();
    assert_eq!(first.players, ["dt.ste", "kb.sdc_pre_at", "dt.sdc", "dt.rand"]);
}

/// Replaces something in the first recorded game and returns the difference found.
fn difference(old: &str, new: &str) -> String {
    let game = GAMES.lines().next().unwrap();
    assert!(game.contains(old), "{old}");
    let mut games = DiceWars::import(&game.replacen(old, new, 1)).unwrap().unwrap();
    games.remove(0).unwrap_err().to_string()
}

#[test]
fn what_was_tampered_with_is_found_out() {
    for (old, new, expected) in [
        // Sums that dice cannot have, or that win where the record does not.
        (r#"["a",17,8,12,18,4,3]"#, r#"["a",17,8,25,18,4,3]"#, "game 1, ply 1: attacker: 4 dice"),
        (r#"["a",17,8,12,18,4,3]"#, r#"["a",17,8,19,18,4,3]"#, "ply 1: the owner of the attacked"),
        (r#"["a",17,8,12,18,4,3]"#, r#"["a",17,8,12,18,4,4]"#, "ply 1: the dice on the attacked"),
        (r#"["a",17,8,12,18,4,3]"#, r#"["a",17,9,12,18,4,3]"#, "area 17 does not touch 9"),
        (r#"["t",15,2,1,3]"#, r#"["t",15,2,0,4]"#, "ply 4: the dice that are left: by the rules 1"),
        (r#"["e",1,[[18,4]"#, r#"["e",2,[[18,4]"#, "ply 3: whose turn ends: by the rules 1"),
        (r#"["e",1,[[18,4]"#, r#"["e",1,[[18,5]"#, "ply 3: placed: expected 13 dice, got 14"),
        (r#"[29,2]],0]"#, r#"[29,2]],1]"#, "ply 3: the reserve: by the rules 0, recorded 1"),
        (r#""winner":1"#, r#""winner":2"#, "the winner: by the rules 1, recorded 2"),
        (r#""battles":181"#, r#""battles":180"#, "the number of battles"),
        (r#""eliminations":[[3,62]"#, r#""eliminations":[[3,61]"#, "the eliminations"),
        (r#""id":2,"adj":[1,"#, r#""id":2,"adj":["#, "game 1: setup: area 1 has the neighbour 2"),
        (r#""id":2,"#, r#""id":3,"#, "game 1: setup: expected area 2"),
        (r#""setup""#, r#""start""#, "game 1: expected a game of the framework of 2021: missing"),
    ] {
        let message = difference(old, new);
        assert!(message.contains(expected), "{old} -> {new}: {message}");
    }
    // The end is missing: the last battle.
    let cut = GAMES.lines().next().unwrap();
    let last = cut.rfind(",[\"a\"").unwrap();
    let end = last + cut[last..].find(']').unwrap() + 1;
    let cut = format!("{}{}", &cut[..last], &cut[end..]);
    let message = DiceWars::import(&cut).unwrap().unwrap().remove(0).unwrap_err().to_string();
    assert!(message.contains("ply 267: the record ends here"), "{message}");
}

/// No player attacks, so no player wins: the framework then lists all players as eliminated.
#[test]
fn a_game_that_nobody_wins() {
    let game = DiceWars::new(DiceWars::preset("sui-2021").unwrap()).unwrap();
    let opening = game.draw_opening(Stream::new(1, "opening").rng());
    let mut state = game.start(&opening).unwrap();
    let mut dice = Stream::new(1, "chance");
    let mut log = Vec::new();
    while let Turn::Seat(seat) = game.turn(&state) {
        let before = *state.position();
        game.apply(&mut state, Action::EndTurn);
        let drawn = game.draw(&state, dice.rng());
        game.apply_chance(&mut state, &drawn);
        let now = state.position();
        let grown = state.map().all().iter().filter(|&area| now.dice(area) > before.dice(area));
        let grown: Vec<_> = grown.map(|area| (area, now.dice(area))).collect();
        log.push(json!(["e", seat.index() + 1, grown, now.reserve(seat)]));
    }
    assert_eq!(log.len(), 8 * 4);
    let areas = state.map().all().iter().map(|area| {
        json!({
            "id": area, "adj": state.map().neighbours(area),
            "owner": opening.owners[area.index()], "dice": opening.dice[area.index()],
        })
    });
    let record = json!({
        "ais": ["one", "two", "three", "four"], "setup": areas.collect::<Vec<_>>(), "log": log,
        "winner": null, "battles": 0, "eliminations": [[1, 0], [2, 0], [3, 0], [4, 0]],
    });
    let record = DiceWars::import(&record.to_string()).unwrap().unwrap().remove(0);
    assert_eq!(record.unwrap().events.len(), 64);
}
