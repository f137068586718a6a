//! Games whose program fails: the run stops with exit code 3, says the program, the request, what was
//! expected and what came, and no bot is to blame.

use crate::command::{Desk, repository, script};
use std::fs;

/// How a program fails at the first `play`: the name, the statements in place of the right ones, and what
/// the error must say.
const FAILURES: [(&str, &str, &[&str]); 7] = [
    (
        "it raises an exception",
        "raise RuntimeError('the board fell off the table')",
        &["{\"type\":\"play\"", "exit", "the board fell off the table"],
    ),
    ("it ends", "sys.exit(0)", &["{\"type\":\"play\"", "exit"]),
    (
        "it prints nonsense",
        "print('thinking', flush=True)",
        &["{\"type\":\"play\"", "expected a message, got thinking"],
    ),
    (
        "it answers with two lines",
        "print('{}\\n{}', flush=True)",
        &["{\"type\":\"play\"", "expected one line for a request, got more"],
    ),
    (
        "it does not know the request",
        "print('{\"type\":\"unknown\"}', flush=True)",
        &["{\"type\":\"play\"", "expected a \"position\", got {\"type\":\"unknown\"}"],
    ),
    (
        "it names a seat that does not exist",
        "print('{\"type\":\"position\",\"to_move\":\"z\"}', flush=True)",
        &[
            "{\"type\":\"play\"",
            "expected one of the seats x, o, not \"z\"",
            "got {\"type\":\"position\"",
        ],
    ),
    (
        "it refuses what it listed",
        "print('{\"type\":\"refused\"}', flush=True)",
        &["{\"type\":\"play\"", "it listed this action as legal", "got {\"type\":\"refused\"}"],
    ),
];

/// Makes tic-tac-toe with other statements at `play`.
fn spoil(desk: &Desk, statements: &str) {
    let right = fs::read_to_string(repository("examples/games/tic-tac-toe/game.py")).unwrap();
    let play = "cells[request[\"action\"]] = request[\"seat\"]";
    assert!(right.contains(play), "{right}");
    let spoilt = right.replace(play, &format!("{statements}; continue"));
    fs::create_dir_all(desk.path("bad")).unwrap();
    fs::write(desk.path("bad/game.py"), spoilt).unwrap();
    let manifest = repository("examples/games/tic-tac-toe/game.toml");
    fs::copy(manifest, desk.path("bad/game.toml")).unwrap();
}

#[test]
fn a_program_that_fails_stops_the_run_and_no_bot_is_to_blame() {
    let first = script("python3", "sdk/python/examples/first.py", "");
    let bots = [format!("one={first}"), format!("other={first}")];
    for (name, statements, parts) in FAILURES {
        let desk = Desk::new();
        spoil(&desk, statements);
        let ran = desk.run(&["match", "./bad", &bots[0], &bots[1], "-n", "1", "--out", "games"]);
        assert_eq!(ran.code, Some(3), "{name}: {ran:#?}");
        for part in ["tic-tac-toe"].iter().chain(parts) {
            assert!(ran.stderr.contains(part), "{name}, expected {part:?}: {ran:#?}");
        }
        for replay in desk.replays("games") {
            let replay = fs::read_to_string(replay).unwrap();
            assert!(!replay.contains("\"type\":\"fault\""), "{name}: {replay}");
        }
    }
}
