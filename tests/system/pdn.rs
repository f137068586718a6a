//! `botyard replay export --pdn`: what is written is read by an independent program and by our own
//! import, as the same games.

use crate::command::{Desk, events, finish, repository};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the moves of a replay, with those of its opening, and its outcome.
fn recorded(replay: &Path) -> (Vec<String>, Value) {
    let lines = events(&fs::read_to_string(replay).unwrap());
    let words = |value: &Value| value.as_str().unwrap().to_string();
    let opening = lines[1]["outcome"]["moves"].as_array().into_iter().flatten().map(words);
    let moves = lines.iter().filter(|line| line["type"] == "move");
    let all = opening.chain(moves.map(|line| words(&line["action"])));
    (all.collect(), lines.last().unwrap()["outcome"].clone())
}

/// Reads PDN with another program.
fn read_elsewhere(file: &Path) -> Vec<Value> {
    let mut command = Command::new("python3");
    command.arg(repository("tests/system/read_pdn.py")).arg(file);
    let ran = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Returns PDN's word for the outcome of a game of the seats Black and White.
fn result(outcome: &Value) -> &'static str {
    match outcome["scores"].as_array().map(|scores| scores[0].as_f64().unwrap()) {
        None => "*",
        Some(1.0) => "1-0",
        Some(0.0) => "0-1",
        Some(_) => "1/2-1/2",
    }
}

#[test]
fn games_are_read_again_as_the_same_games() {
    let desk = Desk::new();
    fs::write(
        desk.path("starts"),
        "B:W18,24,K10:B12,16,K22\nW:W18,24,K10:B12,16,K22\n11-15 22-18\n",
    )
    .unwrap();
    let bots = ["alpha-beta:depth=2", "random"];
    let game = |more: &[&str]| {
        desk.done(&[&["match", "draughts"], &bots[..], &["--seed", "8"], more].concat())
    };
    game(&["-n", "6", "--out", "ballots"]);
    game(&["--games", "all", "--opening", "starts", "--out", "starts.out"]);
    game(&["-n", "2", "--resign", "movecount=1", "score=0.5", "--out", "resigned"]);
    game(&["-n", "2", "--rule", "first_mover=white", "--rule", "ballots=none", "--out", "white"]);
    for (place, number) in [("ballots", 6), ("starts.out", 6), ("resigned", 2), ("white", 2)] {
        let replays = desk.replays(place);
        assert_eq!(replays.len(), number);
        let names: Vec<&str> = replays.iter().map(|path| path.to_str().unwrap()).collect();
        let pdn = format!("{place}.pdn");
        desk.done(&[&["replay", "export", "--pdn", "-o", &pdn], &names[..]].concat());
        let read = read_elsewhere(&desk.path(&pdn));
        let imported = format!("{place}.imported");
        desk.done(&["import", "draughts", &pdn, "--out", &imported]);
        assert_eq!((read.len(), desk.replays(&imported).len()), (number, number));
        for (index, replay) in replays.iter().enumerate() {
            let (moves, outcome) = recorded(replay);
            let game = &read[index];
            assert_eq!(game["moves"], serde_json::json!(moves));
            let tags = &game["tags"];
            assert_eq!(tags["GameType"], "21,B,8,8,N1,0");
            assert_eq!(tags["Round"], (index + 1).to_string());
            let mut players = [&tags["White"], &tags["Black"]].map(|name| name.as_str().unwrap());
            players.sort_unstable();
            assert_eq!(players, bots);
            assert_eq!(tags["Termination"], outcome["reason"]);
            assert_eq!(tags["SetUp"].is_string(), tags["FEN"].is_string());
            assert!(!game["comments"].as_array().unwrap().is_empty());
            if place != "white" {
                assert_eq!(game["result"], result(&outcome));
            }
            // Our own import numbers the games of a file.
            let own = desk.replays(&imported).into_iter().find(|path| {
                path.file_name()
                    .unwrap()
                    .to_string_lossy()
                    .ends_with(&format!("-{}.ndjson", index + 1))
            });
            let (again, outcome_again) = recorded(&own.expect("a replay of each game"));
            assert_eq!(again, moves);
            if place != "white" {
                assert_eq!(outcome_again["scores"], outcome["scores"]);
            }
        }
    }
    let read = read_elsewhere(&desk.path("white.pdn"));
    assert!(read.iter().all(|game| game["tags"]["FEN"].as_str().unwrap().starts_with("W:")));
}

#[test]
fn scores_depths_and_times_become_comments() {
    let desk = Desk::new();
    desk.done(&["match", "draughts", "alpha-beta:depth=3", "random", "--seed", "2", "--out", "r"]);
    let replay = desk.replays("r")[0].to_str().unwrap().to_string();
    let lines = events(&fs::read_to_string(&replay).unwrap());
    let pdn = desk.done(&["replay", "export", &replay, "--pdn"]);
    fs::write(desk.path("out.pdn"), &pdn).unwrap();
    let game = &read_elsewhere(&desk.path("out.pdn"))[0];
    let before = lines[1]["outcome"]["moves"].as_array().map_or(0, Vec::len);
    let expected = lines.iter().filter(|line| line["type"] == "move").map(|line| {
        let time = format!("{:.3}s", line["time"]["wall_us"].as_u64().unwrap() as f64 / 1e6);
        let info = &line["info"];
        let text = match (info["score"].as_f64(), info["depth"].as_u64()) {
            (Some(score), Some(depth)) => format!("{score:+.2}/{depth} {time}"),
            (Some(score), None) => format!("{score:+.2} {time}"),
            _ => time,
        };
        serde_json::json!([before as u64 + line["turn"].as_u64().unwrap(), text])
    });
    assert_eq!(game["comments"].as_array().unwrap(), &expected.collect::<Vec<_>>());
    assert!(pdn.contains('/'), "{pdn}");
}

#[test]
fn what_is_no_game_of_english_draughts_is_refused() {
    let desk = Desk::new();
    desk.done(&["match", "connect-four", "random", "random", "--seed", "1", "--out", "four"]);
    let jump = ["--rule", "jump=one_piece", "--out", "jump"];
    desk.done(&[&["match", "draughts", "random", "random", "--seed", "1"], &jump[..]].concat());
    let (four, jump) = (desk.replays("four"), desk.replays("jump"));
    let (four, jump) = (four[0].to_str().unwrap(), jump[0].to_str().unwrap());
    for (args, code, expected) in [
        (&[four, "--pdn"][..], 2, "this is a game of connect-four"),
        (&[jump, "--pdn"], 2, "expected a game of English draughts"),
        (&[jump, four, "--seat", "black"], 2, "--seat: expected one replay, got 2"),
        (&[jump, "--seat", "black", "--pdn"], 2, "cannot be used with"),
        (&[jump], 2, "--seat <SEAT>"),
        (&["none.ndjson", "--pdn"], 2, "there is no file none.ndjson"),
    ] {
        let ran = desk.run(&[&["replay", "export"], args].concat());
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {ran:#?}");
    }
}
