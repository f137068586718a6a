//! Bots that are built from what somebody handed in: in the sandbox, and played as a directory.

use crate::command::{Desk, GENEROUS, repository};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};

/// A directory with a manifest, owned by somebody who is not root.
fn handed_in(desk: &Desk, manifest: &str) {
    let directory = desk.path("ada");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("bot.toml"), manifest).unwrap();
    fs::copy(repository("sdk/python/examples/first.py"), directory.join("first.py")).unwrap();
    if fs::metadata(&directory).unwrap().uid() == 0 {
        const NOBODY: u32 = 65534;
        chown(&directory, Some(NOBODY), Some(NOBODY)).unwrap();
        for entry in fs::read_dir(&directory).unwrap() {
            chown(entry.unwrap().path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
}

/// Whether this host can contain a build. Where it cannot, that is said.
fn can_build(desk: &Desk) -> bool {
    let json: Value = serde_json::from_str(&desk.run(&["sandbox", "--json"]).stdout).unwrap();
    let works = json["tiers"][1]["obstacle"].is_null();
    if !works {
        eprintln!("NOT TESTED on this host: builds, which need tier B");
    }
    works
}

#[test]
fn a_bot_is_built_in_the_sandbox_and_played_as_a_directory() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    // Two processes at once, as compilers have; a file made in /tmp; the result in the directory.
    handed_in(
        &desk,
        r#"
name = "ada"
build = ["sh -c 'cat first.py > /tmp/copy & wait; cp /tmp/copy built.py; echo \"built\tit\u001b[2J\"'"]
run = "python3 built.py"
"#,
    );
    fs::write(desk.path("beside"), "another's").unwrap();
    let shown = desk.done(&["build", "ada"]);
    assert!(shown.contains("built    it") && !shown.contains('\u{1b}'), "{shown}");
    assert!(shown.contains("built, in sandbox tier B; as a bot it is written ada"), "{shown}");
    let shown = desk.done(
        &[&["match", "scotland-yard", "./ada", "random", "--seed", "1"][..], &GENEROUS].concat(),
    );
    assert!(shown.contains("mr-x        ada"), "{shown}");
    assert!(shown.contains("ada loses; ") || shown.contains("ada wins; "), "{shown}");
}

#[test]
fn a_build_is_held_like_a_bot_and_ended_when_it_takes_too_long() {
    let desk = Desk::new();
    if !can_build(&desk) {
        return;
    }
    fs::write(desk.path("beside"), "another's").unwrap();
    let spins = "while :; do :; done";
    for (build, told) in [
        ("cat ../beside", "it exited with code 1"),
        ("cat /etc/group", "it exited with code 1"),
        ("sh -c 'echo x > ../made'", "it exited with code 2"),
        ("sh -c 'kill -9 $$'", "it was ended by signal 9"),
        (&format!("sh -c '{spins}'"), "the build has failed: "),
        (&format!("sh -c '({spins}) & ({spins}) & wait'"), "it has not ended after"),
        ("no-such-compiler bot.c", "there is no program no-such-compiler in PATH"),
    ] {
        handed_in(&desk, &format!("run = 'true'\nbuild = [{build:?}]\n"));
        let ran = desk.run(&["build", "ada", "--cpu-time", "1"]);
        let is_usage = build.starts_with("no-such");
        assert_eq!(ran.code, Some(if is_usage { 2 } else { 1 }), "{build}: {ran:#?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains(told), "{build}: {said}");
    }
    assert!(!desk.path("made").exists());
}

#[test]
fn what_is_no_bot_to_build_is_answered_with_what_to_do() {
    let desk = Desk::new();
    fs::create_dir(desk.path("empty")).unwrap();
    fs::create_dir(desk.path("wrong")).unwrap();
    fs::write(desk.path("wrong/bot.toml"), "build = []").unwrap();
    for (directory, expected) in [
        ("none", "the directory none: "),
        ("empty", "there is no file bot.toml in "),
        ("wrong", "missing field `run`"),
    ] {
        let ran = desk.run(&["build", directory]);
        assert_eq!(ran.code, Some(2), "{directory}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{directory}: {ran:#?}");
    }
    let ran = desk.run(&["match", "scotland-yard", "./wrong", "random"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.contains("missing field `run`"), "{ran:#?}");
}

#[test]
fn a_build_that_is_trusted_needs_no_sandbox() {
    let desk = Desk::new();
    handed_in(&desk, "run = 'true'\nbuild = [\"sh -c 'echo made > made'\"]\n");
    let shown = desk.done(&["build", "ada", "--sandbox", "none"]);
    assert!(shown.contains("built, in no sandbox"), "{shown}");
    assert_eq!(fs::read_to_string(desk.path("ada/made")).unwrap(), "made\n");
}
