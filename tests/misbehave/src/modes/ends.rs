//! Exits, crashes and closed pipes.

use super::Mode;
use crate::bot::{hang, say};
use crate::raw;
use serde_json::json;
use std::process::{abort, exit};

pub(super) const MODES: &[Mode] = &[
    ("exits_zero", |_| exit(0)),
    ("exits_seven", |_| exit(7)),
    ("segfault", |_| raw::read_nothing()),
    ("aborts", |_| abort()),
    ("kills_itself", |_| {
        raw::signal_itself(libc::SIGKILL);
        hang();
    }),
    ("closes_stdout", |_| {
        raw::close(1);
        hang();
    }),
    ("closes_stdin", |question| {
        // The referee cannot ask it again.
        raw::close(0);
        question.answer();
        hang();
    }),
    ("leaves_when_won", |question| {
        // In the dice race: banks as soon as that wins, and exits before the referee reports the
        // end.
        let view = &question.turn["view"];
        let seat = view["to_move"].as_u64().unwrap_or(0) as usize;
        let points = |value: &serde_json::Value| value.as_u64().unwrap_or(0);
        let wins = points(&view["banked"][seat]) + points(&view["stake"])
            >= points(&question.rules["target"]);
        let action = if wins { "hold" } else { "roll" };
        say(&json!({"type": "move", "turn": question.number(), "action": action}));
        if wins {
            exit(0);
        }
    }),
];
