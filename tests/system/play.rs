//! A person at the terminal: `botyard play` driven through a pipe, against real bots.

use crate::command::{Desk, Ran, finish, misbehaving, repository, script, unless_void};
use crate::processes::{Processes, pid_of};
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

/// Enough time for any bot on a busy machine.
const PATIENT: [&str; 2] = ["--move-time", "30000"];

fn start(desk: &Desk, args: &[&str]) -> Child {
    let args = [&["play"], args, &PATIENT].concat();
    desk.command(&args).stdin(Stdio::piped()).spawn().expect("botyard starts")
}

/// Plays with these lines typed, and the end of the input after them.
fn play(desk: &Desk, args: &[&str], typed: &[&str]) -> Ran {
    let mut child = start(desk, args);
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that has ended does not read the rest.
    let _ = stdin.write_all((typed.join("\n") + "\n").as_bytes());
    drop(stdin);
    finish(child)
}

/// The same, and checks that it succeeded.
fn played(desk: &Desk, args: &[&str], typed: &[&str]) -> String {
    let ran = play(desk, args, typed);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'), "no colours in a pipe: {}", ran.stdout);
    ran.stdout
}

/// Returns the one replay in `out`.
fn the_replay(desk: &Desk) -> String {
    let files = desk.replays("out");
    let [file] = &files[..] else { panic!("one replay: {files:?}") };
    file.to_str().expect("a name").to_string()
}

fn lines(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("a replay");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns the lines of the one replay in `out`, which must be valid.
fn replay(desk: &Desk) -> Vec<Value> {
    let file = the_replay(desk);
    desk.done(&["replay", "verify", &file]);
    lines(&file)
}

/// The same for an unfinished game: valid as far as it goes.
fn unfinished(desk: &Desk) -> Vec<Value> {
    let file = the_replay(desk);
    let ran = desk.run(&["replay", "verify", &file]);
    assert!(ran.stderr.contains("there is no \"end\" line"), "{ran:#?}");
    lines(&file)
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

/// Draughts from the start position, the same game each time.
const DRAUGHTS: [&str; 9] = [
    "draughts",
    "--as",
    "black",
    "--against",
    "random:seed=1",
    "--rule",
    "ballots=none",
    "--seed",
    "1",
];

/// Moves of Black near the start of a game. Some of them are legal at any time; the others are
/// rejected with a message.
const ANY_MOVES: [&str; 20] = [
    "5x14", "6x13", "9x18", "10x17", "14x21", "14x23", "15x24", "15x22", "16x23", "16x25", "12-16",
    "9-13", "8-11", "10-14", "7-11", "6-9", "15-18", "15-19", "16-19", "16-20",
];

#[test]
fn draughts_to_its_end() {
    let desk = Desk::new();
    let args = [&DRAUGHTS[..], &["--rule", "max_plies=4", "--out", "out"]].concat();
    // The second one is typed as the number of a square on which only one piece can land.
    let out = played(&desk, &args, &["11-15", "?", "log", "board", "9 14", "12 16", "10-14"]);
    assert!(out.contains("    1  black: 11-15"), "{out}");
    assert!(out.contains("max_plies after 4 moves\n  black: you score 0.50 of one point"), "{out}");
    let lines = replay(&desk);
    assert_eq!(of_type(&lines, "move").len(), 4);
    assert_eq!(lines.last().expect("an end")["outcome"]["kind"], "completed");
    let players = &lines[0]["players"];
    assert_eq!((&players[0]["name"], &players[0]["untimed"]), (&json!("person"), &json!(true)));
    assert_eq!(players[1]["untimed"], Value::Null);
}

#[test]
fn a_level_plays_and_the_game_is_reviewed_at_its_end() {
    let desk = Desk::new();
    let args =
        ["connect-four", "--as", "yellow", "--level", "2", "--seed", "1", "--review", "always"];
    // The first legal action each time.
    let typed = ["1"; 21];
    let ran = play(&desk, &[&args[..], &["--out", "out"]].concat(), &typed);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("level:2"), "{ran:#?}");
    let is_reviewed = ran.stdout.contains(" in ") && ran.stdout.contains(", says level:10");
    assert!(is_reviewed && ran.stdout.contains("mistake"), "{ran:#?}");
    let file = the_replay(&desk);
    let (_, command) = ran.stdout.rsplit_once("botyard analyze ").expect("a command");
    assert!(file.ends_with(command.trim().trim_start_matches("out/")), "{ran:#?}");
    // What the review has found is stored.
    let shown = desk.done(&["analyze", &file]);
    assert!(shown.contains("level:10 would decide"), "{shown}");
    assert!(desk.run(&["play", "connect-four", "--level", "11"]).code == Some(2));
}

#[test]
fn both_sides_may_be_the_persons() {
    let desk = Desk::new();
    let args = ["draughts", "--as", "white", "--as", "black", "--rule", "ballots=none"];
    let args = [&args[..], &["--rule", "max_plies=3"]].concat();
    let out = played(&desk, &args, &["11-15", "22-18", "15x22"]);
    assert!(out.contains("white> ") && out.contains("    3  black: 15x22"), "{out}");
}

/// Returns all keys, a number of times, so that every legal action is covered.
fn keys(times: usize) -> Vec<&'static str> {
    ["w", "d", "s", "a"].repeat(times)
}

