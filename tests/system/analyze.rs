//! `botyard analyze`: a bot looks again at the decisions of a recorded game.

use crate::command::{Desk, GENEROUS, events, events_of, misbehaving, repository};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Searches to a depth, so that the same analysis is made on any host.
const CRITIC: &str = "alpha-beta:depth=6";

/// Plays a game in a directory; returns its replay.
fn played(desk: &Desk, game: &[&str]) -> PathBuf {
    let args: [&[&str]; 3] = [&["match"], game, &["--seed", "5", "--games", "1", "--out", "r"]];
    desk.done(&[&args.concat()[..], &GENEROUS].concat());
    desk.replays("r").remove(0)
}

/// Returns the only analysis beside a replay.
fn stored(replay: &Path) -> PathBuf {
    let beside = fs::read_dir(replay.parent().unwrap()).unwrap();
    let mut beside = beside.map(|entry| entry.unwrap().path()).filter(|path| path != replay);
    let path = beside.next().expect("an analysis");
    assert!(path.to_str().unwrap().ends_with(".analysis.json") && beside.next().is_none());
    path
}

fn analyzed(desk: &Desk, replay: &Path, more: &[&str]) -> Vec<Value> {
    let replay = replay.to_str().unwrap();
    let args =
        [&["analyze", replay, "--with", CRITIC, "--move-time", "60000", "--json"], more].concat();
    events(&desk.done(&args))
}

/// At Connect Four, `alpha-beta` wins against a `random` that lets it.
const MISSED: [&str; 3] = ["connect-four", CRITIC, "random:seed=5"];

#[test]
fn the_move_that_lost_the_game_is_a_blunder() {
    let desk = Desk::new();
    let replay = played(&desk, &MISSED);
    let output = analyzed(&desk, &replay, &[]);
    let decisions = events_of(&output, "decision_analyzed");
    let [ended] = events_of(&output, "analysis_ended")[..] else { panic!("one end: {output:#?}") };
    assert_eq!(ended["decisions"], decisions.len());
    // The winner decided as the bot of the same kind would, and lost nothing.
    assert_eq!(ended["seats"][0]["same"], ended["seats"][0]["decisions"], "{ended:#}");
    assert_eq!(ended["seats"][0]["mean_loss"], 0.0, "{ended:#}");
    let blunder = decisions.iter().position(|decision| decision["mark"] == "??");
    let (before, after) = decisions.split_at(blunder.expect("a blunder") + 1);
    let is_won = |decision: &&&Value| decision["seat"] == 0 && decision["chance"] == 1.0;
    assert_eq!(before.last().unwrap()["seat"], 1, "{output:#?}");
    assert_eq!(before.iter().filter(is_won).count(), 0, "{output:#?}");
    assert_eq!(after.iter().filter(is_won).count(), after.len().div_ceil(2), "{output:#?}");
}

#[test]
fn an_analysis_is_stored_and_an_incomplete_one_is_completed() {
    let desk = Desk::new();
    let replay = played(&desk, &MISSED);
    let output = analyzed(&desk, &replay, &[]);
    let text = fs::read_to_string(stored(&replay)).unwrap();
    assert_eq!(analyzed(&desk, &replay, &[]), output);
    assert_eq!(fs::read_to_string(stored(&replay)).unwrap(), text, "nothing was made again");

    let mut part: Value = serde_json::from_str(&text).unwrap();
    part["is_complete"] = false.into();
    part["decisions"].as_array_mut().unwrap().retain(|decision| decision["turn"] != 3);
    // A mark of what was stored: it is kept.
    part["decisions"][0]["wall_us"] = 123_456_789.into();
    fs::write(stored(&replay), part.to_string()).unwrap();
    assert_eq!(analyzed(&desk, &replay, &[]), output);
    let completed = fs::read_to_string(stored(&replay)).unwrap();
    assert!(completed.contains("123456789") && completed.contains("\"is_complete\":true"));
    assert_eq!(analyzed(&desk, &replay, &["--again"]), output);
    assert!(!fs::read_to_string(stored(&replay)).unwrap().contains("123456789"));

    // That of another record is not taken for it.
    let other = text.replace("\"chain\":\"", "\"chain\":\"x");
    fs::write(stored(&replay), other).unwrap();
    assert_eq!(analyzed(&desk, &replay, &[]), output);
}

#[test]
fn one_seat_can_be_analyzed_in_a_game_with_hidden_information() {
    let desk = Desk::new();
    let game = ["scotland-yard", "greedy", "random", "--rules", "grid-5x5-2"];
    let replay = played(&desk, &game);
    let replay = replay.to_str().unwrap();
    let args = ["analyze", replay, "--with", "mcts:iterations=50", "--seat", "mr-x"];
    let text = desk.done(&[&args[..], &["--move-time", "60000"]].concat());
    assert!(text.contains("mr-x: ") && !text.contains("detectives: "), "{text}");
    assert!(text.contains("includes chance and the other seats' decisions"), "{text}");
    desk.done(&["replay", "view", replay, "-o", "all.html"]);
    desk.done(&["replay", "view", replay, "--seat", "detectives", "-o", "one.html"]);
    let page = |name: &str| fs::read_to_string(desk.path(name)).unwrap();
    let said = "\"better\":\"";
    assert!(page("all.html").contains("\"bot\":\"mcts:iterations=50\",\"decisions\":[{"));
    let copy = page("one.html");
    assert!(
        copy.contains("\"bot\":\"mcts:iterations=50\",\"decisions\":[]"),
        "what Mr. X knew is left out"
    );
    assert!(!copy.contains(said), "what Mr. X knew is left out");
}

