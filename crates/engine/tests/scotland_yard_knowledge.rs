//! The information of the seats: candidates, views, determinizations, and observations of events.

use botyard_engine::game::{Game, Turn};
use botyard_engine::information::{Information, Seen};
use botyard_engine::random::{Stream, below, choose};
use botyard_engine::rules;
use botyard_engine::scotland_yard::{
    Action, Candidates, End, LogView, Opening, ScotlandYard, Stage, StartSet, State, Station, View,
};
use botyard_engine::seat::Seat;
use serde_json::{Value, json};
use std::collections::HashSet;

const MR_X: Seat = Seat::new(0);
const DETECTIVES: Seat = Seat::new(1);

fn station(number: u16) -> Station {
    Station::new(number).unwrap()
}

fn game(preset: &str, changes: &[(&str, &str)]) -> ScotlandYard {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    ScotlandYard::new(rules::resolve::<ScotlandYard>(Some(preset), &changes).unwrap()).unwrap()
}

fn opening(json: Value) -> Opening {
    serde_json::from_value(json).unwrap()
}

fn action(json: Value) -> Action {
    serde_json::from_value(json).unwrap()
}

/// Plays random games and calls `look` at every state.
fn random_games(game: &ScotlandYard, games: u64, mut look: impl FnMut(&State)) {
    let mut actions = Vec::new();
    for seed in 0..games {
        let mut stream = Stream::new(seed, "test");
        let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
        look(&state);
        while game.turn(&state) != Turn::Over {
            game.actions(&state, &mut actions);
            game.apply(&mut state, *choose(stream.rng(), &actions).unwrap());
            look(&state);
        }
    }
}

fn all_games() -> impl Iterator<Item = (String, ScotlandYard)> {
    let presets = ScotlandYard::PRESETS.iter().map(|preset| (preset.name, &[][..]));
    let changed = [
        ("ravensburger", &[("stuck", "removed"), ("detective_tickets", "4/2/1")][..]),
        ("ravensburger", &[("seats", "pawns"), ("board", "london-classic")]),
        ("bristol", &[("starts", "random"), ("reveals", "[]")]),
        ("grid-7x7-3", &[("double", "3"), ("board", "9x4"), ("x_onto_detective", "illegal")]),
    ];
    presets
        .chain(changed)
        .map(|(preset, changes)| (format!("{preset} {changes:?}"), game(preset, changes)))
}

#[test]
fn mr_x_is_always_among_the_candidates_and_views_tell_the_same_ones() {
    for (name, game) in all_games() {
        let (mut states, mut several) = (0, 0);
        random_games(&game, 25, |state| {
            let candidates = game.candidates(state);
            assert!(candidates.set().contains(state.position().mr_x()), "{name}\n{state:?}");
            for seat in [MR_X, DETECTIVES] {
                let seen = game.candidates_in(&game.view(state, seat));
                assert_eq!(seen.set(), candidates.set(), "{name} {seat:?}\n{state:?}");
            }
            if state.position().stage() != Stage::Over(End::Caught) {
                for pawn in state.position().pawns().stations() {
                    assert!(!candidates.set().contains(pawn), "{name}: {pawn}\n{state:?}");
                }
            }
            states += 1;
            several += usize::from(candidates.set().len() > 1);
        });
        assert!(states > 300 && several > states / 3, "{name}: {several} of {states}");
    }
}

#[test]
fn candidates_are_all_that_the_log_allows() {
    // Enumerates every path that Mr. X can have taken.
    let game = game("bristol", &[("detectives", "3"), ("detective_tickets", "9/9/9")]);
    let board = game.board();
    let mut compared = 0;
    random_games(&game, 12, |state| {
        let log = state.log();
        if log.len() > 6 || matches!(state.position().stage(), Stage::Over(_)) {
            return;
        }
        let first = log.first().map_or(*state.position().pawns(), |entry| entry.detectives);
        let mut ways: HashSet<Vec<Station>> =
            game.mr_x_cards().iter().filter(|s| !first.occupy(**s)).map(|s| vec![*s]).collect();
        for (place, entry) in log.iter().enumerate() {
            let mut longer = HashSet::new();
            for way in &ways {
                let from = way[way.len() - 1];
                if entry.detectives.occupy(from) {
                    continue;
                }
                for to in board.stations() {
                    let shown = game.arena().reveals(place as u16 + 1);
                    if board.joins(from, entry.ticket, to)
                        && !entry.detectives.occupy(to)
                        && (!shown || to == entry.station)
                    {
                        // His station two steps ago does not matter any more.
                        longer.insert(vec![from, to]);
                    }
                }
            }
            ways = longer;
        }
        let now = state.position().pawns();
        let ends: HashSet<Station> =
            ways.iter().map(|way| way[way.len() - 1]).filter(|end| !now.occupy(*end)).collect();
        assert_eq!(game.candidates(state).set().iter().collect::<HashSet<_>>(), ends);
        compared += 1;
    });
    assert!(compared > 200, "{compared}");
}

