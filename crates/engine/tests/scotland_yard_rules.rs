//! Every parameter of the rules: its effect in a small position made for it.

use botyard_engine::game::{Game, Turn};
use botyard_engine::random::{Stream, choose};
use botyard_engine::rules::{self, RulesError};
use botyard_engine::scotland_yard::{
    Action, Black, Opening, Order, Reveals, Rules, ScotlandYard, State, View,
};
use botyard_engine::seat::Seat;
use serde_json::{Value, json};
use std::borrow::Cow;

fn resolve(preset: &str, changes: &[(&str, &str)]) -> Result<ScotlandYard, RulesError> {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    ScotlandYard::new(rules::resolve::<ScotlandYard>(Some(preset), &changes)?)
}

/// A game in progress, with actions as JSON.
struct Play {
    game: ScotlandYard,
    state: State,
}

fn play(preset: &str, changes: &[(&str, &str)], opening: Value) -> Play {
    let game = resolve(preset, changes).unwrap();
    let opening: Opening = serde_json::from_value(opening).unwrap();
    let state = game.start(&opening).unwrap();
    Play { game, state }
}

impl Play {
    /// Plays actions, which must be legal.
    fn then(mut self, actions: &[Value]) -> Play {
        for json in actions {
            let action: Action = serde_json::from_value(json.clone()).unwrap();
            self.game.check(&self.state, action).unwrap_or_else(|why| panic!("{json}: {why}"));
            self.game.apply(&mut self.state, action);
        }
        self
    }

    fn legal(&self) -> Vec<Value> {
        let mut actions = Vec::new();
        self.game.actions(&self.state, &mut actions);
        actions.iter().map(|action| serde_json::to_value(action).unwrap()).collect()
    }

    /// Returns the stations that the actions with these properties lead to.
    fn to(&self, like: Value) -> Vec<u64> {
        let like = like.as_object().unwrap();
        self.legal()
            .iter()
            .filter(|action| like.iter().all(|(key, value)| action.get(key) == Some(value)))
            .map(|action| action["to"].as_u64().unwrap())
            .collect()
    }

    fn why_not(&self, action: Value) -> String {
        let action: Action = serde_json::from_value(action).unwrap();
        self.game.check(&self.state, action).expect_err("an illegal action").0
    }

    fn reason(&self) -> Option<&'static str> {
        match self.game.outcome(&self.state)?.reason {
            Cow::Borrowed(reason) => Some(reason),
            Cow::Owned(reason) => panic!("{reason}: the game has only fixed reasons"),
        }
    }

    fn mr_x_wins(&self) -> bool {
        self.game.outcome(&self.state).unwrap().scores[0] == 1.0
    }

    fn seen(&self) -> Value {
        serde_json::to_value(self.game.view(&self.state, Seat::new(1))).unwrap()
    }
}

fn x(ticket: &str, to: u16) -> Value {
    json!({ "ticket": ticket, "to": to })
}

fn double(ticket: &str, to: u16) -> Value {
    json!({ "ticket": ticket, "to": to, "double": true })
}

fn d(detective: u8, ticket: &str, to: u16) -> Value {
    json!({ "detective": detective, "ticket": ticket, "to": to })
}

#[test]
fn board() {
    let opening = json!({ "mr_x": 13, "detectives": [26] });
    let today = play("bristol", &[("detectives", "1")], opening.clone());
    assert_eq!(today.to(json!({ "ticket": "taxi" }))[..3], [4, 23, 24]);
    let early = play("bristol", &[("detectives", "1"), ("board", "london-classic")], opening);
    assert_eq!(early.to(json!({ "ticket": "taxi" }))[..4], [4, 14, 23, 24]);
    // Cells are numbered row by row: 8 is in the second row of 5.
    let grid = play("grid-5x5-2", &[("board", "5x4")], json!({ "mr_x": 8, "detectives": [1, 20] }));
    assert_eq!(grid.to(json!({})), [3, 7, 9, 13]);
}

