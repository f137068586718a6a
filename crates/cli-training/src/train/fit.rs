//! The fit of weights to files of training games.

use super::generation::not_made;
use botyard_cli::files::replace;
use botyard_cli::text::{done, eprint_progress};
use botyard_training::{Training, fit_files};
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
    let weights = fit_files::<T>(games, how, from, &mut |progress| {
        eprint_progress(&progress.in_words(T::HELD_OUT));
    });
    let weights = weights.map_err(not_made)?;
    replace(path, &weights)?;
    done(&format!("{} bytes of weights written to {}\n", weights.len(), path.display()))
}
