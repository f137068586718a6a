//! Positions, and lines as people type them, in London and on grids.

use super::*;
use crate::face::Happened;
use botyard_engine::{Seat, Stream};
use serde_json::json;

fn face(preset: &str) -> ScotlandYardFace {
    let rules = ScotlandYard::preset(preset).unwrap();
    ScotlandYardFace { game: ScotlandYard::new(rules).unwrap() }
}

/// Returns the first question to a seat in the game of this seed, after `moves` decisions.
fn question(face: &ScotlandYardFace, seed: u64, moves: usize) -> Question {
    let game = &face.game;
    let mut stream = Stream::new(seed, "opening");
    let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
    let mut legal = Vec::new();
    for _ in 0..moves {
        game.actions(&state, &mut legal);
        game.apply(&mut state, legal[0]);
    }
    game.actions(&state, &mut legal);
    let botyard_engine::Turn::Seat(seat) = game.turn(&state) else { panic!("over") };
    Question {
        turn: 1 + moves as u32,
        seat: game.seats()[seat.index()].clone(),
        view: json!(game.view(&state, seat)),
        legal: legal.iter().map(|action| json!(action)).collect(),
        past: Vec::new(),
    }
}

#[test]
fn every_legal_step_can_be_written() {
    for preset in ["ravensburger", "grid-5x5-2", "grid-15x15-3-stay"] {
        let face = face(preset);
        for moves in [0, 1, 2] {
            let question = question(&face, 3, moves);
            for json in &question.legal {
                let action: Action = serde_json::from_value(json.clone()).unwrap();
                let read = face.read(&written(action), &question).unwrap();
                assert_eq!(read, Chosen::only(json.clone()), "{preset}: {}", written(action));
            }
            for form in face.completions(&question) {
                assert_eq!(form.len(), question.legal.len());
                for (line, json) in form.iter().zip(&question.legal) {
                    let read = face.read(line, &question);
                    assert_eq!(read, Ok(Chosen::only(json.clone())), "{preset}: {line}");
                }
            }
        }
    }
}

#[test]
fn steps_are_read_as_people_write_them() {
    let face = face("ravensburger");
    let question = question(&face, 3, 0);
    let taxi = question.legal.iter().find(|action| action["ticket"] == "taxi").unwrap();
    let to = taxi["to"].as_u64().unwrap();
    for line in [format!("t {to}"), format!("T{to}"), format!("taxi to {to}")] {
        assert_eq!(face.read(&line, &question), Ok(Chosen::only(taxi.clone())), "{line}");
    }
    let chosen = face.read(&format!("2x t {to} x {}", 999), &question).unwrap_err();
    assert!(chosen.contains("there is no station 999"), "{chosen}");
    let alone = face.read(&format!("2x t{to}"), &question).unwrap();
    assert_eq!((&alone.action["double"], &alone.action["to"]), (&json!(true), &json!(to)));
    // Back to his first station: the second half is checked before the first is played.
    let view: View = serde_json::from_value(question.view.clone()).unwrap();
    let home = view.mr_x.station.unwrap();
    let both = face.read(&format!("2x t {to} t {home}"), &question).unwrap();
    assert_eq!(both, Chosen { then: Some(format!("t {home}")), ..alone });
}

