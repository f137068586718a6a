//! `botyard check-game`: each fault of a game is found by the check that is named after it, and games
//! that are right pass.

use crate::command::{Desk, Ran, events, events_of, finish, repository};
use crate::processes::{Processes, pid_of};
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::sync::Mutex;

/// Each fault of the games in `tests/games` with the checks that fail, and options of the run.
const TABLE: &str = include_str!("data/check_game.tsv");

/// How many games are checked at the same time.
const AT_ONCE: usize = 2;

/// Writes the directory of a game of `tests/games` with a fault.
pub fn write_game(desk: &Desk, game: &str, fault: &str) {
    let directory = desk.path(game);
    fs::create_dir(&directory).unwrap();
    let program = repository(&format!("tests/games/{game}.py"));
    fs::copy(program, directory.join("game.py")).unwrap();
    let manifest =
        format!("name = \"{game}\"\nabout = \"A test\"\nrun = \"python3 game.py {fault}\"\n");
    fs::write(directory.join("game.toml"), manifest).unwrap();
}

fn check(desk: &Desk, directory: &str, options: &[&str]) -> Ran {
    desk.run(&[&["check-game", directory, "--json"], options].concat())
}

/// Returns the checks of a run with this status.
fn with_status(ran: &Ran, status: &str) -> Vec<String> {
    let printed = events(&ran.stdout);
    let results = events_of(&printed, "game_check_result");
    let with = results.iter().filter(|event| event["status"] == status);
    with.map(|event| event["check"].as_str().expect("a name").to_string()).collect()
}

