//! The built-in games behind the rules protocol are the built-in games: the same recorded games, golden
//! games and random games, with the same views, lists, copies, outcomes, hashes and refusals.

use crate::lockstep::{Draws, Lockstep, lockstep, lockstep_with_rules, served, served_by_name};
use botyard_engine::random::{Stream, below, choose};
use botyard_engine::registry::{self, LoadedGame, SetupError};
use botyard_engine::{GameEvent, Seat, Table, Turn};
use botyard_replay::{ReplayReader, registered_table, show, verify, write_stdin};
use botyard_testkit::dice::Dice;
use botyard_testkit::golden_games::{self, Changes};
use botyard_testkit::{action_shapes, cases, hand::Hand};
use serde_json::Value;
use std::path::PathBuf;

fn owned(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    changes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

fn boxed(lockstep: Result<Lockstep, SetupError>) -> Box<dyn Table> {
    Box::new(lockstep.expect("rules that can be played"))
}

fn golden(game: &str, preset: &str, changes: Changes) -> Box<dyn Table> {
    boxed(lockstep(game, Some(preset), &owned(changes), Draws::BuiltIn))
}

#[test]
fn golden_games_are_the_same() {
    golden_games::draughts(&golden);
    golden_games::dice_wars(&golden);
    golden_games::scotland_yard(&golden);
}

/// Returns the replays that earlier versions wrote.
fn recorded() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../replay/tests/data");
    let files = std::fs::read_dir(folder).expect("the replays are there");
    files.map(|file| file.expect("a file").path()).collect()
}

