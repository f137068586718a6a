//! A person at a page: `botyard play --browser`, driven over HTTP as its page does, against real
//! bots.

use crate::command::{Desk, Ran, finish, misbehaving};
use crate::processes::{Processes, pid_of};
use crate::void_games::{HangsOnce, python};
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout};
use std::time::{Duration, Instant};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Draughts from the start position, the same game each time.
const DRAUGHTS: [&str; 7] =
    ["draughts", "--against", "random:seed=1", "--rule", "ballots=none", "--seed", "1"];

/// The program that serves a page, and what its page knows.
struct Page {
    child: Child,
    stdout: BufReader<ChildStdout>,
    host: String,
    /// The directory of the addresses, with slashes.
    directory: String,
    token: String,
    source: String,
}

struct Answer {
    status: u16,
    headers: String,
    body: BufReader<TcpStream>,
}

impl Answer {
    fn text(mut self) -> String {
        let mut text = String::new();
        self.body.read_to_string(&mut text).expect("text");
        text
    }
}

impl Page {
    fn open(desk: &Desk, args: &[&str]) -> Page {
        let mut child =
            desk.command(&[&["play", "--browser"], args].concat()).spawn().expect("botyard starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("text");
        if line.is_empty() {
            panic!("no address: {:#?}", finish(child));
        }
        let rest = line.trim().strip_prefix("http://").expect("an address");
        let (host, directory) = rest.split_once('/').expect("a directory");
        let (host, directory) = (host.to_string(), format!("/{directory}"));
        let mut page =
            Page { child, stdout, host, directory, token: String::new(), source: String::new() };
        page.source = page.get("").text();
        page.token = page.data()["token"].as_str().expect("a token").to_string();
        page
    }

    /// The data in the source of the page.
    fn data(&self) -> Value {
        let begin = "<script type=\"application/json\" id=\"replay\">";
        let (_, rest) = self.source.split_once(begin).expect("data");
        let (data, _) = rest.split_once("</script>").expect("an end");
        serde_json::from_str(data).expect("JSON")
    }

    fn ask(&self, head: &str, host: &str, more: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        write!(
            stream,
            "{head} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n{more}\r\n\
             {body}",
            body.len()
        )
        .expect("a request");
        let mut body = BufReader::new(stream);
        let mut headers = String::new();
        while !headers.ends_with("\r\n\r\n") {
            assert!(body.read_line(&mut headers).expect("headers") > 0, "{headers}");
        }
        let status = headers[9..12].parse().expect("a status");
        Answer { status, headers: headers.to_lowercase(), body }
    }

    fn get(&self, name: &str) -> Answer {
        self.ask(&format!("GET {}{name}", self.directory), &self.host, "", "")
    }

    /// Sends a command as the page does; returns its status and what it said.
    fn send(&self, command: &Value) -> (u16, String) {
        let headers =
            format!("x-botyard-token: {}\r\nOrigin: http://{}\r\n", self.token, self.host);
        self.send_with(command, &self.host, &headers)
    }

    fn send_with(&self, command: &Value, host: &str, headers: &str) -> (u16, String) {
        let head = format!("POST {}do", self.directory);
        let answer = self.ask(&head, host, headers, &command.to_string());
        (answer.status, answer.text())
    }

    fn done(&self, command: &Value) {
        assert_eq!(self.send(command), (204, String::new()), "{command}");
    }

    fn refused(&self, command: &Value, reason: &str) {
        let (status, said) = self.send(command);
        assert_eq!(status, 409, "{command}: {said}");
        assert!(said.contains(reason), "{command}: {said}");
    }

    fn events(&self) -> Events {
        let answer = self.get("events");
        assert_eq!(answer.status, 200);
        assert!(answer.headers.contains("text/event-stream"), "{}", answer.headers);
        Events::new(answer.body)
    }

    /// Ends the program by a signal.
    fn leave(mut self) -> (Option<i32>, String) {
        kill_process(pid_of(&self.child), Signal::INT).expect("it runs");
        let mut said = String::new();
        self.stdout.read_to_string(&mut said).expect("text");
        let Ran { code, stderr, .. } = finish(self.child);
        assert_eq!(stderr, "");
        (code, said)
    }
}

/// What a page has received.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    pub game: Value,
    pub about: Value,
    pub positions: BTreeMap<u64, Value>,
    pub state: Value,
}

