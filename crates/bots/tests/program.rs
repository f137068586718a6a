//! The executables: their command line, their exit codes, and that they speak the protocol on
//! standard input and output.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const BOTS: [(&str, &str); 21] = [
    ("random", env!("CARGO_BIN_EXE_botyard-random")),
    ("greedy", env!("CARGO_BIN_EXE_botyard-greedy")),
    ("evasive", env!("CARGO_BIN_EXE_botyard-evasive")),
    ("alpha-beta-sova", env!("CARGO_BIN_EXE_botyard-alpha-beta-sova")),
    ("mcts-sova", env!("CARGO_BIN_EXE_botyard-mcts-sova")),
    ("mcts-belej", env!("CARGO_BIN_EXE_botyard-mcts-belej")),
    ("mcts", env!("CARGO_BIN_EXE_botyard-mcts")),
    ("mtdf-2007", env!("CARGO_BIN_EXE_botyard-mtdf-2007")),
    ("max-n", env!("CARGO_BIN_EXE_botyard-max-n")),
    ("expectimax-n", env!("CARGO_BIN_EXE_botyard-expectimax-n")),
    ("alpha-beta", env!("CARGO_BIN_EXE_botyard-alpha-beta")),
    ("dw-rand", env!("CARGO_BIN_EXE_botyard-dw-rand")),
    ("dw-sdc", env!("CARGO_BIN_EXE_botyard-dw-sdc")),
    ("dw-ste", env!("CARGO_BIN_EXE_botyard-dw-ste")),
    ("dw-stei", env!("CARGO_BIN_EXE_botyard-dw-stei")),
    ("dw-sdc-at", env!("CARGO_BIN_EXE_botyard-dw-sdc-at")),
    ("dw-stei-at", env!("CARGO_BIN_EXE_botyard-dw-stei-at")),
    ("dw-stei-dt", env!("CARGO_BIN_EXE_botyard-dw-stei-dt")),
    ("dw-stei-adt", env!("CARGO_BIN_EXE_botyard-dw-stei-adt")),
    ("max-n-2021", env!("CARGO_BIN_EXE_botyard-max-n-2021")),
    ("dice", env!("CARGO_BIN_EXE_botyard-dice")),
];

fn run(program: &str, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends without reading closes the pipe: that is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn every_bot_of_the_catalogue_is_a_program() {
    let listed: Vec<&str> = botyard_bots::catalogue::bots().iter().map(|bot| bot.name()).collect();
    assert_eq!(listed, BOTS.map(|(name, _)| name));
}

#[test]
fn the_protocol_on_standard_input_and_output() {
    for (name, program) in BOTS {
        let input = "{\"type\":\"ping\",\"id\":3}\n{\"type\":\"quit\"}\n";
        let pong = "{\"type\":\"pong\",\"id\":3}\n".to_string();
        assert_eq!(run(program, &[], input), (Some(0), pong, String::new()), "{name}");
        assert_eq!(run(program, &[], ""), (Some(0), String::new(), String::new()), "{name}");
    }
}

#[test]
fn a_line_that_is_no_message_ends_it() {
    for (name, program) in BOTS {
        let (code, answers, reason) = run(program, &[], "{\"type\":\"ping\",\"id\":3}\nnonsense\n");
        assert_eq!(code, Some(1), "{name}");
        assert_eq!(answers.lines().count(), 1, "{name}: {answers}");
        assert!(reason.starts_with(&format!("{name}: line 2 of the referee's")), "{reason}");
        assert!(reason.contains("nonsense"), "{reason}");
    }
}

#[test]
fn command_lines() {
    for (name, program) in BOTS {
        let version = format!("{name} {}\n", env!("CARGO_PKG_VERSION"));
        for argument in ["--version", "-V"] {
            assert_eq!(run(program, &[argument], ""), (Some(0), version.clone(), String::new()));
        }
        for argument in ["--help", "-h"] {
            let (code, text, errors) = run(program, &[argument], "");
            assert_eq!((code, errors.as_str()), (Some(0), ""), "{name}");
            let bot = botyard_bots::catalogue::bot(name).unwrap();
            let example = format!("botyard match {} {name}", bot.games().next().unwrap());
            for part in [bot.about(), &example, "seed: an integer from 0 to"] {
                assert!(text.contains(part), "{part} in {text}");
            }
        }
        let (code, text, errors) = run(program, &["--seed", "7"], "");
        assert_eq!((code, text.as_str()), (Some(2), ""), "{name}");
        assert!(errors.contains("got --seed 7"), "{errors}");
        assert!(errors.contains(&format!("{name}:seed=7")), "{errors}");
    }
}