#[test]
fn detectives() {
    for count in 1..=5u8 {
        let number = count.to_string();
        let game = resolve("ravensburger", &[("detectives", &number)]).unwrap();
        let stations: Vec<u16> = (1..=u16::from(count)).collect();
        let opening = json!({ "mr_x": 100, "detectives": stations });
        let play = play("ravensburger", &[("detectives", &number)], opening).then(&[x("taxi", 80)]);
        assert_eq!(play.seen()["detectives"].as_array().unwrap().len(), usize::from(count));
        assert_eq!(game.seats().len(), 2);
    }
}

#[test]
fn starts() {
    for (starts, mr_x, detectives) in [
        ("modern-29", 13, 16),
        ("bristol-26", 12, 14),
        ("classic-18", 18, 18),
        ("random", 199, 199),
    ] {
        let game = resolve("ravensburger", &[("starts", starts)]).unwrap();
        assert_eq!((game.mr_x_cards().len(), game.detective_cards().len()), (mr_x, detectives));
    }
}

#[test]
fn seats() {
    let opening = json!({ "mr_x": 100, "detectives": [1, 2, 3] });
    let changes = [("detectives", "3"), ("seats", "pawns")];
    let mut pawns = play("ravensburger", &changes, opening.clone());
    assert_eq!(pawns.game.seats(), ["mr-x", "detective-1", "detective-2", "detective-3"]);
    assert_eq!(pawns.game.rules().order, Order::Fixed, "each bot in its turn");
    assert_eq!(pawns.game.turn(&pawns.state), Turn::Seat(Seat::new(0)));
    for (action, seat, name) in [
        (x("taxi", 80), 1, "detective-1"),
        (d(1, "taxi", 8), 2, "detective-2"),
        (d(2, "taxi", 10), 3, "detective-3"),
        (d(3, "taxi", 11), 0, "mr-x"),
    ] {
        pawns = pawns.then(&[action]);
        assert_eq!(pawns.game.turn(&pawns.state), Turn::Seat(Seat::new(seat)));
        assert_eq!(pawns.seen()["to_move"], name);
    }
    let sides = play("ravensburger", &[("detectives", "3")], opening).then(&[x("taxi", 80)]);
    assert_eq!(sides.game.seats(), ["mr-x", "detectives"]);
    assert_eq!(sides.game.turn(&sides.state), Turn::Seat(Seat::new(1)));
    assert_eq!(sides.seen()["to_move"], "detectives");
}

#[test]
fn detective_tickets() {
    let opening = json!({ "mr_x": 100, "detectives": [128] });
    let with = |tickets: &str| {
        let changes = [("detectives", "1"), ("detective_tickets", tickets)];
        play("bristol", &changes, opening.clone()).then(&[x("taxi", 80)])
    };
    assert_eq!(with("1/1/1").legal().len(), 13);
    assert_eq!(with("1/0/0").legal().len(), 5);
    let spent = with("1/1/1").then(&[d(1, "taxi", 142), x("taxi", 63)]);
    assert_eq!(spent.to(json!({ "ticket": "taxi" })), [0u64; 0]);
    assert_eq!(spent.why_not(d(1, "taxi", 143)), "detective 1 has no taxi ticket left");
    let pool = [("detectives", "1"), ("detective_tickets", "unlimited"), ("handover", "pool")];
    let endless = play("bristol", &pool, opening).then(&[x("taxi", 80)]);
    assert_eq!(endless.legal().len(), 13);
    assert_eq!(endless.then(&[d(1, "taxi", 142)]).seen()["detectives"][0]["tickets"], json!(null));
}

