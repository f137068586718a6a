//! `botyard perft`: the published counts, by depth and by move, and interruption.

use crate::command::{Desk, events, finish};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};

/// Returns the nodes by depth that a run printed for a program.
fn nodes(desk: &Desk, args: &[&str]) -> Vec<u64> {
    let args = [&["perft", "draughts", "--json"], args].concat();
    let lines = events(&desk.done(&args));
    lines.iter().map(|line| line["nodes"].as_u64().expect("a number of nodes")).collect()
}

#[test]
fn counts_are_the_published_ones() {
    let desk = Desk::new();
    let start = [7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680];
    assert_eq!(nodes(&desk, &["--depth", "9"]), start);
    assert_eq!(nodes(&desk, &["--depth", "9", "--counting", "effects"]), start);
    let one_piece = [7, 49, 302, 1_469, 7_361, 36_768, 180_018];
    assert_eq!(nodes(&desk, &["--depth", "7", "--rules", "janacek-2007"]), one_piece);
    assert_eq!(nodes(&desk, &["--depth", "7", "--rule", "jump=one_piece"]), one_piece);
    // A king that may capture four pieces in either direction: two paths, one effect.
    let circle = ["--fen", "W:WK26:B14,15,22,23", "--depth", "1"];
    assert_eq!(nodes(&desk, &circle), [2]);
    assert_eq!(nodes(&desk, &[&circle[..], &["--counting", "effects"]].concat()), [1]);
}

#[test]
fn divided_counts_sum_up() {
    let desk = Desk::new();
    for depth in ["1", "6", "10"] {
        let lines =
            events(&desk.done(&["perft", "draughts", "--depth", depth, "--divide", "--json"]));
        let (total, moves) = lines.split_last().expect("a total");
        assert_eq!((moves.len(), &total["type"]), (7, &Value::from("depth")));
        assert!(moves.iter().any(|line| line["move"] == "11-15"));
        let sum: u64 = moves.iter().filter_map(|line| line["nodes"].as_u64()).sum();
        assert_eq!(total["nodes"], sum);
        let shown = desk.done(&["perft", "draughts", "--depth", depth, "--divide"]);
        let words: Vec<&str> = shown.split_whitespace().collect();
        assert!(words.contains(&sum.to_string().as_str()), "{sum} is missing in\n{shown}");
    }
}

#[test]
fn an_interrupted_count_says_what_is_done() {
    let desk = Desk::new();
    for (more, output) in [(&[][..], "of 30 was finished"), (&["--divide"], "the moves above")] {
        let args = [&["perft", "draughts", "--depth", "30"], more].concat();
        let mut child = desk.command(&args).spawn().expect("botyard starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut first = String::new();
        stdout.read_line(&mut first).expect("the position comes first");
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id");
        if more.is_empty() {
            // The heading, and the depths up to 3.
            for _ in 0..5 {
                stdout.read_line(&mut first).expect("a line");
            }
        }
        kill_process(pid, Signal::INT).expect("botyard runs");
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("text");
        let ran = finish(child);
        assert_eq!(ran.code, Some(1), "{ran:#?}");
        assert!(rest.contains("interrupted: ") && rest.contains(output), "{rest}");
    }
}

#[test]
fn wrong_usage_says_what_would_be_right() {
    let desk = Desk::new();
    for (args, expected) in [
        (&["scotland-yard"][..], "scotland-yard has no perft; games with a perft: draughts"),
        (&["drafts"], "did you mean draughts?"),
        (&["draughts", "--fen", "B:W18:B33"], "expected a square from 1 to 32"),
        (&["draughts", "--rules", "international"], "no rules preset \"international\""),
        (&["draughts", "--rule", "jump"], "expected KEY=VALUE"),
        (&["draughts", "--depth", "0"], "0 is not in 1..=30"),
    ] {
        let mut args = [&["perft"], args].concat();
        if !args.contains(&"--depth") {
            args.extend(["--depth", "2"]);
        }
        let ran = desk.run(&args);
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {ran:#?}");
        assert_eq!(ran.stdout, "", "{args:?}");
    }
}
