//! `botyard new`: a new project builds, its test passes, it plays without a fault, and `botyard check`
//! has nothing to find.

use crate::command::{BOTYARD, Desk, GENEROUS, events, events_of, repository};
use std::process::Command;

/// The languages in which a bot is built by `botyard build`.
const BUILT: [&str; 3] = ["go", "cpp", "java"];

/// The games that have first bots of their own.
const GAMES: [&str; 5] = ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"];

/// The games whose projects are checked.
const CHECKED: [&str; 3] = ["scotland-yard", "draughts", "dice-wars"];

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
        if CHECKED.contains(&game) {
            crate::check::passes_in(&desk, &bot, &[]);
        }
    }
}

#[test]
fn a_project_that_is_not_built_is_named_with_the_command_that_builds_it() {
    let desk = Desk::new();
    for (language, expected) in [
        ("cpp", "there is no fox-cpp/bot; to build it, run `botyard build ./fox-cpp`"),
        ("go", "there is no fox-go/bot; to build it, run `botyard build ./fox-go`"),
        ("java", "there is no fox-java/classes; to build it, run `botyard build ./fox-java`"),
        (
            "rust",
            "there is no fox-rust/target/release/fox-rust; to build it, run `(cd fox-rust && cargo build \
             --release)`",
        ),
    ] {
        let fox = format!("./fox-{language}");
        desk.done(&["new", &fox, "--language", language, "--game", "connect-four"]);
        for args in [&["match", "connect-four", &fox, "random"][..], &["check", &fox]] {
            let ran = desk.run(args);
            assert_eq!(ran.code, Some(2), "{ran:#?}");
            let error = format!("error: bot fox-{language}: it is not built, as {expected}\n");
            assert!(ran.stderr.contains(&error), "{ran:#?}");
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
    // The target directory is shared, so the crates are compiled once.
    for game in ["draughts", "connect-four"] {
        desk.done(&["new", game, "--language", "rust", "--game", game, "--kit-path", sources]);
        // The versions that this repository was built with are those that are there.
        std::fs::copy(repository("Cargo.lock"), desk.path(game).join("Cargo.lock")).unwrap();
        let built = desk.path("built");
        // Not optimized, which would take most of the time of this test.
        let level = "profile.release.opt-level=0";
        let target =
            ["--release", "--config", level, "--offline", "--target-dir", built.to_str().unwrap()];
        succeeds(&desk, game, "cargo", &[&["build"], &target[..]].concat());
        succeeds(&desk, game, "cargo", &[&["test"], &target[..]].concat());
        // Where the manifest of the bot expects its program.
        let program = desk.path(&format!("{game}/target/release"));
        std::fs::create_dir_all(&program).unwrap();
        std::fs::copy(built.join("release").join(game), program.join(game)).unwrap();
        let bot = plays(&desk, "rust", game);
        crate::check::passes_in(&desk, &bot, &["--game", game]);
    }
}

/// Runs the commands of the first block of a section of a page, in its directory.
fn follows(desk: &Desk, directory: &str, section: &str) -> String {
    let page = std::fs::read_to_string(desk.path(&format!("{directory}/README.md"))).unwrap();
    let section = page.split(&format!("\n## {section}\n")).nth(1).expect("the section");
    let block = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    // A busy machine may take longer for a move than the page allows.
    let script =
        format!("set -e\nbotyard() {{ \"$BOTYARD\" \"$@\" {}; }}\n{block}", GENEROUS.join(" "));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(desk.path(directory));
    let ran = shell
        .env("BOTYARD_QUIET_WITHIN", "0")
        .env("BOTYARD", BOTYARD)
        .env("HOME", desk.path(""))
        .output()
        .unwrap();
    let [out, errors] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(ran.status.success(), "{block}: {out}{errors}");
    out.into_owned()
}

#[test]
fn the_debug_recipe_of_a_project_works_again_and_again() {
    let desk = Desk::new();
    for game in ["dice-wars", "connect-four"] {
        desk.done(&["new", "fox", "--language", "python", "--game", game]);
        // The match that `new` recommends keeps its replay in the directory of the others.
        for _ in 0..2 {
            let shown = follows(&desk, "fox", "Debug");
            assert!(shown.contains(" decisions, 0 differ from the record"), "{game}: {shown}");
        }
        std::fs::rename(desk.path("fox"), desk.path(game)).unwrap();
    }
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
