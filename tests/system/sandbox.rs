//! Contained bots: the tiers of the host, their report in a match, and bots of several runtimes in
//! them.

use crate::command::{Desk, GENEROUS, Ran, events, events_of, finish, repository, script};
use serde_json::Value;
use std::process::{Command, Stdio};

/// Returns the tier that `--sandbox auto` selects here.
pub fn tier_here(desk: &Desk) -> String {
    let args = ["match", "scotland-yard", "random", "random", "--seed", "1", "--json"];
    let events = events(&desk.done(&[&args[..], &GENEROUS].concat()));
    events[0]["sandbox"].as_str().unwrap().to_string()
}

#[test]
fn what_the_host_offers_is_printed() {
    let desk = Desk::new();
    let shown = desk.run(&["sandbox"]);
    let json: Value = serde_json::from_str(&desk.run(&["sandbox", "--json"]).stdout).unwrap();
    for offer in json["tiers"].as_array().unwrap() {
        let tier = offer["tier"].as_str().unwrap();
        let works = if offer["obstacle"].is_null() { "works" } else { "no" };
        assert!(shown.stdout.contains(&format!("tier {tier}  {works}")), "{shown:#?}");
    }
    let works = json["tiers"][1]["obstacle"].is_null();
    assert_eq!(shown.code, Some(if works { 0 } else { 1 }), "{shown:#?}");
}

#[test]
fn the_launcher_is_no_verb_for_people() {
    let ran = Desk::new().run(&["sandbox-launcher"]);
    assert_eq!(ran.code, Some(125), "{ran:#?}");
    assert!(ran.stderr.contains("not by hand"), "{ran:#?}");
}

#[test]
fn a_match_says_how_its_bots_are_contained_and_the_replay_keeps_it() {
    let desk = Desk::new();
    let here = tier_here(&desk);
    for (sandbox, tier) in [("auto", here.as_str()), ("none", "none")] {
        let args = ["match", "scotland-yard", "random", "random", "--seed", "1", "--sandbox"];
        let shown = desk.done(&[&args[..], &[sandbox, "--out", sandbox], &GENEROUS].concat());
        let words = match tier {
            "none" => "no sandbox".to_string(),
            tier => format!("sandbox tier {tier}"),
        };
        assert!(shown.contains(&words), "{shown}");
        let replay = std::fs::read_to_string(&desk.replays(sandbox)[0]).unwrap();
        assert!(replay.contains(&format!("\"sandbox\":\"{tier}\"")), "{replay}");
        let out = desk.done(&[&args[..], &[sandbox, "--json"], &GENEROUS].concat());
        assert_eq!(events(&out)[0]["sandbox"], tier);
    }
}