#[test]
fn x_tickets() {
    let opening = json!({ "mr_x": 67, "detectives": [1] });
    let with = |tickets| {
        let changes = [
            ("detectives", "1"),
            ("x_tickets", tickets),
            ("black", "0"),
            ("double", "0"),
            ("handover", "pool"),
        ];
        play("bristol", &changes, opening.clone())
    };
    let poor = with("1/0/1");
    assert_eq!(poor.to(json!({ "ticket": "taxi" })).len(), 4);
    assert_eq!(poor.to(json!({ "ticket": "bus" })), [0u64; 0]);
    assert_eq!(poor.why_not(x("bus", 82)), "Mr. X has no bus ticket left");
    let later = poor.then(&[x("taxi", 51), d(1, "taxi", 8)]);
    assert_eq!(later.reason(), Some("x_stuck"), "no underground stops at 51");
    assert!(!later.mr_x_wins());
    let endless = with("unlimited").then(&[x("taxi", 51), d(1, "taxi", 8)]);
    assert_eq!(endless.seen()["mr_x"]["tickets"], json!(null));
    assert_eq!(endless.reason(), None);
}

#[test]
fn black() {
    let opening = json!({ "mr_x": 115, "detectives": [1] });
    let with = |black| {
        play("bristol", &[("detectives", "1"), ("black", black), ("double", "0")], opening.clone())
    };
    // 108 and 157 by ferry, 102, 126, 127, 114 by taxi.
    assert_eq!(with("1").to(json!({ "ticket": "black" })), [102, 108, 114, 126, 127, 157]);
    assert_eq!(with("0").to(json!({ "ticket": "black" })), [0u64; 0]);
    assert!(with("0").to(json!({})).iter().all(|&to| to != 108 && to != 157), "no ferry by taxi");
    let used = with("1").then(&[x("black", 157), d(1, "taxi", 8)]);
    assert_eq!(used.seen()["mr_x"]["black"], 0);
    assert_eq!(
        used.seen()["log"][0],
        json!({ "ticket": "black", "station": null, "reveal": false, "detectives": [1] })
    );
    assert_eq!(used.why_not(x("black", 115)), "Mr. X has no black ticket left");
    let each = resolve("ravensburger-2000", &[("detectives", "3")]).unwrap();
    assert_eq!(each.rules().black, Black::Count(3), "one per detective");
}

#[test]
fn double_moves() {
    let opening = json!({ "mr_x": 1, "detectives": [100] });
    let with = |double, changes: &[(&str, &str)]| {
        let changes =
            [&[("detectives", "1"), ("double", double), ("black", "0")], changes].concat();
        play("bristol", &changes, opening.clone())
    };
    assert_eq!(with("0", &[]).to(json!({ "double": true })), [0u64; 0]);
    assert_eq!(with("0", &[]).why_not(double("taxi", 8)), "Mr. X has no double ticket left");
    let first = with("1", &[]).then(&[double("taxi", 8)]);
    assert_eq!(first.game.turn(&first.state), Turn::Seat(Seat::new(0)), "he is still to move");
    assert_eq!(first.seen()["second_leg"], true);
    assert_eq!(first.seen()["mr_x"]["double"], 0);
    assert_eq!(first.to(json!({})), [1, 18, 19], "back again is allowed");
    assert!(first.why_not(double("taxi", 18)).contains("already the second half"));
    let both = first.then(&[x("taxi", 1)]);
    assert_eq!(both.seen()["log"].as_array().unwrap().len(), 2);
    assert_eq!(both.seen()["round"], 1);
    // Room for two entries: with a limit of two X moves a double fits, of one it does not.
    assert_ne!(with("1", &[("limit", "2")]).to(json!({ "double": true })), [0u64; 0]);
    assert_eq!(with("1", &[("limit", "1")]).to(json!({ "double": true })), [0u64; 0]);
    assert!(with("1", &[("limit", "1")]).why_not(double("taxi", 8)).contains("room for one"));
    let rounds = with("1", &[("limit", "1"), ("limit_unit", "rounds")]);
    assert_ne!(rounds.to(json!({ "double": true })), [0u64; 0], "a round has room for both");
    // The second step needs a second ticket.
    let poor = with("1", &[("x_tickets", "1/0/0")]);
    assert_eq!(poor.to(json!({ "double": true })), [0u64; 0]);
    assert!(poor.why_not(double("taxi", 8)).contains("no legal second step"));
    let underground = with("1", &[("x_tickets", "1/0/1")]);
    // 46 by underground has taxis; from 8 or 9 no underground leads on.
    assert_eq!(underground.to(json!({ "double": true })), [46]);
}

