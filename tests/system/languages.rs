//! The first bots of the kits, in other languages, against the built-in ones and each other.

use crate::command::{Desk, GENEROUS, events, events_of, script};

fn python() -> String {
    script("python3", "sdk/python/examples/first.py", "")
}

fn javascript() -> String {
    script("node", "sdk/javascript/examples/first.js", "")
}

fn plays_cleanly(bots: [&str; 2], games: &str) {
    let desk = Desk::new();
    let [first, second] = bots;
    let args = ["match", "scotland-yard", first, second, "-n", games, "--json"];
    let out = desk.done(&[args.as_slice(), &GENEROUS].concat());
    let events = events(&out);
    let games = events_of(&events, "game_ended");
    assert!(games.len() > 1);
    for game in games {
        assert_eq!(game["outcome"]["kind"], "completed", "{game}");
        assert_eq!(game["faults"], serde_json::json!([]), "{game}");
    }
}

#[test]
fn python_against_a_built_in_bot() {
    plays_cleanly([&python(), "random"], "6");
}

#[test]
fn python_says_what_it_needs_where_legal_actions_are_not_listed() {
    let desk = Desk::new();
    let python = python();
    let shown = desk.done(&["match", "scotland-yard", &python, "random", "--no-legal"]);
    assert!(shown.contains("crash"), "{shown}");
    assert!(
        shown.contains("| first.py needs the legal actions: play without --no-legal"),
        "{shown}"
    );
    assert!(shown.contains("forfeit_crash"), "{shown}");
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn javascript_against_python() {
    plays_cleanly([&javascript(), &python()], "6");
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn javascript_against_a_built_in_bot() {
    plays_cleanly(["greedy", &javascript()], "6");
}
