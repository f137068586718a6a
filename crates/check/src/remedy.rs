//! Remedies for faults, in sentences for the author of a bot.

use botyard_protocol::{Fault, FaultKind};
use botyard_runner::settings::{DIRECTORY, MEMORY, Named};

/// What the author of a bot can do that has started once, and not again.
pub(crate) const SECOND_START: &str =
    "start the bot again and again: share no files, ports or locks between its processes";

/// Returns what the author of a bot can do about a fault in a game. `has_answered` says whether the bot
/// has made a decision of the game before, and `name` is the front end's name of a setting.
pub(crate) fn of_fault(fault: &Fault, has_answered: bool, name: fn(&Named) -> String) -> String {
    let says = |words: &str| fault.message.contains(words);
    let words = match fault.kind {
        FaultKind::Crash => {
            return format!(
                "read the bot's standard error; to debug it, play a game by `botyard match` with `{}`, and run \
                 the bot of a kit on the replay: `--replay FILE --seat SEAT`",
                name(&DIRECTORY.with("DIR"))
            );
        }
        FaultKind::Memory => {
            let memory = name(&MEMORY.into());
            return format!(
                "use less memory, or raise the limit with {memory} if the host allows it"
            );
        }
        // Before its games, it has started for the check `hello`.
        FaultKind::StartFailed => SECOND_START,
        FaultKind::Timeout if says("without a newline") => {
            "end each answer with a newline, and flush standard output after it"
        }
        FaultKind::Timeout if fault.turn == 0 && says("unread") => {
            "read standard input to its end, one line after another"
        }
        FaultKind::Timeout if fault.turn == 0 => {
            "answer `start` with {\"type\":\"ready\"}, and flush standard output after it"
        }
        FaultKind::Timeout if says("it came too late") => {
            "answer sooner: keep some milliseconds of `turn.clock` for the way back"
        }
        // Its answers reach the referee, so they are flushed.
        FaultKind::Timeout => {
            let flush = if has_answered { "" } else { "flush standard output after each answer; " };
            return format!(
                "{flush}look for an endless loop, or a wait: play a game by `botyard match` with `{}`, run the \
                 bot of a kit on the replay, `--replay FILE --seat SEAT --turn TURN`, and press Ctrl-C when it \
                 hangs",
                name(&DIRECTORY.with("DIR"))
            );
        }
        FaultKind::Closed => "keep standard input and standard output open until `quit`",
        FaultKind::IllegalAction => "choose one of the actions in `turn.legal`",
        FaultKind::Protocol if says("not JSON") => {
            "print debug output to standard error; write only messages to standard output"
        }
        FaultKind::Protocol if says("before the next question") => {
            "write exactly one answer to each `turn`, and nothing before the next message"
        }
        FaultKind::Protocol => {
            "write one JSON object per line with the fields of the bot protocol (docs/protocol.md)"
        }
        FaultKind::OutputLimit => "write less: the limits are in `hello.limits`",
    };
    words.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(kind: FaultKind, message: &str) -> Fault {
        Fault { kind, seat: "red".into(), turn: 3, message: message.into(), got: None }
    }

    #[test]
    fn a_bot_that_has_answered_before_is_not_told_to_flush() {
        let none =
            "expected an answer to \"turn\" 3 within 100 ms, none came; it used 99 ms of CPU time";
        let late = "expected an answer to \"turn\" 3 within 100 ms, it came too late";
        let half = "expected an answer, 60 bytes without a newline came (flush the line)";
        for (message, has_answered, expected, is_about_flushing) in [
            (none, true, "endless loop", false),
            (none, false, "endless loop", true),
            (late, true, "answer sooner", false),
            (half, true, "newline", true),
        ] {
            let remedy = of_fault(&fault(FaultKind::Timeout, message), has_answered, Named::option);
            assert!(remedy.contains(expected), "{message}: {remedy}");
            assert_eq!(remedy.contains("flush"), is_about_flushing, "{message}: {remedy}");
        }
    }

    #[test]
    fn a_crash_is_debugged_on_a_replay_and_not_through_standard_input() {
        let fault = fault(FaultKind::Crash, "the program exited with code 1");
        let remedy = of_fault(&fault, true, Named::option);
        assert!(remedy.contains("with `--out DIR`"), "{remedy}");
        assert!(remedy.contains("--replay FILE --seat SEAT"), "{remedy}");
        assert!(!remedy.contains("replay stdin"), "{remedy}");
    }
}
