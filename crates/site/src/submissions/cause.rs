//! The cause of a rejection in a line, which is the first line of its reason.

use botyard_check::Finding;
use botyard_protocol::printable;

/// Returns why a check failed, in a line: the last one that the bot wrote to standard error, where
/// languages print the exception, or else what was found.
pub(super) fn cause(finding: &Finding) -> String {
    /// Longer lines are cut, in characters.
    const LINE: usize = 300;
    // Where it is quoted, a mark stands before each line.
    let unquoted = |line: &'_ str| line.trim().trim_start_matches('|').trim_start().to_string();
    let last = finding.stderr.lines().rev().map(unquoted).find(|line| !line.is_empty());
    let remedy = (!finding.remedy.is_empty()).then(|| format!(" ({})", finding.remedy));
    match last {
        Some(line) => {
            format!("{}: {}", printable(&line, LINE), printable(&finding.message, LINE))
        }
        None => printable(&finding.message, LINE) + remedy.as_deref().unwrap_or_default(),
    }
}

/// Returns a reason of the gate after the last line that the bot wrote to standard error, if the reason
/// quotes it.
pub(super) fn cause_first(reason: String) -> String {
    let text = |line: &str| line.trim_start().strip_prefix("| ").map(str::to_string);
    let quoted = |line| text(line).filter(|text| !text.trim().is_empty());
    match reason.lines().rev().find_map(quoted) {
        Some(line) => format!("{line}\n{reason}"),
        None => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejection_begins_with_its_cause() {
        let finding = |stderr: &str| Finding {
            game: None,
            seat: None,
            message: "the program exited with code 1".into(),
            remedy: "read its standard error".into(),
            stderr: stderr.into(),
        };
        let traceback = "Traceback (most recent call last):\n  File \"bot.py\"\nKeyError: 'x'\n\n";
        assert_eq!(cause(&finding(traceback)), "KeyError: 'x': the program exited with code 1");
        let quoted = "  last lines of its standard error:\n    | KeyError: 'x'\n    | \n";
        assert_eq!(cause(&finding(quoted)), "KeyError: 'x': the program exited with code 1");
        let plain = "the program exited with code 1 (read its standard error)";
        assert_eq!(cause(&finding("")), plain);
        let gate = "it failed as yellow\n  last lines of its standard error:\n    | one\n    | two";
        assert_eq!(cause_first(gate.into()), format!("two\n{gate}"));
        let blank = format!("{gate}\n    | ");
        assert_eq!(cause_first(blank.clone()), format!("two\n{blank}"));
        assert_eq!(cause_first("it lost".into()), "it lost");
    }
}
