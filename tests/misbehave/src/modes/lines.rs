//! Lines that are no valid answer, and unusual lines that are.

use super::Mode;
use crate::bot::{Question, keep, say, write};
use serde_json::{Value, json};

pub(super) const MODES: &[Mode] = &[
    ("not_json", |_| write(b"I would rather not say\n")),
    ("empty_line", |_| write(b"\n")),
    ("array", |question| say(&json!([question.good()]))),
    ("byte_order_mark", |question| wrapped(question, b"\xef\xbb\xbf", b"\n")),
    ("invalid_utf8", |_| write(b"{\"type\":\"log\",\"text\":\"\xff\"}\n")),
    ("nul_byte", |question| wrapped(question, b"", b"\0\n")),
    ("nested", |_| {
        // 40,000 brackets.
        let text =
            format!("{{\"type\":\"log\",\"text\":{}{}}}\n", "[".repeat(20_000), "]".repeat(20_000));
        write(text.as_bytes());
    }),
    ("huge_number", |question| with_action(question, "1e999")),
    ("long_integer", |question| with_action(question, "777777777777777777777777777777")),
    ("duplicate_key", |question| {
        let turn = question.number();
        write(
            format!("{{\"type\":\"move\",\"turn\":{turn},\"turn\":{turn},\"action\":1}}\n")
                .as_bytes(),
        );
    }),
    ("wrong_type", |question| changed(question, "turn", json!(question.number().to_string()))),
    ("unknown_type", |question| changed(question, "type", json!("resign"))),
    ("wrong_turn", |question| changed(question, "turn", json!(question.number() + 1))),
    ("illegal_action", |question| changed(question, "action", json!({"castle": "queenside"}))),
    ("two_answers", |question| {
        let line = format!("{}\n", question.good());
        write(line.repeat(2).as_bytes());
    }),
    ("crlf", |question| wrapped(question, b"", b"\r\n")),
    ("unknown_field", |question| changed(question, "mood", json!("fine"))),
    ("endless_line", |_| keep(|| write(&[b'x'; 10_000]))),
    ("floods_stdout", |_| {
        let line = format!("{}\n", json!({"type": "log", "text": "la".repeat(500)}));
        keep(|| write(line.as_bytes()));
    }),
    ("floods_stderr", |_| keep(|| eprint!("{}", "woe is me ".repeat(100)))),
    ("floods_stderr_and_answers", |question| {
        eprint!("{}", "noise\n".repeat(50_000));
        question.answer();
    }),
];

fn wrapped(question: &Question<'_>, before: &[u8], after: &[u8]) {
    let line = question.good().to_string();
    write(&[before, line.as_bytes(), after].concat());
}

fn with_action(question: &Question<'_>, action: &str) {
    let turn = question.number();
    write(format!("{{\"type\":\"move\",\"turn\":{turn},\"action\":{action}}}\n").as_bytes());
}

fn changed(question: &Question<'_>, field: &str, value: Value) {
    let mut answer = question.good();
    answer[field] = value;
    say(&answer);
}
