//! The executables: their command line, their exit codes, and the protocol on standard input and
//! output.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The programs that are a single bot.
const BOTS: [(&str, &str); 5] = [
    ("random", env!("CARGO_BIN_EXE_botyard-random")),
    ("mcts", env!("CARGO_BIN_EXE_botyard-mcts")),
    ("max-n", env!("CARGO_BIN_EXE_botyard-max-n")),
    ("alpha-beta", env!("CARGO_BIN_EXE_botyard-alpha-beta")),
    ("dice", env!("CARGO_BIN_EXE_botyard-dice")),
];

/// The program with every bot.
const BASELINES: &str = env!("CARGO_BIN_EXE_botyard-baselines");

/// The referee's first line.
const HELLO: &str = r#"{"type":"hello","protocol":1,"referee":{"name":"r","version":"1"},"limits":{"line_bytes":65536,"nesting":64,"stdout_bytes":65536,"stderr_bytes":65536,"start_ms":1000,"setup_ms":1000,"quit_ms":1000}}"#;

/// Returns every bot with its program, and its first argument if the program has several bots.
fn bots() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
    let own = BOTS.into_iter().map(|(name, program)| (name, program, Vec::new()));
    let listed = botyard_bots::catalogue::bots();
    own.chain(listed.into_iter().map(|bot| (bot.name(), BASELINES, vec![bot.name()])))
}

fn run(program: &str, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends without reading closes the pipe, which is not a failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn the_catalogue_names_the_bots_with_a_program_of_their_own() {
    assert_eq!(botyard_bots::catalogue::PROGRAMS, BOTS.map(|(name, _)| name));
}

#[test]
fn a_link_to_the_program_of_all_bots_is_the_bot_of_its_name() {
    let place = tempfile::tempdir().unwrap();
    for bot in botyard_bots::catalogue::bots() {
        let link = place.path().join(format!("botyard-{}", bot.name()));
        std::os::unix::fs::symlink(BASELINES, &link).unwrap();
        let version = format!("{} {}\n", bot.name(), bot.version());
        let said = run(link.to_str().unwrap(), &["--version"], "");
        assert_eq!(said, (Some(0), version, String::new()), "{}", bot.name());
    }
}

#[test]
fn the_program_of_all_bots_wants_a_name() {
    let (code, text, errors) = run(BASELINES, &[], "");
    assert_eq!((code, text.as_str()), (Some(2), ""));
    let (helped, help, _) = run(BASELINES, &["--help"], "");
    assert_eq!((helped, help.trim_end()), (Some(0), errors.trim_end()));
    for bot in botyard_bots::catalogue::bots() {
        assert!(help.contains(bot.name()), "{} in {help}", bot.name());
    }
    let (code, text, errors) = run(BASELINES, &["gredy"], "");
    assert_eq!((code, text.as_str()), (Some(2), ""));
    assert!(errors.contains("did you mean greedy?"), "{errors}");
}

#[test]
fn the_protocol_on_standard_input_and_output() {
    for (name, program, first) in bots() {
        let run =
            |arguments: &[&str], input| run(program, &[&first[..], arguments].concat(), input);
        let input = format!("{HELLO}\n{{\"type\":\"quit\"}}\n");
        let (code, answers, errors) = run(&[], &input);
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{name}");
        assert!(answers.starts_with("{\"type\":\"hello\",\"protocol\":1"), "{name}: {answers}");
        assert_eq!(answers.lines().count(), 1, "{name}: {answers}");
        assert_eq!(run(&[], ""), (Some(0), String::new(), String::new()), "{name}");
    }
}

#[test]
fn a_line_that_is_no_message_ends_it() {
    for (name, program, first) in bots() {
        let run =
            |arguments: &[&str], input| run(program, &[&first[..], arguments].concat(), input);
        let input = format!("{HELLO}\nnonsense\n");
        let (code, answers, reason) = run(&[], &input);
        assert_eq!(code, Some(1), "{name}");
        assert_eq!(answers.lines().count(), 1, "{name}: {answers}");
        assert!(
            reason.starts_with(&format!("{name}: cannot parse line 2 of the referee")),
            "{reason}"
        );
        assert!(reason.contains("nonsense"), "{reason}");
    }
}

#[test]
fn command_lines() {
    for (name, program, first) in bots() {
        let run =
            |arguments: &[&str], input| run(program, &[&first[..], arguments].concat(), input);
        let version = format!("{name} {}\n", env!("CARGO_PKG_VERSION"));
        for argument in ["--version", "-V"] {
            assert_eq!(run(&[argument], ""), (Some(0), version.clone(), String::new()));
        }
        for argument in ["--help", "-h"] {
            let (code, text, errors) = run(&[argument], "");
            assert_eq!((code, errors.as_str()), (Some(0), ""), "{name}");
            let bot = botyard_bots::catalogue::bot(name).unwrap();
            let example = format!("botyard match {} {name}", bot.games().next().unwrap());
            for part in [bot.about(), &example, "seed: an integer from 0 to"] {
                assert!(text.contains(part), "{part} in {text}");
            }
        }
        let (code, text, errors) = run(&["--seed", "7"], "");
        assert_eq!((code, text.as_str()), (Some(2), ""), "{name}");
        assert!(errors.contains("got --seed 7"), "{errors}");
        assert!(errors.contains(&format!("{name}:seed=7")), "{errors}");
    }
}
