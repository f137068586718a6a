//! Games whose program fails: the run stops with exit code 3, says the program, the request, what was
//! expected and what came, and no bot is to blame.

use crate::command::{Desk, repository, script};
use crate::sandbox::tier_here;
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

/// What the manifest of the broken game states.
const LIMITS: &str = "[limits]\nmemory_mib = 64\nanswer_ms = 1000\n";

/// Makes tic-tac-toe with other statements at `play`.
fn break_at_play(desk: &Desk, statements: &str) {
    let right = fs::read_to_string(repository("examples/games/tic-tac-toe/game.py")).unwrap();
    let play = "cells[request[\"action\"]] = request[\"seat\"]";
    assert!(right.contains(play), "{right}");
    let broken = right.replace(play, &format!("{statements}; continue"));
    fs::create_dir_all(desk.path("bad")).unwrap();
    fs::write(desk.path("bad/game.py"), broken).unwrap();
    let manifest = fs::read_to_string(repository("examples/games/tic-tac-toe/game.toml")).unwrap();
    fs::write(desk.path("bad/game.toml"), manifest + LIMITS).unwrap();
}

/// Plays a match by a program with these statements at `play`, which must fail and say these parts.
fn fails(name: &str, statements: &str, parts: &[&str]) {
    let first = script("python3", "sdk/python/examples/first.py", "");
    let bots = [format!("one={first}"), format!("other={first}")];
    let desk = Desk::new();
    break_at_play(&desk, statements);
    let ran = desk.run(&["match", "./bad", &bots[0], &bots[1], "-n", "1", "--out", "games"]);
    assert_eq!(ran.code, Some(3), "{name}: {ran:#?}");
    for part in ["the rules program of tic-tac-toe, asked"].iter().chain(parts) {
        assert!(ran.stderr.contains(part), "{name}, expected {part:?}: {ran:#?}");
    }
    for replay in desk.replays("games") {
        let replay = fs::read_to_string(replay).unwrap();
        assert!(!replay.contains("\"type\":\"fault\""), "{name}: {replay}");
    }
}

#[test]
fn a_program_that_fails_stops_the_run_and_no_bot_is_to_blame() {
    for (name, statements, parts) in FAILURES {
        fails(name, statements, parts);
    }
}

#[test]
fn a_program_that_does_not_answer_stops_the_run() {
    let parts = ["{\"type\":\"play\"", "within 1000 ms", "`answer_ms` in [limits] of game.toml"];
    fails("it waits", "import time; time.sleep(3600)", &parts);
}

/// The option allows more memory than the manifest states.
#[test]
fn the_memory_of_a_program_is_stated_by_its_manifest_and_set_by_an_option() {
    const ALLOCATE: &str = "cells[request[\"action\"]] = request[\"seat\"]; bytes(200 << 20)";
    let desk = Desk::new();
    if tier_here(&desk) == "none" {
        return;
    }
    let setting = "`memory_mib` in [limits] of game.toml, or --game-memory";
    fails("it allocates", ALLOCATE, &["its memory limit is 64 MiB", setting]);
    break_at_play(&desk, "bytes(200 << 20)");
    let right = fs::read_to_string(desk.path("bad/game.py")).unwrap();
    let right = right.replace("bytes(200 << 20); continue", ALLOCATE);
    fs::write(desk.path("bad/game.py"), right).unwrap();
    desk.done(&["match", "./bad", "random", "random", "-n", "1", "--game-memory", "1024"]);
    let manifest = fs::read_to_string(desk.path("bad/game.toml")).unwrap();
    fs::write(desk.path("bad/game.toml"), manifest.replace("= 64", "= 5000")).unwrap();
    let refused = desk.run(&["match", "./bad", "random", "random"]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    assert!(
        refused.stderr.contains("limits.memory_mib: expected 8 to 4096, got 5000"),
        "{refused:#?}"
    );
}
