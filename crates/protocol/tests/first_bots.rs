//! The first bots of `sdk/` answer a whole game, read from a transcript.

use botyard_protocol::{BotLine, Limits, PROTOCOL, parse_bot_line};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs a bot of `sdk/` on these lines.
fn run(interpreter: &str, bot: &str, lines: &[&str]) -> Output {
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk").join(bot);
    let mut child = Command::new(interpreter)
        .arg(bot)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("this test needs {interpreter}: {error}"));
    let mut input = child.stdin.take().unwrap();
    // A bot that exited early does not read the rest; its output is checked below.
    let _ = input.write_all((lines.join("\n") + "\n").as_bytes());
    drop(input);
    child.wait_with_output().unwrap()
}

fn plays_a_whole_game(interpreter: &str, bot: &str) {
    let transcript = include_str!("transcripts/v1/whole-game.ndjson");
    let sent: Vec<&str> = transcript.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let output = run(interpreter, bot, &sent);
    assert!(output.status.success(), "{output:?}");
    let mut answers = output.stdout.split(|&byte| byte == b'\n');
    for line in sent {
        let message: Value = serde_json::from_str(line).unwrap();
        let mut answer = || parse_bot_line(answers.next().unwrap(), &Limits::default()).unwrap();
        match message["type"].as_str().unwrap() {
            "hello" => match answer() {
                BotLine::Hello(hello) => assert_eq!(hello.protocol, PROTOCOL),
                other => panic!("{other:?}"),
            },
            "start" => assert_eq!(answer().kind(), "ready"),
            "turn" => match answer() {
                BotLine::Move(chosen) => {
                    assert_eq!(message["turn"], chosen.turn);
                    let action: Value = serde_json::from_str(chosen.action.get()).unwrap();
                    assert!(message["legal"].as_array().unwrap().contains(&action), "{action}");
                }
                other => panic!("{other:?}"),
            },
            _ => {}
        }
    }
    assert_eq!(answers.collect::<Vec<_>>(), [b""], "an unexpected answer");
}

fn asks_for_the_legal_actions(interpreter: &str, bot: &str) {
    let output = run(interpreter, bot, &[r#"{"type":"turn","turn":1,"seat":"a","view":{}}"#]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && stderr.contains("--no-legal"), "{stderr}");
    assert!(stderr.lines().count() == 1 && output.stdout.is_empty(), "{stderr}");
}

#[test]
fn the_python_bot_plays() {
    plays_a_whole_game("python3", "python/examples/first.py");
    asks_for_the_legal_actions("python3", "python/examples/first.py");
}

#[test]
#[ignore = "needs Node 18 or later; run with --ignored where it is installed"]
fn the_javascript_bot_plays() {
    plays_a_whole_game("node", "javascript/examples/first.js");
    asks_for_the_legal_actions("node", "javascript/examples/first.js");
}
