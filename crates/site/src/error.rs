//! Why something that was asked for is not done: a kind, and words for people. [`web`](crate::web) gives each kind a
//! status.

use std::io;

/// Why something is not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SiteError {
    /// It is wrong, or not possible now. The text says what was expected.
    #[error("{0}")]
    Wrong(String),
    /// There is too much of it at this moment, or within a time.
    #[error("{0}")]
    TooMany(String),
    /// SQLite failed.
    #[error("the database of the class cannot be used: {0}")]
    Database(#[from] rusqlite::Error),
    /// The system failed: a file, or random numbers.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The host failed.
    #[error(transparent)]
    Host(#[from] botyard_runner::Error),
}

impl SiteError {
    /// Returns what is wrong or not possible now, in words.
    pub(crate) fn wrong(why: impl Into<String>) -> SiteError {
        SiteError::Wrong(why.into())
    }
}
