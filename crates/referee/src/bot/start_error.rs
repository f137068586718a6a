//! Errors of a bot's start.

use crate::bot::start_attempts::PAUSES;
use crate::failure::{BotFailure, HostFailure};
use botyard_protocol::OptionError;
use botyard_replay::HostEvidence;

/// The error of a bot that was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It could not be started, or its `hello` did not comply with the protocol. The bot remembers
    /// this: in a game it is its fault `start_failed`.
    #[error("{name} could not be started: {failure}")]
    Failed {
        /// The bot's name in the match.
        name: String,
        /// What went wrong.
        failure: BotFailure,
    },
    /// The match sets an option that the bot does not have, or to a value that the option does not
    /// allow. This is an error in the match's configuration.
    #[error("{name}: {error}")]
    Option {
        /// The bot's name in the match.
        name: String,
        /// The option and its allowed values.
        error: OptionError,
    },
    /// At every attempt the host was too busy to tell whether the bot would have started in time.
    /// The bot remembers this: a game with it is void.
    #[error(
        "{name} could not be started: at each of {} attempts the host was too busy to run it or the \
         referee in time",
        PAUSES.len() + 1
    )]
    Overloaded {
        /// The bot's name in the match.
        name: String,
        /// The measurements of the host at the last attempt.
        evidence: Box<HostEvidence>,
    },
    /// The user interrupted the program.
    #[error("interrupted")]
    Interrupted,
    /// The host failed. The bot remembers this: a game with it is void.
    #[error(transparent)]
    Host(#[from] HostFailure),
}

/// The error of a failed attempt to start.
pub(crate) enum NotStarted {
    /// Another attempt would end the same way.
    Settled(StartError),
    /// The host may have caused it, so another attempt is made.
    Stalled(StartError),
}

impl<E: Into<StartError>> From<E> for NotStarted {
    fn from(error: E) -> NotStarted {
        NotStarted::Settled(error.into())
    }
}
