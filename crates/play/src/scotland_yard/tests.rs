//! Positions, and lines as people type them, in London and on grids.

use super::*;
use crate::face::Happened;
use botyard_engine::scotland_yard::{SeenAction, Ticket};
use botyard_engine::{Seat, Stream};

fn face(preset: &str) -> ScotlandYardFace {
    let rules = ScotlandYard::preset(preset).unwrap();
    ScotlandYardFace { game: ScotlandYard::new(rules).unwrap() }
}

/// Returns what the seat to move sees in the game of this seed, after `moves` decisions.
fn sight(face: &ScotlandYardFace, seed: u64, moves: usize) -> Sight<ScotlandYard> {
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
    let name = game.seats()[seat.index()].clone();
    Sight { seat: name, view: game.view(&state, seat), legal, past: Vec::new() }
}

#[test]
fn every_legal_step_can_be_written() {
    for preset in ["ravensburger", "grid-5x5-2", "grid-15x15-3-stay"] {
        let face = face(preset);
        for moves in [0, 1, 2] {
            let sight = sight(&face, 3, moves);
            for &action in &sight.legal {
                let read = face.read(&written(action), &sight);
                assert_eq!(read, Ok(Chosen::only(action)), "{preset}: {}", written(action));
            }
            for form in face.completions(&sight) {
                assert_eq!(form.len(), sight.legal.len());
                for (line, &action) in form.iter().zip(&sight.legal) {
                    let read = face.read(line, &sight);
                    assert_eq!(read, Ok(Chosen::only(action)), "{preset}: {line}");
                }
            }
        }
    }
}

#[test]
fn steps_are_read_as_people_write_them() {
    let face = face("ravensburger");
    let sight = sight(&face, 3, 0);
    let is_taxi = |action: &Action| matches!(parts(*action), (None, Ticket::Taxi, _, false));
    let taxi = sight.legal.iter().copied().find(is_taxi).unwrap();
    let to = parts(taxi).2;
    for line in [format!("t {to}"), format!("T{to}"), format!("taxi to {to}")] {
        assert_eq!(face.read(&line, &sight), Ok(Chosen::only(taxi)), "{line}");
    }
    let chosen = face.read(&format!("2x t {to} x {}", 999), &sight).unwrap_err();
    assert!(chosen.contains("there is no station 999"), "{chosen}");
    let alone = face.read(&format!("2x t{to}"), &sight).unwrap();
    assert_eq!(parts(alone.action), (None, Ticket::Taxi, to, true));
    // Back to his first station: the second half is checked before the first is played.
    let home = sight.view.mr_x.station.unwrap();
    let both = face.read(&format!("2x t {to} t {home}"), &sight).unwrap();
    assert_eq!(both, Chosen { then: Some(format!("t {home}")), ..alone });
}

/// Returns a step of Mr. X as detectives see it.
fn hidden(ticket: Ticket) -> crate::face::SeenAction<ScotlandYard> {
    Seen::Redacted(SeenAction { ticket, to: (), double: false })
}

#[test]
fn last_moves_are_shown() {
    let face = face("ravensburger");
    let mut sight = sight(&face, 3, 0);
    let mr_x = |ticket| Happened::Moved { seat: "mr-x".into(), action: hidden(ticket) };
    let moved = |detective, ticket, to| {
        let (detective, to) = (Detective::new(detective).unwrap(), Station::new(to).unwrap());
        let action = Seen::Whole(Action::Detective { detective, ticket, to });
        Happened::Moved { seat: "detectives".into(), action }
    };
    sight.past = vec![
        mr_x(Ticket::Taxi),
        moved(2, Ticket::Bus, 52),
        mr_x(Ticket::Black),
        moved(2, Ticket::Taxi, 39),
        moved(3, Ticket::Underground, 13),
    ];
    let shown = face.position(&sight, Ink::plain()).unwrap();
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
        let sight = sight(&face, 3, moves);
        let shown = face.position(&sight, Ink::plain()).unwrap();
        assert!(shown.lines().count() < 24, "{shown}");
        assert!(shown.contains('[') && shown.contains(". taxi"), "{shown}");
        let map = face.on_request("map", &sight, Ink::plain()).unwrap();
        assert!(map.contains(". taxi"), "{map}");
        let of_station = face.on_request("map 67", &sight, Ink::plain()).unwrap();
        assert!(of_station.contains("[67"), "{of_station}");
        let error = face.on_request("map 200", &sight, Ink::plain()).unwrap();
        assert!(error.contains("the number of a detective or a station"), "{error}");
    }
}

#[test]
fn on_a_grid_keys_are_directions() {
    let face = face("grid-5x5-2");
    let grid = face.grid().unwrap();
    let sight = sight(&face, 3, 1);
    let view = &sight.view;
    for &action in &sight.legal {
        let (detective, _, to, _) = parts(action);
        let detective = detective.unwrap();
        let from = view.detectives[detective.index()].station.unwrap();
        let key = match (grid.column_and_row(from), grid.column_and_row(to)) {
            ((a, _), (b, _)) if b < a => "a",
            ((a, _), (b, _)) if b > a => "d",
            ((_, a), (_, b)) if b < a => "w",
            _ => "s",
        };
        let read = face.read(&format!("{detective}{key}"), &sight);
        assert_eq!(read, Ok(Chosen::only(action)), "{detective}{key}");
    }
    for line in ["wd", "ww", "q", "up", "stay"] {
        let error = face.read(line, &sight).unwrap_err();
        assert!(error.contains("possible steps"), "{line}: {error}");
    }
}

#[test]
fn what_is_no_step_is_answered_by_the_possible_ones() {
    let face = face("ravensburger");
    let sight = sight(&face, 3, 0);
    for (line, expected) in [
        ("", "expected a station or a direction"),
        ("taxi", "expected a station or a direction"),
        ("t 200", "there is no station 200"),
        ("fly 45", "\"fly\" is neither a ticket nor a station"),
        ("1 2 3", "too many numbers"),
        ("t 99999999", "neither a ticket"),
        ("9 t 45", "there is no detective 9"),
    ] {
        let error = face.read(line, &sight).unwrap_err();
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
            let sight = Sight {
                seat: "detectives".into(),
                view: game.view(state, detectives),
                legal: Vec::new(),
                past: Vec::new(),
            };
            let shown = face.position(&sight, Ink::plain()).unwrap();
            shown + &face.on_request("candidates", &sight, Ink::plain()).unwrap()
        };
        let places: std::collections::BTreeSet<_> =
            others.iter().map(|state| state.position().mr_x().number()).collect();
        assert!(places.len() > 1, "Mr. X is at different places in these states");
        for other in &others {
            assert_eq!(screen(other), screen(&state));
        }
    }
    let secret = face.words("mr-x", &hidden(Ticket::Taxi));
    assert_eq!(secret, "Mr. X: taxi");
}