impl Seen {
    /// The legal actions of the decision that is due.
    pub fn legal(&self) -> &[Value] {
        self.state["question"]["legal"].as_array().map_or(&[], Vec::as_slice)
    }

    pub fn play(&self, action: &Value) -> Value {
        let turn = &self.state["question"]["turn"];
        json!({"do": "play", "game": self.game, "turn": turn, "action": action})
    }

    pub fn order(&self, order: &str) -> Value {
        let turn = &self.state["question"]["turn"];
        json!({"do": order, "game": self.game, "turn": turn})
    }
}

/// The events of a page.
pub struct Events {
    lines: BufReader<TcpStream>,
    seen: Seen,
}

impl Events {
    /// Reads events after the headers of their answer.
    pub fn new(lines: BufReader<TcpStream>) -> Events {
        Events { lines, seen: Seen::default() }
    }

    /// The next event: its kind and its data. `None` at the end.
    pub fn next(&mut self) -> Option<(String, String)> {
        let begun = Instant::now();
        let mut kind = String::new();
        let mut data = String::new();
        loop {
            // Lines that keep the connection alive are no events.
            assert!(begun.elapsed() < PATIENCE, "waited in vain: {}", self.seen.state);
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(named) = line.strip_prefix("event: ") {
                kind = named.to_string();
            } else if let Some(its) = line.strip_prefix("data: ") {
                data = its.to_string();
            } else if line.is_empty() && !kind.is_empty() {
                return Some((kind, data));
            }
        }
    }

    /// Receives events until the state is as expected.
    pub fn until(&mut self, is_reached: impl Fn(&Value) -> bool) -> Seen {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "waited in vain: {}", self.seen.state);
            let (kind, data) =
                self.next().unwrap_or_else(|| panic!("the events end: {}", self.seen.state));
            if kind == "bye" {
                panic!("the server ends: {}", self.seen.state);
            }
            let data: Value = serde_json::from_str(&data).expect("JSON");
            match kind.as_str() {
                "game" => {
                    self.seen.game = data["game"].clone();
                    self.seen.about = data["about"].clone();
                    self.seen.positions.clear();
                }
                "positions" => {
                    for position in data.as_array().expect("positions") {
                        let number = position["n"].as_u64().expect("a number");
                        self.seen.positions.insert(number, position.clone());
                    }
                }
                "state" => {
                    assert_ne!(data["phase"], "problem", "{data}");
                    self.seen.state = data;
                    if is_reached(&self.seen.state) {
                        return self.seen.clone();
                    }
                }
                other => panic!("{other}: {data}"),
            }
        }
    }

    /// Receives events until the person is asked for a decision, which is not this one.
    pub fn asked(&mut self, but: u64) -> Seen {
        self.until(|state| state["question"]["turn"].as_u64().is_some_and(|turn| turn != but))
    }
}

/// Returns what was received without the times of the person's decisions.
fn timeless(mut seen: Seen) -> Seen {
    for event in seen.positions.values_mut() {
        for event in event["turn"][1].as_array_mut().into_iter().flatten() {
            event.as_object_mut().expect("an event").retain(|key, _| key != "us" && key != "cpu");
        }
    }
    seen
}

fn is_over(state: &Value) -> bool {
    state["phase"] == "over" && !state["saved"].is_null()
}

