//! The errors of a run: an invalid configuration, a failure of the host, an interrupt. A front end
//! decides what each means for its user; the command line maps them to exit codes.

use crate::message;
use crate::message::{Message, Piece};
use botyard_league::StoreError;
use std::io;

/// Why games were not played, or not all of them.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration, or a file that it names, is invalid. The text says what to write instead.
    #[error("{}", .0.plain())]
    Usage(Message),
    /// The host lacks space, processes or permissions. The text says what to do.
    #[error("{}", .0.plain())]
    Host(Message),
    /// The program that has the rules of a game failed, which is no bot's fault. The text names the program and
    /// what it was asked.
    #[error("{}", .0.plain())]
    Rules(Message),
    /// The store of a tournament is missing, damaged, of another version, or not writable.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The user interrupted the run.
    #[error("interrupted")]
    Interrupted,
    /// An observer cannot write its output.
    #[error(transparent)]
    Output(io::Error),
}

impl Error {
    /// Makes an [`Error::Usage`] with this message.
    pub fn usage(message: impl Piece) -> Error {
        Error::Usage(message![message])
    }

    /// Makes an [`Error::Host`] with this message.
    pub fn host(message: impl Piece) -> Error {
        Error::Host(message![message])
    }

    /// Makes an [`Error::Rules`] with this message.
    pub fn rules(message: impl Piece) -> Error {
        Error::Rules(message![message])
    }

    /// Returns the message of the error.
    pub fn message(&self) -> Message {
        match self {
            Error::Usage(message) | Error::Host(message) | Error::Rules(message) => message.clone(),
            other => message![other],
        }
    }

    /// Returns the same error with another message, if it has one of its own.
    #[must_use]
    pub fn map(self, change: impl FnOnce(Message) -> Message) -> Error {
        match self {
            Error::Usage(message) => Error::Usage(change(message)),
            Error::Host(message) => Error::Host(change(message)),
            Error::Rules(message) => Error::Rules(change(message)),
            other => other,
        }
    }

    /// Returns the same error with `place` in front of its message.
    #[must_use]
    pub fn within(self, place: impl Piece) -> Error {
        self.map(|message| message![place, ": ", message])
    }
}
