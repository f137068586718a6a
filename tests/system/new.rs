//! `botyard new`: a new project builds, its test passes, it plays without a fault, and `botyard check`
//! has nothing to find.

use crate::command::{Desk, events, events_of, repository};
use std::process::Command;

/// The languages in which a bot is built by `botyard build`.
const BUILT: [&str; 3] = ["go", "cpp", "java"];

/// Every game.
const GAMES: [&str; 5] = ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"];

/// Runs a program in a directory of the desk and checks that it succeeds.
fn succeeds(desk: &Desk, directory: &str, program: &str, args: &[&str]) {
    let ran = Command::new(program).args(args).current_dir(desk.path(directory)).output().unwrap();
    let [out, errors] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(ran.status.success(), "{directory}: {program}: {out}{errors}");
}

/// Builds a project, plays three games against `random`, and returns the bot.
fn plays(desk: &Desk, language: &str, game: &str) -> String {
    let bot = format!("./{game}");
    if BUILT.contains(&language) {
        desk.done(&["build", &bot, "--cpu-time", "600"]);
    }
    let args = ["match", game, &bot, "random", "-n", "3", "--seed", "1", "--json"];
    let events = events(&desk.done(&args));
    let ended = events_of(&events, "game_ended");
    assert_eq!(ended.len(), 3);
    for event in ended {
        assert_eq!(event["faults"], serde_json::json!([]), "{language}: {event}");
    }
    bot
}

fn projects_work(language: &str, test: &[&str]) {
    let desk = Desk::new();
    for game in GAMES {
        let shown = desk.done(&["new", game, "--language", language, "--game", game]);
        assert!(shown.contains(&format!("botyard check ./{game}")), "{shown}");
        let bot = plays(&desk, language, game);
        succeeds(&desk, game, test[0], &test[1..]);
        if game == "connect-four" {
            crate::check::passes_in(&desk, &bot, &[]);
        }
    }
}

#[test]
fn projects_in_python_work() {
    projects_work("python", &["python3", "-B", "-m", "unittest"]);
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn projects_in_javascript_work() {
    projects_work("javascript", &["node", "--test"]);
}

#[test]
#[ignore = "needs go, which not everybody has; `.ci/run` runs it"]
fn projects_in_go_work() {
    projects_work("go", &["go", "test", "."]);
}

#[test]
#[ignore = "needs g++ and nlohmann/json, which not everybody has; `.ci/run` runs it"]
fn projects_in_cpp_work() {
    projects_work("cpp", &["sh", "-c", "g++ -std=c++17 -o test test.cpp && ./test"]);
}

#[test]
#[ignore = "needs java and javac, which not everybody has; `.ci/run` runs it"]
fn projects_in_java_work() {
    projects_work("java", &["java", "-cp", "classes", "TestBot.java"]);
}

/// The crates of this repository stand for those of the registry, and what they need has been
/// downloaded for this test itself.
#[test]
#[ignore = "builds the crates of a bot again; `.ci/run` runs it"]
fn projects_in_rust_work() {
    let desk = Desk::new();
    let sources = repository(".");
    let sources = sources.to_str().unwrap();
    let game = "connect-four";
    desk.done(&["new", game, "--language", "rust", "--game", game, "--kit-path", sources]);
    // The versions that this repository was built with are those that are there.
    std::fs::copy(repository("Cargo.lock"), desk.path(game).join("Cargo.lock")).unwrap();
    succeeds(&desk, game, "cargo", &["build", "--release", "--offline"]);
    succeeds(&desk, game, "cargo", &["test", "--release", "--offline"]);
    let bot = plays(&desk, "rust", game);
    crate::check::passes_in(&desk, &bot, &["--game", game]);
}

#[test]
fn a_project_overwrites_nothing_and_says_what_is_missing() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("full")).unwrap();
    std::fs::write(desk.path("full/essay"), "text").unwrap();
    let ran = desk.run(&["new", "full", "--language", "python", "--game", "draughts"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("the directory full is not empty"), "{ran:#?}");
    assert_eq!(std::fs::read_dir(desk.path("full")).unwrap().count(), 1);
    let ran = desk.run(&["new", "fox", "--language", "cobol", "--game", "draughts"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    let mut command = desk.command(&["new", "fox", "--language", "go", "--game", "draughts"]);
    let ran = crate::command::finish(command.env("PATH", "").spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("the program go was not found"), "{ran:#?}");
    assert!(ran.stderr.contains("install the package golang"), "{ran:#?}");
}
