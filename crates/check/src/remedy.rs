//! Remedies for faults, in sentences for the author of a bot.

use botyard_protocol::{Fault, FaultKind};
use botyard_runner::settings::{DIRECTORY, MEMORY, Named};

/// What the author of a bot can do that has started once, and not again.
pub(crate) const SECOND_START: &str =
    "start the bot again and again: share no files, ports or locks between its processes";

/// Returns what the author of a bot can do about a fault in a game. `name` is the front end's name of a setting.
pub(crate) fn of_fault(fault: &Fault, name: fn(&Named) -> String) -> String {
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
        FaultKind::Timeout => {
            "flush standard output after each answer, and keep some milliseconds of \
             `turn.clock` for the way back"
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

    #[test]
    fn a_crash_is_debugged_on_a_replay_and_not_through_standard_input() {
        let fault = Fault {
            kind: FaultKind::Crash,
            seat: "red".into(),
            turn: 3,
            message: "the program exited with code 1".into(),
            got: None,
        };
        let remedy = of_fault(&fault, Named::option);
        assert!(remedy.contains("with `--out DIR`"), "{remedy}");
        assert!(remedy.contains("--replay FILE --seat SEAT"), "{remedy}");
        assert!(!remedy.contains("replay stdin"), "{remedy}");
    }
}
