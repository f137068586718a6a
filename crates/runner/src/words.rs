//! Short texts for people that more than one front end needs: counts, faults, what a bot wrote.

use botyard_protocol::{Fault, printable};

/// How much of a text of a bot's is shown, in characters.
const TEXT_CHARACTERS: usize = 300;
/// How many lines of a failed bot's standard error are shown.
const STDERR_LINES: usize = 10;

/// How many of something there are: `1 game`, `2 games`.
pub fn counted(number: impl Into<u64>, word: &str) -> String {
    match number.into() {
        1 => format!("1 {word}"),
        number => format!("{number} {word}s"),
    }
}

/// A word as it would be typed in a shell.
pub fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_string(), Into::into)
}

/// A fault in a sentence, with the line that caused it.
pub fn fault_in_words(fault: &Fault, fatal: bool) -> String {
    let Fault { kind, seat, turn, message, got } = fault;
    let at = if *turn == 0 { "before the first move".into() } else { format!("at move {turn}") };
    let what = if fatal { "fails" } else { "is forgiven a failure" };
    let mut words = format!("{seat} {what} {at}: {}: {}", kind.as_str(), printable(message, 1000));
    if let Some(got) = got {
        words.push_str(&format!("\n          it wrote: {}", printable(got, TEXT_CHARACTERS)));
    }
    words
}

/// The last lines of a bot's standard error, to be shown with a fault; empty where there is nothing.
pub fn stderr_in_words(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(STDERR_LINES)..];
    if last.is_empty() {
        return String::new();
    }
    let shown: String =
        last.iter().map(|line| format!("    | {}\n", printable(line, TEXT_CHARACTERS))).collect();
    format!("  its standard error ends with:\n{shown}")
}