#[test]
fn candidates_move_by_move() {
    let game = game("bristol", &[("detectives", "2"), ("reveals", "[3]")]);
    let board = game.board();
    let given = opening(json!({ "mr_x": 35, "detectives": [26, 29], "mr_x_starts": [35, 45] }));
    let mut state = game.start(&given).unwrap();
    let numbers = |candidates: &Candidates| -> Vec<u16> {
        candidates.set().iter().map(Station::number).collect()
    };
    let possible = |state: &State| numbers(&game.candidates(state));
    assert_eq!(possible(&state), [35, 45]);
    // By taxi from 35: 22 36 48 65; from 45: 32 46 58 59 60.
    game.apply(&mut state, action(json!({ "ticket": "taxi", "to": 65 })));
    assert_eq!(possible(&state), [22, 32, 36, 46, 48, 58, 59, 60, 65]);
    for (detective, to) in [(1, 39), (2, 42)] {
        let step = json!({ "detective": detective, "ticket": "taxi", "to": to });
        game.apply(&mut state, action(step));
    }
    // A double move by black: twice every kind of edge; the second makes the third entry.
    game.apply(&mut state, action(json!({ "ticket": "black", "to": 82, "double": true })));
    let anywhere_from = |stations: &[u16]| {
        let mut all: Vec<u16> = stations
            .iter()
            .flat_map(|&from| board.neighbours(station(from)))
            .map(|to| to.number())
            .filter(|to| ![39, 42].contains(to))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    assert_eq!(possible(&state), anywhere_from(&[22, 32, 36, 46, 48, 58, 59, 60, 65]));
    game.apply(&mut state, action(json!({ "ticket": "taxi", "to": 67 })));
    assert_eq!(possible(&state), [67], "the third entry is a reveal");
    game.apply(&mut state, action(json!({ "detective": 1, "ticket": "taxi", "to": 51 })));
    game.apply(&mut state, action(json!({ "detective": 2, "ticket": "taxi", "to": 56 })));
    game.apply(&mut state, action(json!({ "ticket": "taxi", "to": 68 })));
    // By taxi from 67: 51 66 68 84; a detective stood on 51.
    assert_eq!(possible(&state), [66, 68, 84]);
    // A detective arrives at 68 and catches him.
    game.apply(&mut state, action(json!({ "detective": 1, "ticket": "taxi", "to": 68 })));
    assert_eq!(possible(&state), [68]);
    assert_eq!(game.outcome(&state).unwrap().reason, "caught");
}

#[test]
fn an_arrival_that_catches_nobody_removes_a_station() {
    let game = game("bristol", &[("detectives", "1")]);
    let given = opening(json!({ "mr_x": 35, "detectives": [46], "mr_x_starts": [35, 45] }));
    let mut state = game.start(&given).unwrap();
    game.apply(&mut state, action(json!({ "ticket": "taxi", "to": 22 })));
    let before = game.candidates(&state);
    assert!(before.set().contains(station(58)));
    // 46 to 58 by bus.
    game.apply(&mut state, action(json!({ "detective": 1, "ticket": "bus", "to": 58 })));
    let after = game.candidates(&state);
    assert!(!after.set().contains(station(58)));
    assert_eq!(after.set().len(), before.set().len() - 1);
}

#[test]
fn only_reveals_show_mr_x_to_the_detectives() {
    for (name, game) in all_games() {
        random_games(&game, 6, |state| {
            let own = game.view(state, MR_X);
            let seen = game.view(state, DETECTIVES);
            assert_eq!(own.mr_x.station, Some(state.position().mr_x()));
            let reveals =
                |view: &View| -> Vec<bool> { view.log.iter().map(|e| e.reveal).collect() };
            assert_eq!(reveals(&own), reveals(&seen));
            for ((number, entry), (mine, theirs)) in
                (1..).zip(state.log()).zip(own.log.iter().zip(&seen.log))
            {
                let expected = LogView {
                    station: Some(entry.station),
                    reveal: game.arena().reveals(number),
                    ticket: entry.ticket,
                    detectives: entry.detectives,
                };
                assert_eq!(*mine, expected, "{name}");
                let hidden =
                    LogView { station: expected.station.filter(|_| expected.reveal), ..expected };
                assert_eq!(*theirs, hidden, "{name}");
            }
            let caught = state.position().stage() == Stage::Over(End::Caught);
            let shown = caught || seen.log.last().is_some_and(|entry| entry.reveal);
            assert_eq!(seen.mr_x.station.is_some(), shown, "{name}");
            // Nothing else differs.
            let same = View { mr_x: own.mr_x.clone(), log: own.log.clone(), ..seen };
            assert_eq!(same, own, "{name}");
        });
    }
}

#[test]
fn every_detective_seat_sees_the_same() {
    let game = game("ravensburger", &[("seats", "pawns"), ("show_candidates", "true")]);
    random_games(&game, 3, |state| {
        let view = game.view(state, DETECTIVES);
        for seat in Seat::all(game.seats().len()).skip(2) {
            assert_eq!(game.view(state, seat), view);
        }
        let visible: Vec<Station> = game.candidates(state).set().iter().collect();
        assert_eq!(view.candidates, Some(visible));
    });
}

#[test]
fn a_view_in_json_is_what_the_documentation_says() {
    let game = game("ravensburger-2000", &[("detectives", "2"), ("reveals", "2")]);
    let mut state = game.start(&opening(json!({ "mr_x": 13, "detectives": [26, 29] }))).unwrap();
    game.apply(&mut state, action(json!({ "ticket": "taxi", "to": 23 })));
    game.apply(&mut state, action(json!({ "detective": 1, "ticket": "taxi", "to": 39 })));
    let mut expected = json!({
        "round": 1, "to_move": "detectives", "second_leg": false,
        "mr_x": { "station": null, "tickets": { "taxi": 4, "bus": 3, "underground": 3 }, "black": 2, "double": 2 },
        "detectives": [
            { "station": 39, "tickets": { "taxi": 9, "bus": 8, "underground": 4 }, "moved": true },
            { "station": 29, "tickets": { "taxi": 10, "bus": 8, "underground": 4 }, "moved": false }
        ],
        "log": [{ "ticket": "taxi", "station": null, "reveal": false, "detectives": [26, 29] }]
    });
    assert_eq!(serde_json::to_value(game.view(&state, DETECTIVES)).unwrap(), expected);
    expected["mr_x"]["station"] = json!(23);
    expected["log"][0]["station"] = json!(23);
    assert_eq!(serde_json::to_value(game.view(&state, MR_X)).unwrap(), expected);
}

#[test]
fn what_the_detectives_are_told_of_events() {
    let game = game("bristol", &[("detectives", "1"), ("reveals", "2")]);
    let given = opening(json!({ "mr_x": 35, "detectives": [26] }));
    let redacted = Seen::Redacted;
    let opening_for = |seat| json_of(ScotlandYard::seen_opening(&game, &given, seat));
    assert_eq!(opening_for(DETECTIVES), redacted(json!({ "mr_x": null, "detectives": [26] })));
    assert_eq!(opening_for(MR_X), Seen::Whole);
    let visible = |state: &State, action, seat| {
        json_of(ScotlandYard::seen_action(&game, state, action, seat))
    };
    let mut state = game.start(&given).unwrap();
    let first = action(json!({ "ticket": "taxi", "to": 22, "double": true }));
    assert_eq!(
        visible(&state, first, DETECTIVES),
        redacted(json!({ "ticket": "taxi", "to": null, "double": true }))
    );
    assert_eq!(visible(&state, first, MR_X), Seen::Whole);
    game.apply(&mut state, first);
    let second = action(json!({ "ticket": "black", "to": 35 }));
    assert_eq!(visible(&state, second, DETECTIVES), Seen::Whole, "the second entry is a reveal");
    game.apply(&mut state, second);
    let detective = action(json!({ "detective": 1, "ticket": "taxi", "to": 39 }));
    assert_eq!(visible(&state, detective, MR_X), Seen::Whole);
}

/// Returns the observation of a seat, with its copy as JSON.
fn json_of<T: serde::Serialize>(seen: Seen<T>) -> Seen<Value> {
    match seen {
        Seen::Whole => Seen::Whole,
        Seen::Redacted(copy) => Seen::Redacted(serde_json::to_value(copy).unwrap()),
    }
}

#[test]
fn a_start_off_the_cards_gives_nothing_away() {
    let game = game("bristol", &[("detectives", "2"), ("show_candidates", "true")]);
    let start = |json: Value| game.start(&opening(json)).unwrap();
    let everywhere = start(json!({ "mr_x": 1, "detectives": [2, 3] }));
    assert_eq!(*everywhere.starts(), StartSet::Anywhere);
    assert_eq!(game.candidates(&everywhere).set().len(), 197);
    let view = game.view(&everywhere, DETECTIVES);
    assert_eq!(view, game.view(&start(json!({ "mr_x": 4, "detectives": [2, 3] })), DETECTIVES));
    assert_eq!(game.setup(&everywhere, DETECTIVES).mr_x_starts.len(), 197);
    let cards = start(json!({ "mr_x": 35, "detectives": [2, 3] }));
    assert_eq!(*cards.starts(), StartSet::Cards);
    assert_eq!(game.setup(&cards, DETECTIVES).mr_x_starts, game.mr_x_cards());
    let three = start(json!({ "mr_x": 5, "detectives": [2, 3], "mr_x_starts": [6, 5, 2] }));
    let visible: Vec<u16> =
        game.setup(&three, DETECTIVES).mr_x_starts.iter().map(|s| s.number()).collect();
    assert_eq!(visible, [5, 6], "a detective is on 2");
    for state in [everywhere, cards, three] {
        let mut stream = Stream::new(1, "test");
        let view = game.view(&state, DETECTIVES);
        let mut drawn = HashSet::new();
        for _ in 0..3000 {
            let possible = game.determinize(&view, DETECTIVES, stream.rng()).unwrap();
            assert_eq!(game.view(&possible, DETECTIVES), view);
            drawn.insert(possible.position().mr_x());
        }
        let candidates: HashSet<Station> = game.candidates(&state).set().iter().collect();
        assert_eq!(drawn, candidates, "every candidate is drawn, and nothing else");
    }
}

#[test]
fn determinizations_are_games_that_could_have_been_played() {
    for (name, game) in all_games() {
        let mut stream = Stream::new(9, "test");
        let mut replayed = 0;
        random_games(&game, 4, |state| {
            if matches!(state.position().stage(), Stage::Over(_)) {
                let view = game.view(state, DETECTIVES);
                let again = game.determinize(&view, DETECTIVES, stream.rng()).unwrap();
                assert_eq!(game.view(&again, DETECTIVES), view, "{name}: an ended game");
                return;
            }
            let view = game.view(state, DETECTIVES);
            let possible = game.determinize(&view, DETECTIVES, stream.rng()).unwrap();
            assert_eq!(possible.log().len(), state.log().len());
            for (place, entry) in possible.log().iter().enumerate() {
                assert!(!entry.detectives.occupy(entry.station), "{name}: he would be caught");
                if place > 0 {
                    let from = possible.log()[place - 1].station;
                    assert!(game.board().joins(from, entry.ticket, entry.station), "{name}");
                    assert!(!entry.detectives.occupy(from), "{name}: he would have been caught");
                }
            }
            if let Some(last) = possible.log().last() {
                assert_eq!(last.station, possible.position().mr_x());
            }
            // Mr. X's own view hides nothing.
            let own = game.view(state, MR_X);
            assert_eq!(game.determinize(&own, MR_X, stream.rng()).unwrap(), *state, "{name}");
            replayed += 1;
        });
        assert!(replayed > 40, "{name}");
    }
}

#[test]
fn views_that_cannot_be_are_refused_with_a_reason() {
    let game = game("bristol", &[("detectives", "2")]);
    let mut state = game.start(&opening(json!({ "mr_x": 35, "detectives": [26, 29] }))).unwrap();
    game.apply(&mut state, action(json!({ "ticket": "taxi", "to": 22 })));
    let good = serde_json::to_value(game.view(&state, DETECTIVES)).unwrap();
    let refused = |change: &dyn Fn(&mut Value), seat: Seat| -> String {
        let mut view = good.clone();
        change(&mut view);
        let view: View = serde_json::from_value(view).unwrap();
        game.determinize(&view, seat, Stream::new(1, "test").rng()).unwrap_err().0
    };
    type Change = fn(&mut Value);
    let table: [(Change, &str); 13] = [
        (|view| view["round"] = json!(0), "round 0 of a game of at most 24"),
        (|view| view["round"] = json!(25), "round 25"),
        (|view| view["round"] = json!(3), "1 log entries in round 3"),
        (
            |view| {
                view["detectives"].as_array_mut().unwrap().pop();
            },
            "1 detectives in the view",
        ),
        (|view| view["detectives"][0]["station"] = json!(200), "there is no station 200"),
        (|view| view["log"][0]["detectives"] = json!([26]), "log entry 1 has 1 detectives"),
        (|view| view["log"][0]["reveal"] = json!(true), "log entry 1 has reveal true"),
        (|view| view["to_move"] = json!(null), "`to_move` is null"),
        (|view| view["to_move"] = json!("detective-1"), "`to_move` is not the seat"),
        (|view| view["second_leg"] = json!(true), "`second_leg` is true"),
        (|view| view["mr_x_starts"] = json!([26, 29]), "no station is left"),
        (|view| view["log"][0]["ticket"] = json!("underground"), "no station is left"),
        (
            |view| {
                for d in 0..2 {
                    view["detectives"][d]["moved"] = json!(true);
                }
            },
            "no legal action",
        ),
    ];
    for (change, reason) in table {
        let message = refused(&change, DETECTIVES);
        assert!(message.contains(reason), "{reason}: {message}");
    }
    assert!(refused(&|_| (), MR_X).contains("has no `mr_x.station`"));
    let six = json!([26, 29, 30, 31, 32, 33]);
    let mut view = good.clone();
    view["log"][0]["detectives"] = six;
    assert!(serde_json::from_value::<View>(view).is_err(), "more detectives than can be");
}

/// Draws a random place in the JSON, mostly a leaf.
fn any_place<'a>(value: &'a mut Value, stream: &mut Stream) -> &'a mut Value {
    let count = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if count == 0 || below(stream.rng(), 40) == 0 {
        return value;
    }
    let choice = below(stream.rng(), count as u32) as usize;
    let inner = match value {
        Value::Array(items) => items.get_mut(choice),
        Value::Object(fields) => fields.values_mut().nth(choice),
        _ => None,
    };
    any_place(inner.expect("chosen below the count"), stream)
}