#[test]
fn recorded_games_are_the_same() {
    let in_lockstep = |game: &str, rules: &Value| -> Result<Box<dyn Table>, SetupError> {
        Ok(Box::new(lockstep_with_rules(game, rules)?))
    };
    let recorded = recorded();
    assert!(recorded.len() >= 17, "{recorded:?}");
    for file in recorded {
        let name = file.display();
        let reader = || ReplayReader::open(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let judged = |table| verify(reader(), table).map(|report| report.to_json());
        let built_in = judged(&registered_table).unwrap_or_else(|error| panic!("{name}: {error}"));
        let program = judged(&in_lockstep).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(built_in, program, "{name}");
        let shown = |table| {
            let mut text = Vec::new();
            show(reader(), table, None, None, &mut text).map(|()| text)
        };
        let (one, other) = (shown(&registered_table), shown(&in_lockstep));
        assert!(one.is_ok_and(|one| other.is_ok_and(|other| one == other)), "{name}");
        if reader().header().view_of.is_some() {
            continue;
        }
        for seat in 1..=reader().header().seats.len() {
            let lines = |table| {
                let mut sent = Vec::new();
                write_stdin(reader(), table, &seat.to_string(), None, &mut sent).map(|_| sent)
            };
            let (one, other) = (lines(&registered_table), lines(&in_lockstep));
            assert!(one.is_ok_and(|one| other.is_ok_and(|other| one == other)), "{name}, {seat}");
        }
    }
}

/// JSON that is no action of any game.
const NONSENSE: [&str; 6] = ["null", "{}", "[]", "-7", "\"x\"", "{\"column\":9}"];

/// Plays a random game. Returns the number of decisions.
fn random_game(table: &mut Lockstep, seed: u64, forfeits: bool) -> u32 {
    let mut stream = Stream::new(seed, "lockstep");
    table.open(&mut Stream::new(seed, "opening"));
    let seats = table.seats().len() as u32;
    let quitter = Seat::new(below(stream.rng(), seats) as usize);
    let when = if forfeits { below(stream.rng(), 12) } else { u32::MAX };
    let mut game_event = GameEvent::default();
    let mut earlier: Vec<String> = Vec::new();
    let mut decisions = 0;
    for step in 0.. {
        assert!(step < 20_000, "no end in sight");
        if step == when && table.turn() != Turn::Over {
            table.forfeit(quitter);
        }
        match table.turn() {
            Turn::Over => break,
            Turn::Chance => table.draw(&mut stream, &mut game_event),
            Turn::Seat(seat) => {
                let strangers = earlier.iter().rev().take(3).map(String::as_str);
                for stranger in strangers.chain(NONSENSE) {
                    let _ = table.canonical_action(stranger);
                }
                if step % 8 == 0 && step < 20 {
                    action_shapes::check(table);
                }
                if step % 8 == 0 {
                    assert!(table.play(NONSENSE[0], &mut GameEvent::default()).is_err());
                    assert!(table.open_with("[0]").is_err());
                }
                let legal = table.legal();
                let drawn = choose(stream.rng(), &legal).expect("a seat has an action").to_string();
                let action = if seat == quitter && step > when { table.pass() } else { drawn };
                table.play(&action, &mut game_event).expect("a legal action");
                assert!(table.play_chance("{}", &mut GameEvent::default()).is_err());
                earlier.push(action);
                decisions += 1;
            }
        }
    }
    table.game();
    table.rules();
    table.has_secrets();
    table.scores();
    decisions
}

#[test]
fn random_games_are_the_same() {
    for game in registry::names() {
        let info = registry::info(&game).expect("a listed game");
        for (place, (preset, _)) in info.presets.iter().enumerate() {
            for round in 0..cases(1_u32, 6) {
                let draws = [Draws::Program, Draws::BuiltIn][(place + round as usize) % 2];
                let table = lockstep(&game, Some(preset.name), &[], draws);
                let mut table = table.expect("a preset");
                // Two games at one table: nothing of the first one matters.
                random_game(&mut table, u64::from(round), false);
                random_game(&mut table, u64::from(round) + 1, true);
            }
        }
    }
}

#[test]
fn descriptions_are_the_same() {
    for game in registry::names() {
        let built_in = registry::info(&game).expect("a listed game");
        let program = served_by_name(&game);
        let program = program.info();
        let mut described = built_in.to_json();
        for preset in described["presets"].as_array_mut().expect("a list") {
            // What a program describes is resolved.
            let tables = registry::tables(&game, preset["name"].as_str(), &[]);
            preset["rules"] = tables.expect("a preset")().rules();
        }
        assert_eq!(described, program.to_json());
        assert_eq!(built_in.kind(), program.kind());
        assert_eq!(built_in.seats_rule, program.seats_rule);
        assert_eq!(built_in.rules_schema, program.rules_schema);
        assert_eq!(built_in.schemas, program.schemas);
    }
}

#[test]
fn wrong_rules_are_refused_for_the_same_reason() {
    for (game, preset, changes) in [
        ("draughts", Some("nonsense"), &[][..]),
        ("draughts", None, &[("first_mover", "green")]),
        ("draughts", None, &[("no_such_rule", "7")]),
        ("draughts", None, &[("max_plies", "-1")]),
        ("dice-wars", None, &[("players", "99")]),
        ("dice-wars", None, &[("areas", "\"many\"")]),
        ("scotland-yard", None, &[("detectives", "0")]),
        ("scotland-yard", Some("bristol"), &[("detective_tickets.bus", "\"x\"")]),
        ("liars-dice", None, &[("players", "1")]),
        ("connect-four", None, &[("width", "8")]),
    ] {
        let refused = lockstep(game, preset, &owned(changes), Draws::BuiltIn);
        assert!(refused.is_err(), "{game} {changes:?}");
    }
}

#[test]
fn the_small_games_of_the_kit_are_served_too() {
    for (program, seats) in [(served::<Dice>(), 3), (served::<Hand>(), 2)] {
        let mut table = program.tables(None, &[]).expect("the default rules")();
        let mut game_event = GameEvent::default();
        let mut stream = Stream::new(1, "kit");
        table.open(&mut stream);
        assert_eq!(table.seats().len(), seats);
        while table.turn() != Turn::Over {
            match table.turn() {
                Turn::Chance => table.draw(&mut stream, &mut game_event),
                _ => {
                    let action = table.legal()[0].to_string();
                    table.play(&action, &mut game_event).expect("a legal action");
                }
            }
        }
        assert_eq!(table.fault(), None);
        assert!(table.outcome().is_some());
    }
}