#[test]
fn bots_run_by_a_command_of_the_users_which_is_told_when_they_are_to_end() {
    let desk = Desk::new();
    // It keeps a record, and leaves a process running that is not its child.
    let start = "sh -c 'echo start $0 in $1 >> \"$1/record\"; shift; exec \"$@\"' {name} {directory} {command}";
    let end = "sh -c 'echo end $0 >> record' {name}";
    let args = ["match", "scotland-yard", "random", "greedy", "--seed", "1", "--out", "r"];
    let wrapped = ["--sandbox-command", start, "--sandbox-end", end];
    let shown = desk.done(&[&args[..], &wrapped, &GENEROUS].concat());
    assert!(shown.contains("sandbox tier D"), "{shown}");
    let replay = std::fs::read_to_string(&desk.replays("r")[0]).unwrap();
    assert!(replay.contains("\"sandbox\":\"D\""), "{replay}");
    let record = std::fs::read_to_string(desk.path("record")).unwrap();
    let mut names = Vec::new();
    for line in record.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words[0] == "start" {
            names.push(words[1]);
        } else {
            assert!(names.contains(&words[1]), "{record}");
        }
    }
    assert_eq!((names.len(), record.lines().count()), (2, 4), "{record}");
    let ran = desk.run(&[&args[..7], &["r2", "--sandbox-command", "docker run img"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("expected {command} as one of its arguments"), "{ran:#?}");
    let ran = desk.run(&[&args[..6], &wrapped[..2], &["--clock", "cpu"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("can neither measure nor stop"), "{ran:#?}");
}

#[test]
fn a_bot_cannot_read_the_replay_of_its_game() {
    let desk = Desk::new();
    if tier_here(&desk) == "none" {
        eprintln!("NOT TESTED on this host: no sandbox");
        return;
    }
    // The replay, with the seed of all hidden information, is in the bot's directory.
    let spy = "import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        print('{\"type\":\"hello\",\"protocol\":1,\"name\":\"spy\",\"games\":[]}', flush=True)
    elif message['type'] == 'start':
        print('{\"type\":\"ready\"}', flush=True)
    elif message['type'] == 'turn':
        for root, _, files in os.walk('.'):
            for name in files:
                try:
                    text = open(os.path.join(root, name)).read()
                    print('read', name, 'seed' in text and 'ndjson' in name, file=sys.stderr)
                except OSError: pass
        print(json.dumps({'type': 'move', 'turn': message['turn'], 'action': message['legal'][0]}), flush=True)
";
    std::fs::write(desk.path("spy.py"), spy).unwrap();
    let args = ["match", "scotland-yard", "python3 spy.py", "random", "--seed", "1", "--out", "r"];
    desk.done(&[&args[..], &GENEROUS].concat());
    let output =
        std::fs::read_to_string(desk.path("r/scotland-yard-5a317b15-00001.bot1-spy.stderr.txt"));
    let output = output.expect("it reads itself");
    assert!(output.contains("read spy.py"), "{output}");
    assert!(!output.contains("ndjson"), "{output}");
}

/// `botyard` with these limits of open files, which `sh` sets.
fn with_open_files(desk: &Desk, limits: &str, args: &[&str]) -> Ran {
    let script = format!("ulimit {limits}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_botyard")]).args(args);
    command.current_dir(desk.path("")).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(command.spawn().expect("a shell"))
}

#[test]
fn a_shortage_is_the_hosts_failure_and_leads_to_no_weaker_tier() {
    let desk = Desk::new();
    if tier_here(&desk) == "none" {
        eprintln!("NOT TESTED on this host: no sandbox");
        return;
    }
    let args = ["match", "scotland-yard", "random", "random", "--seed", "1"];
    for limits in ["-n 8", "-n 12", "-n 14", "-n 18"] {
        let ran = with_open_files(&desk, limits, &[&args[..], &GENEROUS].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{limits}: {ran:#?}");
        assert!(ran.stderr.contains("file descriptors"), "{limits}: {ran:#?}");
    }
}

#[test]
fn more_games_at_once_than_the_host_has_room_for_are_refused_before_the_first() {
    let desk = Desk::new();
    let args =
        ["match", "scotland-yard", "random", "random", "--seed", "1", "--oversubscribe", "-n"];
    let many = [&args[..], &["200", "-j", "200"], &GENEROUS].concat();
    let ran = with_open_files(&desk, "-n 200", &many);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
    let fit = ran.stderr.split(" fit; write --concurrency ").nth(1).expect(&ran.stderr);
    let fit = fit.split(',').next().expect(&ran.stderr);
    // The number in the message is correct.
    let args = [&args[..], &[fit, "-j", fit], &GENEROUS].concat();
    let ran = with_open_files(&desk, "-n 200", &args);
    assert_eq!(ran.code, Some(0), "{fit} games at once: {ran:#?}");
    // The soft limit does not matter.
    let ran = with_open_files(&desk, "-Sn 64", &args);
    assert_eq!(ran.code, Some(0), "{fit} games at once: {ran:#?}");
}

#[test]
fn strict_refuses_to_play_where_the_host_cannot() {
    let desk = Desk::new();
    let works = matches!(tier_here(&desk).as_str(), "B" | "C");
    let args = ["match", "scotland-yard", "random", "random", "--sandbox", "strict", "--seed", "1"];
    let ran = desk.run(&[&args[..], &GENEROUS].concat());
    assert_eq!(ran.code, Some(if works { 0 } else { 3 }), "{ran:#?}");
}

/// Plays with 256 MiB for each bot; returns the last event.
fn with_little_memory(desk: &Desk, bots: [&str; 2]) -> Value {
    let args = ["match", "scotland-yard", bots[0], bots[1], "-n", "2", "--json", "--seed", "1"];
    let out = desk.done(&[&args[..], &["--memory", "256"], &GENEROUS].concat());
    events_of(&events(&out), "match_ended")[0].clone()
}

#[test]
fn a_bot_that_takes_too_much_memory_is_stopped_and_named() {
    let desk = Desk::new();
    if tier_here(&desk) == "none" {
        eprintln!("NOT TESTED on this host: no sandbox");
        return;
    }
    let ended = with_little_memory(&desk, [&script("python3", "tests/bots/hog.py", ""), "random"]);
    assert_eq!(ended["reasons"]["forfeit_memory"], 2, "{ended}");
}

#[test]
#[ignore = "needs node, java and javac, which not everybody has; `.ci/run` runs it"]
fn bots_of_every_runtime_play_with_little_memory_and_hogs_of_each_are_named() {
    let desk = Desk::new();
    if !matches!(tier_here(&desk).as_str(), "B" | "C") {
        eprintln!("NOT TESTED on this host: no tier B");
        return;
    }
    let classes = desk.path("classes");
    let source = repository("tests/bots/First.java");
    let compiled = Command::new("javac").arg("-d").arg(&classes).arg(source).status().unwrap();
    assert!(compiled.success());
    let java = |argument: &str| format!("java -cp '{}' First {argument}", classes.display());
    let python = script("python3", "sdk/python/examples/first.py", "");
    let node = script("node", "sdk/javascript/examples/first.js", "");
    for bots in [[&python, &node], [&node, &java("")], [&java(""), &python]] {
        let ended = with_little_memory(&desk, [bots[0], bots[1]]);
        for bot in ended["bots"].as_array().unwrap() {
            assert_eq!(bot["faults"], serde_json::json!({}), "{bots:?}: {ended}");
        }
    }
    for hog in [
        script("python3", "tests/bots/hog.py", ""),
        script("node", "tests/bots/hog.js", ""),
        java("hog"),
    ] {
        let ended = with_little_memory(&desk, [&hog, "random"]);
        assert_eq!(ended["reasons"]["forfeit_memory"], 2, "{hog}: {ended}");
    }
}
