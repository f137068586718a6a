//! Bots with times of their own: in a match, a sequential test and a tournament.

use crate::command::{Desk, events, events_of, replays_below};
use serde_json::{Value, json};

fn time(move_ms: u64, bank_ms: Option<u64>) -> Value {
    json!({"move_ms": move_ms, "bank_ms": bank_ms, "increment_ms": 0})
}

/// Returns the times of the players in the header of a replay, by name.
fn times_in(replay: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(replay).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(header["time_control"]["move_ms"], 40_000);
    let players = header["players"].as_array().unwrap().iter();
    players.map(|player| (player["name"].as_str().unwrap(), player["time"].clone())).collect()
}

#[test]
fn a_match_gives_a_bot_the_time_that_is_its_own() {
    let desk = Desk::new();
    let bots = ["match", "connect-four", "a=random:seed=1", "b=random:seed=2", "--seed", "1"];
    let times = ["--move-time", "40s", "b=50000", "--bank", "b=900s", "--games", "2"];
    let args = [&bots[..], &times, &["--sandbox", "none"]].concat();
    let shown = events(&desk.done(&[&args[..], &["--out", "out", "--json"]].concat()));
    let started = events_of(&shown, "match_started")[0];
    assert_eq!(started["time_control"]["move_ms"], 40_000);
    assert_eq!(started["own_times"], json!({"b": time(50_000, Some(900_000))}));
    for replay in desk.replays("out") {
        let expected = json!({"a": null, "b": time(50_000, Some(900_000))});
        assert_eq!(times_in(&replay), expected);
        let replay = replay.to_str().unwrap();
        desk.done(&["replay", "verify", replay]);
        let shown = desk.done(&["replay", "show", replay]);
        let line = "  time: 40000 ms per move; b has 50000 ms per move, bank of 900000 ms\n";
        assert!(shown.contains(line), "{shown}");
    }
    let shown = desk.done(&args);
    let words = "40000 ms per move; b: 50000 ms per move, 900000 ms bank (wall-clock time)";
    assert!(shown.contains(words), "{shown}");
    // Without a time for all, only the names of those that have one are printed.
    let both = ["--move-time", "a=40s", "b=50s", "--sandbox", "none"];
    let shown = desk.done(&[&bots[..], &both].concat());
    let words = "a: 40000 ms per move; b: 50000 ms per move (wall-clock time)";
    assert!(shown.contains(words), "{shown}");
}

#[test]
fn a_test_gives_one_version_more_time() {
    let desk = Desk::new();
    let bots = ["test", "new=random:seed=1", "old=random:seed=2", "--game", "connect-four"];
    let more = ["--move-time", "40s", "new=50s", "--max-games", "2", "--sandbox", "none", "--json"];
    let ran = desk.run(&[&bots[..], &more].concat());
    let started = events(&ran.stdout)[0].clone();
    assert_eq!(started["own_times"], json!({"new": time(50_000, None)}), "{ran:#?}");
}

const CUP: &str = "game = \"connect-four\"\nseed = 7\n[time]\nmove_ms = 40000\n\
    [sandbox]\nmode = \"none\"\n\
    [[bot]]\nname = \"anna\"\ncommand = \"random:seed=1\"\nmove_ms = 50000\n\
    [[bot]]\nname = \"ben\"\ncommand = \"random:seed=2\"\n";

#[test]
fn a_bot_of_a_tournament_states_its_own_time() {
    let desk = Desk::new();
    std::fs::write(desk.path("cup.toml"), CUP).unwrap();
    let words = "40000 ms per move; anna: 50000 ms per move";
    let shown = desk.done(&["tournament", "run", "cup.toml", "--out", "out"]);
    assert!(shown.contains(words), "{shown}");
    for form in ["table", "md", "html"] {
        let shown = desk.done(&["tournament", "standings", "out", "--format", form]);
        assert!(shown.contains("The times of the bots differ"), "{shown}");
    }
    let replays = replays_below(&desk.path("out/replays"));
    assert!(!replays.is_empty());
    for replay in replays {
        assert_eq!(times_in(&replay), json!({"anna": time(50_000, None), "ben": null}));
    }
    // A new version of a bot has the time of its entry.
    let updated = CUP.replace("seed=1\"", "seed=3\"");
    std::fs::write(desk.path("cup.toml"), &updated).unwrap();
    desk.done(&["tournament", "update", "out", "anna"]);
    let replays = replays_below(&desk.path("out/replays"));
    let versions = replays.iter().map(|replay| times_in(replay));
    let newer: Vec<Value> = versions.filter(|times| times["anna v2"].is_object()).collect();
    assert!(!newer.is_empty());
    assert!(newer.iter().all(|times| times["anna v2"] == time(50_000, None)), "{newer:?}");
    // Its time is no part of a version.
    std::fs::write(desk.path("cup.toml"), updated.replace("50000", "60000")).unwrap();
    let ran = desk.run(&["tournament", "update", "out", "anna"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("bot anna.move_ms was 50000 and is 60000"), "{ran:#?}");
}
