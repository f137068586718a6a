//! Bots that cannot be started: by their own fault, which ends a match, and because the host is too
//! busy, which ends nothing.

use crate::command::{Desk, events, events_of, finish, misbehaving};
use crate::processes::pid_of;
use rustix::process::{Signal, kill_process};
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
    let told = events(&ran.stdout);
    let [ended] = events_of(&told, "match_ended")[..] else { panic!("one end: {ran:#?}") };
    assert_eq!(ended["interrupted"], true);
    let reason = ended["start_failure"].as_str().expect("the reason");
    assert!(reason.starts_with("bot culprit could not be started: "), "{reason}");
    // Games that were in progress, and those that waited for a worker.
    assert!(events_of(&told, "game_ended").len() < 10, "{ran:#?}");

    let ran = desk.run(&[&args[..4], &["-n", "4", "--keep-going", "--json"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let told = events(&ran.stdout);
    assert_eq!(events_of(&told, "game_ended").len(), 4);
    let [ended] = events_of(&told, "match_ended")[..] else { panic!("one end: {ran:#?}") };
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

/// Says that it was started, waits until the stall is over, and plays.
const HELD_UP: &str = "#!/bin/sh
cd \"${0%/*}\" || exit 1
touch started
while ! test -e over; do sleep 0.01; done
exec python3 misbehave.py good 1
";

#[test]
fn a_host_that_stalls_while_a_bot_starts_does_not_end_a_tournament() {
    let desk = Desk::new();
    let class = desk.path("class");
    fs::create_dir(&class).unwrap();
    // It must be able to write there, whichever user it is.
    fs::set_permissions(&class, fs::Permissions::from_mode(0o777)).unwrap();
    fs::write(class.join("bot.sh"), HELD_UP).unwrap();
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
    // A bot has ten seconds to start; this is beyond any doubt whose fault it is.
    std::thread::sleep(Duration::from_secs(11));
    kill_process(pid_of(&child), Signal::CONT).expect("botyard runs");
    fs::write(class.join("over"), "").unwrap();
    let ran = finish(child);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let told = events(&ran.stdout);
    let games = events_of(&told, "game_ended");
    assert_eq!(games.len(), 2, "{ran:#?}");
    assert!(games.iter().all(|game| game["outcome"]["kind"] == "completed"), "{ran:#?}");
}
