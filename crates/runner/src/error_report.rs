//! Where the report of an uncaught error begins in the standard error of a program: the header that has
//! the type of the error and its message. The formats are those of Python, JavaScript, Java, Go, Rust and
//! C++, printed by the runtime or by a kit.

/// How many lines a message may have before the first line of its stack.
const MESSAGE_LINES: usize = 30;

const PYTHON: &str = "Traceback (most recent call last):";

/// What follows between two tracebacks of Python that belong together.
const CHAINED: [&str; 2] = [
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
];

/// Returns the index of the first line of the last report. Blank lines are not among `lines`.
pub(crate) fn last_report(lines: &[&str]) -> Option<usize> {
    let mut first = (0..lines.len()).rev().find_map(|index| report_at(lines, index))?;
    while let Some(link) = first.checked_sub(1)
        && CHAINED.iter().any(|chained| lines[link].contains(chained))
        && let Some(earlier) = lines[..link].iter().rposition(|line| begins_report(line))
    {
        first = earlier;
    }
    Some(first)
}

/// Returns the index of the header of a report if this line shows that there is one: the line is a header,
/// or the first line of a stack.
fn report_at(lines: &[&str], index: usize) -> Option<usize> {
    if begins_report(lines[index]) {
        return Some(index);
    }
    let above = index.checked_sub(1)?;
    let is_first_frame = is_frame(lines[index]) && !is_frame(lines[above]);
    if !is_first_frame && !is_goroutine(lines[index]) || continues_report(lines[above]) {
        return None;
    }
    // A message may have several lines, of which the first names the type.
    let header = (above.saturating_sub(MESSAGE_LINES)..=above)
        .rev()
        .take_while(|&line| !is_frame(lines[line]))
        .find(|&line| begins_report(lines[line]) || names_error(lines[line]))
        .unwrap_or(above);
    // The kits print the decision in a line of its own.
    let announced = header.checked_sub(1).filter(|&line| lines[line].ends_with(" failed:"));
    Some(announced.unwrap_or(header))
}

/// Returns whether a runtime or a kit begins a report with this line.
fn begins_report(line: &str) -> bool {
    line.contains(PYTHON)
        || line.starts_with("Exception in thread ")
        || line.starts_with("panic: ")
        || line.contains(" failed: panic: ")
        || line.starts_with("fatal error: ")
        || line.starts_with("thread '") && line.contains("panicked at")
        || line.starts_with("terminate called ")
}

/// Returns whether a line is a line of a stack of Java or JavaScript.
fn is_frame(line: &str) -> bool {
    let frame = line.trim_start();
    frame.len() < line.len() && frame.starts_with("at ") && frame.contains(['(', ':'])
}

/// Returns whether a line begins the stack of a goroutine.
fn is_goroutine(line: &str) -> bool {
    let number = line.strip_prefix("goroutine ").and_then(|rest| rest.chars().next());
    number.is_some_and(|digit| digit.is_ascii_digit()) && line.ends_with("]:")
}

/// Returns whether a line above a stack is a part of a report that began before: a cause, or the stack of
/// another goroutine.
fn continues_report(line: &str) -> bool {
    line.starts_with([' ', '\t']) || line.starts_with("Caused by: ")
}

/// Returns whether a line begins with the type of an error, as in `java.io.IOException: closed`.
fn names_error(line: &str) -> bool {
    let end = line.find([':', ' ']).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'));
    is_name
        && (name.ends_with("Error") || name.ends_with("Exception"))
        && (rest.is_empty() || rest.starts_with(':') || rest.starts_with(" ["))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Standard errors of programs, and the line that is to be shown first.
    const REPORTS: [(&str, &str); 11] = [
        (
            include_str!("../tests/data/stderr/java.txt"),
            "Exception in thread \"main\" java.lang.IllegalStateException: bad column",
        ),
        (include_str!("../tests/data/stderr/java_kit.txt"), "dropper: turn 1: choose() failed:"),
        (
            include_str!("../tests/data/stderr/javascript.txt"),
            "TypeError: Cannot read properties of undefined (reading 'length')",
        ),
        (include_str!("../tests/data/stderr/javascript_own_class.txt"), "IllegalMove: column 8"),
        (include_str!("../tests/data/stderr/javascript_cause.txt"), "Error: no weights:"),
        (
            include_str!("../tests/data/stderr/javascript_kit.txt"),
            "TypeError: Cannot read properties of undefined (reading 'length')",
        ),
        (
            include_str!("../tests/data/stderr/go.txt"),
            "panic: runtime error: index out of range [5] with length 0",
        ),
        (
            include_str!("../tests/data/stderr/go_nil.txt"),
            "panic: runtime error: invalid memory address or nil pointer dereference",
        ),
        (
            include_str!("../tests/data/stderr/go_kit.txt"),
            "botyard: turn 1: Choose failed: panic: runtime error: index out of range [0] with length 0",
        ),
        (include_str!("../tests/data/stderr/rust.txt"), "thread 'main' panicked at r.rs:1:54:"),
        (
            "terminate called after throwing an instance of 'std::out_of_range'\n  what():  at\n",
            "terminate called after throwing an instance of 'std::out_of_range'",
        ),
    ];

    #[test]
    fn a_report_of_every_language_begins_with_its_type_and_message() {
        for (report, header) in REPORTS {
            // An earlier report, of which the program was not the end.
            for (earlier, _) in [("thinking\n  at depth 4\n", ""), REPORTS[3], REPORTS[8]] {
                let stderr = format!("{earlier}\n{report}");
                let lines: Vec<&str> = stderr.lines().filter(|line| !line.is_empty()).collect();
                let found = last_report(&lines).map(|first| lines[first..].join("\n"));
                let found = found.unwrap_or_else(|| panic!("no report: {stderr}"));
                assert!(found.starts_with(header), "{header}: {found}");
                let rest = report[report.find(header).unwrap()..].replace("\n\n", "\n");
                assert_eq!(found, rest.trim_end(), "{header}");
            }
        }
    }

    #[test]
    fn text_that_is_no_report_has_none() {
        for text in ["", "at", "thinking\n  at least 3", "panics: none", "score 3\ngoroutine [1]:"]
        {
            assert_eq!(last_report(&text.lines().collect::<Vec<_>>()), None, "{text:?}");
        }
    }
}
