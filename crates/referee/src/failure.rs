//! Failures that end a game early, by cause: the bot, the host or the user. The verdict on a
//! failure is decided in [`crate::game`].

use botyard_protocol::FaultKind;
use botyard_replay::HostEvidence;
use std::io;
use std::time::Duration;

/// A failure of a bot, before its seat and turn are known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", .kind.as_str())]
pub struct BotFailure {
    /// The kind of fault.
    pub kind: FaultKind,
    /// What was expected and what came, in one sentence.
    pub message: String,
    /// The offending line, shortened and escaped, if there is one.
    pub got: Option<String>,
}

impl BotFailure {
    /// Returns a failure without an offending line.
    pub(crate) fn new(kind: FaultKind, message: impl Into<String>) -> BotFailure {
        BotFailure { kind, message: message.into(), got: None }
    }

    /// Returns the same failure with `line`, what the bot wrote, as evidence unless it is empty.
    pub(crate) fn with_line(mut self, line: &[u8]) -> BotFailure {
        if !line.is_empty() {
            self.got = Some(botyard_protocol::excerpt(line, EVIDENCE_CHARACTERS));
        }
        self
    }
}

/// Returns the failure of a line that is not the expected message.
pub(crate) fn protocol_failure(message: impl Into<String>, line: &[u8]) -> BotFailure {
    BotFailure::new(FaultKind::Protocol, message).with_line(line)
}

/// How much of an offending line is kept as evidence, in characters.
pub(crate) const EVIDENCE_CHARACTERS: usize = 400;

/// A failure of the host, which is never a bot's fault.
#[derive(Debug, thiserror::Error)]
#[error("the host failed while {doing}: {error}; this game cannot be judged")]
pub struct HostFailure {
    /// The operation that failed.
    pub doing: &'static str,
    /// The error of the operating system.
    #[source]
    pub error: io::Error,
}

impl HostFailure {
    /// Returns the failure of a system call during `doing`.
    pub(crate) fn new(doing: &'static str, error: impl Into<io::Error>) -> HostFailure {
        HostFailure { doing, error: error.into() }
    }
}

/// How long a killed process may take to disappear. Usually it takes a few milliseconds; a process
/// that is blocked in the kernel, such as on a busy disk, may take seconds.
pub(crate) const TEARDOWN_LIMIT: Duration = Duration::from_secs(60);

/// Processes that are still alive after they were killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("processes of the group {group} are still alive {} s after they were killed", TEARDOWN_LIMIT.as_secs())]
pub struct Survivors {
    /// The ID of their process group.
    pub group: i32,
}

/// Why an exchange with a bot was not completed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The bot failed.
    Bot(BotFailure),
    /// The host was so overloaded that it is unknown whether the bot was in time.
    Overloaded(Box<HostEvidence>),
    /// The user interrupted the game.
    Interrupted,
    /// The host failed.
    Host(HostFailure),
    /// A bot's processes could not be killed.
    Survivors(Survivors),
}

impl From<HostFailure> for Failure {
    fn from(failure: HostFailure) -> Failure {
        Failure::Host(failure)
    }
}

impl From<Survivors> for Failure {
    fn from(survivors: Survivors) -> Failure {
        Failure::Survivors(survivors)
    }
}

impl From<BotFailure> for Failure {
    fn from(failure: BotFailure) -> Failure {
        Failure::Bot(failure)
    }
}