#[test]
fn a_grid_to_its_end_on_either_side() {
    for (seat, won) in [("mr-x", "mr-x: you "), ("detectives", "detectives: you ")] {
        let desk = Desk::new();
        let args = ["scotland-yard", "--as", seat, "--rules", "grid-5x5-2", "--rule", "limit=3"];
        let args = [&args[..], &["--against", "random:seed=3", "--out", "out"]].concat();
        let out = played(&desk, &args, &keys(20));
        assert!(out.contains(won), "{out}");
        assert_eq!(replay(&desk).last().expect("an end")["type"], "end");
    }
}

#[test]
fn some_of_the_detectives_are_the_persons() {
    let desk = Desk::new();
    let args = ["scotland-yard", "--rules", "grid-5x5-2", "--rule", "seats=pawns"];
    // A game in which Mr. X is not caught before the person's turn.
    let args = [&args[..], &["--seed", "3"]].concat();
    let mine =
        ["--as", "detective-2", "--against", "random:seed=1", "--rule", "limit=2", "--out", "out"];
    let out = played(&desk, &[&args[..], &mine].concat(), &keys(12));
    assert!(out.contains("detective-2> ") && !out.contains("detective-1> "), "{out}");
    let lines = replay(&desk);
    let holders: Vec<&Value> = lines[0]["players"].as_array().unwrap().iter().collect();
    assert_eq!(holders[0]["seats"], json!(["detective-2"]));
    assert_eq!(holders[1]["seats"], json!(["mr-x", "detective-1"]));
}

/// Returns a bot that plays the first legal action.
fn first_legal() -> String {
    misbehaving("good")
}

