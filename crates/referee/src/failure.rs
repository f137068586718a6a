//! What can stop a game short, and whose doing it was: the bot's, the host's, or the user's. It
//! decides nothing; verdicts do.

use botyard_protocol::FaultKind;
use botyard_replay::HostEvidence;
use std::io;
use std::time::Duration;

/// A failure of a bot's, before it is known in which seat and at which turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", .kind.as_str())]
pub struct BotFailure {
    /// What went wrong.
    pub kind: FaultKind,
    /// What was expected and what came, in a sentence.
    pub message: String,
    /// The offending line, shortened and escaped, where there is one.
    pub got: Option<String>,
}

impl BotFailure {
    /// A failure without an offending line.
    pub(crate) fn new(kind: FaultKind, message: impl Into<String>) -> BotFailure {
        BotFailure { kind, message: message.into(), got: None }
    }

    /// The same failure with what the bot had written as evidence, if it had written anything.
    pub(crate) fn with_line(mut self, line: &[u8]) -> BotFailure {
        if !line.is_empty() {
            self.got = Some(botyard_protocol::excerpt(line, EVIDENCE_CHARACTERS));
        }
        self
    }
}

/// The failure of a line that is not what was asked for.
pub(crate) fn protocol_failure(message: impl Into<String>, line: &[u8]) -> BotFailure {
    BotFailure::new(FaultKind::Protocol, message).with_line(line)
}

/// How much of an offending line is kept as evidence, in characters.
pub(crate) const EVIDENCE_CHARACTERS: usize = 400;

/// A failure of the machine that referees: never a bot's fault.
#[derive(Debug, thiserror::Error)]
#[error("the host failed while {doing}: {error}; this game cannot be judged")]
pub struct HostFailure {
    /// What was being done.
    pub doing: &'static str,
    /// What the system said.
    #[source]
    pub error: io::Error,
}

impl HostFailure {
    /// The failure of a system call while doing something.
    pub(crate) fn new(doing: &'static str, error: impl Into<io::Error>) -> HostFailure {
        HostFailure { doing, error: error.into() }
    }
}

/// How long a killed process may take to be gone. Only one that hangs in the kernel takes longer
/// than a few milliseconds: one that waits for a busy disk may do so for seconds.
pub(crate) const TEARDOWN_LIMIT: Duration = Duration::from_secs(60);

/// Processes that are still there after everything was done to end them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("processes of the group {group} are still alive {} s after they were killed", TEARDOWN_LIMIT.as_secs())]
pub struct Survivors {
    /// The number of their process group.
    pub group: i32,
}

/// Why an exchange with a bot did not come to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The bot failed.
    Bot(BotFailure),
    /// The host was so busy that it is unknown whether the bot was in time.
    Overloaded(Box<HostEvidence>),
    /// The user wants to stop.
    Interrupted,
    /// The host failed.
    Host(HostFailure),
    /// A bot's processes cannot be ended.
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
