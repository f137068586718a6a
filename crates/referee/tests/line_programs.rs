//! Programs that answer one line with one line, such as rules programs, and the errors of those that
//! do not.

use crate::fixtures::{AMPLE_MS, command, no_interrupt};
use botyard_referee::LineProgram;
use std::time::Duration;

const AMPLE: Duration = Duration::from_millis(AMPLE_MS);

/// The longest line in these tests, in bytes.
const LINE_BYTES: u32 = 1_000;

fn start(script: &str) -> LineProgram {
    LineProgram::start(command("program", "/bin/sh", &["-c", script]), LINE_BYTES, &no_interrupt())
        .unwrap_or_else(|error| panic!("{script}: {error}"))
}

/// Returns the error of a program that reads the first line and then does this.
fn error_of(then: &str, limit: Duration) -> String {
    let mut program = start(&format!("read line; {then}"));
    let exchanged = program.exchange(b"a\n", &mut Vec::new(), limit);
    exchanged.expect_err("it does not answer with a line")
}

#[test]
fn each_line_is_answered() {
    let mut program = start("while read line; do echo \"<$line>\"; done");
    let mut answer = b"old".to_vec();
    for line in ["a", "", "{\"type\":\"hello\"}"] {
        let asked = program.exchange(format!("{line}\n").as_bytes(), &mut answer, AMPLE);
        assert_eq!(asked, Ok(()));
        assert_eq!(String::from_utf8_lossy(&answer), format!("<{line}>"));
    }
}

#[test]
fn a_program_that_ends_has_failed() {
    for (then, parts) in [
        ("exit 3", &["expected an answer to the request", "exited with code 3"][..]),
        ("exit 0", &["expected an answer to the request", "exited"]),
        ("kill -9 $$", &["expected an answer to the request", "signal 9"]),
        ("echo no board >&2; exit 1", &["its standard error ends with:\nno board"]),
        ("printf half; exit 1", &["half"]),
    ] {
        let error = error_of(then, AMPLE);
        for part in parts {
            assert!(error.contains(part), "{then}, expected {part:?}: {error}");
        }
    }
}

#[test]
fn a_program_that_does_not_answer_in_time_has_failed() {
    for then in ["sleep 600", "printf half; sleep 600", "while :; do :; done"] {
        let error = error_of(then, Duration::from_millis(100));
        assert!(error.contains("within 100 ms"), "{then}: {error}");
    }
}

#[test]
fn more_or_longer_lines_than_one_are_refused() {
    for (then, part) in [
        ("printf 'a\\nb\\n'; sleep 600", "expected one line for a request, got more"),
        ("printf 'a\\nb'; sleep 600", "expected one line for a request, got more"),
        ("while :; do printf 0123456789; done", "1000 bytes"),
    ] {
        let error = error_of(then, AMPLE);
        assert!(error.contains(part), "{then}, expected {part:?}: {error}");
    }
}