#[test]
fn london_by_tickets_and_double_moves() {
    let desk = Desk::new();
    fs::write(desk.path("start.json"), r#"{"mr_x":127,"detectives":[117,50,138,174,29]}"#).unwrap();
    let bot = first_legal();
    let args = ["scotland-yard", "--as", "mr-x", "--against", &bot, "--opening", "start.json"];
    let args = [&args[..], &["--rule", "limit=2", "--out", "out"]].concat();
    let typed = ["?", "fly 3", "2x b 102 t 1", "2x b 102 b 127", "candidates", "x 102", "t 115"];
    let out = played(&desk, &args, &typed);
    assert!(out.contains("mcts would play Mr. X"), "{out}");
    assert!(out.contains("\"fly\" is neither a ticket nor a station"), "{out}");
    let lines = replay(&desk);
    let moves = of_type(&lines, "move");
    let mr_x: Vec<&Value> =
        moves.iter().filter(|line| line["seat"] == "mr-x").map(|line| &line["action"]).collect();
    assert_eq!(mr_x[0]["double"], true, "{mr_x:?}");
    assert_eq!((&mr_x[0]["to"], &mr_x[1]["to"]), (&json!(102), &json!(127)), "{mr_x:?}");
}

#[test]
fn what_is_hidden_is_never_on_the_screen() {
    // The same game for the detectives: only Mr. X's stations differ. Whatever they enter, their
    // screens must not.
    let screen = |mr_x: u16| {
        let desk = Desk::new();
        let opening = json!({"mr_x": mr_x, "detectives": [117, 50, 138, 174, 29]});
        fs::write(desk.path("start.json"), opening.to_string()).unwrap();
        let bot = format!("x={}", first_legal());
        let args = ["scotland-yard", "--as", "detectives", "--against", &bot, "--out", "out"];
        let args = [&args[..], &["--opening", "start.json", "--seed", "5"]].concat();
        let typed = ["log", "candidates", "board", "help", "nonsense", "t 1", "quit"];
        let out = played(&desk, &args, &typed);
        let lines = unfinished(&desk);
        let moves = of_type(&lines, "move");
        assert_eq!((moves.len(), &moves[0]["seen"]["detectives"]["ticket"]), (1, &json!("taxi")));
        let station = moves[0]["action"]["to"].as_u64().expect("a station");
        (station, out)
    };
    let (first, shown) = screen(127);
    let (second, also_shown) = screen(78);
    assert_ne!(first, second);
    assert_eq!(shown, also_shown);
    assert!(shown.contains("Mr. X: taxi\n") && shown.contains("not revealed yet"), "{shown}");
}

#[test]
fn undo_takes_the_last_decision_back() {
    let desk = Desk::new();
    let args = [&DRAUGHTS[..], &["--rule", "max_plies=6", "--out", "out"]].concat();
    let typed = ["undo", "11-15", "9-14", "undo", "log", "undo", "undo", "11-16", "quit"];
    let out = played(&desk, &args, &typed);
    assert_eq!(out.matches("taken back").count(), 2, "{out}");
    assert_eq!(out.matches("you have not made a decision yet").count(), 2, "{out}");
    assert!(out.contains("left unfinished"), "{out}");
    // One replay is left: that of the current game.
    let lines = unfinished(&desk);
    let moves = of_type(&lines, "move");
    assert_eq!((moves.len(), &moves[0]["action"]), (2, &json!("11-16")));
}

#[test]
fn what_is_not_taken_back_stays_as_it_was() {
    let desk = Desk::new();
    let args = [&DRAUGHTS[..], &["--rule", "max_plies=6", "--out", "out"]].concat();
    // Whatever the bot plays, some of these are legal; the others are rejected with a message.
    let typed = [&["11-15", "9-14", "undo", "?"][..], &ANY_MOVES, &ANY_MOVES].concat();
    let out = played(&desk, &args, &typed);
    assert!(out.contains("max_plies after 6 moves"), "{out}");
    let lines = replay(&desk);
    let moves = of_type(&lines, "move");
    let by: Vec<&str> = moves.iter().filter_map(|line| line["by"].as_str()).collect();
    assert_eq!((moves.len(), by), (6, vec!["record", "record"]));
    let answer = format!("    2  white: {}", moves[1]["action"].as_str().unwrap());
    assert_eq!(out.matches(&answer).count(), 1, "recorded events are not printed again: {out}");
}

#[test]
fn a_rated_game_has_no_help() {
    let desk = Desk::new();
    let args = [&DRAUGHTS[..], &["--rated"]].concat();
    let out = played(&desk, &args, &["11-15", "undo", "?", "quit"]);
    assert!(out.contains("undo is not available in a rated game"), "{out}");
    assert!(!out.contains("would play") && !out.contains("taken back\n\n"), "{out}");
}

#[test]
fn who_resigns_has_lost() {
    let desk = Desk::new();
    let out = played(&desk, &[&DRAUGHTS[..], &["--out", "out"]].concat(), &["11-15", "resign"]);
    assert!(out.contains("resigned after 2 moves\n  black: you lose"), "{out}");
    let lines = replay(&desk);
    assert_eq!(of_type(&lines, "log")[0]["text"], "resigns");
    assert_eq!(lines.last().expect("an end")["outcome"]["scores"], json!([0.0, 1.0]));
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    for typed in [&[][..], &["11-15"], &["quit"], &["  QUIT "], &["\u{1b}[A\u{0}", "22-18"]] {
        let desk = Desk::new();
        let out = played(&desk, &[&DRAUGHTS[..], &["--out", "out"]].concat(), typed);
        assert!(out.contains("the game is left unfinished"), "{out}");
        assert!(of_type(&unfinished(&desk), "end").is_empty());
    }
}

#[test]
fn a_signal_ends_the_game_and_its_bots() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let desk = Desk::new();
        let mut child = start(&desk, &DRAUGHTS);
        let stdin = child.stdin.take().expect("a pipe");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains("you are Black") {
            line.clear();
            assert_ne!(stdout.read_line(&mut line).expect("text"), 0, "it has ended");
        }
        // The relay process and a bot.
        let bots = Processes::once_running(&child, "", 2);
        kill_process(pid_of(&child), signal).expect("botyard runs");
        let code = finish(child).code;
        assert_eq!(code, Some(1), "{signal:?}");
        assert_eq!(bots.left(), [""; 0], "{signal:?}");
        drop(stdin);
    }
}