#[test]
fn a_game_with_hints_undo_and_a_new_game_that_is_resigned() {
    let desk = Desk::new();
    let args =
        [&DRAUGHTS[..], &["--as", "black", "--rule", "max_plies=4", "--out", "out"]].concat();
    let page = Page::open(&desk, &args);
    let mut events = page.events();
    let first = events.asked(0);
    assert_eq!(first.about["own"], json!(["black"]));
    assert_eq!((first.positions.len(), first.legal().len()), (1, 7), "{first:?}");
    assert_eq!(first.state["can_undo"], false);

    page.refused(&first.play(&json!("11-20")), "\"11-20\" is illegal; expected one of 7");
    page.refused(&first.order("undo"), "you have not made a decision yet");
    page.refused(&json!({"do": "play", "turn": 2, "action": "11-15"}), "decision 2 is not due");
    page.refused(&json!({"do": "undo", "game": 77}), "an earlier position");
    page.refused(&json!({"do": "look", "seat": "white"}), "white to take over");

    page.done(&first.order("hint"));
    let hinted = events.until(|state| !state["hint"]["bot"].is_null());
    assert!(hinted.legal().contains(&hinted.state["hint"]["action"]), "{:?}", hinted.state);

    page.done(&first.play(&json!("11-15")));
    let second = events.asked(1);
    // The person's move and the bot's answer.
    assert_eq!(second.positions.len(), 3);
    assert_eq!(second.state["can_undo"], true);
    // A second page receives the same.
    assert_eq!(page.events().asked(1), second);

    page.done(&second.order("undo"));
    let again = events.asked(3);
    assert_eq!((again.positions.len(), again.legal()), (1, first.legal()));
    assert_ne!(again.game, second.game);
    page.refused(&second.play(&second.legal()[0]), "an earlier position");
    page.done(&again.play(&json!("11-16")));
    let third = events.asked(1);
    assert_eq!(page.get("replay").status, 404, "it would reveal a game that is not over");
    page.done(&third.play(&third.legal()[0]));
    let over = events.until(is_over);
    let end = over.positions.values().last().expect("positions").to_string();
    assert!(end.contains("max_plies"), "{end}");
    page.refused(&over.order("undo"), "the game is over");
    page.refused(&over.order("resign"), "it is not your turn");
    let replay = page.get("replay").text();
    assert!(replay.starts_with("<!doctype html>") && replay.contains("max_plies"), "{replay}");

    page.refused(&json!({"do": "new", "seats": ["blak"]}), "--as blak: there is no such seat");
    page.done(&json!({"do": "new", "seats": ["white"]}));
    let swapped = events.until(|state| state["question"]["seat"] == "white");
    assert_eq!(swapped.about["own"], json!(["white"]));
    page.done(&swapped.order("resign"));
    let resigned = events.until(is_over);
    assert_eq!(resigned.state["has_resigned"], true);

    let (code, said) = page.leave();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("replay: out/").count(), 2, "{said}");
    let files = desk.replays("out");
    assert_eq!(files.len(), 2, "the replay of what was taken back is gone: {files:?}");
    for file in &files {
        desk.done(&["replay", "verify", file.to_str().expect("a name")]);
        let text = fs::read_to_string(file).expect("a replay");
        assert!(text.contains("max_plies") || text.contains("\"text\":\"resigns\""), "{text}");
    }
    while let Some((kind, _)) = events.next() {
        assert!(["game", "positions", "state", "bye"].contains(&kind.as_str()), "{kind}");
    }
}

/// The host stalls while the bot is asked: the game is void, and resumed on the same page.
#[test]
fn a_void_game_is_resumed_with_the_decisions_so_far() {
    // Where this test itself gets no core within the limit, the bot is late; then a longer limit and a longer stall are
    // tried. A stall longer than a hundred times the limit and a quarter of a second is the host's fault.
    let stalls = [(100, 11), (300, 31), (1000, 101)];
    let is_void = |(move_ms, seconds): &(u64, u64)| {
        is_void_and_resumed(*move_ms, Duration::from_secs(*seconds))
    };
    assert!(stalls.iter().any(is_void), "the bot was late with every limit");
}

