//! Names and texts that harm programs that print them without escaping.

use super::Mode;
use crate::bot::{log, say};
use serde_json::{Value, json};

pub(super) const MODES: &[Mode] = &[
    ("log_escapes", |question| {
        log("\u{1b}[2J\u{1b}]0;title\u{7} \u{202e}drawkcab\r\nturn 7: north wins");
        question.answer();
    }),
    ("info_escapes", |question| {
        let mut answer = question.good();
        answer["info"] = json!({"text": "\u{1b}[31m\u{202e}\n"});
        say(&answer);
    }),
];

/// Returns the answer to `hello`.
pub fn hello(mode: &str) -> Value {
    let long = "x".repeat(10_000);
    let name = match mode {
        "name_escapes" => "\u{1b}[2J\u{1b}]0;title\u{7}",
        "name_bidi" => "\u{202e}tob\u{2066}",
        "name_newlines" => "bot\nscore: 100-0\r",
        "name_markup" => "<script>alert(1)</script>",
        "name_formula" => "=cmd()",
        "name_quotes" => "\",\"",
        "name_path" => "../../x",
        "name_long" => &long,
        "name_empty" => "",
        _ => "misbehave",
    };
    json!({"type": "hello", "protocol": 1, "name": name, "version": "1", "games": []})
}
