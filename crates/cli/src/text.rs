//! Text for people on standard output: written without a panic where nobody reads, and wrapped to
//! a width that fits a terminal and a mail.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// The width of wrapped text, in characters.
const WIDTH: usize = 96;

/// Prints text.
///
/// # Errors
///
/// Those of the output; [`io::ErrorKind::BrokenPipe`] where the reader has gone (`| head`).
pub fn out(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints a line about work whose result is a file: with nobody to read it the work is worth as much.
pub fn mention(line: &str) {
    let _ = out(&format!("{line}\n"));
}

/// Prints a line to standard error, read or not.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints warnings to standard error, each of them once in the life of this program.
pub fn warn(warnings: &[String]) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    for warning in warnings {
        if printed.insert(warning.clone()) {
            note(&format!("warning: {warning}"));
        }
    }
}

/// `text` after `first`, wrapped; the lines after the first are indented as far as `first` is wide.
pub fn wrapped(first: &str, text: &str) -> String {
    let indent = first.chars().count();
    let mut wrapped = first.to_string();
    let mut column = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(indent));
            column = indent;
        }
        if column > indent {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += length;
    }
    wrapped.push('\n');
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_stay_aligned() {
        let text = wrapped("name  ", &"word ".repeat(30));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.len() <= WIDTH && !line.ends_with(' ')));
        assert!(lines[0].starts_with("name  word") && lines[1].starts_with("      word"));
        assert_eq!(text.split_whitespace().count(), 31);
        let long = "x".repeat(WIDTH + 1);
        assert_eq!(wrapped("- ", &long), format!("- {long}\n"));
    }
}
