//! The protocol loop of the bot, and the operations that every mode uses: answer, log, wait.

use crate::modes;
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The time for which any mode misbehaves before it exits.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The surroundings of a bot.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// Part of the name of everything that it creates.
    pub token: &'a str,
    /// A directory with files of several owners.
    pub place: &'a Path,
    /// The PID of the referee.
    pub referee: i32,
}

/// A question and its context.
pub struct Question<'a> {
    /// The `turn` message.
    pub turn: &'a Value,
    /// The rules of the game.
    pub rules: &'a Value,
    /// The surroundings of the bot.
    pub world: World<'a>,
}

impl Question<'_> {
    /// Returns the good answer.
    pub fn good(&self) -> Value {
        let legal = self.turn["legal"].as_array().expect("the list of legal actions");
        let number = self.number();
        json!({"type": "move", "turn": number, "action": legal[number as usize % legal.len()]})
    }

    /// Returns the turn number.
    pub fn number(&self) -> u64 {
        self.turn["turn"].as_u64().expect("a number")
    }

    /// Sends the good answer.
    pub fn answer(&self) {
        say(&self.good());
    }
}

/// Plays, and misbehaves at question `at`; where `at` is 0, before the first.
pub fn play(mode: &str, at: u32, world: World<'_>) -> ExitCode {
    modes::before_hello(mode);
    let mut questions = 0;
    let mut rules = Value::Null;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        // A line that the bot wrote itself: see `fills_its_stdin`.
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

/// Sends a message for the game's log.
pub fn log(text: &str) {
    say(&json!({"type": "log", "text": text}));
}

/// Logs that a forbidden operation succeeded.
pub fn escaped(what: &str) {
    log(&format!("escaped: {what}"));
}

/// Sends a message as a line.
pub fn say(message: &Value) {
    write(format!("{message}\n").as_bytes());
}

/// Writes bytes. Exits if the pipe is closed, as most programs would.
pub fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// Sleeps for some seconds.
pub fn sleep(seconds: u64) {
    std::thread::sleep(Duration::from_secs(seconds));
}

/// Sleeps for [`PATIENCE`], then exits.
pub fn hang() -> ! {
    std::thread::sleep(PATIENCE);
    std::process::exit(1)
}

/// Repeats an action for [`PATIENCE`], then exits.
pub fn keep(mut doing: impl FnMut()) -> ! {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        doing();
    }
    std::process::exit(1)
}