/// Returns a replacement for `value`, mostly of the same kind.
fn nonsense(value: &Value, stream: &mut Stream) -> Value {
    let numbers = [json!(0), json!(1), json!(2), json!(7), json!(198), json!(300), json!(65535)];
    let words = [json!("mr-x"), json!("detectives"), json!("black"), json!("taxi"), json!("bus")];
    let others = [json!(null), json!([]), json!(-1), json!("caught")];
    let like = match value {
        Value::Bool(truth) => return json!(!truth),
        Value::Number(_) | Value::Null => &numbers[..],
        Value::String(_) => &words[..],
        _ => &others[..],
    };
    let from = if below(stream.rng(), 10) == 0 { &others[..] } else { like };
    choose(stream.rng(), from).unwrap().clone()
}

#[test]
fn nonsense_in_a_view_is_refused_or_played_but_never_a_panic() {
    let mut stream = Stream::new(13, "test");
    let (mut unreadable, mut refused, mut played) = (0, 0, 0);
    for (_, game) in all_games() {
        let mut views = Vec::new();
        random_games(&game, 3, |state| {
            for seat in [MR_X, DETECTIVES] {
                views.push((seat, serde_json::to_value(game.view(state, seat)).unwrap()));
            }
        });
        for (seat, mut view) in views {
            for _ in 0..1 + below(stream.rng(), 2) {
                let place = any_place(&mut view, &mut stream);
                *place = nonsense(place, &mut stream);
            }
            let Ok(view) = serde_json::from_value::<View>(view) else {
                unreadable += 1;
                continue;
            };
            game.candidates_in(&view);
            match game.determinize(&view, seat, stream.rng()) {
                Err(why) => {
                    assert!(why.0.len() > 10, "{why}");
                    refused += 1;
                }
                Ok(state) => {
                    game.text(&state);
                    let mut position = *state.position();
                    position.play_out(game.arena(), stream.rng());
                    played += 1;
                }
            }
        }
    }
    assert!(unreadable > 500 && refused > 500 && played > 500, "{unreadable} {refused} {played}");
}

#[test]
fn a_mr_x_who_could_not_move_is_never_drawn() {
    // On 3x3 cells with detectives on 2 and 4, a Mr. X in the corner 1 would have lost.
    let game = game("grid-5x5-2", &[("board", "3x3"), ("x_onto_detective", "illegal")]);
    let state = game.start(&opening(json!({ "mr_x": 9, "detectives": [2, 4] }))).unwrap();
    let view = game.view(&state, DETECTIVES);
    assert!(game.candidates(&state).set().contains(station(1)), "by the log alone he can be there");
    let mut stream = Stream::new(1, "test");
    for _ in 0..300 {
        let possible = game.determinize(&view, DETECTIVES, stream.rng()).unwrap();
        assert_ne!(possible.position().mr_x(), station(1));
    }
}
