//! The loop of the protocol, and what every mode needs: to answer, to say something for the log,
//! to wait.

use crate::modes;
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long even the most stubborn mode goes on.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What surrounds a bot.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// In the name of everything that it makes.
    pub token: &'a str,
    /// A directory with files of several owners.
    pub place: &'a Path,
    /// The referee's process.
    pub referee: i32,
}

/// A question, and who is asked.
pub struct Question<'a> {
    /// The message `turn`.
    pub turn: &'a Value,
    /// The rules of the game.
    pub rules: &'a Value,
    /// What surrounds the bot.
    pub world: World<'a>,
}

impl Question<'_> {
    /// The good answer.
    pub fn good(&self) -> Value {
        let legal = self.turn["legal"].as_array().expect("the list of legal actions");
        let number = self.number();
        json!({"type": "move", "turn": number, "action": legal[number as usize % legal.len()]})
    }

    /// The number of the decision.
    pub fn number(&self) -> u64 {
        self.turn["turn"].as_u64().expect("a number")
    }

    /// Gives the good answer.
    pub fn answer(&self) {
        say(&self.good());
    }
}

/// Plays, and misbehaves at the `at`-th question, or before the first where `at` is 0.
pub fn play(mode: &str, at: u32, world: World<'_>) -> ExitCode {
    modes::before_hello(mode);
    let mut questions = 0;
    let mut rules = Value::Null;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        // What it wrote itself: see `fills_its_stdin`.
        if line.is_empty() {
            continue;
        }
        let message: Value = serde_json::from_str(&line).expect("the referee writes JSON");
        match message["type"].as_str() {
            Some("hello") => {
                say(&modes::hello(mode));
                modes::after_hello(mode);
            }
            Some("start") => {
                rules = message["rules"].clone();
                modes::ready(mode);
            }
            Some("turn") => {
                questions += 1;
                let question = Question { turn: &message, rules: &rules, world };
                if questions == at || questions > at && modes::lasts(mode) {
                    modes::misbehave(mode, &question);
                } else {
                    question.answer();
                }
            }
            Some("quit") => break,
            _ => {}
        }
    }
    ExitCode::SUCCESS
}

/// Says something for the game's log.
pub fn log(text: &str) {
    say(&json!({"type": "log", "text": text}));
}

/// Says that something was possible that must not be.
pub fn escaped(what: &str) {
    log(&format!("escaped: {what}"));
}

/// Writes a line.
pub fn say(message: &Value) {
    write(format!("{message}\n").as_bytes());
}

/// Writes bytes; a pipe that is closed ends the program, as it would end most.
pub fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// Does nothing for so many seconds.
pub fn sleep(seconds: u64) {
    std::thread::sleep(Duration::from_secs(seconds));
}

/// Does nothing until the patience of the most stubborn ends.
pub fn hang() -> ! {
    std::thread::sleep(PATIENCE);
    std::process::exit(1)
}

/// Repeats something until that.
pub fn keep(mut doing: impl FnMut()) -> ! {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        doing();
    }
    std::process::exit(1)
}