#[test]
fn every_fault_is_found_by_the_check_that_is_for_it() {
    let rows: Vec<Vec<&str>> =
        TABLE.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let next = Mutex::new(rows.iter());
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(row) = next.lock().unwrap().next() else { return };
                    let [game, fault, expected, options] = row[..] else { panic!("{row:?}") };
                    let source = repository(&format!("tests/games/{game}.py"));
                    let source = fs::read_to_string(source).unwrap();
                    let is_known = fault == "none" || source.contains(&format!("\"{fault}\""));
                    assert!(is_known, "{game}.py does not know {fault}");
                    let desk = Desk::new();
                    write_game(&desk, game, fault);
                    let mut options: Vec<&str> = options.split_whitespace().collect();
                    options.extend(["--games", "10"]);
                    let ran = check(&desk, &format!("./{game}"), &options);
                    let expected: Vec<&str> =
                        expected.split(',').filter(|check| !check.is_empty()).collect();
                    let code = i32::from(!expected.is_empty());
                    if with_status(&ran, "failed") != expected || ran.code != Some(code) {
                        let found = with_status(&ran, "failed");
                        let text = format!(
                            "{game} {fault}: expected {expected:?}, found {found:?}: {ran:#?}"
                        );
                        wrong.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A check that never fails is none.
#[test]
fn every_check_of_a_game_fails_for_some_fault() {
    let desk = Desk::new();
    write_game(&desk, "poker", "none");
    let ran = check(&desk, "./poker", &["--games", "2"]);
    let printed = events(&ran.stdout);
    let results = events_of(&printed, "game_check_result");
    let checks: Vec<&str> =
        results.iter().map(|event| event["check"].as_str().expect("a name")).collect();
    assert_eq!(checks.len(), 28, "{ran:#?}");
    let failed: Vec<&str> = TABLE
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').nth(2))
        .flat_map(|checks| checks.split(','))
        .collect();
    for check in checks {
        assert!(failed.contains(&check), "no game of the table fails {check}");
    }
}

/// The program in forty lines of `docs/rules-protocol.md`.
#[test]
fn the_game_of_the_page_passes() {
    let page = fs::read_to_string(repository("docs/rules-protocol.md")).unwrap();
    let block = |language: &str| {
        let block = page.split(&format!("```{language}\n")).nth(1).expect("a block");
        block.split("```").next().expect("an end").to_string()
    };
    let desk = Desk::new();
    fs::create_dir(desk.path("tic-tac-toe")).unwrap();
    fs::write(desk.path("tic-tac-toe/game.py"), block("python")).unwrap();
    fs::write(desk.path("tic-tac-toe/game.toml"), block("toml")).unwrap();
    let ran = desk.run(&["check-game", "tic-tac-toe"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("\n20 games, "), "{ran:#?}");
    assert!(ran.stdout.contains(" decisions per second\n"), "{ran:#?}");
}

#[test]
fn a_finding_has_a_place_what_was_asked_and_what_to_do() {
    let desk = Desk::new();
    write_game(&desk, "poker", "secret_copies");
    let ran = check(&desk, "./poker", &[]);
    let printed = events(&ran.stdout);
    let results = events_of(&printed, "game_check_result");
    let failed = results.iter().find(|event| event["status"] == "failed").expect("a finding");
    let finding = &failed["findings"][0];
    let text = |key: &str| finding[key].as_str().expect("a text").to_string();
    assert_eq!(text("place"), "rules standard, openings");
    let message = text("message");
    assert!(message.starts_with("left cannot tell the openings {\"hands\":"), "{message}");
    assert!(message.contains("its copy is {\"hands\":"), "{message}");
    assert!(text("remedy").contains("`seen`"), "{finding}");
    // The same seed gives the same finding.
    let again = check(&desk, "./poker", &[]);
    let results = |ran: &Ran| -> Vec<Value> {
        let printed = events(&ran.stdout);
        let all = events_of(&printed, "game_check_result");
        let all = all.into_iter().filter(|event| event["check"] != "time");
        all.map(|event| serde_json::to_value(event).unwrap()).collect()
    };
    assert_eq!(results(&ran), results(&again));
}

#[test]
fn a_directory_without_a_game_that_can_be_started() {
    let desk = Desk::new();
    let ran = desk.run(&["check-game", "./nothing"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("expected the directory of a game"), "{ran:#?}");
    fs::create_dir(desk.path("empty")).unwrap();
    let ran = desk.run(&["check-game", "./empty"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("game.toml"), "{ran:#?}");
    // A manifest that is wrong is the author's: the first check names it.
    fs::write(desk.path("empty/game.toml"), "name = \"A B\"\nabout = \"x\"\nrun = \"true\"\n")
        .unwrap();
    let ran = check(&desk, "./empty", &[]);
    assert_eq!(
        (ran.code, with_status(&ran, "failed")),
        (Some(1), vec!["start".into()]),
        "{ran:#?}"
    );
    assert!(ran.stdout.contains("lower-case letters"), "{ran:#?}");
}

#[test]
fn rules_of_the_user_are_played_or_refused_in_words() {
    let desk = Desk::new();
    write_game(&desk, "auction", "none");
    let ran = desk.run(&["check-game", "./auction", "--rule", "players=4", "--games", "3"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("resolves standard, players=4, and survives others"), "{ran:#?}");
    for (options, words) in [
        (["--rules", "misere"], "expected one of standard"),
        (["--rule", "players=9"], "expected 2 to 4 players"),
        (["--rule", "colour=red"], "expected one of players"),
    ] {
        let ran = desk.run(&[&["check-game", "./auction"], &options[..]].concat());
        assert_eq!(ran.code, Some(2), "{options:?}: {ran:#?}");
        assert!(ran.stderr.contains(words), "{options:?}: {ran:#?}");
    }
}

#[test]
fn an_interrupt_reports_what_was_decided_and_leaves_no_process() {
    let desk = Desk::new();
    write_game(&desk, "poker", "none");
    let args = ["check-game", "./poker", "--games", "1000000", "--json"];
    let child = desk.command(&args).spawn().expect("botyard starts");
    let programs = Processes::once_running(&child, "game.py", 1);
    kill_process(pid_of(&child), Signal::INT).expect("botyard runs");
    let ran = finish(child);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let printed = events(&ran.stdout);
    let [ended] = events_of(&printed, "game_check_ended")[..] else { panic!("one end: {ran:#?}") };
    assert_eq!(ended["interrupted"], true);
    assert_eq!(programs.left(), [""; 0], "{ran:#?}");
}
