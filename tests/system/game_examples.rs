//! The example games, new projects of games, and the tutorial that makes one: pages quote files, facts are
//! counted through the programs, and bots play them.

use crate::command::{Desk, events, events_of, repository, script};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Copies a directory.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == "__pycache__" => {}
            true => copy(&entry.path(), &to),
            false => {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
}

/// Returns a desk with an example game in its directory.
fn desk_with(game: &str) -> Desk {
    let desk = Desk::new();
    copy(&repository("examples/games").join(game), &desk.path(game));
    desk
}

/// Plays games and checks that all were completed without a fault. Returns the points of the first bot.
fn plays(desk: &Desk, game: &str, bots: &[&str], options: &[&str]) -> f64 {
    let (directory, games) = (format!("./{game}"), "4");
    let args = [&["match", &directory][..], bots, &["-n", games, "--seed", "1", "--json"], options];
    let events = events(&desk.done(&args.concat()));
    let ended = events_of(&events, "game_ended");
    assert_eq!(ended.len(), 4, "{game}");
    for event in ended {
        assert_eq!(event["outcome"]["kind"], "completed", "{game}: {event}");
        assert_eq!(event["faults"], serde_json::json!([]), "{game}: {event}");
    }
    events_of(&events, "match_ended")[0]["bots"][0]["share"].as_f64().unwrap_or_default()
}

fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    blocks.map(str::to_string).collect()
}

fn facts(tests: &[&str]) {
    let mut command = Command::new("python3");
    command.args(["-B", "-m", "unittest"]).args(tests);
    let ran = command.current_dir(repository("examples/games/tests")).output().unwrap();
    let [out, errors] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(ran.status.success() && !errors.contains("skipped"), "{out}{errors}");
}

#[test]
fn the_readme_and_the_page_quote_the_game_in_forty_lines() {
    let [program, manifest] = ["game.py", "game.toml"].map(|file| {
        fs::read_to_string(repository("examples/games/tic-tac-toe").join(file)).unwrap()
    });
    for page in ["README.md", "docs/rules-protocol.md"] {
        let page = fs::read_to_string(repository(page)).unwrap();
        assert!(blocks(&page, "python").contains(&program));
        assert!(blocks(&page, "toml").contains(&manifest));
    }
    assert!(program.lines().count() <= 40, "{} lines", program.lines().count());
}