#[test]
fn a_double_by_two_black_tickets() {
    let opening = json!({ "mr_x": 115, "detectives": [1] });
    let play =
        play("bristol", &[("detectives", "1"), ("black", "2"), ("x_tickets", "0/0/0")], opening)
            .then(&[double("black", 157), x("black", 194)]);
    assert_eq!(play.seen()["mr_x"]["black"], 0);
}

#[test]
fn limit_and_limit_unit() {
    let opening = json!({ "mr_x": 1, "detectives": [100] });
    let with = |limit, unit| {
        play(
            "bristol",
            &[("detectives", "1"), ("limit", limit), ("limit_unit", unit)],
            opening.clone(),
        )
        .then(&[double("taxi", 8), x("taxi", 1)])
    };
    let after_round = |play: Play| play.then(&[d(1, "taxi", 80)]);
    assert_eq!(after_round(with("2", "x_moves")).reason(), Some("survived"));
    assert_eq!(with("2", "x_moves").reason(), None, "the detectives may still catch him");
    assert_eq!(after_round(with("3", "x_moves")).reason(), None);
    assert_eq!(after_round(with("1", "rounds")).reason(), Some("survived"));
    assert_eq!(after_round(with("2", "rounds")).reason(), None);
    assert!(after_round(with("1", "rounds")).mr_x_wins());
}

#[test]
fn reveals() {
    let opening = json!({ "mr_x": 1, "detectives": [100] });
    let with =
        |reveals| play("bristol", &[("detectives", "1"), ("reveals", reveals)], opening.clone());
    let shown = with("2,3").then(&[double("taxi", 8)]);
    assert_eq!(shown.seen()["mr_x"]["station"], json!(null));
    let shown = shown.then(&[x("taxi", 18)]);
    assert_eq!(shown.seen()["mr_x"]["station"], 18);
    assert_eq!(shown.seen()["log"][1]["station"], 18);
    // A reveal on the first step is shown although he moves again immediately and is then hidden.
    let first = with("[1]").then(&[double("taxi", 8)]);
    assert_eq!(first.seen()["mr_x"]["station"], 8);
    let gone = first.then(&[x("taxi", 18)]);
    assert_eq!(gone.seen()["mr_x"]["station"], json!(null));
    assert_eq!(gone.seen()["log"][0]["station"], 8);
    for (written, list) in [
        ("every 3", vec![3, 6, 9, 12, 15, 18, 21, 24]),
        ("[8,3,3]", vec![3, 8]),
        ("3, 8", vec![3, 8]),
        ("5", vec![5]),
        ("none", vec![]),
        ("[]", vec![]),
    ] {
        assert_eq!(with(written).game.rules().reveals, Reveals::At(list), "{written}");
    }
    // The longest possible game: 22 rounds and two doubles, whatever was set first.
    let every = resolve("ravensburger", &[("reveals", "every 12")]).unwrap();
    assert_eq!(every.rules().reveals, Reveals::At(vec![12, 24]));
    for changes in
        [[("limit", "6"), ("reveals", "every 3")], [("reveals", "every 3"), ("limit", "6")]]
    {
        let game = resolve("grid-5x5-2", &changes).unwrap();
        assert_eq!(game.rules().reveals, Reveals::At(vec![3, 6]));
    }
}

#[test]
fn order() {
    let opening = json!({ "mr_x": 100, "detectives": [1, 3] });
    let with = |order| {
        play("bristol", &[("detectives", "2"), ("order", order)], opening.clone())
            .then(&[x("taxi", 80)])
    };
    let any = with("any");
    assert!(
        !any.to(json!({ "detective": 1 })).is_empty()
            && !any.to(json!({ "detective": 2 })).is_empty()
    );
    let second_first = any.then(&[d(2, "taxi", 4)]);
    assert_eq!(second_first.to(json!({ "detective": 2 })), [0u64; 0]);
    assert!(second_first.why_not(d(2, "taxi", 3)).contains("has had its turn"));
    let fixed = with("fixed");
    assert_eq!(fixed.to(json!({ "detective": 2 })), [0u64; 0]);
    assert!(fixed.why_not(d(2, "taxi", 4)).contains("it is detective 1's turn, not detective 2's"));
    assert_ne!(fixed.then(&[d(1, "taxi", 8)]).to(json!({ "detective": 2 })), [0u64; 0]);
}