/// Stalls the referee while a bot is asked; false if the bot was late before.
fn is_void_and_resumed(move_ms: u64, stall: Duration) -> bool {
    let desk = Desk::new();
    let hangs = HangsOnce::write(&desk);
    let rules = ["--rule", "ballots=none", "--rule", "max_plies=2", "--seed", "1", "--as", "black"];
    let bot = format!("{} bot.py", python());
    let run = [
        "--against",
        &bot,
        "--sandbox",
        "none",
        "--out",
        "out",
        "--move-time",
        &move_ms.to_string(),
    ];
    let args = [&["draughts"], &rules[..], &run].concat();
    let page = Page::open(&desk, &args);
    let mut events = page.events();
    let first = events.asked(0);
    page.done(&first.play(&json!("11-15")));
    hangs.stall(&page.child, stall);
    let over = events.until(is_over);
    let fault = over.state["faults"][0].as_str().unwrap_or_default();
    if !fault.contains("the game was void and is resumed, because the host failed") {
        eprintln!("{over:?}");
        return false;
    }
    assert_eq!(over.positions.len(), 3, "{over:?}");
    let (code, said) = page.leave();
    assert_eq!(code, Some(0), "{said}");
    let replays = desk.replays("out");
    assert!(
        replays.iter().any(|file| file.to_string_lossy().ends_with(".2.ndjson")),
        "{replays:?}"
    );
    assert_eq!(said.matches("replay: out/").count(), replays.len(), "{said}");
    for file in &replays {
        desk.done(&["replay", "verify", file.to_str().expect("a name")]);
    }
    true
}

#[test]
fn only_the_page_is_answered() {
    let desk = Desk::new();
    let page = Page::open(&desk, &[&DRAUGHTS[..], &["--as", "black"]].concat());
    let seen = page.events().asked(0);
    let command = seen.play(&json!("11-15"));
    let token = format!("x-botyard-token: {}\r\n", page.token);
    let other = "x-botyard-token: 00000000000000000000000000000000\r\n";
    let port = page.host.rsplit(':').next().expect("a port").to_string();
    for (host, headers) in [
        (page.host.clone(), String::new()),
        (page.host.clone(), other.to_string()),
        (page.host.clone(), format!("{token}Origin: http://example.org\r\n")),
        (page.host.clone(), format!("{token}Origin: null\r\n")),
        (page.host.clone(), format!("{token}Origin: http://127.0.0.1:1\r\n")),
        (format!("example.org:{port}"), token.clone()),
        (format!("127.0.0.1.example.org:{port}"), token.clone()),
    ] {
        let (status, said) = page.send_with(&command, &host, &headers);
        assert_eq!(status, 403, "{host} {headers:?}: {said}");
    }
    let head = format!("GET {}", page.directory);
    assert_eq!(page.ask(&head, "example.org", "", "").status, 403);
    for (head, status) in [
        ("GET /".to_string(), 404),
        ("GET /00000000000000000000000000000000/".to_string(), 404),
        ("GET /00000000000000000000000000000000/events".to_string(), 404),
        (format!("GET {}do", page.directory), 405),
        (format!("POST {}", page.directory), 405),
    ] {
        assert_eq!(page.ask(&head, &page.host, &token, "").status, status, "{head}");
    }
    for garbage in [json!(null), json!({"do": "win"}), json!({"do": "play"}), json!(7)] {
        assert_eq!(page.send(&garbage).0, 400, "{garbage}");
    }
    let headers = page.get("").headers;
    for expected in [
        "content-security-policy: default-src 'none'",
        "x-frame-options: deny",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
    ] {
        assert!(headers.contains(expected), "{expected}: {headers}");
    }
    // None of it has changed the game.
    assert_eq!(page.events().asked(0).positions.len(), 1);
    page.done(&command);
    assert_eq!(page.leave().0, Some(1), "the game is left unfinished");
}

#[test]
fn what_is_hidden_from_the_seat_is_in_no_answer() {
    // The same game for the detectives: only Mr. X's stations differ. Whatever their page receives
    // must not.
    let received = |mr_x: u16| {
        let desk = Desk::new();
        let opening = json!({"mr_x": mr_x, "detectives": [117, 50, 138, 174, 29]});
        fs::write(desk.path("start.json"), opening.to_string()).expect("written");
        let bot = format!("x={}", misbehaving("good"));
        let args = ["scotland-yard", "--as", "detectives", "--against", &bot, "--out", "out"];
        let args = [&args[..], &["--opening", "start.json", "--seed", "5"]].concat();
        let page = Page::open(&desk, &args);
        let mut events = page.events();
        let first = events.asked(0);
        page.done(&first.order("hint"));
        let thinking = events.until(|state| state["hint"]["thinking"] == true);
        page.done(&first.play(&first.legal()[0]));
        let seen = [first, thinking, events.asked(2)];
        let source = page.source.replace(&page.token, "");
        assert_eq!(page.leave().0, Some(1));
        let file = &desk.replays("out")[0];
        let replay = fs::read_to_string(file).expect("a replay");
        let is_move = |line: &&str| line.starts_with("{\"type\":\"move\"");
        let first = replay.lines().find(is_move).expect("a move");
        let first: Value = serde_json::from_str(first).expect("JSON");
        let station = first["action"]["to"].as_u64().expect("a station");
        (station, source, seen)
    };
    let (first, source, seen) = received(127);
    let (second, other_source, also_seen) = received(78);
    assert_ne!(first, second);
    assert_eq!(source, other_source);
    let asked = &seen[0];
    assert_eq!(asked.about["seed"], Value::Null);
    let seen_of_mr_x = json!({"ticket": "taxi", "to": null});
    assert_eq!(asked.positions[&1]["frames"][0][1][0], seen_of_mr_x);
    assert_eq!(seen.map(timeless), also_seen.map(timeless));
}

