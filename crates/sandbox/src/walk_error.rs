//! The reason why a path could not be resolved.

use std::io;
use std::path::PathBuf;

/// Why a path could not be resolved.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// A link leads out of the directory that holds it. Returned on Linux only.
    #[error("{} is a link to {}, which leads out of the directory that holds it", link.display(), target.display())]
    LeadsOut {
        /// The link.
        link: PathBuf,
        /// Its target.
        target: PathBuf,
    },
    /// The system refused a step, or the file does not exist.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path of the step.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
}