#[test]
fn handover() {
    let opening = json!({ "mr_x": 13, "detectives": [100] });
    let with = |handover| {
        play("bristol", &[("detectives", "1"), ("handover", handover)], opening.clone())
            .then(&[x("taxi", 23), d(1, "taxi", 80)])
    };
    assert_eq!(with("x").seen()["mr_x"]["tickets"]["taxi"], 4, "one used, one received");
    assert_eq!(with("pool").seen()["mr_x"]["tickets"]["taxi"], 3);
    // A ticket handed over frees a Mr. X who would have been stuck.
    let poor = |handover| {
        let changes =
            [("detectives", "1"), ("handover", handover), ("x_tickets", "1/0/0"), ("black", "0")];
        play("bristol", &changes, opening.clone()).then(&[x("taxi", 23), d(1, "taxi", 80)])
    };
    assert_eq!(poor("x").reason(), None);
    assert_eq!(poor("pool").reason(), Some("x_stuck"));
}

#[test]
fn x_onto_detective() {
    let opening = json!({ "mr_x": 1, "detectives": [8] });
    let with = |onto| {
        play(
            "bristol",
            &[("detectives", "1"), ("black", "0"), ("x_onto_detective", onto)],
            opening.clone(),
        )
    };
    let never = with("illegal");
    assert_eq!(never.to(json!({ "ticket": "taxi" })), [9, 9]);
    assert_eq!(never.why_not(x("taxi", 8)), "detective 1 is on 8");
    let may = with("loses");
    assert_eq!(
        may.to(json!({ "ticket": "taxi" })),
        [8, 9, 9],
        "never as the first half of a double"
    );
    assert_eq!(may.why_not(double("taxi", 8)), "detective 1 is on 8");
    let blundered = may.then(&[x("taxi", 8)]);
    assert_eq!(blundered.reason(), Some("caught"));
    assert!(!blundered.mr_x_wins());
    assert_eq!(blundered.seen()["mr_x"]["station"], 8, "all seats see him there");
}

/// Returns a corner of London: detective 1 on 8 without a usable ticket, Mr. X far away.
fn one_without_tickets(stuck: &str) -> Play {
    let tickets = json!([{ "taxi": 0, "bus": 9, "underground": 9 }, { "taxi": 9, "bus": 0, "underground": 0 }]);
    let opening = json!({ "mr_x": 100, "detectives": [8, 18], "detective_tickets": tickets });
    play("bristol", &[("detectives", "2"), ("stuck", stuck)], opening).then(&[x("taxi", 80)])
}

#[test]
fn stuck() {
    for stuck in ["skip", "out"] {
        let play = one_without_tickets(stuck);
        assert_eq!(play.reason(), None, "one stuck detective does not end the game");
        assert_eq!(play.to(json!({ "detective": 1 })), [0u64; 0]);
        assert_eq!(play.to(json!({})), [31, 43], "8 is blocked by who is stuck there");
        let next = play.then(&[d(2, "taxi", 43)]);
        assert_eq!(next.seen()["to_move"], "mr-x");
        assert_eq!(next.seen()["detectives"][0]["station"], 8);
    }
    let removed = one_without_tickets("removed");
    assert_eq!(removed.seen()["detectives"][0]["station"], json!(null));
    assert_eq!(removed.to(json!({})), [8, 31, 43]);
    assert_eq!(removed.why_not(d(1, "bus", 1)), "detective 1 was taken off the board");
    let next = removed.then(&[d(2, "taxi", 8), x("taxi", 63)]);
    assert_eq!(next.seen()["log"][0]["detectives"], json!([8, 18]), "where they stood then");
    assert_eq!(next.seen()["log"][1]["detectives"], json!([null, 8]));
}