#[test]
fn two_people_at_one_page_see_nothing_of_each_other() {
    let desk = Desk::new();
    // A seed, because Mr. X loses some games by the first of the legal moves.
    let seats = ["--as", "mr-x", "--as", "detectives"];
    let args = [&["scotland-yard", "--rules", "grid-5x5-2", "--seed", "1"], &seats[..]].concat();
    let page = Page::open(&desk, &args);
    let mut events = page.events();
    let waiting = events.until(|state| state["curtain"] == "mr-x");
    assert_eq!((&waiting.about, waiting.positions.len()), (&Value::Null, 0));
    assert_eq!(waiting.state["question"], Value::Null);
    page.refused(&json!({"do": "look", "seat": "detectives"}), "detectives to take over");
    page.refused(&json!({"do": "resign"}), "it is not your turn");
    page.done(&json!({"do": "look", "seat": "mr-x"}));
    let mr_x = events.asked(0);
    assert!(mr_x.positions[&0].to_string().contains("\"mr_x\""), "{mr_x:?}");
    page.done(&mr_x.play(&mr_x.legal()[0]));
    let handed = events.until(|state| state["curtain"] == "detectives");
    assert_eq!((&handed.about, handed.positions.len()), (&Value::Null, 0));
    page.done(&json!({"do": "look", "seat": "detectives"}));
    let detectives = events.asked(1);
    assert_eq!(detectives.state["question"]["seat"], "detectives");
    let station = mr_x.legal()[0]["to"].as_u64().expect("a station");
    let last = &detectives.positions[&1];
    assert_eq!(last["frames"][0][1][0]["to"], Value::Null, "{station}: {last}");
    // The detectives' own decisions need no curtain between them.
    page.done(&detectives.play(&detectives.legal()[0]));
    let next = events.until(|state| {
        !state["curtain"].is_null() || state["question"]["turn"] == 3 || state["phase"] == "over"
    });
    assert_ne!(next.state["curtain"], "detectives", "{next:?}");
    page.leave();
}

#[test]
fn seats_that_see_the_same_need_no_curtain() {
    let desk = Desk::new();
    for args in [
        &["draughts", "--as", "white", "--as", "black", "--rule", "ballots=none"][..],
        &[
            "scotland-yard",
            "--rules",
            "grid-5x5-2",
            "--rule",
            "seats=pawns",
            "--as",
            "detective-1",
            "--as",
            "detective-2",
            "--against",
            "random:seed=1",
            "--seed",
            "3",
        ],
    ] {
        let page = Page::open(&desk, args);
        let mut events = page.events();
        let first = events.asked(0);
        page.done(&first.play(&first.legal()[0]));
        let turn = first.state["question"]["turn"].as_u64().expect("a number");
        let second = events.asked(turn);
        assert_ne!(first.state["question"]["seat"], second.state["question"]["seat"]);
        assert_eq!(first.game, second.game, "nothing was taken from the page");
        page.leave();
    }
}

