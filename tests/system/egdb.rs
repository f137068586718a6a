//! `botyard egdb`: building, resuming an interrupted build, checking, probing, and a bot that plays
//! with the tables.

use crate::command::{Desk, GENEROUS, Ran, finish};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::Read;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn build_check_and_probe() {
    let desk = Desk::new();
    let built = json(&desk.done(&["egdb", "build", "--pieces", "3", "--out", "e", "--json"]));
    let total = &built["totals"][1];
    let counts = ["pieces", "positions", "wins", "losses", "draws", "longest"];
    assert_eq!(
        counts.map(|name| total[name].as_u64()),
        [3, 196032, 100250, 87305, 8477, 62].map(Some)
    );
    let checked = desk.done(&["egdb", "check", "e", "--deep"]);
    assert!(checked.contains("the values of 199520 positions follow"), "{checked}");
    let probed = json(&desk.done(&["egdb", "probe", "e", "--fen", "W:W13,K14:B5", "--json"]));
    assert_eq!((&probed["result"], &probed["plies"]), (&"win".into(), &1.into()));
    assert_eq!(probed["moves"][0]["move"], "13-9");
    assert!(!desk.path("e.part").exists());
}

#[test]
fn tables_are_found_where_they_are_built() {
    let desk = Desk::new();
    let run = |args: &[&str]| {
        let mut command = desk.command(args);
        command.env("HOME", desk.path("home")).env_remove("XDG_DATA_HOME");
        let ran = finish(command.spawn().expect("botyard starts"));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        ran.stdout
    };
    std::fs::write(desk.path("start"), "{\"fen\":\"W:WK32,K31:BK1\"}\n").expect("a file");
    let game = [
        "match",
        "draughts",
        "alpha-beta:depth=2",
        "random",
        "--opening",
        "start",
        "--fixed-seats",
    ];
    let game = |out: &'static str| [&game[..], &["--seed", "1", "--out", out]].concat();
    let replay = |out: &str| {
        let files = desk.replays(out);
        std::fs::read_to_string(&files[0]).expect("a replay")
    };
    run(&game("before"));
    assert!(!replay("before").contains("endgame tables"));
    let built = run(&["egdb", "build", "--pieces", "3"]);
    assert!(built.contains("home/.local/share/botyard/draughts.egdb"), "{built}");
    run(&["egdb", "check"]);
    run(&game("after"));
    assert!(replay("after").contains("endgame tables knew"), "{}", replay("after"));
}

#[test]
fn what_is_wrong_is_said() {
    let desk = Desk::new();
    desk.done(&["egdb", "build", "--pieces", "2", "--out", "two"]);
    let bytes = std::fs::read(desk.path("two")).expect("the file");
    std::fs::write(desk.path("short"), &bytes[..bytes.len() - 1]).expect("a file");
    for (args, code, expected) in [
        (&["build", "--pieces", "7"][..], 2, "2..=6"),
        (&["build", "--out", "."], 2, "is a directory"),
        (&["build", "--pieces", "2", "--out", "two/e"], 3, "cannot make the directory two"),
        (&["check", "none"], 2, "there is no file none"),
        (
            &["check", "short"],
            1,
            "the class M v M (4 of 4) is damaged: the file ends 1 bytes too early",
        ),
        (&["probe", "short", "--fen", "B:WK1:BK2"], 2, "egdb build --out short"),
        (&["probe", "two", "--fen", "B:WK1:BK2,K3"], 2, "up to 2 pieces"),
        (&["probe", "two", "--fen", "B:WK1"], 2, "the FEN has no section for Black's pieces"),
    ] {
        let ran = desk.run(&[&["egdb"], args].concat());
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected) && ran.stdout.is_empty(), "{args:?}: {ran:#?}");
    }
}

#[test]
fn damaged_tables_that_nobody_named_are_left_alone() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("data/botyard")).unwrap();
    std::fs::write(desk.path("data/botyard/draughts.egdb"), "not tables").unwrap();
    let game = ["match", "draughts", "searcher=alpha-beta:depth=1", "random", "--seed", "1"];
    let mut command = desk.command(&[&game[..], &["--out", "r"], &GENEROUS].concat());
    command.env("XDG_DATA_HOME", desk.path("data"));
    let ran = finish(command.spawn().expect("botyard starts"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(!ran.stdout.contains("start_failed"), "{ran:#?}");
    let log = std::fs::read_dir(desk.path("r")).unwrap().map(|entry| entry.unwrap().path());
    let log = log.filter(|path| path.to_string_lossy().ends_with("searcher.stderr.txt"));
    let said: String = log.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert!(said.contains("playing without"), "{said}");
}

#[test]
fn a_bot_that_is_given_tables_must_have_them() {
    let desk = Desk::new();
    let ran = desk.run(&["match", "draughts", "alpha-beta:egdb=./no/tables,depth=1", "random"]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("option egdb: there is no file ./no/tables"), "{ran:#?}");
}

#[test]
fn an_interrupted_build_goes_on() {
    let desk = Desk::new();
    let build = |name: &str| ["egdb", "build", "--pieces", "3", "--out", name].map(String::from);
    let command = |name: &str| desk.command(&build(name).each_ref().map(String::as_str));
    let interrupted = || {
        let mut child = command("e").spawn().expect("botyard starts");
        // Signals are caught before the part exists.
        while !desk.path("e.part").exists() && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id");
        let _ = kill_process(pid, Signal::INT);
        finish(child)
    };
    // A build of three pieces takes a moment, and may be over before the signal comes.
    let was_interrupted = |ran: &Ran| {
        let is_complete = ran.code == Some(0);
        if is_complete {
            std::fs::remove_file(desk.path("e")).expect("it was built");
        }
        !is_complete
    };
    let ran = (0..50).map(|_| interrupted()).find(was_interrupted).expect("an interrupted build");
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("to resume from e.part, run the same command"), "{ran:#?}");
    assert!(!desk.path("e").exists() && desk.path("e.part").exists());
    for name in ["e", "whole"] {
        let ran = finish(command(name).spawn().expect("botyard starts"));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert!(ran.stdout.contains("87305"), "the losses with three pieces: {ran:#?}");
    }
    let read = |name: &str| {
        let mut bytes = Vec::new();
        let mut file = std::fs::File::open(desk.path(name)).expect("the file");
        file.read_to_end(&mut bytes).expect("its bytes");
        bytes
    };
    assert!(read("e") == read("whole"), "the files differ");
}