#[test]
fn a_detective_hemmed_in_waits_and_moves_again_later() {
    // 8 leads by taxi to 1, 18 and 19: detective 1 is enclosed by the others.
    let opening = json!({ "mr_x": 100, "detectives": [8, 1, 18, 19] });
    for (stuck, order) in
        [("skip", "fixed"), ("out", "fixed"), ("removed", "fixed"), ("skip", "any")]
    {
        let changes = [("detectives", "4"), ("stuck", stuck), ("order", order)];
        let enclosed = play("bristol", &changes, opening.clone()).then(&[x("taxi", 80)]);
        assert_eq!(enclosed.to(json!({ "detective": 1 })), [0u64; 0]);
        let opened = enclosed.then(&[d(2, "taxi", 9)]);
        let free_at_once = if order == "any" { vec![1] } else { vec![] };
        assert_eq!(opened.to(json!({ "detective": 1 })), free_at_once, "{order}");
        if order == "fixed" {
            let next = opened.then(&[d(3, "taxi", 31), d(4, "taxi", 32), x("taxi", 63)]);
            assert_eq!(next.to(json!({ "detective": 1 })), [1, 18, 19], "{stuck}");
        }
    }
}

#[test]
fn out_is_tested_on_tickets_alone() {
    // Detective 1 has tickets but is enclosed by three others who have none.
    let opening = json!({
        "mr_x": 100, "detectives": [8, 1, 18, 19],
        "detective_tickets": [
            { "taxi": 9, "bus": 0, "underground": 0 }, { "taxi": 0, "bus": 0, "underground": 0 },
            { "taxi": 0, "bus": 0, "underground": 0 }, { "taxi": 0, "bus": 0, "underground": 0 }
        ]
    });
    let with = |stuck| play("bristol", &[("detectives", "4"), ("stuck", stuck)], opening.clone());
    assert_eq!(with("skip").reason(), Some("detectives_immobile"), "no detective has a legal move");
    let hemmed_in = with("out");
    assert_eq!(hemmed_in.reason(), None, "detective 1 has tickets that fit");
    let next = hemmed_in.then(&[x("taxi", 80)]);
    assert_eq!(next.seen()["round"], 2, "and waits");
    let freed = with("removed").then(&[x("taxi", 80)]);
    assert_eq!(freed.to(json!({ "detective": 1 })), [1, 18, 19]);
}

#[test]
fn all_stuck() {
    let opening = json!({
        "mr_x": 100, "detectives": [8, 18],
        "detective_tickets": { "taxi": 1, "bus": 0, "underground": 0 }
    });
    let with = |all_stuck| {
        play(
            "bristol",
            &[("detectives", "2"), ("all_stuck", all_stuck), ("limit", "3")],
            opening.clone(),
        )
        .then(&[x("taxi", 80), d(1, "taxi", 1)])
    };
    assert_eq!(with("x_wins").reason(), None, "detective 2 can still move");
    let over = with("x_wins").then(&[d(2, "taxi", 8)]);
    assert_eq!(over.reason(), Some("detectives_immobile"), "before Mr. X's next turn");
    assert!(over.mr_x_wins());
    let on = with("play_on").then(&[d(2, "taxi", 8), x("taxi", 63)]);
    assert_eq!(on.seen()["to_move"], "mr-x");
    let end = on.then(&[x("taxi", 80)]);
    assert_eq!(end.reason(), Some("survived"));
}