#[test]
fn a_seat_is_chosen_on_the_page_and_a_rated_game_has_no_help() {
    let desk = Desk::new();
    let page = Page::open(&desk, &[&DRAUGHTS[..], &["--rated"]].concat());
    let mut events = page.events();
    let open = events.until(|state| state["phase"] == "choose");
    assert_eq!(open.state["seats"][1]["seat"], "white");
    page.refused(&json!({"do": "undo"}), "choose a seat first");
    page.refused(&json!({"do": "new", "seats": ["green"]}), "there is no such seat");
    page.done(&json!({"do": "new", "seats": ["white"]}));
    let asked = events.asked(0);
    page.refused(&asked.order("hint"), "hints are not available in this game");
    page.done(&asked.play(&asked.legal()[0]));
    page.refused(&asked.order("undo"), "undo is not available in this game");
    assert_eq!(page.leave().0, Some(1));

    let page = Page::open(&desk, &DRAUGHTS);
    page.events().until(|state| state["phase"] == "choose");
    assert_eq!(page.leave().0, Some(0), "no game was begun");
}

#[test]
fn a_level_is_chosen_on_the_page_and_the_game_is_reviewed() {
    let desk = Desk::new();
    let page = Page::open(&desk, &["connect-four", "--level", "3", "--seed", "1"]);
    let mut events = page.events();
    let open = events.until(|state| state["phase"] == "choose");
    assert_eq!(open.state["levels"], json!({"most": 10, "chosen": 3}));
    page.refused(&json!({"do": "new", "seats": ["red"], "level": 11}), "a level from 1 to 10");
    page.done(&json!({"do": "new", "seats": ["yellow"], "level": 1}));
    let mut asked = events.asked(0);
    assert_eq!(asked.state["seats"][1]["player"], "level:1");
    loop {
        let turn = asked.state["question"]["turn"].clone();
        page.done(&asked.play(&asked.legal()[0]));
        asked = events.until(|state| {
            state["phase"] == "over" && state["can_review"] == true
                || state["question"]["turn"].as_u64() > turn.as_u64()
        });
        if asked.state["phase"] == "over" {
            break;
        }
    }
    page.done(&json!({"do": "review"}));
    let reviewed = events.until(|state| !state["review"]["decisions"].is_null());
    assert!(reviewed.state["review"]["worst"].as_array().expect("a list").len() <= 3);
    page.leave();

    let page = Page::open(&desk, &DRAUGHTS);
    let fixed = page.events().until(|state| state["phase"] == "choose");
    assert_eq!(fixed.state["levels"], Value::Null, "the bot is named");
    page.leave();
}

#[test]
fn the_fault_of_a_bot_is_said_in_words() {
    let desk = Desk::new();
    let bot = misbehaving("exit_seven 1");
    let args = ["draughts", "--as", "black", "--against", &bot, "--rule", "ballots=none"];
    let page = Page::open(&desk, &args);
    let mut events = page.events();
    let asked = events.asked(0);
    page.done(&asked.play(&asked.legal()[0]));
    let over = events.until(|state| state["phase"] == "over");
    let fault = over.state["faults"][0].as_str().expect("a fault");
    assert!(fault.contains("white forfeits at move 2: crash"), "{fault}");
    assert_eq!(page.leave().0, Some(0));
}

#[test]
fn a_signal_ends_the_page_and_the_bots() {
    let desk = Desk::new();
    let page = Page::open(&desk, &[&DRAUGHTS[..], &["--as", "black"]].concat());
    let mut events = page.events();
    events.asked(0);
    // The relay process and a bot.
    let bots = Processes::once_running(&page.child, "", 2);
    let (code, said) = page.leave();
    assert_eq!((code, said.as_str()), (Some(1), "the game is left unfinished\n"));
    assert_eq!(bots.left(), [""; 0]);
    let mut last = String::new();
    while let Some((kind, _)) = events.next() {
        last = kind;
    }
    assert_eq!(last, "bye");
}

#[test]
fn what_makes_no_page_is_refused() {
    let desk = Desk::new();
    for (args, expected) in [
        (&["play", "draughts", "--as", "black", "--open"][..], "--browser"),
        (&["play", "draughts", "--as", "black", "--port", "1"], "--browser"),
        (&["play", "draughts", "--browser", "--as", "blak"], "(did you mean black?)"),
        (&["play", "draughs", "--browser"], "(did you mean draughts?)"),
        (&["play", "draughts", "--browser", "--against", "gredy"], "did you mean greedy?"),
    ] {
        let ran = desk.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}
