//! The part of a bot's standard error that is shown with its fault: the last report of an uncaught
//! error as a whole, or the last lines.

use crate::error_report::last_report;
use botyard_protocol::printable;
use std::path::Path;

/// How many lines are shown if no report is found.
const LAST_LINES: usize = 10;
/// The maximum number of lines of a report; the middle of a longer one is left out.
const REPORT_LINES: usize = 60;
/// How many lines of a longer report are shown from its beginning.
const HEAD_LINES: usize = 12;
/// How many characters of a line are shown.
const CHARACTERS: usize = 300;

/// Formats what a bot's standard error says about its fault, and where all of it is kept. Empty if
/// it wrote nothing. Every line is indented.
pub fn stderr_in_words(stderr: &str, kept: Option<&Path>) -> String {
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines.len().saturating_sub(LAST_LINES);
    let shown = &lines[last_report(&lines).unwrap_or(last).min(last)..];
    let kept = kept.map(|path| format!("  all of its standard error: {}\n", path.display()));
    let kept = kept.unwrap_or_default();
    if shown.is_empty() {
        return kept;
    }
    let left_out = shown.len().saturating_sub(REPORT_LINES);
    let head = if left_out == 0 { shown.len() } else { HEAD_LINES };
    let mut text = String::from("  last lines of its standard error:\n");
    for line in &shown[..head] {
        text.push_str(&shown_line(line));
    }
    if left_out > 0 {
        text.push_str(&format!("    [{left_out} lines left out]\n"));
    }
    for line in &shown[head + left_out..] {
        text.push_str(&shown_line(line));
    }
    text + &kept
}

/// Returns a line as it is shown. A tab indents the lines of a stack, so it stays an indentation.
fn shown_line(line: &str) -> String {
    format!("    | {}\n", printable(&line.replace('\t', "    "), CHARACTERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACEBACK: &str = "Traceback (most recent call last):";
    const CHAINED: &str = "During handling of the above exception, another exception occurred:";

    fn traceback(frames: usize, error: &str) -> String {
        let frames: String = (0..frames)
            .map(|frame| format!("  File \"bot.py\", line {frame}, in search\n    go()\n"))
            .collect();
        format!("{TRACEBACK}\n{frames}{error}\n")
    }

    #[test]
    fn a_traceback_is_whole_and_other_text_has_its_last_lines() {
        let talk = "thinking\n".repeat(50);
        let words = stderr_in_words(&format!("{talk}{}", traceback(15, "KeyError: 'x'")), None);
        assert!(words.contains(&format!(":\n    | {TRACEBACK}\n")), "{words}");
        assert_eq!(words.matches("in search").count(), 15, "{words}");
        assert!(words.ends_with("    | KeyError: 'x'\n"), "{words}");
        assert_eq!(stderr_in_words(&talk, None).matches("thinking").count(), LAST_LINES);
        assert_eq!(stderr_in_words("\n \n", None), "");
    }

    #[test]
    fn chained_tracebacks_stay_together_and_earlier_ones_are_left_out() {
        let (caught, cause) = (traceback(9, "OldError"), traceback(9, "KeyError: 1"));
        let last = traceback(9, "ValueError: 2");
        let stderr = format!("{caught}then\n{cause}\n{}\n\n{last}", CHAINED);
        let words = stderr_in_words(&stderr, None);
        assert!(words.contains("KeyError: 1") && words.contains("ValueError: 2"), "{words}");
        assert!(!words.contains("OldError"), "{words}");
    }

    #[test]
    fn a_stack_of_java_has_its_message_and_keeps_its_indentation() {
        let stack = "\tat Mine.score(Mine.java:30)\n".repeat(20);
        let stderr =
            format!("thinking\nmine: turn 1: choose() failed:\nx.LostException: 3\n{stack}");
        let words = stderr_in_words(&stderr, None);
        let head =
            "    | mine: turn 1: choose() failed:\n    | x.LostException: 3\n    |     at Mine.";
        assert!(words.contains(head), "{words}");
        assert!(!words.contains("thinking"), "{words}");
    }

    #[test]
    fn a_long_report_is_cut_in_its_middle() {
        let words = stderr_in_words(&traceback(1000, "RecursionError"), Some("x/y.txt".as_ref()));
        assert!(words.contains("[1942 lines left out]"), "{words}");
        assert!(words.contains("    | RecursionError\n"), "{words}");
        assert!(words.ends_with("  all of its standard error: x/y.txt\n"), "{words}");
        assert!(words.lines().count() <= REPORT_LINES + 3);
    }
}