#[test]
fn a_mr_x_without_a_move_loses() {
    let opening = json!({ "mr_x": 1, "detectives": [8, 46], "mr_x_tickets": { "taxi": 9, "bus": 0, "underground": 0, "black": 0 } });
    let play = play("bristol", &[("detectives", "2"), ("order", "fixed")], opening).then(&[
        x("taxi", 9),
        d(1, "taxi", 19),
        d(2, "taxi", 45),
    ]);
    assert_eq!(play.reason(), None);
    // 9 leads by taxi to 1, 19 and 20.
    let play = play.then(&[x("taxi", 1), d(1, "taxi", 8), d(2, "taxi", 32)]);
    assert_eq!(play.to(json!({})), [9, 9]);
    let surrounded = json!({ "mr_x": 1, "detectives": [8, 9], "mr_x_tickets": { "bus": 0, "underground": 0, "black": 0 } });
    let game = resolve("bristol", &[("detectives", "2")]).unwrap();
    let state = game.start(&serde_json::from_value(surrounded).unwrap()).unwrap();
    let outcome = game.outcome(&state).unwrap();
    assert_eq!((&*outcome.reason, outcome.scores[0]), ("x_stuck", 0.0));
}

#[test]
fn agent_collision() {
    // Cells of 5x5: detectives on 1 and 2, detective 1 moves down to 6.
    let with = |collision| {
        play(
            "grid-5x5-2",
            &[("agent_collision", collision)],
            json!({ "mr_x": 25, "detectives": [1, 2] }),
        )
        .then(&[x("taxi", 24), d(1, "taxi", 6)])
    };
    assert_eq!(with("sequential").to(json!({})), [1, 3, 7]);
    let strict = with("pre_move_strict");
    assert_eq!(strict.to(json!({})), [3, 7], "1 was held when the team began to move");
    assert!(strict.why_not(d(2, "taxi", 1)).contains("none may follow another"));
    assert_eq!(
        with("sequential").why_not(d(2, "taxi", 12)).split(':').next().unwrap(),
        "a taxi ticket does not lead from 2 to 12"
    );
    let stay = [("grid_moves", "king_or_stay"), ("agent_collision", "pre_move_strict")];
    let staying = play("grid-5x5-2", &stay, json!({ "mr_x": 25, "detectives": [1, 2] }))
        .then(&[x("taxi", 24)]);
    assert_eq!(staying.to(json!({})), [1, 6, 7], "its own cell is no other's");
}

#[test]
fn grid_moves() {
    let with = |moves| {
        play("grid-5x5-2", &[("grid_moves", moves)], json!({ "mr_x": 7, "detectives": [24, 25] }))
    };
    assert_eq!(with("orthogonal").to(json!({})), [2, 6, 8, 12]);
    let king = with("king_or_stay");
    assert_eq!(king.to(json!({})), [1, 2, 3, 6, 7, 8, 11, 12, 13]);
    let stayed = king.then(&[x("taxi", 7)]);
    assert_eq!(stayed.seen()["log"][0]["ticket"], "taxi");
    assert_eq!(stayed.to(json!({})), [18, 19, 20, 23, 24]);
}

#[test]
fn show_candidates() {
    let opening = json!({ "mr_x": 13, "detectives": [1, 25], "mr_x_starts": [13] });
    let with = |show| {
        play("grid-5x5-2", &[("show_candidates", show)], opening.clone()).then(&[x("taxi", 12)])
    };
    assert_eq!(with("true").seen()["candidates"], json!([8, 12, 14, 18]));
    assert_eq!(with("false").seen().get("candidates"), None);
}

#[test]
fn caught_and_forfeits() {
    let opening = json!({ "mr_x": 1, "detectives": [46, 100] });
    let caught = play("bristol", &[("detectives", "2")], opening.clone()).then(&[
        x("taxi", 8),
        d(2, "taxi", 80),
        d(1, "underground", 1),
        x("taxi", 18),
        d(1, "taxi", 8),
        d(2, "taxi", 100),
        x("taxi", 43),
    ]);
    assert_eq!(caught.reason(), None);
    let caught =
        caught.then(&[d(1, "taxi", 18), d(2, "taxi", 80), x("taxi", 31), d(1, "taxi", 31)]);
    assert_eq!(caught.reason(), Some("caught"));
    assert!(caught.why_not(d(2, "taxi", 100)).contains("the game is over"));
    for (seat, mr_x_wins) in [(0, false), (1, true), (2, true)] {
        let mut play = play("bristol", &[("detectives", "2"), ("seats", "pawns")], opening.clone());
        play.game.forfeit(&mut play.state, Seat::new(seat));
        assert_eq!(play.reason(), Some("forfeit"));
        assert_eq!(play.mr_x_wins(), mr_x_wins);
        let scores = play.game.outcome(&play.state).unwrap().scores;
        let team = f64::from(u8::from(!mr_x_wins));
        assert_eq!(scores.as_slice(), [1.0 - team, team, team], "the side wins or loses together");
        // The end of the game does not change.
        play.game.forfeit(&mut play.state, Seat::new(2 - seat));
        assert_eq!(play.mr_x_wins(), mr_x_wins);
    }
}