/// Analyzes Scotland Yard with knowledge that no bot has: it plays onto the station of Mr. X, which it
/// reads in the replay.
const SEER: &str = r#"
import json, sys
lines = [json.loads(line) for line in open("REPLAY")]
moves = [line["action"]["to"] for line in lines if line["type"] == "move" and line["seat"] == "mr-x"]
stations = [lines[1]["outcome"]["mr_x"], *moves]
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "seer", "games": []}
        case "start": answer = {"type": "ready"}
        case "turn":
            station = stations[len(message["view"]["log"])]
            hits = [action for action in message["legal"] if action["to"] == station]
            answer = {"type": "move", "turn": message["turn"], "action": (hits or message["legal"])[-1]}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

#[test]
fn an_analysis_of_the_detectives_does_not_show_where_mr_x_is() {
    let desk = Desk::new();
    // The detectives never caught Mr. X in this game.
    let kept = repository("crates/replay/tests/data/scotland-yard-retry.ndjson");
    fs::create_dir(desk.path("r")).unwrap();
    let replay = desk.path("r/kept.ndjson");
    fs::copy(kept, &replay).unwrap();
    fs::create_dir(desk.path("seer")).unwrap();
    let script = desk.path("seer/seer.py");
    fs::write(&script, SEER.replace("REPLAY", replay.to_str().unwrap())).unwrap();
    let bot = format!("python3 '{}'", script.display());
    let replay_name = replay.to_str().unwrap();
    let args = ["--seat", "detectives", "--sandbox", "none", "--move-time", "60000"];
    let text = desk.done(&[&["analyze", replay_name, "--with", &bot], &args[..]].concat());

    let lines = events(&fs::read_to_string(&replay).unwrap());
    let mut station = &lines[1]["outcome"]["mr_x"];
    let stored: Value =
        serde_json::from_str(&fs::read_to_string(stored(&replay)).unwrap()).unwrap();
    let mut hits = 0;
    for event in events_of(&lines, "move") {
        if event["seat"] == "mr-x" {
            station = &event["action"]["to"];
            continue;
        }
        let mut decisions = stored["decisions"].as_array().unwrap().iter();
        let decision = decisions.find(|decision| decision["turn"] == event["turn"]).unwrap();
        hits += u32::from(decision["best"]["to"] == *station);
    }
    assert!(hits > 0, "{text}");
    for (out, of) in [("all.html", &[][..]), ("seat.html", &["--seat", "detectives"])] {
        desk.done(&[&["replay", "view", replay_name, "-o", out], of].concat());
        let page = fs::read_to_string(desk.path(out)).unwrap();
        assert!(page.contains("\"better\":\"detective "), "{out}");
        assert!(!page.contains("catches"), "{out}");
    }
    assert!(text.contains("detective ") && !text.contains("catches"), "{text}");
}

#[test]
fn one_side_of_a_game_of_two_is_judged_by_its_own_decisions() {
    let desk = Desk::new();
    let replay = played(&desk, &MISSED);
    let replay = replay.to_str().unwrap();
    for (seat, expected) in [(&[][..], false), (&["--seat", "2"], true)] {
        let args = ["analyze", replay, "--with", CRITIC, "--move-time", "60000"];
        let text = desk.done(&[&args, seat].concat());
        assert_eq!(text.contains("includes chance and the other seats' decisions"), expected);
    }
}

#[test]
fn what_cannot_be_analyzed_is_refused() {
    let desk = Desk::new();
    let replay = played(&desk, &MISSED);
    let replay = replay.to_str().unwrap();
    let crash = misbehaving("exit_seven");
    let illegal = format!("other={}", misbehaving("illegal 2"));
    let damaged = desk.path("damaged.ndjson");
    let text = fs::read_to_string(replay).unwrap();
    fs::write(&damaged, text.replacen("\"turn\":2", "\"turn\":9", 1)).unwrap();
    for (args, expected) in [
        (vec!["none.ndjson", "--with", "alpha-beta"], "cannot read the replay"),
        (vec![damaged.to_str().unwrap(), "--with", "alpha-beta"], "was changed"),
        (vec![replay, "--with", "alpha-bet"], "did you mean alpha-beta?"),
        (vec![replay, "--with", "dice"], "dice"),
        (vec![replay, "--depth", "3"], "--with <BOT>"),
        (vec![replay, "--with", "mcts", "--depth", "3"], "there is no option \"depth\""),
        (vec![replay, "--with", "alpha-beta", "--seat", "blue"], "there is no seat \"blue\""),
        (vec![replay, "--with", &crash], "nothing is stored"),
        (vec![replay, "--with", &illegal], "failed after 2 analyzed decisions, which are stored"),
    ] {
        let ran = desk.run(&[&["analyze"], &args[..]].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {ran:#?}");
    }
}
