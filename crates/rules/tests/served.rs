//! What a served game answers to single requests.

use botyard_engine::connect_four::ConnectFour;
use botyard_engine::liars_dice::LiarsDice;
use botyard_engine::{Game, Seat};
use botyard_rules::Served;
use serde_json::{Value, json};

fn ask<G: Game>(served: &mut Served<G>, request: &str) -> Value {
    let mut answer = Vec::new();
    assert!(served.answer(request.as_bytes(), &mut answer).is_continue(), "{request}");
    serde_json::from_slice(&answer).unwrap_or_else(|error| panic!("{request}: {error}"))
}

fn refusal<G: Game>(served: &mut Served<G>, request: &str) -> String {
    let answer = ask(served, request);
    assert_eq!(answer["type"], "refused", "{request}: {answer}");
    answer["message"].as_str().expect("a message").to_string()
}

const NEW: &str = r#"{"type":"new","rules":{}}"#;
const OPEN: &str = r#"{"type":"open","opening":{}}"#;

#[test]
fn a_game_has_the_answers_of_the_page() {
    let mut served = Served::<ConnectFour>::new("1.0.0");
    let hello = ask(&mut served, r#"{"type":"hello","rules_protocol":1,"later":"field"}"#);
    assert_eq!((&hello["type"], &hello["rules_protocol"]), (&json!("hello"), &json!(1)));
    assert_eq!((&hello["name"], &hello["version"]), (&json!("connect-four"), &json!("1.0.0")));
    let abilities = json!(["check", "forfeit", "text", "load", "determinize", "playout"]);
    assert_eq!(hello["abilities"], abilities);
    ask(&mut served, NEW);
    let opened = ask(&mut served, OPEN);
    assert_eq!((&opened["to_move"], &opened["opening"]), (&json!("yellow"), &json!({})));
    assert_eq!(opened["legal"].as_array().map(Vec::len), Some(7));
    let played = r#"{"type":"play","seat":"yellow","action":{"column":4}}"#;
    let played = ask(&mut served, played);
    assert_eq!((&played["to_move"], &played["view"]["discs"]), (&json!("red"), &json!(1)));
    assert!(played.get("action").is_none() && played.get("seen").is_none(), "{played}");
    // An action in another form has its own in the answer.
    let spaced = ask(&mut served, r#"{"type":"play","seat":"red","action":{ "column":4 }}"#);
    assert_eq!(spaced["action"], json!({"column": 4}));
    let state = ask(&mut served, r#"{"type":"state"}"#)["state"].clone();
    let lost = ask(&mut served, r#"{"type":"forfeit","seat":"red"}"#);
    assert_eq!(
        (&lost["to_move"], &lost["outcome"]["scores"]),
        (&json!("over"), &json!([1.0, 0.0]))
    );
    let loaded = json!({"type": "load", "state": state}).to_string();
    let loaded = ask(&mut served, &loaded);
    assert_eq!((&loaded["to_move"], &loaded["view"]["discs"]), (&json!("yellow"), &json!(2)));
    assert_eq!(ask(&mut served, r#"{"type":"sing"}"#), json!({"type": "unknown"}));
    let mut answer = Vec::new();
    assert!(served.answer(br#"{"type":"quit"}"#, &mut answer).is_break() && answer.is_empty());
}

/// The same bits are the same playouts, and the game in progress stays as it is.
#[test]
fn a_game_plays_out_positions() {
    let mut served = Served::<ConnectFour>::new("1.0.0");
    let bits = "0f".repeat(32);
    let playout = |more: Value| {
        let mut request = json!({"type": "playout", "random": bits});
        request
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().cloned().unwrap_or_default());
        request.to_string()
    };
    assert_eq!(refusal(&mut served, &playout(json!({}))), "expected \"new\" first");
    ask(&mut served, NEW);
    assert_eq!(refusal(&mut served, &playout(json!({}))), "expected \"open\" first");
    ask(&mut served, OPEN);
    let state = ask(&mut served, r#"{"type":"state"}"#)["state"].clone();
    let played = ask(&mut served, &playout(json!({"count": 200})));
    let scores = played["playouts"].as_array().expect("playouts").clone();
    assert_eq!((&played["type"], scores.len()), (&json!("playouts"), 200));
    assert!(scores.contains(&json!([1.0, 0.0])) && scores.contains(&json!([0.0, 1.0])));
    // The first player has a small advantage.
    let points: f64 = scores.iter().filter_map(|scores| scores[0].as_f64()).sum();
    assert!((80.0..150.0).contains(&points), "{points}");
    assert_eq!(ask(&mut served, r#"{"type":"state"}"#)["state"], state);
    let given = ask(&mut served, &playout(json!({"count": 200, "state": state})));
    assert_eq!(given, played);
    for wrong in [json!({"count": 0}), json!({"count": 1001})] {
        assert!(refusal(&mut served, &playout(wrong)).starts_with("expected 1 to 1000 playouts"));
    }
    assert!(refusal(&mut served, &playout(json!({"state": 3}))).contains("expected"));
    // The playout of a game that is over is its outcome.
    ask(&mut served, r#"{"type":"forfeit","seat":"yellow"}"#);
    let over = ask(&mut served, &playout(json!({})));
    assert_eq!(over["playouts"], json!([[0.0, 1.0]]));
}

/// What is drawn depends on the seat; a game without drawings does not know the request.
#[test]
fn a_game_draws_for_a_seat_or_for_all() {
    let mut served = Served::<LiarsDice>::with_picture("1.0.0", |_, _, seat| {
        format!("<svg viewBox=\"0 0 1 1\"><text>{:?}</text></svg>", seat.map(Seat::index))
    });
    let hello = ask(&mut served, r#"{"type":"hello","rules_protocol":1}"#);
    assert!(hello["abilities"].as_array().unwrap().contains(&json!("draw")), "{hello}");
    ask(&mut served, NEW);
    assert_eq!(refusal(&mut served, r#"{"type":"draw"}"#), "expected \"open\" first");
    let random = format!(r#"{{"type":"open","random":"{}"}}"#, "5a".repeat(32));
    ask(&mut served, &random);
    for (request, drawn) in
        [(r#"{"type":"draw"}"#, "None"), (r#"{"type":"draw","seat":"player-2"}"#, "Some(1)")]
    {
        let picture = ask(&mut served, request);
        assert_eq!(picture["type"], "picture", "{picture}");
        assert!(picture["svg"].as_str().unwrap().contains(drawn), "{picture}");
    }
    let error = refusal(&mut served, r#"{"type":"draw","seat":"player-9"}"#);
    assert!(error.contains("got \"player-9\""), "{error}");
    let mut plain = Served::<LiarsDice>::new("1.0.0");
    ask(&mut plain, NEW);
    ask(&mut plain, &random);
    assert_eq!(ask(&mut plain, r#"{"type":"draw"}"#), json!({"type": "unknown"}));
}

#[test]
fn what_cannot_be_answered_is_refused_and_changes_nothing() {
    let mut served = Served::<ConnectFour>::new("1.0.0");
    assert_eq!(refusal(&mut served, OPEN), "expected \"new\" first");
    ask(&mut served, NEW);
    assert_eq!(refusal(&mut served, r#"{"type":"state"}"#), "expected \"open\" first");
    ask(&mut served, OPEN);
    let before = ask(&mut served, r#"{"type":"state"}"#);
    for (request, part) in [
        ("nonsense", "expected a request"),
        ("[1]", "expected a request"),
        (r#"{"type":"play","action":{"column":4}}"#, "one of the seats yellow, red"),
        (r#"{"type":"play","seat":"yellow"}"#, "expected an action in the request"),
        (r#"{"type":"play","seat":"red","action":{"column":4}}"#, "it is not the turn of red"),
        (
            r#"{"type":"play","seat":"yellow","action":{"column":8}}"#,
            "not one of the 7 legal actions",
        ),
        (r#"{"type":"play","seat":"yellow","action":null}"#, "not an action of connect-four"),
        (r#"{"type":"view","seat":"green"}"#, "got \"green\""),
        (r#"{"type":"chance","random":"00"}"#, "nothing is drawn now"),
        (r#"{"type":"open","random":"00"}"#, "64 lower-case hexadecimal digits"),
        (r#"{"type":"open","opening":7}"#, "not an opening of connect-four"),
        (r#"{"type":"load","state":{}}"#, "not a state of connect-four"),
        (r#"{"type":"new","rules":{"width":8}}"#, "has no rule \"width\""),
        (r#"{"type":"new","rules":7}"#, "expected"),
    ] {
        let reason = refusal(&mut served, request);
        assert!(reason.contains(part), "{request}, expected {part:?}: {reason}");
        assert_eq!(ask(&mut served, r#"{"type":"state"}"#), before, "{request}");
    }
}

#[test]
fn the_same_bits_draw_the_same() {
    let random = "0123456789abcdef".repeat(4);
    let roll = || {
        let mut served = Served::<LiarsDice>::new("1.0.0");
        ask(&mut served, NEW);
        ask(&mut served, &json!({"type": "open", "random": random}).to_string());
        ask(&mut served, &json!({"type": "chance", "random": random}).to_string())
    };
    let rolled = roll();
    assert_eq!(rolled, roll());
    assert!(rolled["seen"].is_object() && !rolled["chance"].is_null(), "{rolled}");
}