#[test]
fn illegal_actions_are_refused_with_the_reason() {
    let opening = json!({ "mr_x": 13, "detectives": [26, 29] });
    let turn_of_x = play("bristol", &[("detectives", "2")], opening);
    assert!(turn_of_x.why_not(d(1, "taxi", 27)).contains("it is Mr. X's turn"));
    assert_eq!(turn_of_x.why_not(x("taxi", 200)), "there is no station 200; the board has 199");
    assert_eq!(
        turn_of_x.why_not(x("taxi", 5)),
        "a taxi ticket does not lead from 13 to 5: from there it leads to 4, 23, 24"
    );
    let turn_of_detectives = turn_of_x.then(&[x("taxi", 4)]);
    assert!(turn_of_detectives.why_not(x("taxi", 3)).contains("say which one moves"));
    assert_eq!(turn_of_detectives.why_not(d(1, "black", 27)), "detectives have no black tickets");
    assert_eq!(
        turn_of_detectives.why_not(d(3, "taxi", 27)),
        "there is no detective 3; there are 2"
    );
    assert_eq!(
        turn_of_detectives.why_not(d(1, "underground", 27)),
        "an underground ticket does not lead from 26 to 27: from there it leads nowhere"
    );
}

/// In random games: the list is that of the legal double moves, each with its legal second steps,
/// and is visible only to Mr. X on his turn.
#[test]
fn show_second_legs() {
    let changes = [("show_second_legs", "true"), ("double", "9")];
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let rules = rules::resolve::<ScotlandYard>(Some("bristol"), &changes).unwrap();
    let game = ScotlandYard::new(rules.clone()).unwrap();
    let silent = ScotlandYard::new(Rules { show_second_legs: false, ..rules }).unwrap();
    let mut stream = Stream::new(7, "second legs");
    let (mut listed, mut seconds) = (0, 0);
    for _ in 0..10 {
        let mut state = game.start(&game.draw_opening(stream.rng())).unwrap();
        let mut legal = Vec::new();
        while let Turn::Seat(seat) = game.turn(&state) {
            game.actions(&state, &mut legal);
            let view = game.view(&state, Seat::new(0));
            let first: Vec<Action> = view.double_moves.iter().map(|double| double.first).collect();
            let doubles = legal.iter().copied();
            let doubles =
                doubles.filter(|action| matches!(action, Action::MrX { double: true, .. }));
            assert_eq!(first, doubles.collect::<Vec<_>>());
            for double in &view.double_moves {
                let mut after = state.clone();
                game.apply(&mut after, double.first);
                let mut then = Vec::new();
                game.actions(&after, &mut then);
                assert_eq!((&double.second, game.turn(&after)), (&then, Turn::Seat(Seat::new(0))));
                assert!(!then.is_empty());
                (listed, seconds) = (listed + 1, seconds + then.len());
            }
            assert!(view.double_moves.is_empty() || seat == Seat::new(0));
            assert!(game.view(&state, Seat::new(1)).double_moves.is_empty());
            let without = silent.view(&state, Seat::new(0));
            assert_eq!(View { double_moves: Vec::new(), ..view }, without);
            assert_eq!(serde_json::to_value(&without).unwrap().get("double_moves"), None);
            game.apply(&mut state, *choose(stream.rng(), &legal).unwrap());
        }
    }
    assert!(listed > 500 && seconds > 10 * listed / 2, "{listed} double moves, {seconds} seconds");
}