#[test]
fn a_terminal_that_is_gone_ends_the_game() {
    let desk = Desk::new();
    let mut child = start(&desk, &DRAUGHTS);
    let mut stdin = child.stdin.take().expect("a pipe");
    drop((child.stdout.take(), child.stderr.take()));
    // It may have left already.
    let _ = stdin.write_all(b"11-15\n");
    assert_eq!(finish(child).code, Some(1), "no panic");
}

#[test]
fn a_bot_that_fails_loses_to_the_person() {
    let desk = Desk::new();
    let bot = misbehaving("exit_seven 1");
    let args = ["draughts", "--as", "black", "--against", &bot, "--rule", "ballots=none"];
    let out = played(&desk, &args, &["11-15"]);
    assert!(out.contains("white forfeits at move 2: crash"), "{out}");
    assert!(out.contains("black: you win"), "{out}");
}

#[test]
fn a_bot_keeps_its_clock_and_the_person_has_none() {
    let desk = Desk::new();
    let slow = misbehaving("never");
    let args = ["play", "draughts", "--as", "black", "--rule", "ballots=none", "--out", "out"];
    let args = [&args[..], &["--against", &slow, "--move-time", "200"]].concat();
    let ran = unless_void(|| {
        let mut child = desk.command(&args).stdin(Stdio::piped()).spawn().expect("botyard starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // Longer than a bot may take: a person's time is not limited.
        std::thread::sleep(std::time::Duration::from_millis(400));
        stdin.write_all(b"11-15\n").expect("it reads");
        finish(child)
    });
    assert!(ran.stdout.contains("white forfeits at move 2: timeout"), "{ran:#?}");
    assert!(ran.stdout.contains("black: you win"), "{ran:#?}");
}

#[test]
fn arguments_that_make_no_game_are_refused() {
    let desk = Desk::new();
    let python = script("python3", "sdk/python/examples/first.py", "");
    assert!(repository("sdk/python/examples/first.py").exists());
    for (args, expected) in [
        (&["draughts"][..], "add --as black or --as white"),
        (&["draughts", "--as", "blak"], "(did you mean black?)"),
        (&["draughs", "--as", "black"], "(did you mean draughts?)"),
        (&["draughts", "--as", "black", "--against", "gredy"], "did you mean greedy?"),
        (
            &["draughts", "--as", "black", "--against", &python, "--against", "random"],
            "expected one --against, got 2",
        ),
        (
            &["draughts", "--as", "black", "--as", "white", "--against", "random"],
            "expected no --against, got 1",
        ),
        (&["draughts", "--as", "black", "--name", ""], "--name"),
        (&["draughts", "--browser", "--review", "never"], "'--browser'"),
        (
            &["draughts", "--as", "black", "--against", "person=random"],
            "a bot is already called person",
        ),
    ] {
        let ran = play(&desk, args, &[]);
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

/// Resumes a saved game with these lines typed.
fn resume(desk: &Desk, file: &str, typed: &[&str]) -> Ran {
    let mut command = desk.command(&["play", "--resume", file]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("botyard starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all((typed.join("\n") + "\n").as_bytes());
    drop(stdin);
    finish(child)
}

/// Returns the decisions, draws and outcome of a replay: everything that makes the game.
fn course_of(file: &str) -> Vec<Value> {
    let lines = lines(file);
    let parts = lines.iter().filter_map(|line| match line["type"].as_str() {
        Some("move") => Some(json!([line["seat"], line["action"]])),
        Some("chance" | "end") => Some(line["outcome"].clone()),
        _ => None,
    });
    parts.collect()
}

/// Returns a game of each kind against a deterministic bot, with lines to type: more than it needs.
fn games_against_a_deterministic_bot() -> Vec<(Vec<String>, Vec<&'static str>)> {
    let bot = first_legal();
    let game = |words: &str| {
        let words = words.split(' ').map(String::from);
        words.chain(["--against".to_string(), bot.clone(), "--seed=5".to_string()]).collect()
    };
    vec![
        (
            game("draughts --as black --rule ballots=none --rule max_plies=8"),
            [&["11-15", "9-14"][..], &ANY_MOVES, &ANY_MOVES].concat(),
        ),
        (game("scotland-yard --as detectives --rules grid-5x5-2 --rule limit=5"), keys(20)),
        (game("dice-wars --as player-1 --rule max_turns=40"), ["end"].repeat(60)),
    ]
}

#[test]
fn a_resumed_game_is_the_same_as_an_uninterrupted_one() {
    for (args, typed) in games_against_a_deterministic_bot() {
        let desk = Desk::new();
        let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
        args.extend(["--out", "out"]);
        played(&desk, &args, &typed);
        let whole = the_replay(&desk);
        args.truncate(args.len() - 2);
        let before = [&typed[..3], &["save game.save", "quit"]].concat();
        let out = played(&desk, &args, &before);
        assert!(out.contains("saved in game.save") && out.contains("--resume game.save"), "{out}");
        let ran = resume(&desk, "game.save", &typed[3..]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
        assert!(ran.stdout.contains("resumed after"), "{}", ran.stdout);
        let saved = desk.path("game.save");
        let saved = saved.to_str().expect("a name");
        let whole = course_of(&whole);
        assert!(whole.len() > 5, "{whole:?}");
        assert_eq!(course_of(saved), whole, "{args:?}");
        desk.done(&["replay", "verify", saved]);
        assert!(!desk.path("game.save.play.json").exists(), "the game is over");
    }
}

#[test]
fn every_way_of_leaving_saves_the_game() {
    let typed = ["11-15", "9-14", "12-16", "10-14", "8-11"];
    for leaving in ["quit", "end of the input", "signal"] {
        let desk = Desk::new();
        let args = [&DRAUGHTS[..], &["--rule", "max_plies=6", "--out", "out"]].concat();
        match leaving {
            "quit" => drop(played(&desk, &args, &["11-15", "quit"])),
            "end of the input" => drop(played(&desk, &args, &["11-15"])),
            _ => {
                let mut child = start(&desk, &args);
                let mut stdin = child.stdin.take().expect("a pipe");
                stdin.write_all(b"11-15\n").expect("it reads");
                let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
                let mut line = String::new();
                while !line.contains("< the last move") {
                    line.clear();
                    assert_ne!(stdout.read_line(&mut line).expect("text"), 0, "it has ended");
                }
                kill_process(pid_of(&child), Signal::TERM).expect("botyard runs");
                drop(stdout);
                assert_eq!(finish(child).code, Some(1));
                drop(stdin);
            }
        }
        let file = the_replay(&desk);
        let before = of_type(&unfinished(&desk), "move").len();
        assert_eq!(before, 2, "{leaving}");
        // Taking back works beyond the point of the save.
        let ran = resume(&desk, &file, &[&["undo", "11-16", "undo"][..], &typed, &typed].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
        assert_eq!(ran.stdout.matches("taken back").count(), 2, "{}", ran.stdout);
        let lines = replay(&desk);
        assert_eq!(of_type(&lines, "move").len(), 6, "{leaving}");
        assert_eq!(of_type(&lines, "move")[0]["action"], "11-15", "{leaving}");
    }
}

#[test]
fn a_game_may_be_left_and_resumed_many_times() {
    let desk = Desk::new();
    let typed = ["11-15", "9-14", "12-16", "10-14", "8-11", "7-10", "6-9", "4-8"];
    played(&desk, &[&DRAUGHTS[..], &["--rule", "max_plies=12"]].concat(), &["save game.ndjson"]);
    let mut last = 0;
    for line in typed {
        let ran = resume(&desk, "game.ndjson", &[line]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
        let file = desk.path("game.ndjson");
        let decisions = of_type(&lines(file.to_str().unwrap()), "move").len();
        assert!(decisions == last || decisions == last + 2, "{decisions} after {last}");
        last = decisions;
    }
    assert!(last >= 4, "some of the moves are legal");
}

#[test]
fn a_save_is_not_written_over_another_file() {
    let desk = Desk::new();
    fs::write(desk.path("notes.txt"), "mine").unwrap();
    let typed = ["save notes.txt", "save", "save missing/game", "save mine", "save mine", "quit"];
    let out = played(&desk, &DRAUGHTS, &typed);
    assert!(out.contains("notes.txt exists and is not a save of this game"), "{out}");
    assert!(out.contains("expected a file: save FILE"), "{out}");
    assert!(out.contains("cannot be saved in missing/game"), "{out}");
    assert_eq!(out.matches("saved in mine").count(), 2, "{out}");
    assert_eq!(fs::read_to_string(desk.path("notes.txt")).unwrap(), "mine");
}

#[test]
fn a_file_that_is_no_unfinished_game_is_refused() {
    let desk = Desk::new();
    let args = [&DRAUGHTS[..], &["--rule", "max_plies=2", "--out", "out"]].concat();
    played(&desk, &args, &["11-15"]);
    let finished = the_replay(&desk);
    let args = [&DRAUGHTS[..], &["--rule", "max_plies=20"]].concat();
    played(&desk, &args, &["11-15", "save game.ndjson"]);
    let text = fs::read_to_string(desk.path("game.ndjson")).unwrap();
    let settings = fs::read_to_string(desk.path("game.play.json")).unwrap();
    let saved = |name: &str, text: &str, settings: &str| {
        fs::write(desk.path(&format!("{name}.ndjson")), text).unwrap();
        fs::write(desk.path(&format!("{name}.play.json")), settings).unwrap();
    };
    saved("damaged", &text.replace("11-15", "11-16"), &settings);
    saved("others", &text, &settings.replace("random:seed=1", "greedy"));
    saved("later", &text, &settings.replace("\"version\": 1", "\"version\": 9"));
    saved("empty", "", &settings);
    fs::write(desk.path("alone.ndjson"), &text).unwrap();
    desk.done(&["match", "draughts", "random", "random", "--out", "match", "--games", "1"]);
    let of_bots = desk.replays("match")[0].to_str().unwrap().to_string();
    for (file, expected) in [
        (finished.as_str(), "the game is over (max_plies)"),
        ("damaged.ndjson", "line 3 was changed"),
        ("others.ndjson", "expected the bots random:seed=1, got greedy"),
        ("later.ndjson", "expected version 1, got version 9"),
        ("empty.ndjson", "it is empty"),
        ("alone.ndjson", "alone.play.json: No such file"),
        (&of_bots, "a game of a person"),
        ("missing.ndjson", "cannot read the replay"),
    ] {
        let ran = resume(&desk, file, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{file}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{file}: {}", ran.stderr);
    }
    let ran = desk.run(&["play", "draughts", "--resume", "game.ndjson"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("--resume"), "{ran:#?}");
    // A line that was not written whole is dropped.
    saved("cut", &text[..text.len() - 20], &settings);
    let ran = resume(&desk, "cut.ndjson", &["quit"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
}