#[test]
fn last_moves_are_shown() {
    let face = face("ravensburger");
    let mut question = question(&face, 3, 0);
    let moved = |seat: &str, seen_by_seat| Happened::Moved { seat: seat.into(), seen_by_seat };
    question.past = vec![
        moved("mr-x", json!({"ticket": "taxi"})),
        moved("detectives", json!({"detective": 2, "ticket": "bus", "to": 52})),
        moved("mr-x", json!({"ticket": "black"})),
        moved("detectives", json!({"detective": 2, "ticket": "taxi", "to": 39})),
        moved("detectives", json!({"detective": 3, "ticket": "underground", "to": 13})),
    ];
    let shown = face.position(&question, Ink::plain());
    let line = |start: &str| {
        let mut lines = shown.lines().filter(|line| line.trim_start().starts_with(start));
        lines.next().unwrap_or_default().to_string()
    };
    assert!(line("Mr. X").ends_with(", by black"), "{shown}");
    assert!(line("detective 2").ends_with(", by taxi from 52"), "{shown}");
    assert!(line("detective 3").ends_with(", by underground"), "{shown}");
    assert!(!line("detective 1").contains(" by "), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

#[test]
fn a_position_in_london_fits_a_terminal_and_shows_the_surroundings() {
    let face = face("ravensburger");
    for moves in [0, 1, 2] {
        let question = question(&face, 3, moves);
        let shown = face.position(&question, Ink::plain());
        assert!(shown.lines().count() < 24, "{shown}");
        assert!(shown.contains('[') && shown.contains(". taxi"), "{shown}");
        let map = face.on_request("map", &question, Ink::plain()).unwrap();
        assert!(map.contains(". taxi"), "{map}");
        let of_station = face.on_request("map 67", &question, Ink::plain()).unwrap();
        assert!(of_station.contains("[67"), "{of_station}");
        let error = face.on_request("map 200", &question, Ink::plain()).unwrap();
        assert!(error.contains("the number of a detective or a station"), "{error}");
    }
}

#[test]
fn on_a_grid_keys_are_directions() {
    let face = face("grid-5x5-2");
    let grid = face.grid().unwrap();
    let question = question(&face, 3, 1);
    let view: View = serde_json::from_value(question.view.clone()).unwrap();
    for json in &question.legal {
        let action: Action = serde_json::from_value(json.clone()).unwrap();
        let (detective, _, to, _) = parts(action);
        let detective = detective.unwrap();
        let from = view.detectives[detective.index()].station.unwrap();
        let key = match (grid.column_and_row(from), grid.column_and_row(to)) {
            ((a, _), (b, _)) if b < a => "a",
            ((a, _), (b, _)) if b > a => "d",
            ((_, a), (_, b)) if b < a => "w",
            _ => "s",
        };
        let read = face.read(&format!("{detective}{key}"), &question);
        assert_eq!(read, Ok(Chosen::only(json.clone())), "{detective}{key}");
    }
    for line in ["wd", "ww", "q", "up", "stay"] {
        let error = face.read(line, &question).unwrap_err();
        assert!(error.contains("possible steps"), "{line}: {error}");
    }
}

#[test]
fn what_is_no_step_is_answered_by_the_possible_ones() {
    let face = face("ravensburger");
    let question = question(&face, 3, 0);
    for (line, expected) in [
        ("", "expected a station or a direction"),
        ("taxi", "expected a station or a direction"),
        ("t 200", "there is no station 200"),
        ("fly 45", "\"fly\" is neither a ticket nor a station"),
        ("1 2 3", "too many numbers"),
        ("t 99999999", "neither a ticket"),
        ("9 t 45", "there is no detective 9"),
    ] {
        let error = face.read(line, &question).unwrap_err();
        assert!(error.contains(expected) && error.contains("possible steps"), "{line}: {error}");
    }
}

#[test]
fn what_the_seat_may_not_know_is_not_shown() {
    // The screen depends on the view only, and the view does not contain Mr. X's station.
    let face = face("ravensburger");
    let game = &face.game;
    for seed in 0..20 {
        let mut stream = Stream::new(seed, "opening");
        let opening = game.draw_opening(stream.rng());
        let state = game.start(&opening).unwrap();
        let detectives = Seat::new(1);
        let view = game.view(&state, detectives);
        let mut others = Vec::new();
        for _ in 0..20 {
            others.push(game.determinize(&view, detectives, stream.rng()).unwrap());
        }
        let screen = |state| {
            let question = Question {
                turn: 1,
                seat: "detectives".into(),
                view: json!(game.view(state, detectives)),
                legal: Vec::new(),
                past: Vec::new(),
            };
            let shown = face.position(&question, Ink::plain());
            shown + &face.on_request("candidates", &question, Ink::plain()).unwrap()
        };
        let places: std::collections::BTreeSet<_> =
            others.iter().map(|state| state.position().mr_x().number()).collect();
        assert!(places.len() > 1, "Mr. X is at different places in these states");
        for other in &others {
            assert_eq!(screen(other), screen(&state));
        }
    }
    let secret = face.words("mr-x", &json!({"ticket": "taxi"}));
    assert_eq!(secret, "Mr. X: taxi");
}
