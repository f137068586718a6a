//! Why a store cannot do what is asked of it.

use std::path::PathBuf;

/// Why a store cannot do what is asked of it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no tournament.
    #[error("there is no tournament in {}: expected its file {}", .path.parent().unwrap_or(.path).display(), .path.file_name().unwrap_or_default().to_string_lossy())]
    NotThere {
        /// Where its file would be.
        path: PathBuf,
    },
    /// There is one already.
    #[error("{} already exists", path.display())]
    Exists {
        /// Its file.
        path: PathBuf,
    },
    /// The file is none of a tournament's.
    #[error("{} is not a tournament store of Botyard: {reason}", path.display())]
    NoTournament {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A later version wrote it.
    #[error("{} was written by a later version of Botyard: its format is {found}, this version knows formats up to {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: i64,
        /// The latest that is known here.
        known: i64,
    },
    /// Contents that contradict themselves or their checksum.
    #[error("the tournament store is damaged: {0}")]
    Damaged(String),
    /// A result for a game that has one.
    #[error("game {rotation} of block {block} has a result already")]
    Twice {
        /// Its block.
        block: u32,
        /// Which rotation, from 1.
        rotation: u32,
    },
    /// A rejudge is pending, and another one was asked for.
    #[error("a rejudge is pending: apply or drop it first")]
    Pending,
    /// No rejudge to apply or drop.
    #[error("no rejudge is pending")]
    NonePending,
    /// No room.
    #[error("the disk is full: {0}")]
    Full(String),
    /// Anything else the host cannot do.
    #[error("the tournament store cannot be used: {0}")]
    Host(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full(error.to_string()),
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                StoreError::Damaged(error.to_string())
            }
            // A value that is none of its column's, or a table or a column that is not there.
            None | Some(rusqlite::ErrorCode::Unknown | rusqlite::ErrorCode::TypeMismatch) => {
                StoreError::Damaged(error.to_string())
            }
            _ => StoreError::Host(error.to_string()),
        }
    }
}
