//! The checks by name, and their results.

use botyard_protocol::FaultKind;
use serde::{Deserialize, Serialize};

/// A check. Its name in results never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// It starts and writes a valid `hello`.
    Hello,
    /// It answers `quit` with silence.
    Quit,
    /// It exits in time when it is asked to leave.
    QuitTime,
    /// It answers `start` with `ready`, in every seat.
    Setup,
    /// It answers `turn` with messages of the protocol.
    Messages,
    /// Its actions are legal.
    Actions,
    /// It does not exit, and keeps its pipes open.
    Running,
    /// It answers in time.
    Deadline,
    /// It stays within the memory limit.
    Memory,
    /// It answers `end` with silence.
    End,
    /// One process plays all seats of a game.
    OneProcess,
    /// One process plays two games.
    TwoGames,
    /// It plays without the list of legal actions.
    NoLegal,
    /// It ignores fields that it does not know.
    UnknownFields,
    /// It ignores messages that it does not know.
    UnknownMessages,
    /// It reads a line of 100 KB.
    LongLine,
    /// It reads lines that arrive byte by byte.
    SplitLine,
    /// It starts and sets up a game in half of the time allowed.
    SlowStart,
    /// A second process plays, beside the first and after it was killed.
    Restart,
    /// It plays in the sandbox from a copy of its files.
    Files,
}

impl Check {
    /// All checks, in the order in which they are made.
    pub const ALL: [Check; 20] = [
        Check::Hello,
        Check::Quit,
        Check::QuitTime,
        Check::Setup,
        Check::Messages,
        Check::Actions,
        Check::Running,
        Check::Deadline,
        Check::Memory,
        Check::End,
        Check::OneProcess,
        Check::TwoGames,
        Check::NoLegal,
        Check::UnknownFields,
        Check::UnknownMessages,
        Check::LongLine,
        Check::SplitLine,
        Check::SlowStart,
        Check::Restart,
        Check::Files,
    ];

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Check::Hello => "hello",
            Check::Quit => "quit",
            Check::QuitTime => "quit_time",
            Check::Setup => "setup",
            Check::Messages => "messages",
            Check::Actions => "actions",
            Check::Running => "running",
            Check::Deadline => "deadline",
            Check::Memory => "memory",
            Check::End => "end",
            Check::OneProcess => "one_process",
            Check::TwoGames => "two_games",
            Check::NoLegal => "no_legal",
            Check::UnknownFields => "unknown_fields",
            Check::UnknownMessages => "unknown_messages",
            Check::LongLine => "long_line",
            Check::SplitLine => "split_line",
            Check::SlowStart => "slow_start",
            Check::Restart => "restart",
            Check::Files => "files",
        }
    }

    /// Returns the check that a fault in an ordinary game belongs to.
    pub(crate) fn of_fault(kind: FaultKind, turn: u32) -> Check {
        match (kind, turn) {
            // It has started before, for the check `hello`.
            (FaultKind::StartFailed, _) => Check::Setup,
            (FaultKind::Memory, _) => Check::Memory,
            (_, 0) => Check::Setup,
            (FaultKind::Timeout, _) => Check::Deadline,
            (FaultKind::Crash | FaultKind::Closed, _) => Check::Running,
            (FaultKind::IllegalAction, _) => Check::Actions,
            (FaultKind::Protocol | FaultKind::OutputLimit, _) => Check::Messages,
        }
    }
}

/// The status of a check that was made or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The bot passed.
    Passed,
    /// The bot passed, and there is something to know for its author.
    Noted,
    /// The bot failed.
    Failed,
    /// The host was too busy at every attempt, or cannot make the check.
    NotDecided,
    /// The check was left out: another one failed, or it does not concern this program.
    Skipped,
}

/// Something that a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The game, unless the check needs none.
    pub game: Option<String>,
    /// The bot's seat.
    pub seat: Option<String>,
    /// What was sent and what came, on one line.
    pub message: String,
    /// What to do about it, on one line.
    pub remedy: String,
    /// The last lines of the bot's standard error.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// The result of a check: of a bot, unless other types are given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked<C = Check, F = Finding> {
    /// The check.
    pub check: C,
    /// Its status.
    pub status: Status,
    /// What was checked, or why not, on one line.
    pub message: String,
    /// What was found: for each game at most one finding.
    pub findings: Vec<F>,
}

impl<C, F> Checked<C, F> {
    /// Returns a result without findings.
    pub(crate) fn new(check: C, status: Status, message: impl Into<String>) -> Checked<C, F> {
        Checked { check, status, message: message.into(), findings: Vec::new() }
    }

    /// Returns the result of a check that found something.
    pub(crate) fn found(check: C, status: Status, findings: Vec<F>) -> Checked<C, F> {
        let message = match findings.len() {
            1 => "1 finding".to_string(),
            number => format!("{number} findings"),
        };
        Checked { check, status, message, findings }
    }
}

/// The numbers of checks by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Those that the bot passed, without a note.
    pub passed: u32,
    /// Those with a note.
    pub noted: u32,
    /// Those that failed.
    pub failed: u32,
    /// Those that were not decided.
    pub not_decided: u32,
    /// Those that were left out.
    pub skipped: u32,
}

impl Counts {
    /// Counts a result.
    pub fn add(&mut self, status: Status) {
        *match status {
            Status::Passed => &mut self.passed,
            Status::Noted => &mut self.noted,
            Status::Failed => &mut self.failed,
            Status::NotDecided => &mut self.not_decided,
            Status::Skipped => &mut self.skipped,
        } += 1;
    }
}

/// The events of the checks of a bot, as `--json` prints them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CheckEvent {
    /// The bot was found; it is started next.
    CheckStarted {
        /// The version of Botyard.
        version: &'static str,
        /// The bot's name.
        bot: String,
        /// Its program.
        program: String,
        /// Its arguments.
        args: Vec<String>,
        /// The time per move of the check `deadline`, in milliseconds.
        move_ms: u64,
        /// Whether turns list the legal actions.
        legal: bool,
        /// The tier of the sandbox, or `none`.
        sandbox: String,
        /// How long a quiet host was awaited, in seconds.
        quiet_s: f64,
    },
    /// A check was made or left out.
    CheckResult(Checked),
    /// All checks were made, or the run was interrupted.
    CheckEnded {
        /// The games in which the bot was checked.
        games: Vec<String>,
        /// Whether the run was interrupted.
        interrupted: bool,
        /// The results in numbers.
        #[serde(flatten)]
        counts: Counts,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_a_first_game_is_reported() {
        for kind in [
            FaultKind::Timeout,
            FaultKind::Crash,
            FaultKind::Closed,
            FaultKind::IllegalAction,
            FaultKind::Protocol,
            FaultKind::OutputLimit,
            FaultKind::Memory,
            FaultKind::StartFailed,
        ] {
            for turn in [0, 1] {
                let check = Check::of_fault(kind, turn);
                assert!(crate::first_games::CHECKS.contains(&check), "{kind:?} {turn}: {check:?}");
            }
        }
    }

    #[test]
    fn the_name_of_a_check_is_the_same_in_text_and_in_json() {
        for check in Check::ALL {
            assert_eq!(serde_json::to_value(check).unwrap(), check.as_str());
        }
        let mut sorted = Check::ALL;
        sorted.sort();
        assert_eq!(sorted, Check::ALL);
    }
}
