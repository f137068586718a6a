//! Why games are not played: a configuration that makes none, a host that cannot play them, an interrupt.
//! A front end decides what each of these means to its user; the command line gives them exit codes.

use botyard_league::store::StoreError;
use std::fmt::Display;
use std::io;

/// Why games are not played, or not to their end.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A configuration, or a file that it names, makes no games. The text says what to write instead.
    #[error("{0}")]
    Usage(String),
    /// The host cannot do it: no space, no processes, no permission. The text says what to do.
    #[error("{0}")]
    Host(String),
    /// The store of a tournament is missing, damaged or not that of this version, or cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// An observer cannot show what it is to show.
    #[error(transparent)]
    Output(io::Error),
}

impl Error {
    /// An [`Error::Usage`] with this text.
    pub fn usage(message: impl Display) -> Error {
        Error::Usage(message.to_string())
    }

    /// An [`Error::Host`] with this text.
    pub fn host(message: impl Display) -> Error {
        Error::Host(message.to_string())
    }

    /// The same error, with the place where it happened in front of its text.
    #[must_use]
    pub fn within(self, place: impl Display) -> Error {
        match self {
            Error::Usage(message) => Error::Usage(format!("{place}: {message}")),
            Error::Host(message) => Error::Host(format!("{place}: {message}")),
            other => other,
        }
    }
}
