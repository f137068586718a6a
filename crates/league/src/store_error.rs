//! Errors of a store.

use std::path::PathBuf;

/// An error of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The tournament does not exist.
    #[error("there is no tournament in {}: expected its file {}", .path.parent().unwrap_or(.path).display(), .path.file_name().unwrap_or_default().to_string_lossy())]
    NotThere {
        /// The expected path of its file.
        path: PathBuf,
    },
    /// The directory already contains a tournament.
    #[error("{} already contains a tournament", directory.display())]
    Exists {
        /// The directory of the tournament.
        directory: PathBuf,
    },
    /// The file does not belong to a tournament.
    #[error("{} is not a tournament store of Botyard: {reason}", path.display())]
    NoTournament {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
    /// A later version wrote it.
    #[error("{} was written by a later version of Botyard: its format is {found}, this version knows formats up to {known}; use that version or a later one", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: i64,
        /// The latest known version.
        known: i64,
    },
    /// The content contradicts itself or its checksum.
    #[error("the tournament store is damaged: {0}")]
    Damaged(String),
    /// The game has a result already.
    #[error("game {rotation} of block {block} has a result already")]
    Twice {
        /// Its block.
        block: u32,
        /// The rotation, from 1.
        rotation: u32,
    },
    /// A call that contradicts the store.
    #[error("{0}")]
    Refused(String),
    /// Another rejudge is pending.
    #[error("a rejudge is pending: apply or drop it first")]
    Pending,
    /// There is no pending rejudge.
    #[error("no rejudge is pending")]
    NonePending,
    /// The disk is full.
    #[error("the disk is full: {0}")]
    Full(String),
    /// Another error of the host.
    #[error("the tournament store cannot be used: {0}")]
    Host(String),
}

impl StoreError {
    /// Returns whether the store or its host has failed; otherwise the caller asked for what the
    /// store does not have or refuses.
    pub fn is_failure(&self) -> bool {
        match self {
            StoreError::NoTournament { .. }
            | StoreError::NotThere { .. }
            | StoreError::Exists { .. }
            | StoreError::Newer { .. }
            | StoreError::Pending
            | StoreError::NonePending
            | StoreError::Refused(_) => false,
            StoreError::Damaged(_)
            | StoreError::Full(_)
            | StoreError::Twice { .. }
            | StoreError::Host(_) => true,
        }
    }
}
