//! `--backend portable`: the same games as with the native back end, a notice that nothing is
//! contained, and errors for what only the native back end can do.

use crate::command::{Desk, GENEROUS, events};
use serde_json::Value;

const MATCH: [&str; 6] = ["match", "scotland-yard", "random", "greedy", "--seed", "7"];

/// Returns the lines of a replay without times and chain, and the header apart.
fn timeless(replay: &str) -> (Value, Vec<Value>) {
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        for field in ["time", "chain"] {
            line.as_object_mut().expect("an object").remove(field);
        }
        line
    };
    let mut lines = replay.lines().map(line);
    (lines.next().expect("a header"), lines.collect())
}

#[test]
fn the_portable_back_end_plays_the_same_game_and_says_that_nothing_is_contained() {
    let desk = Desk::new();
    let mut played = Vec::new();
    for backend in ["native", "portable"] {
        let args = ["--sandbox", "none", "--backend", backend, "--out", backend];
        let ran = desk.run(&[&MATCH[..], &args, &GENEROUS].concat());
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let is_portable = backend == "portable";
        let notice = "BOTS ARE NOT CONTAINED: --backend portable has no sandbox";
        assert_eq!(ran.stderr.contains(notice), is_portable, "{ran:#?}");
        assert_eq!(ran.stdout.contains("portable back end"), is_portable, "{ran:#?}");
        let replay = desk.replays(backend)[0].clone();
        desk.done(&["replay", "verify", replay.to_str().unwrap()]);
        played.push(timeless(&std::fs::read_to_string(replay).unwrap()));
    }
    let [(native, native_lines), (portable, portable_lines)] = &mut played[..] else { panic!() };
    assert_eq!(native_lines, portable_lines);
    let recorded = portable.as_object_mut().unwrap().remove("backend");
    assert_eq!(recorded, Some("portable".into()));
    assert_eq!(native, portable, "nothing else differs, and the default is not recorded");
}

#[test]
fn events_name_the_portable_back_end_and_no_other() {
    let desk = Desk::new();
    for (backend, named) in [("native", Value::Null), ("portable", "portable".into())] {
        let args = ["--backend", backend, "--json"];
        let out = desk.done(&[&MATCH[..], &args, &GENEROUS].concat());
        assert_eq!(events(&out)[0]["backend"], named, "{backend}");
    }
}

#[test]
fn a_tournament_names_its_back_end_in_its_file() {
    let desk = Desk::new();
    let portable = format!("{}\n[run]\nbackend = \"portable\"\n", crate::tournaments::SMALL);
    std::fs::write(desk.path("small.toml"), portable).unwrap();
    desk.done(&["tournament", "run", "small.toml", "-j", "2"]);
    assert_eq!(crate::tournaments::csv(&desk, "small.tournament").lines().count(), 4);
    let replays = desk.path("small.tournament/replays");
    let directories = std::fs::read_dir(replays).unwrap().flatten();
    let files = directories.flat_map(|directory| std::fs::read_dir(directory.path()).unwrap());
    let files: Vec<_> = files.flatten().map(|file| file.path()).collect();
    assert_eq!(files.len(), 24);
    for file in files {
        let replay = std::fs::read_to_string(file).unwrap();
        assert!(replay.lines().next().unwrap().contains("\"backend\":\"portable\""), "{replay}");
    }
}