#[test]
fn games_in_python_have_the_published_numbers() {
    let games =
        ["TicTacToe", "RockPaperScissors", "Pig", "Connect6", "Hex", "Pictures.test_in_python"];
    facts(&games.map(|game| format!("test_games.{game}")).each_ref().map(String::as_str));
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn games_in_javascript_have_the_published_numbers() {
    facts(&["test_games.KuhnPoker", "test_games.Pictures.test_in_javascript"]);
}

#[test]
fn games_in_python_are_played() {
    plays(&desk_with("tic-tac-toe"), "tic-tac-toe", &["random", "random"], &[]);
    plays(&desk_with("rock-paper-scissors"), "rock-paper-scissors", &["random", "random"], &[]);
    plays(&desk_with("hex"), "hex", &["random", "random"], &["--rules", "small"]);
    let desk = desk_with("pig");
    for players in 2..=5 {
        plays(&desk, "pig", &vec!["random"; players], &["--rules", "short"]);
    }
}

/// No list of legal actions is sent, so `random` cannot play.
#[test]
fn a_game_without_a_list_is_played_by_its_bot() {
    let bot = script("python3", "examples/games/bots/connect6.py", "");
    let [one, other] = ["one", "other"].map(|name| format!("{name}={bot}"));
    plays(&desk_with("connect6"), "connect6", &[&one, &other], &["--rule", "size=9"]);
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn games_in_javascript_are_played() {
    plays(&desk_with("kuhn-poker"), "kuhn-poker", &["random", "random"], &[]);
}

/// A new project passes its own test, the check, and is played.
fn project_works(language: &str, test: &[&str]) {
    let desk = Desk::new();
    let shown = desk.done(&["new-game", "my-nim", "--language", language]);
    assert!(shown.contains("botyard check-game ./my-nim"), "{shown}");
    let ran = Command::new(test[0]).args(&test[1..]).current_dir(desk.path("my-nim")).output();
    let ran = ran.unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    desk.done(&["check-game", "./my-nim"]);
    plays(&desk, "my-nim", &["random", "random"], &["--rules", "short"]);
}

#[test]
fn a_new_game_in_python_works() {
    project_works("python", &["python3", "-B", "-m", "unittest"]);
}

#[test]
#[ignore = "needs node, which not everybody has; `.ci/run` runs it"]
fn a_new_game_in_javascript_works() {
    project_works("javascript", &["node", "--test"]);
}

/// As for bots in Rust, the crates of this repository stand for those of the registry.
#[test]
#[ignore = "builds the crates of a game again; `.ci/run` runs it"]
fn a_new_game_in_rust_works() {
    let desk = Desk::new();
    let sources = repository(".");
    let sources = sources.to_str().unwrap();
    desk.done(&["new-game", "my-nim", "--language", "rust", "--kit-path", sources]);
    fs::copy(repository("Cargo.lock"), desk.path("my-nim/Cargo.lock")).unwrap();
    let built = desk.path("built");
    for verb in ["build", "test"] {
        let mut cargo = Command::new("cargo");
        cargo.args([verb, "--release", "--config", "profile.release.opt-level=0", "--offline"]);
        cargo.arg("--target-dir").arg(&built).current_dir(desk.path("my-nim"));
        let ran = cargo.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    let program = desk.path("my-nim/target/release");
    fs::create_dir_all(&program).unwrap();
    fs::copy(built.join("release/my-nim"), program.join("my-nim")).unwrap();
    desk.done(&["check-game", "./my-nim"]);
    plays(&desk, "my-nim", &["random", "random"], &["--rules", "short"]);
}

#[test]
fn a_project_that_is_no_game_of_its_own_is_refused() {
    let desk = Desk::new();
    for (args, expected) in [
        (["new-game", "draughts", "--language", "python"], "draughts is a game of botyard itself"),
        (["new-game", "mine", "--language", "go"], "python, javascript, rust"),
    ] {
        let ran = desk.run(&args);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        assert!(ran.stderr.contains(expected), "{ran:#?}");
    }
}

/// Returns a line of output without what differs from run to run and from host to host: times, speed, the tier.
fn steady(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_unit = |word: Option<&&str>| {
        word.is_some_and(|word| ["ms", "s", "ms;", "s:", "µs", "min"].contains(word))
    };
    let of_speed =
        |at: usize| words.get(at + 1..at + 3).is_some_and(|next| next.ends_with(&["per"]));
    let kept = words.iter().enumerate().map(|(at, word)| {
        let is_tier = at > 0 && words[at - 1] == "tier";
        match is_unit(words.get(at + 1)) || of_speed(at) || is_tier {
            true => "_",
            false => word,
        }
    });
    let kept = kept.collect::<Vec<_>>().join(" ");
    ["ms", "s", "µs"].iter().fold(kept, |line, unit| line.replace(&format!("_ {unit}"), "_"))
}

/// Returns whether a line has the result of the check of the time.
fn is_of_time(line: &str) -> bool {
    ["ok time ", "note time "].iter().any(|start| line.starts_with(start))
}

/// Returns a line with each number as 0: what is random differs with every change of a game's files, thus of the kit.
fn shape(line: &str) -> String {
    let digits = |line: String, digit: char| line.replace(digit, "0");
    let zeros = ('1'..='9').fold(line.to_string(), digits);
    let shape = (0..8).fold(zeros, |line, _| line.replace("00", "0"));
    // A busy host makes the check of the time a note.
    let shape = shape.replace(", 0 with a note", "");
    if is_of_time(&shape) { "time".to_string() } else { shape }
}

/// Follows the tutorial: each command is run, and prints the lines that the page shows.
#[test]
fn the_tutorial_prints_what_it_says() {
    let page = fs::read_to_string(repository("docs/learn/your-own-game.md")).unwrap();
    let desk = Desk::new();
    let code = repository("docs/learn/code/nim");
    let files = ["game.py", "bots/grabber.py", "bots/bouton.py"];
    let quoted = blocks(&page, "python");
    assert_eq!(quoted, files.map(|file| fs::read_to_string(code.join(file)).unwrap()));
    let cup = fs::read_to_string(code.join("cup.toml")).unwrap();
    assert_eq!(blocks(&page, "toml"), [&*cup]);
    let mut compared = 0;
    for block in page.split("```sh\n").skip(1) {
        let (commands, rest) = block.split_once("```").unwrap();
        let mut printed = String::new();
        for command in commands.lines() {
            if let Some(args) = command.strip_prefix("botyard ") {
                let args: Vec<&str> = words(args);
                printed.push_str(&desk.done(&args));
            }
        }
        if desk.path("nim").is_dir() {
            // What the reader saves by now.
            fs::create_dir_all(desk.path("bots")).unwrap();
            fs::copy(code.join("bots/grabber.py"), desk.path("bots/grabber.py")).unwrap();
            fs::copy(code.join("bots/bouton.py"), desk.path("bots/bouton.py")).unwrap();
            fs::copy(code.join("cup.toml"), desk.path("cup.toml")).unwrap();
            let written = fs::read_to_string(desk.path("nim/game.py")).unwrap();
            assert_eq!(written, fs::read_to_string(code.join("game.py")).unwrap());
        }
        let Some(shown) = rest.trim_start().strip_prefix("```text\n") else { continue };
        let shown = shown.split("```").next().unwrap();
        let is_random = commands.contains(" random") || commands.contains("check-game");
        let compared_as = |line: &str| match is_random {
            true => shape(&steady(line)),
            false => steady(line),
        };
        let printed: Vec<String> = printed.lines().map(compared_as).collect();
        for line in shown.lines().filter(|line| !line.trim().is_empty() && *line != "...") {
            let line = compared_as(line);
            assert!(printed.contains(&line), "{commands}: {line:?} is not in {printed:#?}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared} lines were compared");
}

/// Splits a command into words, with quotes.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (at, part) in command.split('"').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}
