//! The fit of weights to files of training games.

use super::generation::not_made;
use crate::files::replace;
use crate::text::{done, eprint_progress};
use botyard_bots::training::{FitProgress, Training, fit_files};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Fits weights to the games in files, writes them to `path` and prints where. `from` has weights
/// to begin with.
///
/// # Errors
///
/// A file cannot be read, has no games or no weights, or is not writable.
pub(super) fn fit<T: Training>(
    games: &[PathBuf],
    how: &T::Fit,
    from: Option<&Path>,
    path: &Path,
) -> anyhow::Result<ExitCode> {
    let what = T::HELD_OUT;
    let weights = fit_files::<T>(games, how, from, &mut |progress| {
        eprint_progress(&match progress {
            FitProgress::Read { positions } => format!("{positions} positions"),
            FitProgress::Epoch { epoch, of, error } => {
                format!("epoch {epoch} of {of}: error on {what} not learned from {error:.5}")
            }
        });
    });
    let weights = weights.map_err(not_made)?;
    replace(path, &weights)?;
    done(&format!("{} bytes of weights written to {}\n", weights.len(), path.display()))
}
