//! The ways to misbehave, by name. `tests/data/fixtures.tsv` has the expected result of each.

mod ends;
mod files;
mod hoards;
mod lines;
mod names;
mod outside;
mod processes;
mod silence;

pub use names::hello;

use crate::bot::{Question, hang, say, write};
use crate::raw;
use serde_json::json;
use std::process::exit;
use std::time::Duration;

/// How long `fills_its_stdin` leaves its standard input full.
const STDIN_FULL: Duration = Duration::from_millis(400);

/// A way to misbehave at a question.
type Mode = (&'static str, fn(&Question<'_>));

fn modes() -> impl Iterator<Item = &'static Mode> {
    [
        lines::MODES,
        silence::MODES,
        ends::MODES,
        processes::MODES,
        hoards::MODES,
        files::MODES,
        names::MODES,
        outside::MODES,
    ]
    .into_iter()
    .flatten()
}

/// Misbehaves at a question.
pub fn misbehave(mode: &str, question: &Question<'_>) {
    if let Some(operation) = mode.strip_prefix("tries: ") {
        return files::try_forbidden(operation, question);
    }
    match modes().find(|(name, _)| *name == mode) {
        Some((_, act)) => act(question),
        None => question.answer(),
    }
}

/// Returns whether a mode misbehaves at every further question too.
pub fn lasts(mode: &str) -> bool {
    let lasting =
        ["crlf", "unknown_field", "leaves_when_won", "thinks", "wakes_itself", "burns_in_children"];
    lasting.contains(&mode) || mode.ends_with("_outside")
}

/// Runs the modes that misbehave before any output.
pub fn before_hello(mode: &str) {
    match mode {
        "exits_at_once" => exit(0),
        "silent" => hang(),
        // Well below the start limit: a slow start is not a fault.
        "slow_start" => std::thread::sleep(Duration::from_millis(700)),
        _ => {}
    }
}

/// Runs the modes that misbehave between `hello` and `start`.
pub fn after_hello(mode: &str) {
    if mode == "never_reads" {
        hang();
    }
}

/// Answers `start`, or runs the modes that misbehave there.
pub fn ready(mode: &str) {
    match mode {
        "exits_at_start" => exit(4),
        "never_ready" => hang(),
        "answers_before_asked" => {
            write(b"{\"type\":\"ready\"}\n{\"type\":\"move\",\"turn\":1,\"action\":1}\n");
        }
        "fills_its_stdin" => {
            raw::fill_stdin();
            say(&json!({"type": "ready"}));
            // The referee cannot write the question while this lasts.
            std::thread::sleep(STDIN_FULL);
        }
        _ => say(&json!({"type": "ready"})),
    }
}
