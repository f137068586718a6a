//! Bots that cannot be started: by their own fault, which ends a match, and because the host is
//! overloaded, which ends nothing.

use crate::command::{Desk, events, events_of, finish, misbehaving};
use crate::processes::pid_of;
use rustix::process::{Signal, kill_process};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

#[test]
fn a_match_ends_at_the_first_bot_that_cannot_be_started() {
    let desk = Desk::new();
    let bot = format!("culprit={}", misbehaving("exit_at_once"));
    let args = ["match", "scotland-yard", "random", &bot, "-n", "100", "--seed", "1", "-j", "2"];
    let ran = desk.run(&args);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    for expected in [
        "stopped after ",
        " of 100 games: bot culprit could not be started: no hello: ",
        "exited with code 0",
        "--keep-going",
    ] {
        assert!(ran.stdout.contains(expected), "{expected:?} is missing: {ran:#?}");
    }
    let ran = desk.run(&[&args[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let output = events(&ran.stdout);
    let [ended] = events_of(&output, "match_ended")[..] else { panic!("one end: {ran:#?}") };
    assert_eq!(ended["interrupted"], true);
    let reason = ended["start_failure"].as_str().expect("the reason");
    assert!(reason.starts_with("bot culprit could not be started: "), "{reason}");
    // Games that were in progress, and those that waited for a worker.
    assert!(events_of(&output, "game_ended").len() < 10, "{ran:#?}");

    let ran = desk.run(&[&args[..4], &["-n", "4", "--keep-going", "--json"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let output = events(&ran.stdout);
    assert_eq!(events_of(&output, "game_ended").len(), 4);
    let [ended] = events_of(&output, "match_ended")[..] else { panic!("one end: {ran:#?}") };
    assert_eq!((&ended["interrupted"], &ended["games"]), (&false.into(), &4.into()));
    assert!(ended["start_failure"].is_null(), "{ended}");
}

#[test]
fn a_test_of_a_bot_that_cannot_be_started_says_so() {
    let desk = Desk::new();
    let bot = format!("new={}", misbehaving("exit_at_once"));
    let ran = desk.run(&["test", &bot, "random", "--game", "draughts"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("bot new could not be started: no hello"), "{ran:#?}");
}

/// A bot that records its start, waits until the stall is over, and plays.
const HELD_UP: &str = "#!/bin/sh
cd \"${0%/*}\" || exit 1
touch HERE/started
while ! test -e HERE/over; do sleep 0.01; done
exec python3 misbehave.py good 1
";

#[test]
fn a_host_that_stalls_while_a_bot_starts_does_not_end_a_tournament() {
    let desk = Desk::new();
    let class = desk.path("class");
    fs::create_dir(&class).unwrap();
    // It must be able to write there, whichever user it is.
    fs::set_permissions(&class, fs::Permissions::from_mode(0o777)).unwrap();
    let script = HELD_UP.replace("HERE", class.to_str().unwrap());
    fs::write(class.join("bot.sh"), script).unwrap();
    fs::set_permissions(class.join("bot.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let misbehave = crate::command::repository("tests/bots/misbehave.py");
    fs::copy(misbehave, class.join("misbehave.py")).unwrap();
    let text = "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nformat = \"round-robin\"\n\
                blocks = 1\nseed = 7\n[time]\nmove_ms = 30000\n[sandbox]\nmode = \"none\"\n\
                [[bot]]\nname = \"anna\"\ncommand = \"./class/bot.sh\"\n\
                [[bot]]\nname = \"ben\"\ncommand = \"random:seed=2\"\n";
    fs::write(desk.path("small.toml"), text).unwrap();
    let args = ["tournament", "run", "small.toml", "--json"];
    let child = desk.command(&args).spawn().expect("botyard starts");
    let begun = Instant::now();
    while !class.join("started").exists() {
        assert!(begun.elapsed() < Duration::from_secs(300), "the bot is not started");
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(pid_of(&child), Signal::STOP).expect("botyard runs");
    // A bot has ten seconds to start; a stall this long is certainly the host's fault.
    std::thread::sleep(Duration::from_secs(11));
    kill_process(pid_of(&child), Signal::CONT).expect("botyard runs");
    fs::write(class.join("over"), "").unwrap();
    let ran = finish(child);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let output = events(&ran.stdout);
    let games = events_of(&output, "game_ended");
    assert_eq!(games.len(), 2, "{ran:#?}");
    assert!(games.iter().all(|game| game["outcome"]["kind"] == "completed"), "{ran:#?}");
}

/// A bot that has an option only when it is started for the first time.
const FORGETS_ITS_OPTION: &str = r#"
import json, os, sys
is_first = not os.path.exists("SEEN/first")
open("SEEN/first", "w").close()
options = {"depth": {"kind": "int", "min": 1, "max": 9, "default": 2}} if is_first else {}
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "anna", "games": [], "options": options}
        case "start": answer = {"type": "ready"}
        case "turn": answer = {"type": "move", "turn": message["turn"], "action": message["legal"][0]}
        case "quit": break
        case _: continue
    print(json.dumps(answer), flush=True)
"#;

#[test]
fn a_bot_that_forgets_an_option_loses_its_games_and_ends_no_tournament() {
    let desk = Desk::new();
    // It runs from its copy, which is read-only.
    let seen = desk.path("seen");
    let bot = FORGETS_ITS_OPTION.replace("SEEN", seen.to_str().unwrap());
    fs::write(desk.path("bot.py"), bot).unwrap();
    fs::create_dir(&seen).unwrap();
    // It must be able to write there, whichever user it is.
    fs::set_permissions(desk.path("seen"), fs::Permissions::from_mode(0o777)).unwrap();
    let text = "game = \"scotland-yard\"\nrules = \"grid-5x5-2\"\nformat = \"round-robin\"\n\
                blocks = 1\nseed = 7\n[time]\nmove_ms = 30000\n[sandbox]\nmode = \"none\"\n\
                [[bot]]\nname = \"anna\"\ncommand = \"python3 bot.py\"\noptions = { depth = 4 }\n\
                [[bot]]\nname = \"ben\"\ncommand = \"random:seed=2\"\n\
                [[bot]]\nname = \"carl\"\ncommand = \"random:seed=3\"\n";
    fs::write(desk.path("small.toml"), text).unwrap();
    let output = events(&desk.done(&["tournament", "run", "small.toml", "--json"]));
    let games = events_of(&output, "game_ended");
    assert_eq!(games.len(), 6, "{output:#?}");
    for game in games {
        let seats = game["seats"].as_object().unwrap();
        let Some((seat, _)) = seats.iter().find(|(_, bot)| *bot == "anna") else {
            assert_eq!(game["outcome"]["kind"], "completed", "{game:#}");
            continue;
        };
        assert_eq!(game["outcome"]["kind"], "bot_fault", "{game:#}");
        let fault = &game["faults"][0];
        assert_eq!(
            (&fault["seat"], &fault["kind"]),
            (&json!(seat), &json!("start_failed")),
            "{game:#}"
        );
        assert!(fault["message"].as_str().unwrap().contains("depth"), "{game:#}");
    }
}
