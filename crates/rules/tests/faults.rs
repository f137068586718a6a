//! Failures of the program: each ends the game with the request, what was expected and what came, and
//! is never a player's fault.

use crate::lockstep::DIGEST;
use botyard_engine::connect_four::ConnectFour;
use botyard_engine::registry::LoadedGame;
use botyard_engine::{Game, GameEvent, Scores, Seat, Stream, Table, Turn};
use botyard_rules::{GameError, ProgramGame, RulesLimits, Served, StartProgram, Transport};
use botyard_testkit::dice::Dice;
use botyard_testkit::hand::Hand;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What a program writes instead of an answer.
enum Wrong {
    /// These bytes.
    Line(Vec<u8>),
    /// Nothing, and this is what the transport says.
    Silence(&'static str),
}

/// Changes an answer; the request is the first argument. `None`: it stays.
type Tamper = Arc<dyn Fn(&Value, Value) -> Option<Wrong> + Send + Sync>;

/// A served game whose answers are changed.
struct Tampered<G: Game> {
    served: Served<G>,
    tamper: Tamper,
}

impl<G: Game> Transport for Tampered<G> {
    fn exchange(
        &mut self,
        request: &[u8],
        answer: &mut Vec<u8>,
        limit: Duration,
    ) -> Result<(), String> {
        self.served.exchange(request, answer, limit)?;
        let request = serde_json::from_slice(request).expect("a request is JSON");
        let right = serde_json::from_slice(answer).expect("an answer is JSON");
        match (self.tamper)(&request, right) {
            None => Ok(()),
            Some(Wrong::Line(line)) => {
                *answer = line;
                Ok(())
            }
            Some(Wrong::Silence(reason)) => Err(reason.into()),
        }
    }
}

fn start<G: Game>(tamper: Tamper) -> StartProgram {
    Arc::new(move || {
        let served = Served::<G>::new("1.0.0");
        Ok(Box::new(Tampered { served, tamper: Arc::clone(&tamper) }))
    })
}

fn load<G: Game>(start: StartProgram) -> Result<ProgramGame, GameError> {
    ProgramGame::new((G::NAME, DIGEST), G::ABOUT, Vec::new(), start, RulesLimits::default())
}

/// Changes the answers to requests of this type.
fn at(kind: &'static str, change: impl Fn(Value) -> Wrong + Send + Sync + 'static) -> Tamper {
    Arc::new(move |request, answer| (request["type"] == kind).then(|| change(answer)))
}

/// Replaces a field of an answer.
fn with(field: &'static str, value: Value) -> impl Fn(Value) -> Wrong + Send + Sync + 'static {
    move |mut answer| {
        answer[field] = value.clone();
        Wrong::Line(answer.to_string().into_bytes())
    }
}

/// Removes a field of an answer.
fn without(field: &'static str) -> impl Fn(Value) -> Wrong + Send + Sync + 'static {
    move |mut answer| {
        answer.as_object_mut().expect("an object").remove(field);
        Wrong::Line(answer.to_string().into_bytes())
    }
}

fn line(bytes: &'static [u8]) -> impl Fn(Value) -> Wrong + Send + Sync + 'static {
    move |_| Wrong::Line(bytes.to_vec())
}

/// Plays the first legal actions to the end. Asks for everything that a referee asks for.
fn play_through(table: &mut dyn Table) {
    let mut stream = Stream::new(1, "faults");
    let mut game_event = GameEvent::default();
    let mut bytes = Vec::new();
    table.open(&mut stream);
    let seats = table.seats().len();
    for _ in 0..1_000 {
        for seat in Seat::all(seats) {
            table.write_view(seat, &mut bytes);
        }
        match table.turn() {
            Turn::Over => break,
            Turn::Chance => table.draw(&mut stream, &mut game_event),
            Turn::Seat(_) => {
                let legal = table.legal();
                let action = legal.last().map_or("null".to_string(), Value::to_string);
                let _ = table.canonical_action("\"no action\"");
                let _ = table.play(&action, &mut game_event);
            }
        }
    }
    table.state_hash();
    table.text();
}

/// Asks a table everything after a failure.
fn ask_everything(table: &mut dyn Table) {
    let mut game_event = GameEvent::default();
    let mut bytes = Vec::new();
    assert_eq!(table.turn(), Turn::Over);
    let _ = (table.game(), table.rules(), table.has_secrets(), table.scores());
    let _ = (table.rules_time(), table.lists_actions(), table.legal(), table.outcome());
    let _ = (table.state_hash(), table.state(), table.text(), table.pass());
    table.write_legal(&mut bytes);
    for seat in Seat::all(table.seats().len()) {
        table.write_view(seat, &mut bytes);
        table.setup(seat);
    }
    let _ = table.canonical_action("1");
    let _ = table.play("1", &mut game_event);
    let _ = table.play_chance("1", &mut game_event);
    table.draw(&mut Stream::new(1, "faults"), &mut game_event);
    table.forfeit(Seat::new(0));
    let _ = (table.action_text("1"), table.own_action_text("1"), table.chance_text("1"));
}

/// Returns the failure of a game whose program is changed like this.
fn fault_of<G: Game>(tamper: Tamper) -> String {
    let game = load::<G>(start::<G>(tamper)).unwrap_or_else(|error| panic!("{error}"));
    let mut table = game.tables(None, &[]).expect("the default rules")();
    play_through(&mut *table);
    let fault = table.fault().expect("the program fails").0;
    ask_everything(&mut *table);
    assert_eq!(table.fault().map(|fault| fault.0), Some(fault.clone()), "the first one counts");
    fault
}

fn assert_says(fault: &str, parts: &[&str]) {
    for part in parts {
        assert!(fault.contains(part), "expected {part:?} in {fault}");
    }
}

#[test]
fn without_a_failure_there_is_no_fault() {
    let game = load::<ConnectFour>(start::<ConnectFour>(Arc::new(|_, _| None)));
    let game = game.unwrap_or_else(|error| panic!("{error}"));
    let mut table = game.tables(None, &[]).expect("the default rules")();
    play_through(&mut *table);
    assert_eq!(table.fault(), None);
    assert!(table.outcome().is_some());
}

#[test]
fn silence_and_nonsense() {
    let cases: [(Tamper, &[&str]); 9] = [
        (
            at("play", |_| Wrong::Silence("expected an answer within 10000 ms, none came")),
            &["asked {\"type\":\"play\"", "expected an answer within 10000 ms"],
        ),
        (
            at("open", |_| Wrong::Silence("expected the program to be running, it has exited")),
            &["asked {\"type\":\"open\"", "it has exited"],
        ),
        (at("play", line(b"hello, world")), &["\"play\"", "expected a message, got hello, world"]),
        (at("play", line(b"")), &["\"play\"", "got an empty line"]),
        (at("play", line(b"[1,2]")), &["\"play\"", "expected a message, got [1,2]"]),
        (at("play", line(b"{\"type\":\"position\"")), &["\"play\"", "expected a message"]),
        (
            at("play", line(b"{\"type\":\"\xff\"}")),
            &["\"play\"", "expected UTF-8, got the byte 0xff at byte 10"],
        ),
        (
            at("play", |_| Wrong::Line("[".repeat(65).into_bytes())),
            &["\"play\"", "at most 64 levels of nesting"],
        ),
        (at("play", line(b"{\"type\":7}")), &["\"play\"", "got {\"type\":7}"]),
    ];
    for (tamper, parts) in cases {
        assert_says(&fault_of::<ConnectFour>(tamper), parts);
    }
}

#[test]
fn positions_that_cannot_be() {
    let unknown = "one of the seats yellow, red, not \"green\"";
    let cases: [(Tamper, &[&str]); 15] = [
        (at("play", with("type", json!("view"))), &["expected a \"position\", got"]),
        (at("play", with("type", json!("unknown"))), &["expected a \"position\", got"]),
        (at("play", without("to_move")), &["expected \"to_move\" in the position, got"]),
        (at("play", with("to_move", json!("green"))), &[unknown, "\"to_move\":\"green\""]),
        (
            at("play", with("to_move", json!("chance"))),
            &["expected \"chance\":true in its \"hello\""],
        ),
        (at("play", without("view")), &["expected \"view\""]),
        (at("play", with("legal", json!([]))), &["at least one legal action"]),
        (at("play", with("legal", json!(7))), &["an array as \"legal\""]),
        (at("play", with("seen", json!({"red": 1}))), &["expected \"hidden\":true"]),
        (at("play", with("to_move", json!("over"))), &["expected \"outcome\""]),
        (at("open", with("setups", json!({"green": 1}))), &["asked {\"type\":\"open\"", unknown]),
        (at("open", with("setups", json!(1))), &["an object by seat as \"setups\""]),
        (
            at("view", without("view")),
            &["asked {\"type\":\"view\"", "expected \"view\" with the view"],
        ),
        (at("state", with("type", json!("text"))), &["expected \"state\" with the state"]),
        (at("text", without("text")), &["expected \"text\" with the text"]),
    ];
    for (tamper, parts) in cases {
        assert_says(&fault_of::<ConnectFour>(tamper), parts);
    }
}

/// Changes the outcome of a finished game.
fn outcome(value: Value) -> Tamper {
    Arc::new(move |_, mut answer| {
        answer.get("outcome")?;
        answer["outcome"] = value.clone();
        Some(Wrong::Line(answer.to_string().into_bytes()))
    })
}

#[test]
fn outcomes_that_cannot_be() {
    for (value, expected) in [
        (json!({"scores": [1]}), "expected 2 scores, one for each seat, not 1"),
        (json!({"scores": [2, -1]}), "expected scores from 0 to 1, not 2"),
        (json!({"scores": [1, 1]}), "expected scores with the sum 1, not 2"),
        (json!({"scores": [1, 0], "ranks": [1, 3]}), "expected 2 ranks from 1 to 2"),
        (json!({"scores": [1, 0], "ranks": [1]}), "expected 2 ranks from 1 to 2"),
        (json!({"scores": [1, 0], "reason": "Four in a line!"}), "lower-case letters"),
        (json!({"scores": [1, 0], "reason": "forfeit_crash"}), "begins neither with forfeit_"),
        (json!({"ranks": [1, 2]}), "\"scores\" is missing"),
    ] {
        assert_says(&fault_of::<ConnectFour>(outcome(value)), &["\"play\"", expected, "got {"]);
    }
}

#[test]
fn actions_that_were_listed_and_others() {
    let refused = || line(b"{\"type\":\"refused\",\"message\":\"no\"}");
    let fault = fault_of::<ConnectFour>(at("play", refused()));
    assert_says(&fault, &["a position, as it listed this action as legal", "\"refused\""]);
    let fault = fault_of::<ConnectFour>(at("check", line(b"{\"type\":\"position\"}")));
    assert_says(&fault, &["asked {\"type\":\"check\"", "\"refused\" or \"legal\""]);
    let fault = fault_of::<ConnectFour>(at("open", refused()));
    assert_says(&fault, &["an opening drawn from the bits", "\"refused\""]);
}

#[test]
fn an_action_that_is_nearly_legal_is_no_fault() {
    let other: &[u8] = b"{\"type\":\"legal\",\"action\":{\"column\":9}}";
    for answer in [b"{\"type\":\"legal\"}", other] {
        let game = load::<ConnectFour>(start::<ConnectFour>(at("check", line(answer))));
        let game = game.unwrap_or_else(|error| panic!("{error}"));
        let mut table = game.tables(None, &[]).expect("the default rules")();
        table.open(&mut Stream::new(1, "faults"));
        let played = table.play("{\"column\":true}", &mut GameEvent::default());
        let error = played.expect_err("it is not in the list").to_string();
        assert_says(
            &error,
            &["{\"column\":true} is not one of the 7 legal actions: {\"column\":1}"],
        );
        assert_eq!(table.fault(), None);
    }
}

#[test]
fn draws_that_cannot_be() {
    let fault = fault_of::<Dice>(at("chance", without("chance")));
    assert_says(&fault, &["asked {\"type\":\"chance\"", "the drawn outcome as \"chance\""]);
    let fault = fault_of::<Dice>(at("chance", line(b"{\"type\":\"refused\"}")));
    assert_says(&fault, &["an outcome drawn from the bits"]);
    let uneven = with("chances", json!([[0.5, {"face": 1}], [0.25, {"face": 2}]]));
    let to_chance: Tamper =
        Arc::new(move |_, answer| (answer["to_move"] == "chance").then(|| uneven(answer)));
    assert_says(&fault_of::<Dice>(to_chance), &["probabilities above 0 with the sum 1", "0.75"]);
}

#[test]
fn copies_that_cannot_be() {
    let fault = fault_of::<Hand>(at("play", with("seen", json!({"stranger": {}}))));
    assert_says(&fault, &["one of the seats guesser, hider, not \"stranger\""]);
    let fault = fault_of::<Hand>(at("play", with("seen", json!([]))));
    assert_says(&fault, &["an object of copies by seat as \"seen\""]);
}

#[test]
fn a_seat_that_forfeits_is_out() {
    let game = load::<Dice>(start::<Dice>(at("forfeit", line(b"{\"type\":\"refused\"}"))));
    let game = game.unwrap_or_else(|error| panic!("{error}"));
    let mut table = game.tables(None, &[]).expect("the default rules")();
    table.open(&mut Stream::new(1, "faults"));
    table.forfeit(Seat::new(1));
    let fault = table.fault().expect("it must answer").0;
    assert_says(&fault, &["asked {\"type\":\"forfeit\",\"seat\":", "expected a position"]);
    ask_everything(&mut *table);
}

/// Changes the answer to the n-th request of a type, from 0.
fn at_nth(
    kind: &'static str,
    nth: usize,
    change: impl Fn(Value) -> Wrong + Send + Sync + 'static,
) -> Tamper {
    let count = AtomicUsize::new(0);
    Arc::new(move |request, answer| {
        let is_it = request["type"] == kind && count.fetch_add(1, Ordering::Relaxed) == nth;
        is_it.then(|| change(answer))
    })
}

/// Returns the failure of a game of which two tables are open at once, so that a second program starts.
fn fault_of_the_second(tamper: Tamper) -> String {
    let game = load::<ConnectFour>(start::<ConnectFour>(tamper));
    let game = game.unwrap_or_else(|error| panic!("{error}"));
    let tables = game.tables(None, &[]).expect("the default rules");
    let (mut first, mut second) = (tables(), tables());
    first.open(&mut Stream::new(1, "faults"));
    assert_eq!(first.fault(), None);
    second.open(&mut Stream::new(1, "faults"));
    let fault = second.fault().expect("the program fails").0;
    ask_everything(&mut *second);
    play_through(&mut *first);
    assert_eq!(first.fault(), None, "the other game is played on");
    fault
}

#[test]
fn a_program_that_changes_its_mind() {
    let fault = fault_of_the_second(at_nth("hello", 1, with("chance", json!(true))));
    assert_says(
        &fault,
        &["asked {\"type\":\"hello\"", "the same description as at its first start"],
    );
    // The first `new` is for the preset, the second for the rules of the tables.
    let fault = fault_of_the_second(at_nth("new", 2, with("rules", json!({"width": 8}))));
    assert_says(&fault, &["asked {\"type\":\"new\"", "the same rules and seats again", "width"]);
    let fault = fault_of_the_second(at_nth("new", 2, with("seats", json!(["red", "yellow"]))));
    assert_says(&fault, &["the same rules and seats again"]);
    let fault = fault_of_the_second(at_nth("new", 2, line(b"{\"type\":\"refused\"}")));
    assert_says(&fault, &["the same rules and seats again"]);
}

#[test]
fn the_next_game_after_a_failure_has_a_new_program() {
    let game = load::<ConnectFour>(start::<ConnectFour>(at_nth("play", 0, line(b"oops"))));
    let game = game.unwrap_or_else(|error| panic!("{error}"));
    let mut table = game.tables(None, &[]).expect("the default rules")();
    play_through(&mut *table);
    assert!(table.fault().is_some());
    play_through(&mut *table);
    assert_eq!(table.fault(), None);
    assert!(table.outcome().is_some());
}

#[test]
fn games_that_cannot_be_loaded() {
    let error =
        |tamper| load::<ConnectFour>(start::<ConnectFour>(tamper)).err().map(|e| e.to_string());
    let many: Vec<String> = (0..9).map(|seat| seat.to_string()).collect();
    let cases: [(Tamper, &[&str]); 16] = [
        (at("hello", line(b"ready")), &["a \"hello\" that describes the game, got ready"]),
        (at("hello", line(b"{\"type\":\"unknown\"}")), &["asked {\"type\":\"hello\""]),
        (at("hello", without("name")), &["\"name\" is missing"]),
        (
            at("hello", with("rules_protocol", json!(2))),
            &["version 1 of the rules protocol, not version 2"],
        ),
        (
            at("hello", with("name", json!("four"))),
            &["the name connect-four of game.toml", "\"four\""],
        ),
        (at("hello", with("seats", json!([]))), &["expected 1 to 8 seats"]),
        (at("hello", with("seats", json!(many))), &["expected 1 to 8 seats, got 9"]),
        (at("hello", with("seats", json!(["a", "a"]))), &["\"a\" twice"]),
        (at("hello", with("seats", json!(["a", "over"]))), &["other than chance and over"]),
        (
            at("hello", |mut answer| {
                (answer["seats"], answer["abilities"]) = (json!([2, 3]), json!([]));
                Wrong::Line(answer.to_string().into_bytes())
            }),
            &["expected the ability \"forfeit\""],
        ),
        (
            at("hello", with("scores", json!(Scores { least: 1.0, most: 1.0, sum: None }))),
            &["\"least\" below \"most\""],
        ),
        (
            at("hello", with("presets", json!([{"name": "a"}, {"name": "a"}]))),
            &["two presets have the name a"],
        ),
        (
            at("hello", with("presets", json!([{"name": "a", "rules": {"x": 1}}]))),
            &["its preset a", "\"x\""],
        ),
        (at("new", with("type", json!("position"))), &["\"rules\" or \"refused\", got"]),
        (at("new", without("rules")), &["an object with every rule as \"rules\""]),
        (at("new", with("seats", json!(["yellow"]))), &["2 to 2 seats as in its \"hello\", not 1"]),
    ];
    for (tamper, parts) in cases {
        let error = error(tamper).expect("it cannot be loaded");
        assert_says(&error, parts);
    }
    let never: StartProgram = Arc::new(|| Err("there is no such program".into()));
    let error = load::<ConnectFour>(never).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("there is no such program"));
}
