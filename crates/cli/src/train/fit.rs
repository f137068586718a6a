//! The fit of weights to files of training games.

use crate::failure::Failure;
use crate::files::{read, replace};
use crate::text::{done, eprint_progress};
use botyard_bots::training::{Learner, Training};
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
    let unusable =
        |path: &Path, error: String| Failure::usage(format!("{}: {error}", path.display()));
    let before = from.map(read).transpose()?;
    let learner = T::learner(how, before.as_deref());
    let mut learner = learner.map_err(|error| match from {
        Some(from) => unusable(from, error),
        None => Failure::usage(error),
    })?;
    for file in games {
        learner.add(&read(file)?).map_err(|error| unusable(file, error))?;
    }
    eprint_progress(&format!("{} positions", learner.positions()));
    let (epochs, what) = (learner.epochs(), T::HELD_OUT);
    let weights = learner.fit(&mut |epoch, error| {
        eprint_progress(&format!(
            "epoch {epoch} of {epochs}: error on {what} not learned from {error:.5}"
        ));
    });
    replace(path, &weights)?;
    done(&format!("{} bytes of weights written to {}\n", weights.len(), path.display()))
}
