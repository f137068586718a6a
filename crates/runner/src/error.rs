//! The errors of a run: an invalid configuration, a failure of the host, an interrupt. A front end
//! decides what each means for its user; the command line maps them to exit codes.

use botyard_league::StoreError;
use std::fmt::Display;
use std::io;

/// Why games were not played, or not all of them.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration, or a file that it names, is invalid. The text says what to write instead.
    #[error("{0}")]
    Usage(String),
    /// The host lacks space, processes or permissions. The text says what to do.
    #[error("{0}")]
    Host(String),
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
    /// Makes an [`Error::Usage`] with this text.
    pub fn usage(message: impl Display) -> Error {
        Error::Usage(message.to_string())
    }

    /// Makes an [`Error::Host`] with this text.
    pub fn host(message: impl Display) -> Error {
        Error::Host(message.to_string())
    }

    /// Returns the same error with `place` in front of its text.
    #[must_use]
    pub fn within(self, place: impl Display) -> Error {
        match self {
            Error::Usage(message) => Error::Usage(format!("{place}: {message}")),
            Error::Host(message) => Error::Host(format!("{place}: {message}")),
            other => other,
        }
    }
}
