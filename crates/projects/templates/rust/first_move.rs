//! Asks the bot for a first move: `cargo test`.

use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn the_first_move_is_legal() {
    let lines = include_str!("../first_move.ndjson");
    let mut bot = Command::new(env!("CARGO_BIN_EXE_{{name}}"));
    let mut bot = bot.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    bot.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let answers = bot.wait_with_output().unwrap();
    assert!(answers.status.success());
    let find = |text: &str, kind: &str| {
        let mut messages =
            text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        messages.find(|message| message["type"] == kind).expect("the message")
    };
    let action = &find(&String::from_utf8(answers.stdout).unwrap(), "move")["action"];
    assert!(find(lines, "turn")["legal"].as_array().unwrap().contains(action), "{action}");
}
